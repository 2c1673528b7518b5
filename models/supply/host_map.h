#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "models/supply/footprint.h"
#include "models/supply/number_set.h"
#include "models/supply/pool.h"
#include "sim/core/quantity.h"

namespace stockout {

/// How many GPUs are free on each host of a pool, and where machines would go: each to the host that the
/// placement's fill names, ties to the lowest number, the machines of one lease one after the other.
///
/// Hosts are indexed by how many GPUs they have free, so that a machine finds its host in O(GPUs of a host x
/// log hosts). Whether a lease of equal machines that may go anywhere fits is found without placing it;
/// one that must be placed in a block looks at the hosts of each block that has enough GPUs free.
class HostMap {
 public:
  /// All hosts are free. At least one host, of 1 to 255 GPUs; blocks of at least one host.
  explicit HostMap(const Placement& placement);

  [[nodiscard]] std::int32_t free_on(std::int32_t host) const {
    return free_[static_cast<std::size_t>(host)];
  }
  /// On all hosts.
  [[nodiscard]] GpuCount free_gpus() const { return GpuCount{free_gpus_}; }
  /// The part of them that is on hosts which are not wholly free.
  [[nodiscard]] GpuCount stranded_gpus() const { return GpuCount{stranded_}; }

  /// Lessens or raises what is free. There must be as much free, or taken.
  void take(std::span<const HostShare> shares);
  void give(std::span<const HostShare> shares);

  /// Whether all machines find hosts, one after the other. The map is afterwards as it was before.
  [[nodiscard]] bool fits(const Footprint& footprint) { return find_range(footprint).has_value(); }

  /// Where the machines go, one entry for each host, by number. False, and `shares` is empty, if they do not
  /// fit. Takes nothing: the map is afterwards as it was before.
  [[nodiscard]] bool place(const Footprint& footprint, std::vector<HostShare>& shares);

 private:
  // Hosts that a lease may use: `first` and on, before `end`.
  struct Range {
    std::int32_t first = 0;
    std::int32_t end = 0;
    std::int64_t free = 0;
  };

  [[nodiscard]] std::optional<Range> find_range(const Footprint& footprint);
  [[nodiscard]] std::optional<Range> fullest_range(const Footprint& footprint, std::int32_t blocks);
  [[nodiscard]] Range range_of(std::int32_t block, std::int32_t blocks) const;
  [[nodiscard]] bool fits_in(const Range& range, const Footprint& footprint);
  [[nodiscard]] std::int64_t slots_in(const Range& range, std::int32_t gpus) const;
  [[nodiscard]] bool put(const Range& range, const Footprint& footprint);
  void take_off();
  [[nodiscard]] std::int32_t find_host(const Range& range, std::int32_t gpus) const;
  void set_free(std::int32_t host, std::int32_t gpus);

  Placement placement_;
  std::vector<std::uint8_t> free_;        // by host
  std::vector<NumberSet> with_free_;      // by GPUs free: the hosts
  std::vector<std::int64_t> hosts_with_;  // by GPUs free: how many hosts
  std::vector<std::int64_t> block_free_;  // by block
  std::int64_t free_gpus_ = 0;
  std::int64_t stranded_ = 0;
  std::vector<HostShare> trial_;  // scratch: machines put one by one
};

}  // namespace stockout

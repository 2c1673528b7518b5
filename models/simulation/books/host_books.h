#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "models/simulation/ground/area.h"
#include "models/supply/host_map.h"
#include "models/supply/pool.h"

namespace stockout {

/// Where one lease is placed.
struct LeasePlacement {
  std::vector<HostShare> shares;
  bool is_spot = false;
  bool has_started = false;  // its machines are there; else it is delayed, or was until it got notice
};

/// Footprint of a held pool's machines on hosts.
[[nodiscard]] Footprint footprint_of(const HeldPool& held, MachineCount machines);

/// The hosts of a pool with Placement during a run, and who is placed on them.
class HostBooks {
 public:
  HostBooks(const Placement& placement, SimTime begin);

  /// Free of leases that are not leaving: of all of them, and of all but spot.
  [[nodiscard]] HostMap& open() { return open_; }
  [[nodiscard]] HostMap& solid() { return solid_; }
  /// Whether a request of the class could be placed on the pool's hosts, if spot yields to stronger classes.
  [[nodiscard]] bool fits(LeaseClass lease_class, const Footprint& footprint) {
    return (lease_class == LeaseClass::spot ? open_ : solid_).fits(footprint);
  }

  // What happens to a lease, in this order.

  /// Granted: it counts from now on.
  void enter(const LeasePlacement& placement, SimTime now);
  /// Right after that: whether leaving machines are still where it is placed.
  [[nodiscard]] bool is_taken(const LeasePlacement& placement) const;
  /// Then either its machines are there, or it is delayed until the list of delayed leases has had its turn.
  void start(LeasePlacement& placement);
  void delay(const LeasePlacement& placement);
  void end_delay(const LeasePlacement& placement);
  /// It is leaving, or over: its room is free for others.
  void vacate(const LeasePlacement& placement, SimTime now);
  /// It is over: its machines are gone.
  void release(const LeasePlacement& placement);

  /// To be asked of each delayed lease in order of the list: whether it may start up. Then to be told of each
  /// that the turn is over.
  [[nodiscard]] bool may_start(const LeasePlacement& placement);
  void turn_over(const LeasePlacement& placement);

  /// A number for footprints that are alike: they fit or do not fit alike.
  [[nodiscard]] std::uint64_t kind_of(const Footprint& footprint);

  [[nodiscard]] const Area& free_area() const { return free_area_; }
  [[nodiscard]] const Area& stranded_area() const { return stranded_area_; }

  /// The maps say the same as the pool's counters.
  void check(GpuCount capacity, GpuCount all, GpuCount solid) const;
  /// Nothing is placed anywhere.
  void check_empty() const;

 private:
  void count(SimTime now);

  std::int32_t host_gpus_;
  HostMap open_;
  HostMap solid_;
  std::vector<std::int32_t> leaving_;  // by host: GPUs of leases that are leaving
  std::vector<std::int32_t> delayed_;  // of leases that are delayed
  std::vector<std::int32_t> there_;    // of leases that have started, leaving ones too
  std::vector<std::int32_t> ahead_;    // scratch: of delayed leases earlier in the list
  std::map<Footprint, std::uint64_t> kinds_;
  Area free_area_;      // on the open map
  Area stranded_area_;  // of it on hosts that are not wholly free
};

}  // namespace stockout

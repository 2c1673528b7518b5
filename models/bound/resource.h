#pragma once

#include <cstdint>
#include <vector>

#include "models/billing/terms.h"
#include "models/supply/pool.h"
#include "models/world/world.h"
#include "sim/core/time.h"

namespace stockout {

/// Something of which there is only so much at a time: capacity of a zone, of a held pool, or what a
/// commitment pays for. Never less than in any run.
class Resource {
 public:
  /// From `at` on, so much (GPUs; of a commitment machines).
  struct Piece {
    SimTime at{};
    std::int64_t amount = 0;
  };

  /// Nothing before `from` and from `until` on.
  [[nodiscard]] static Resource between(SimTime from, SimTime until, std::int64_t amount);

  /// Capacity of a source in a replication. A lease may work on for `overstay` after its capacity has fallen,
  /// so that at a time t counts the most there was in [t - overstay, t]; kForever: the most there was until
  /// t.
  [[nodiscard]] static Resource of_source(const World& world, const CapacitySource& source,
                                          std::uint64_t replication, SimDuration overstay);

  /// Machines that existing commitments pay for. An hour's may be used at any time in it.
  [[nodiscard]] static Resource of_coverage(const BillTerms& terms, const Coverage& coverage);

  /// The most there is to be had in [from, to), in units times ms.
  [[nodiscard]] double area(SimTime from, SimTime to) const;
  /// The most there is at one time in [from, to).
  [[nodiscard]] std::int64_t most(SimTime from, SimTime to) const;
  /// The least there is at a time when there is anything.
  [[nodiscard]] std::int64_t least_if_any() const;

  [[nodiscard]] const std::vector<Piece>& pieces() const { return pieces_; }
  [[nodiscard]] bool is_hourly() const { return hourly_; }

 private:
  [[nodiscard]] std::size_t piece_at(SimTime at) const;

  std::vector<Piece> pieces_;  // sorted, the first at the beginning of time
  bool hourly_ = false;
};

/// When nothing can run any more, whatever is done.
[[nodiscard]] SimTime horizon_of(const World& world);

}  // namespace stockout

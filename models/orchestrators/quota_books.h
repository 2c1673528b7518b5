#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "models/consumption/strategy.h"
#include "models/world/world.h"

namespace stockout {

/// Quotas of a planner: the part taken, and the part that may be. Machines that the strategy holds
/// (reservations, elastic pools) have taken theirs beforehand.
class QuotaBooks {
 public:
  /// `world` outlives it.
  QuotaBooks(const World& world, const Strategy& strategy);

  /// Whether what a place asks for is within all limits at some time, of each for itself.
  [[nodiscard]] bool could_ever_have_room(const Candidate& place, LeaseClass lease_class) const;
  /// Whether what a place asks for may be taken at `now`.
  [[nodiscard]] bool has_room(const Candidate& place, LeaseClass lease_class, SimTime now) const;
  /// So many machines of the place are taken.
  void take(const Candidate& place, LeaseClass lease_class, std::int64_t machines) {
    add(place, lease_class, machines, 1);
  }
  void give_back(const Candidate& place, LeaseClass lease_class, std::int64_t machines) {
    add(place, lease_class, machines, -1);
  }
  /// The quotas of which any of the places takes something, by number.
  [[nodiscard]] std::vector<std::size_t> quotas_of(std::span<const Candidate* const> places,
                                                   LeaseClass lease_class) const;
  /// When a limit next changes after `now`; kNever: not any more.
  [[nodiscard]] SimTime next_step(SimTime now) const;
  /// Throws InvariantError if anything is taken.
  void check_empty() const;

 private:
  struct Quota {
    const QuotaBucket* bucket;
    std::vector<QuotaStep> steps;  // less what is held
    std::int64_t most = 0;         // of their limits
    std::int64_t taken = 0;
  };

  void set_aside(const HeldPool& held);
  void add(const Candidate& place, LeaseClass lease_class, std::int64_t machines, std::int64_t sign);

  std::vector<Quota> quotas_;
};

}  // namespace stockout

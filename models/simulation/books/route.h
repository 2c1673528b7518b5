#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/simulation/ground/agenda.h"
#include "models/simulation/ground/run_state.h"
#include "models/world/world.h"

namespace stockout {

/// Where a job may ask, and in which order: the strategies of a run, of their candidates those that could
/// ever hold the job, legs and places by price where a strategy looks at prices. Look-ups; it changes nothing
/// but the order of a job's legs.
class Route {
 public:
  /// `strategy`: the one under test. All three outlive it.
  Route(const World& world, const Strategy& strategy, const Agenda& agenda);

  /// Strategies have numbers: 0 the one under test, then those of the tenants. The first of a background
  /// source:
  [[nodiscard]] std::uint32_t first_of(SourceId source) const { return tenants_of_[index(source)]; }
  /// How many there are.
  [[nodiscard]] std::size_t strategies() const { return strategies_.size(); }
  /// Gives the job the strategy it follows.
  void assign(JobState& job, std::uint32_t strategy) const;

  /// The leg's candidates that could ever hold the job, in the leg's order of places.
  [[nodiscard]] const std::vector<const Candidate*>& usable(const JobState& job, std::size_t leg) const {
    return usable_[job.route.usable + leg * shapes_ + index(job.job.shape)];
  }
  /// Whether any of them serves anybody still.
  [[nodiscard]] bool is_usable(const JobState& job, std::size_t leg) const;
  /// Whether there is such a leg, open to the job.
  [[nodiscard]] bool is_possible(const JobState& job) const;

  /// A held pool serves nobody any more: from its `until` on, or from close() on.
  [[nodiscard]] bool is_over(PoolId pool) const {
    return world_.is_held(pool) && (is_closed_[index(pool)] || agenda_.now() >= world_.held_pool(pool).until);
  }
  void close(PoolId pool) { is_closed_[index(pool)] = true; }

  /// An attempt begins at the first leg: where prices count, legs are put in order by those of now.
  void order_legs(JobState& job) const;
  /// As many as the strategy has legs: none.
  [[nodiscard]] std::size_t first_leg(const JobState& job) const;
  /// The leg to which the job passes on from the one it is in; none as above.
  [[nodiscard]] std::size_t leg_after(const JobState& job) const;
  /// The place of an at-once leg that is asked first, or after the job's place; as many as there are places:
  /// none. For a gang that may be spread the first listed is that of all.
  [[nodiscard]] std::size_t first_place(const JobState& job) const;
  [[nodiscard]] std::size_t place_after(const JobState& job) const;

  /// Places of the longest strategy, all legs together.
  [[nodiscard]] std::size_t most_places() const { return most_places_; }

 private:
  [[nodiscard]] bool is_spread(const JobState& job) const;
  [[nodiscard]] std::size_t cheapest_place(const JobState& job, bool is_first) const;

  const World& world_;
  const Agenda& agenda_;
  std::size_t shapes_;
  std::vector<const Strategy*> strategies_;
  std::vector<std::uint32_t> first_usable_;            // by strategy
  std::vector<std::vector<const Candidate*>> usable_;  // [of the strategy's first leg + leg x shapes + shape]
  std::vector<std::uint32_t> tenants_of_;              // by source: number of its first strategy
  std::size_t most_places_ = 0;
  std::vector<bool> is_closed_;  // by PoolId
};

}  // namespace stockout

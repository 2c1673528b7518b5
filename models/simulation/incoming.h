#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/simulation/draws.h"
#include "models/simulation/route.h"
#include "models/workload/arrivals.h"
#include "models/world/world.h"

namespace stockout {

/// The jobs to come, in order of arrival, and the strategy that each follows: recorded ones are submitted in
/// the window, tenants from the begin of the run on, others are left out.
class Incoming {
 public:
  /// `world`, `route` and `draws` outlive it.
  Incoming(const World& world, std::uint64_t replication, const Route& route, Draws& draws);

  /// nullptr: nobody comes any more.
  [[nodiscard]] const Job* next() const { return arrivals_.peek(); }
  [[nodiscard]] SimTime next_time() const { return next() == nullptr ? kNever : next()->submit; }
  /// That job has come.
  void pop() {
    arrivals_.pop();
    skip_unwanted();
  }
  /// Number 0 is the one under test; a tenant follows one of its source's.
  [[nodiscard]] std::uint32_t strategy_of(const Job& job) {
    const Coming& coming = coming_[index(job.source)];
    return coming.choices > 1 ? coming.strategy + draws_.tenant(world_.sources[index(job.source)], job)
                              : coming.strategy;
  }

 private:
  // Which jobs of a source come, and how they buy.
  struct Coming {
    SimTime from;
    SimTime until = kNever;
    std::uint32_t strategy = 0;  // the first ...
    std::size_t choices = 1;     // ... of so many
  };

  void skip_unwanted() {
    for (const Job* job = next(); job != nullptr; job = next()) {
      const Coming& coming = coming_[index(job->source)];
      if (job->submit >= coming.from && job->submit < coming.until) return;
      job->submit < coming.from ? arrivals_.pop() : arrivals_.end_source();
    }
  }

  const World& world_;
  Draws& draws_;
  Arrivals arrivals_;
  std::vector<Coming> coming_;  // by SourceId
};

}  // namespace stockout

#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/simulation/books/draws.h"
#include "models/simulation/books/route.h"
#include "models/workload/arrivals/arrivals.h"
#include "models/world/world.h"

namespace stockout {

/// The jobs to come, in order of arrival, and the strategy that each follows: recorded ones are submitted in
/// the window, tenants from the begin of the run on, others are left out.
class Incoming {
 public:
  /// `world`, `route` and `draws` outlive it.
  Incoming(const World& world, std::uint64_t replication, const Route& route, Draws& draws);

  /// nullptr: nobody comes any more.
  [[nodiscard]] const Job* next() const { return next_; }
  [[nodiscard]] SimTime next_time() const { return next_time_; }
  /// That job has come.
  void pop() {
    arrivals_.pop();
    find_next();
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

  void find_next() {
    next_ = arrivals_.peek();
    if (next_ != nullptr && !is_wanted(*next_)) skip_unwanted();
    next_time_ = next_ == nullptr ? kNever : next_->submit;
  }
  [[nodiscard]] bool is_wanted(const Job& job) const {
    const Coming& coming = coming_[index(job.source)];
    return job.submit >= coming.from && job.submit < coming.until;
  }
  void skip_unwanted();

  const World& world_;
  Draws& draws_;
  Arrivals arrivals_;
  std::vector<Coming> coming_;  // by SourceId
  const Job* next_ = nullptr;
  SimTime next_time_ = kNever;
};

}  // namespace stockout

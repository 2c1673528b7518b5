#pragma once

#include "tests/models/simulation/rooms/floors.h"

namespace stockout::test {

using namespace std::chrono_literals;

inline const PoolId kLeasePool{0};

/// A pool of 8 GPUs; jobs of 4 by one row.
inline WorldBuilder spot_world(const Policy& policy, const JobClass& job_class = {.name = "class 0"}) {
  WorldBuilder make;
  make.pool(8);
  make.shape(4);
  make.world.classes = {job_class};
  make.leg({.policy = policy, .places = {kLeasePool}});
  return make;
}

inline Policy with_notice(SimDuration notice) {
  Policy policy = spot();
  policy.notice = notice;
  return policy;
}

inline const JobClass kSaves{
    .name = "saves", .checkpoint_every = 4s, .checkpoint_cost = 1s, .checkpoint_in_notice = true};

/// One job of 20 s of work on a lease that has started.
struct OneLease : UpToLives {
  explicit OneLease(const World& made)
      : UpToLives{made}, of{add_job({.work = 20s, .gpus = 4})}, slot{start_lease(of)} {}
  explicit OneLease(const WorldBuilder& make) : OneLease{make.build()} {}
  /// Its next end, or begin of work; what became of the job by it.
  Outcome next_release() {
    lives.ends.play_release(next(Phase::releases));
    return only_outcome();
  }
  [[nodiscard]] GpuCount room() { return pool(kLeasePool).room(LeaseClass::spot); }
  JobSlot of;
  LeaseSlot slot;
};

}  // namespace stockout::test

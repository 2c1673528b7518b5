#pragma once

#include <cstdint>
#include <deque>
#include <unordered_map>

#include "models/simulation/tables.h"
#include "models/world/world.h"

namespace stockout {

/// Groups of which only so many jobs are open at a time (trials of a tuning job).
class Groups {
 public:
  Groups(const World& world, Tables& tables) : world_{world}, tables_{tables} {}

  /// A job has come: whether it may begin to ask now. If not, leave() names it later.
  [[nodiscard]] bool join(JobSlot slot);
  /// A job is final: the one of its group that may begin in its stead; kNoJob: none waits.
  [[nodiscard]] JobSlot leave(const JobState& job);

 private:
  struct Group {
    std::int32_t open = 0;
    std::deque<JobSlot> held;  // in order of arrival
  };

  const World& world_;
  Tables& tables_;
  std::unordered_map<std::uint64_t, Group> groups_;  // by source, class and group
};

}  // namespace stockout

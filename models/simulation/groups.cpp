#include "models/simulation/groups.h"

#include "models/workload/synthesis.h"

namespace stockout {
namespace {

// Jobs of one source, class and group share their class's limit.
std::uint64_t group_key(const Job& job) {
  constexpr int kGroupBits = 32;
  return entity_of(job.source, (std::uint64_t{index(job.job_class)} << kGroupBits) | job.group);
}

}  // namespace

bool Groups::join(JobSlot slot) {
  JobState& job = tables_.jobs[slot];
  const std::int32_t parallel = world_.classes[index(job.job.job_class)].parallel;
  if (job.job.group == 0 || parallel == 0) return true;
  job.in_group = true;
  Group& group = groups_[group_key(job.job)];
  if (group.open >= parallel) {
    group.held.push_back(slot);
    return false;
  }
  ++group.open;
  return true;
}

JobSlot Groups::leave(const JobState& job) {
  if (!job.in_group) return kNoJob;
  const auto found = groups_.find(group_key(job.job));
  Group& group = found->second;
  if (!group.held.empty()) {
    const JobSlot next = group.held.front();
    group.held.pop_front();
    return next;
  }
  if (--group.open == 0) groups_.erase(found);
  return kNoJob;
}

}  // namespace stockout

#include "models/orchestrators/group_limit.h"

#include <algorithm>

#include "models/workload/arrivals/synthesis.h"
#include "sim/core/check.h"

namespace stockout {
namespace {

std::uint64_t group_key(const Job& job) {
  constexpr int kGroupBits = 32;
  return entity_of(job.source, (std::uint64_t{index(job.job_class)} << kGroupBits) | job.group);
}

}  // namespace

bool GroupLimit::is_asked_for(const std::vector<JobClass>& classes) {
  return std::ranges::any_of(classes, [](const JobClass& each) { return each.parallel > 0; });
}

bool GroupLimit::concerns(const JobView& job) const {
  return job.job.group != 0 && classes_[index(job.job.job_class)].parallel > 0;
}

bool GroupLimit::may_begin(const JobView& job, Clerk& /*clerk*/) {
  Group& group = groups_[group_key(job.job)];
  group.limit = classes_[index(job.job.job_class)].parallel;
  if (group.open == group.limit) {
    group.held.push_back(job.ticket);
    return false;
  }
  ++group.open;
  return true;
}

// Another begins in its stead.
void GroupLimit::heard(const News& news, Clerk& clerk) {
  if (news.kind != News::Kind::final) return;
  const auto found = groups_.find(group_key(news.job.job));
  if (!news.job.has_begun) {  // held here, or by one that is asked before
    if (found != groups_.end()) std::erase(found->second.held, news.job.ticket);
    return;
  }
  STOCKOUT_CHECK(found != groups_.end(), "a job is final that its group does not know");
  Group& group = found->second;
  if (!group.held.empty()) {
    clerk.admit(group.held.front());
    group.held.pop_front();
  } else if (--group.open == 0) {
    groups_.erase(found);
  }
}

void GroupLimit::check() const {
  for (const auto& [_, group] : groups_) {
    STOCKOUT_CHECK(group.open > 0 && group.open <= group.limit, "more jobs of a group are open than may be");
    STOCKOUT_CHECK(group.held.empty() || group.open == group.limit, "a group holds jobs that may begin");
  }
}

}  // namespace stockout

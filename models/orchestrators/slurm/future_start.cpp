#include "models/orchestrators/slurm/future_start.h"

#include <algorithm>

#include "models/orchestrators/slurm/preemption.h"

namespace stockout::slurm {
namespace {

constexpr SimDuration kFirstGroup = std::chrono::seconds{30};
constexpr int kMostInGroup = 200;  // then Slurm looks at its clock before it goes on

bool overlaps(const Job& job, const NodeSet& among) {
  return std::any_of(job.run.nodes.begin(), job.run.nodes.end(),
                     [&](NodeIndex node) { return among.contains(node); });
}

}  // namespace

std::optional<Start> FutureStart::find(JobId id, PartitionIndex partition, const NodeSet& among,
                                       bool now_only) {
  const Job& job = cluster_.jobs[id];
  if (auto nodes = cluster_.room_for(job, partition, among))
    return Start{cluster_.second(), std::move(*nodes)};
  const std::vector<JobId> victims = preemptable(cluster_, id, partition, among);
  if (now_only && victims.empty()) return std::nullopt;
  const Shape shape = cluster_.shape_of(job, partition);
  free_ = cluster_.nodes.free;
  free_.select(among, shape, fitting_);
  count_ = fitting_.size();
  for (const JobId victim : victims) give(cluster_.jobs[victim], shape, among);
  if (count_ >= shape.nodes) return start_at(cluster_.second(), shape);
  if (now_only) return std::nullopt;
  return find_later(shape, among);
}

void FutureStart::give(const Job& job, const Shape& shape, const NodeSet& among) {
  free_.give(job.run.nodes, cluster_.shape_of(job, job.run.partition), cluster_.configuration.nodes);
  for (const NodeIndex node : job.run.nodes) {
    if (!among.contains(node) || fitting_.contains(node) || !free_.fits(node, shape)) continue;
    fitting_.insert(node);
    ++count_;
  }
}

Start FutureStart::start_at(SimTime at, const Shape& shape) {
  Start start{.at = at, .nodes = {}};
  cluster_.nodes.selector.choose(fitting_, free_, cluster_.nodes.weights, shape, start.nodes);
  return start;
}

// An end that has passed is guessed anew.
SimTime FutureStart::end_of(const Job& job) const {
  const SimTime now = cluster_.second();
  if (job.run.expected_end > now) return job.run.expected_end;
  return std::max(job.run.expected_end + cluster_.settings().preemption.kill_wait,
                  now + std::chrono::seconds{1});
}

std::optional<Start> FutureStart::find_later(const Shape& shape, const NodeSet& among) {
  const SimDuration linear = cluster_.settings().backfill.window_linear;
  SimDuration width = kFirstGroup;
  std::optional<SimTime> first;  // where the first group would end if it had no width
  auto next = cluster_.running.begin();
  const auto end = cluster_.running.end();
  while (next != end) {
    const Job* last = nullptr;
    int taken = 0;
    while (next != end) {
      const Job& job = cluster_.jobs[next->second];
      ++next;
      if (!overlaps(job, among)) continue;
      if (!first) first = cluster_.round_down(job.run.expected_end, kFirstGroup) + kFirstGroup;
      last = &job;
      give(job, shape, among);
      if (next == end || next->first > *first + width || taken++ > kMostInGroup) break;
    }
    if (last == nullptr) return std::nullopt;
    if (taken > kMostInGroup) continue;
    do {
      width = linear > SimDuration{} ? width + linear : width * 2;
    } while (next != end && next->first > *first + width);
    if (count_ >= shape.nodes) return start_at(end_of(*last), shape);
  }
  return std::nullopt;
}

}  // namespace stockout::slurm

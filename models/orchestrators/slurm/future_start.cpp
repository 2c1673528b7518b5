#include "models/orchestrators/slurm/future_start.h"

#include <algorithm>

#include "models/orchestrators/slurm/preemption.h"

namespace stockout::slurm {
namespace {

constexpr SimDuration kFirstGroup = std::chrono::seconds{30};
constexpr int kMostInGroup = 200;  // then Slurm looks at its clock before it goes on

}  // namespace

std::optional<Start> FutureStart::find(JobId id, PartitionIndex partition, const NodeSet& among,
                                       bool now_only) {
  const Shape shape = cluster_.shape_of(cluster_.jobs[id], partition);
  cluster_.nodes.free.select(among, shape, fitting_);
  count_ = fitting_.size();
  if (count_ >= shape.nodes) return start_at(cluster_.second(), shape, cluster_.nodes.free);
  victims_ = preemptable(cluster_, id, partition, among);
  if (now_only && victims_.empty()) return std::nullopt;
  free_ = cluster_.nodes.free;
  for (const JobId victim : victims_) {
    put_nodes(cluster_.jobs[victim], of_victim_);
    give(cluster_.jobs[victim], of_victim_, shape, among);
  }
  if (count_ >= shape.nodes) return start_at(cluster_.second(), shape, free_);
  if (now_only) return std::nullopt;
  return find_later(shape, among);
}

void FutureStart::put_nodes(const Job& job, NodeSet& nodes) const {
  nodes = NodeSet{cluster_.configuration.nodes.size()};
  for (const NodeIndex node : job.run.nodes) nodes.insert(node);
}

const std::vector<FutureStart::Ending>& FutureStart::endings() {
  if (as_of_ == cluster_.changes) return endings_;
  as_of_ = cluster_.changes;
  endings_.resize(cluster_.running.size());
  std::size_t at = 0;
  for (const auto& [end, id] : cluster_.running) {
    endings_[at].at = end;
    endings_[at].job = id;
    put_nodes(cluster_.jobs[id], endings_[at++].nodes);
  }
  return endings_;
}

void FutureStart::give(const Job& job, const NodeSet& nodes, const Shape& shape, const NodeSet& among) {
  const Shape held = cluster_.shape_of(job, job.run.partition);
  nodes.for_each_common(among, [&](NodeIndex node) {
    free_.give(node, held, cluster_.configuration.nodes[node]);
    if (fitting_.contains(node) || !free_.fits(node, shape)) return;
    fitting_.insert(node);
    ++count_;
  });
}

Start FutureStart::start_at(SimTime at, const Shape& shape, const FreeNodes& free) {
  Start start{.at = at, .nodes = {}};
  cluster_.nodes.selector.choose(fitting_, free, cluster_.nodes.weights, shape, start.nodes);
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
  const std::vector<Ending>& all = endings();
  auto next = all.begin();
  const auto end = all.end();
  while (next != end) {
    const Job* last = nullptr;
    int taken = 0;
    while (next != end) {
      const Ending& ending = *next++;
      if (!ending.nodes.overlaps(among) || is_victim(ending.job)) continue;
      if (!first) first = cluster_.round_down(ending.at, kFirstGroup) + kFirstGroup;
      last = &cluster_.jobs[ending.job];
      give(*last, ending.nodes, shape, among);
      if (next == end || next->at > *first + width || taken++ > kMostInGroup) break;
    }
    if (last == nullptr) return std::nullopt;
    if (taken > kMostInGroup) continue;
    do {
      width = linear > SimDuration{} ? width + linear : width * 2;
    } while (next != end && next->at > *first + width);
    if (count_ >= shape.nodes) return start_at(end_of(*last), shape, free_);
  }
  return std::nullopt;
}

}  // namespace stockout::slurm

#include "models/orchestrators/slurm/future_start.h"

#include <boost/functional/hash.hpp>

#include <algorithm>
#include <utility>

#include "models/orchestrators/slurm/preemption.h"

namespace stockout::slurm {
namespace {

constexpr SimDuration kFirstGroup = std::chrono::seconds{30};
constexpr int kMostInGroup = 200;  // then Slurm looks at its clock before it goes on

}  // namespace

std::size_t FutureStart::Hash::operator()(const Question& question) const {
  std::size_t seed = question.among.hash();
  boost::hash_combine(seed, question.shape.nodes);
  boost::hash_combine(seed, question.shape.cpus);
  boost::hash_combine(seed, question.shape.gpus);
  boost::hash_combine(seed, question.shape.whole);
  return seed;
}

const Start* FutureStart::find(JobId id, PartitionIndex partition, const NodeSet& among, bool now_only) {
  const Shape shape = cluster_.shape_of(cluster_.jobs[id], partition);
  const Start* alone = without_victims(shape, among);
  if (alone != nullptr && alone->at <= cluster_.second()) return alone;
  victims_ = preemptable(cluster_, id, partition, among);
  if (victims_.empty()) return now_only ? nullptr : alone;
  look_at_free_nodes(shape, among);
  for (const JobId victim : victims_) {
    put_nodes(cluster_.jobs[victim], of_victim_);
    give(cluster_.jobs[victim], of_victim_, shape, among);
  }
  with_victims_ = count_ >= shape.nodes ? start_at(cluster_.second(), shape)
                  : now_only            ? std::nullopt
                                        : find_later(shape, among);
  return with_victims_ ? &*with_victims_ : nullptr;
}

const Start* FutureStart::without_victims(const Shape& shape, const NodeSet& among) {
  look_anew();
  question_.shape = shape;
  question_.among = among;
  const auto [answer, is_new] = answers_.try_emplace(question_);
  if (is_new) {
    victims_.clear();
    look_at_free_nodes(shape, among);
    answer->second = count_ >= shape.nodes ? start_at(cluster_.second(), shape) : find_later(shape, among);
  }
  return answer->second ? &*answer->second : nullptr;
}

void FutureStart::look_at_free_nodes(const Shape& shape, const NodeSet& among) {
  free_ = cluster_.nodes.free;
  free_.select(among, shape, fitting_);
  count_ = fitting_.size();
}

void FutureStart::put_nodes(const Job& job, NodeSet& nodes) const {
  nodes = NodeSet{cluster_.configuration.nodes.size()};
  for (const NodeIndex node : job.run.nodes) nodes.insert(node);
}

void FutureStart::look_anew() {
  const std::pair now{cluster_.second(), cluster_.changes};
  if (as_of_ == now) return;
  as_of_ = now;
  answers_.clear();
  endings_.resize(cluster_.running.size());
  std::size_t at = 0;
  for (const auto& [end, id] : cluster_.running) {
    endings_[at].at = end;
    endings_[at].job = id;
    put_nodes(cluster_.jobs[id], endings_[at++].nodes);
  }
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

Start FutureStart::start_at(SimTime at, const Shape& shape) {
  cluster_.nodes.selector.choose(fitting_, free_, cluster_.nodes.weights, shape, chosen_);
  Start start{.at = at, .nodes = NodeSet{cluster_.configuration.nodes.size()}};
  for (const NodeIndex node : chosen_) start.nodes.insert(node);
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
  auto next = endings_.cbegin();
  const auto end = endings_.cend();
  while (next != end) {
    const Job* last = nullptr;
    int taken = 0;
    while (next != end) {
      const Ending& ending = *next++;
      if (!ending.nodes.overlaps(among) || is_victim(ending.job)) continue;
      if (!first) first = cluster_.round_down(ending.at, kFirstGroup) + kFirstGroup;
      last = &cluster_.jobs[ending.job];
      give(*last, ending.nodes, shape, among);
      while (next != end && is_victim(next->job)) ++next;  // they have left already
      if (next == end || next->at > *first + width || taken++ > kMostInGroup) break;
    }
    if (last == nullptr) return std::nullopt;
    if (taken > kMostInGroup) continue;
    do {
      width = linear > SimDuration{} ? width + linear : width * 2;
    } while (next != end && next->at > *first + width);
    if (count_ >= shape.nodes) return start_at(end_of(*last), shape);
  }
  return std::nullopt;
}

}  // namespace stockout::slurm

#include "models/orchestrators/slurm/conservative.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "sim/core/check.h"

namespace stockout::slurm {
namespace {

// For so long a job that is over its limit counts as running on.
constexpr SimDuration kInstant{1};

// Of these nodes, `count` with the lowest numbers.
NodeSet lowest(NodeSet nodes, int count) {
  nodes.for_each([&](NodeIndex node) {
    if (count-- <= 0) nodes.erase(node);
  });
  return nodes;
}

}  // namespace

ConservativeScheduler::ConservativeScheduler(Cluster& cluster, Launcher& launcher)
    : cluster_{cluster},
      launcher_{launcher},
      calendar_{cluster.configuration.nodes.size()},
      usable_{cluster.nodes.usable} {}

void ConservativeScheduler::cycle() {
  take_news();
  const std::uint64_t before = calendar_.growths();
  work_through_queue();
  calendar_.forget(before);
}

void ConservativeScheduler::take_news() {
  urgent_.clear();
  for (const JobId id : cluster_.news.queue) follow_queue(id);
  cluster_.news.queue.clear();
  follow_nodes();
  lapse();
  std::ranges::sort(urgent_, std::less<>{});
}

void ConservativeScheduler::follow_queue(JobId id) {
  drop(id);
  const Job& job = cluster_.jobs[id];
  if (job.state != JobState::pending) return;
  if (of_job_.size() <= id) of_job_.resize(cluster_.jobs.size());
  for (std::size_t place = 0; place < job.request.partitions.size(); ++place) {
    if (unused_.empty()) {
      unused_.push_back(static_cast<PromiseId>(promises_.size()));
      promises_.emplace_back();
    }
    const PromiseId own = unused_.back();
    unused_.pop_back();
    promises_[own] = {.job = id, .place = place};
    of_job_[id].push_back(own);
    if (cluster_.could_run_in(job, job.request.partitions[place])) urge(own);
  }
}

// Promises of nodes that are gone, or held for longer than they were, cannot be kept.
void ConservativeScheduler::follow_nodes() {
  NodeSet gone = usable_;
  gone -= cluster_.nodes.usable;
  gone.for_each([&](NodeIndex node) { calendar_.list(node, displaced_); });
  cluster_.news.nodes.for_each([&](NodeIndex node) { set_hold(node); });
  cluster_.news.nodes.clear();
  for (const auto& [end, id] : cluster_.running) {
    if (end > cluster_.now) break;
    for (const NodeIndex node : cluster_.jobs[id].run.nodes) set_hold(node);
  }
  NodeSet come = cluster_.nodes.usable;
  come -= usable_;
  come.for_each([&](NodeIndex node) { calendar_.add(node); });
  usable_ = cluster_.nodes.usable;
  for (const PromiseId id : displaced_) {
    if (promises_[id].at == kNever) continue;
    give_back(id);
    urge(id);
  }
  displaced_.clear();
}

void ConservativeScheduler::set_hold(NodeIndex node) {
  SimTime until = cluster_.now;
  for (const JobId id : cluster_.nodes.jobs_on[node])
    until = std::max({until, cluster_.now + kInstant, cluster_.jobs[id].run.expected_end});
  calendar_.hold(node, until, displaced_);
}

// Promises whose time has passed are over; those whose time has come are to be kept.
void ConservativeScheduler::lapse() {
  while (!by_time_.empty() && by_time_.begin()->first < cluster_.now) {
    const PromiseId id = by_time_.begin()->second;
    give_back(id);
    urge(id);
  }
  for (const auto& [at, id] : by_time_) {
    if (at > cluster_.now) break;
    urge(id);
  }
}

void ConservativeScheduler::work_through_queue() {
  const auto& records = cluster_.queue.records();
  for (std::size_t next = next_place(0); next < records.size(); next = next_place(next)) {
    const QueueRecord record = records[next];
    const PromiseId id = promise_of(record);
    const SimTime from = may_move(id);
    if (from != kNever && look_at(id, from)) {
      next = cluster_.queue.place_behind(record);
      continue;
    }
    promises_[id].seen = calendar_.growths();
    ++next;
  }
}

// As long as no free time has grown, only the urgent ones can move.
std::size_t ConservativeScheduler::next_place(std::size_t place) {
  const auto& records = cluster_.queue.records();
  if (calendar_.has_growths() || place >= records.size()) return place;
  const auto urgent = std::ranges::lower_bound(urgent_, records[place], std::less<>{});
  if (urgent == urgent_.end()) return records.size();
  const auto there = std::ranges::lower_bound(records, *urgent, std::less<>{});
  return static_cast<std::size_t>(there - records.begin());
}

const NodeSet& ConservativeScheduler::large_enough(const Job& job, PartitionIndex partition) {
  const Shape shape = cluster_.shape_of(job, partition);
  const auto [found, is_new] = large_enough_.try_emplace({partition, shape.least_cpus(), shape.gpus});
  if (!is_new) return found->second;
  found->second = cluster_.nodes.of_partition[partition];
  for (NodeIndex node = 0; node < cluster_.configuration.nodes.size(); ++node) {
    const Node& has = cluster_.configuration.nodes[node];
    if (has.cpus < shape.least_cpus() || has.gpus < shape.gpus) found->second.erase(node);
  }
  return found->second;
}

NodeCalendar::Request ConservativeScheduler::request_of(PromiseId id) {
  const Promise& own = promises_[id];
  const Job& job = cluster_.jobs[own.job];
  const PartitionIndex partition = job.request.partitions[own.place];
  among_ = large_enough(job, partition);
  among_ &= usable_;
  return {.among = among_,
          .count = job.request.size.nodes,
          .length = cluster_.limit_of(job, partition),
          .from = cluster_.now,
          .who = id,
          .own = own.nodes,
          .promised = own.at};
}

SimTime ConservativeScheduler::may_move(PromiseId id) {
  const Promise& own = promises_[id];
  if (!own.is_looked_at || own.at == cluster_.now) return cluster_.now;
  return calendar_.has_growths() ? calendar_.may_differ(request_of(id), own.seen) : kNever;
}

bool ConservativeScheduler::look_at(PromiseId id, SimTime from) {
  promises_[id].is_looked_at = true;
  NodeCalendar::Request request = request_of(id);
  request.from = from;
  const NodeCalendar::Opening opening = calendar_.earliest(request);
  if (opening.at == kNever) return false;
  if (opening.at == cluster_.now && start(id, opening.nodes)) return true;
  move(id, opening, request);
  return false;
}

bool ConservativeScheduler::start(PromiseId id, const NodeSet& among) {
  const JobId job = promises_[id].job;
  const PartitionIndex partition = cluster_.jobs[job].request.partitions[promises_[id].place];
  const Shape shape = cluster_.shape_of(cluster_.jobs[job], partition);
  NodeSet fitting;
  cluster_.nodes.free.select(among, shape, fitting);
  if (fitting.size() < shape.nodes) return false;
  const NodeSet nodes = lowest(std::move(fitting), shape.nodes);
  launcher_.start(job, partition, nodes.list(), cluster_.now);
  nodes.for_each([&](NodeIndex node) { set_hold(node); });
  displaced_.clear();  // promises of the job, which are dropped
  drop(job);
  return true;
}

void ConservativeScheduler::move(PromiseId id, const NodeCalendar::Opening& opening,
                                 const NodeCalendar::Request& request) {
  NodeSet nodes = lowest(opening.nodes, request.count);
  Promise& own = promises_[id];
  if (own.at == opening.at && own.nodes == nodes) return;
  const SimTime end = opening.at + request.length;
  if (own.at != kNever) give_back(id);
  own.is_looked_at = true;
  own.at = opening.at;
  own.nodes = std::move(nodes);
  calendar_.promise(id, own.nodes, own.at, end);
  by_time_.emplace(own.at, id);
}

void ConservativeScheduler::give_back(PromiseId id) {
  Promise& own = promises_[id];
  calendar_.release(own.nodes, own.at);
  by_time_.erase({own.at, id});
  own.at = kNever;
  own.is_looked_at = false;
}

void ConservativeScheduler::drop(JobId id) {
  if (of_job_.size() <= id) return;
  for (const PromiseId own : of_job_[id]) {
    if (promises_[own].at != kNever) give_back(own);
    unused_.push_back(own);
  }
  of_job_[id].clear();
}

void ConservativeScheduler::urge(PromiseId id) {
  const Promise& own = promises_[id];
  urgent_.push_back(cluster_.record_of(own.job, own.place));
}

PromiseId ConservativeScheduler::promise_of(const QueueRecord& record) const {
  const auto& partitions = cluster_.jobs[record.job].request.partitions;
  const auto place = std::ranges::find(partitions, record.partition) - partitions.begin();
  return of_job_[record.job][static_cast<std::size_t>(place)];
}

}  // namespace stockout::slurm

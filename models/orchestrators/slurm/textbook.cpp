#include "models/orchestrators/slurm/textbook.h"

#include <algorithm>
#include <utility>

namespace stockout::slurm {
namespace {

// Beyond every end of a job that anybody could look at.
constexpr SimDuration kHorizon = std::chrono::hours{24 * 365 * 100};
constexpr SimDuration kInstant{1};

}  // namespace

bool TextbookScheduler::start_if_room(const QueueRecord& record) {
  auto nodes = cluster_.room_for(cluster_.jobs[record.job], record.partition, among_);
  if (!nodes) return false;
  launcher_.start(record.job, record.partition, std::move(*nodes), cluster_.now);
  return true;
}

// The place in the queue of the first job that has no room.
std::size_t TextbookScheduler::start_in_order() {
  while (!cluster_.queue.records().empty()) {
    const QueueRecord record = cluster_.queue.records().front();
    among_ = cluster_.nodes.of_partition[record.partition];
    among_ &= cluster_.nodes.usable;
    if (!start_if_room(record)) break;
  }
  return 0;
}

void TextbookScheduler::easy() {
  const std::vector<QueueRecord>& records = cluster_.queue.records();
  std::size_t next = start_in_order();
  if (next >= records.size()) return;
  const Promise promise = promise_to(records[next++]);
  while (next < records.size() && cluster_.nodes.free.open().overlaps(cluster_.nodes.usable)) {
    const QueueRecord record = records[next];
    const Job& job = cluster_.jobs[record.job];
    among_ = cluster_.nodes.of_partition[record.partition];
    among_ &= cluster_.nodes.usable;
    among_ &= cluster_.nodes.free.open();
    if (later(cluster_.now, cluster_.limit_of(job, record.partition)) > promise.at) among_ -= promise.nodes;
    if (!start_if_room(record)) ++next;
  }
}

// Nodes that are busy now are promised before those that are free, which then are left to others.
TextbookScheduler::Promise TextbookScheduler::promise_to(const QueueRecord& record) const {
  const Shape shape = cluster_.shape_of(cluster_.jobs[record.job], record.partition);
  const NodeSet among = [&] {
    NodeSet nodes = cluster_.nodes.of_partition[record.partition];
    nodes &= cluster_.nodes.usable;
    return nodes;
  }();
  FreeNodes free = cluster_.nodes.free;
  NodeSet free_now;
  free.select(among, shape, free_now);
  Promise promise{.nodes = NodeSet{cluster_.configuration.nodes.size()}};
  int missing = shape.nodes - free_now.size();
  NodeSet freed{cluster_.configuration.nodes.size()};
  for (const auto& [end, id] : cluster_.running) {
    if (missing <= 0 && end > promise.at) break;
    const Job& job = cluster_.jobs[id];
    free.give(job.run.nodes, cluster_.shape_of(job, job.run.partition), cluster_.configuration.nodes);
    for (const NodeIndex node : job.run.nodes) {
      if (!among.contains(node) || freed.contains(node) || free_now.contains(node)) continue;
      if (!free.fits(node, shape)) continue;
      freed.insert(node);
      --missing;
    }
    promise.at = end;
  }
  if (missing > 0) return {.at = kNever, .nodes = std::move(promise.nodes)};
  int wanted = shape.nodes;
  const auto take = [&](NodeIndex node) {
    if (wanted-- > 0) promise.nodes.insert(node);
  };
  freed.for_each(take);
  free_now.for_each(take);
  return promise;
}

Plan TextbookScheduler::plan_of_running() const {
  Plan plan{cluster_.now, cluster_.now + kHorizon, cluster_.nodes.usable, kInstant};
  for (const auto& [end, id] : cluster_.running) {
    NodeSet nodes{cluster_.configuration.nodes.size()};
    for (const NodeIndex node : cluster_.jobs[id].run.nodes) nodes.insert(node);
    plan.reserve(nodes, cluster_.now, std::max(end, cluster_.now + kInstant));
  }
  return plan;
}

// Leaves in `among_` the nodes that are promised to nobody then.
std::optional<SimTime> TextbookScheduler::earliest(const Plan& plan, const QueueRecord& record) {
  const Job& job = cluster_.jobs[record.job];
  const SimDuration limit = cluster_.limit_of(job, record.partition);
  const std::vector<Slot>& slots = plan.slots();
  for (std::size_t first = 0; first < slots.size(); ++first) {
    if (slots[first].begin == slots[first].end) continue;
    among_ = cluster_.nodes.of_partition[record.partition];
    for (std::size_t i = first; i < slots.size() && slots[i].begin < slots[first].begin + limit; ++i) {
      if (slots[i].begin < slots[i].end) among_ &= slots[i].nodes;
    }
    if (among_.size() >= job.request.size.nodes) return slots[first].begin;
  }
  return std::nullopt;
}

void TextbookScheduler::conservative() {
  Plan plan = plan_of_running();
  std::size_t next = 0;
  const std::vector<QueueRecord>& records = cluster_.queue.records();
  while (next < records.size()) {
    const QueueRecord record = records[next];
    const Job& job = cluster_.jobs[record.job];
    const SimDuration limit = cluster_.limit_of(job, record.partition);
    const auto at = earliest(plan, record);
    if (at == cluster_.now && start_if_room(record)) {
      NodeSet nodes{cluster_.configuration.nodes.size()};
      for (const NodeIndex node : cluster_.jobs[record.job].run.nodes) nodes.insert(node);
      plan.reserve(nodes, cluster_.now, cluster_.now + limit);
      continue;
    }
    ++next;
    if (!at) continue;
    NodeSet nodes{cluster_.configuration.nodes.size()};
    int wanted = job.request.size.nodes;
    among_.for_each([&](NodeIndex node) {
      if (wanted-- > 0) nodes.insert(node);
    });
    plan.reserve(nodes, *at, *at + limit);
  }
}

}  // namespace stockout::slurm

#include "models/orchestrators/slurm/textbook.h"

#include <algorithm>
#include <utility>

namespace stockout::slurm {
namespace {

// Beyond every end of a job that anybody could look at.
constexpr SimDuration kHorizon = std::chrono::hours{24 * 365 * 100};
constexpr SimDuration kInstant{1};

}  // namespace

bool TextbookScheduler::start_if_room(const QueueRecord& record, const NodeSet& first) {
  const Shape shape = cluster_.shape_of(cluster_.jobs[record.job], record.partition);
  cluster_.nodes.free.select(among_, shape, fitting_);
  if (fitting_.size() < shape.nodes) return false;
  std::vector<NodeIndex> nodes;
  const auto take = [&](bool is_first) {
    fitting_.for_each([&](NodeIndex node) {
      if (static_cast<int>(nodes.size()) < shape.nodes && first.contains(node) == is_first)
        nodes.push_back(node);
    });
  };
  take(true);
  take(false);
  launcher_.start(record.job, record.partition, std::move(nodes), cluster_.now);
  return true;
}

void TextbookScheduler::start_in_order() {
  const NodeSet none{cluster_.configuration.nodes.size()};
  while (!cluster_.queue.records().empty()) {
    const QueueRecord record = cluster_.queue.records().front();
    among_ = cluster_.nodes.of_partition[record.partition];
    among_ &= cluster_.nodes.usable;
    if (!start_if_room(record, none)) return;
  }
}

void TextbookScheduler::easy(bool by_number) {
  start_in_order();
  const auto& records = cluster_.queue.records();
  if (records.empty()) return;
  const Promise promise = promise_to(records.front(), by_number);
  const NodeSet none{cluster_.configuration.nodes.size()};
  std::size_t next = 1;
  while (next < records.size() && cluster_.nodes.free.open().overlaps(cluster_.nodes.usable)) {
    const QueueRecord record = records[next];
    const SimDuration limit = cluster_.limit_of(cluster_.jobs[record.job], record.partition);
    among_ = cluster_.nodes.of_partition[record.partition];
    among_ &= cluster_.nodes.usable;
    among_ &= cluster_.nodes.free.open();
    if (later(cluster_.now, limit) > promise.at) among_ -= promise.nodes;
    if (!start_if_room(record, by_number ? none : promise.nodes)) ++next;
  }
}

TextbookScheduler::Promise TextbookScheduler::promise_to(const QueueRecord& record, bool by_number) const {
  const Shape shape = cluster_.shape_of(cluster_.jobs[record.job], record.partition);
  NodeSet among = cluster_.nodes.of_partition[record.partition];
  among &= cluster_.nodes.usable;
  FreeNodes free = cluster_.nodes.free;
  NodeSet free_now;
  free.select(among, shape, free_now);
  NodeSet freed{cluster_.configuration.nodes.size()};
  int missing = shape.nodes - free_now.size();
  Promise promise{.nodes = NodeSet{cluster_.configuration.nodes.size()}};
  for (const auto& [end, id] : cluster_.running) {
    if (missing <= 0 && (!by_number || end > promise.at)) break;
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
  if (by_number) freed |= free_now;
  int wanted = shape.nodes;
  const auto take = [&](NodeIndex node) {
    if (!promise.nodes.contains(node) && wanted-- > 0) promise.nodes.insert(node);
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

Plan TextbookScheduler::plan_of_promises() {
  Plan plan = plan_of_running();
  auto before = std::exchange(promises_, {});
  for (const QueueRecord& record : cluster_.queue.records()) {
    const auto found = before.find({record.job, record.partition});
    if (found == before.end()) continue;
    const auto& [at, nodes] = found->second;
    const SimTime end = at + cluster_.limit_of(cluster_.jobs[record.job], record.partition);
    if (at < cluster_.now || plan.overlaps(nodes, at, end)) continue;
    plan.reserve(nodes, at, end);
    promises_.insert(before.extract(found));
  }
  return plan;
}

void TextbookScheduler::give_back(Plan& plan, JobId id, PartitionIndex partition) {
  const auto own = promises_.extract({id, partition});
  if (own.empty()) return;
  const auto& [at, nodes] = own.mapped();
  plan.release(nodes, at, at + cluster_.limit_of(cluster_.jobs[id], partition));
}

void TextbookScheduler::conservative() {
  Plan plan = plan_of_promises();
  const NodeSet none{cluster_.configuration.nodes.size()};
  std::size_t next = 0;
  const auto& records = cluster_.queue.records();
  while (next < records.size()) {
    const QueueRecord record = records[next];
    const Job& job = cluster_.jobs[record.job];
    const SimDuration limit = cluster_.limit_of(job, record.partition);
    give_back(plan, record.job, record.partition);
    const auto at = earliest(plan, record);
    if (at == cluster_.now && start_if_room(record, none)) {
      NodeSet nodes{cluster_.configuration.nodes.size()};
      for (const NodeIndex node : cluster_.jobs[record.job].run.nodes) nodes.insert(node);
      plan.reserve(nodes, cluster_.now, cluster_.now + limit);
      for (const PartitionIndex partition : job.request.partitions) give_back(plan, record.job, partition);
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
    promises_[{record.job, record.partition}] = {.at = *at, .nodes = std::move(nodes)};
  }
}

}  // namespace stockout::slurm

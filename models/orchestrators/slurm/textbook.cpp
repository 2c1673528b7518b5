#include "models/orchestrators/slurm/textbook.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace stockout::slurm {

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
  const JobId head = records.front().job;
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
    const bool has_started = start_if_room(record, by_number ? none : promise.nodes);
    if (has_started && record.job == head) return easy(by_number);  // elsewhere: its promise is void
    next = has_started ? cluster_.queue.place_behind(record) : next + 1;
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

}  // namespace stockout::slurm

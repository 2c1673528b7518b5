#include "models/orchestrators/slurm/cluster.h"

#include <algorithm>
#include <utility>

#include "models/orchestrators/slurm/preemption.h"
#include "sim/core/check.h"

namespace stockout::slurm {
namespace {

constexpr SimDuration kShortest = std::chrono::seconds{1};   // limit of a job
constexpr SimDuration kYear = std::chrono::hours{365 * 24};  // in place of a limit where there is none

SimDuration since_multiple(SimTime at, SimDuration unit, SimDuration epoch) {
  const SimDuration since = at.time_since_epoch() + epoch;
  const SimDuration rest = since % unit;
  return rest < SimDuration{} ? rest + unit : rest;
}

}  // namespace

NodeBooks::NodeBooks(const Configuration& configuration)
    : free{configuration.nodes},
      usable{configuration.nodes.size()},
      off{configuration.nodes.size()},
      jobs_on(configuration.nodes.size()) {
  for (NodeIndex i = 0; i < configuration.nodes.size(); ++i) {
    usable.insert(i);
    weights.push_back(configuration.nodes[i].weight);
  }
  for (const Partition& partition : configuration.partitions) {
    of_partition.emplace_back(configuration.nodes.size());
    for (const NodeIndex node : partition.nodes) of_partition.back().insert(node);
  }
}

Cluster::Cluster(Configuration given)
    : configuration{std::move(given)}, news{.queue = {}, .nodes = NodeSet{configuration.nodes.size()}} {}

SimTime Cluster::round_down(SimTime at, SimDuration unit) const {
  return at - since_multiple(at, unit, settings().epoch);
}

SimTime Cluster::round_up(SimTime at, SimDuration unit) const {
  const SimDuration rest = since_multiple(at, unit, settings().epoch);
  return rest == SimDuration{} ? at : at + (unit - rest);
}

Shape Cluster::shape_of(const Job& job, PartitionIndex partition) const {
  const JobRequest& request = job.request;
  return {.nodes = request.size.nodes,
          .cpus = request.size.cpus_per_node,
          .gpus = request.size.gpus_per_node,
          .whole = request.size.exclusive || configuration.partitions[partition].exclusive};
}

SimDuration Cluster::limit_of(const Job& job, PartitionIndex partition) const {
  const Partition& in = configuration.partitions[partition];
  SimDuration limit = job.request.time_limit;
  if (limit == kForever) limit = in.default_time;
  return std::clamp(std::min(limit, in.max_time), kShortest, kYear);
}

bool Cluster::could_run_in(const Job& job, PartitionIndex partition) const {
  const Partition& in = configuration.partitions[partition];
  const JobRequest& request = job.request;
  if (request.time_limit != kForever && request.time_limit > in.max_time) return false;
  if (in.max_nodes && request.size.nodes > *in.max_nodes) return false;
  const auto would_do = std::count_if(in.nodes.begin(), in.nodes.end(), [&](NodeIndex node) {
    const Node& has = configuration.nodes[node];
    return has.cpus >= std::max(request.size.cpus_per_node, 1) && has.gpus >= request.size.gpus_per_node;
  });
  return would_do >= request.size.nodes;
}

QueueRecord Cluster::record_of(JobId id, std::size_t place) const {
  const Job& job = jobs[id];
  const PartitionIndex partition = job.request.partitions[place];
  const auto second =
      round_down(job.submitted, std::chrono::seconds{1}).time_since_epoch() + settings().epoch;
  return {.preempts = preemption_level(configuration, job),
          .tier = configuration.partitions[partition].priority_tier,
          .priority = job.priorities[place],
          .submitted_s = std::chrono::duration_cast<std::chrono::seconds>(second).count(),
          .array = job.array,
          .job = id,
          .partition = partition};
}

void Cluster::note_in_queue(JobId id) {
  if (settings().backfill_type == Backfill::conservative) news.queue.push_back(id);
}

void Cluster::note_nodes_of(const Job& job) {
  if (settings().backfill_type != Backfill::conservative) return;
  for (const NodeIndex node : job.run.nodes) news.nodes.insert(node);
}

template <typename Visit>
void Cluster::for_each_record(JobId id, Visit visit) const {
  const Job& job = jobs[id];
  for (std::size_t i = 0; i < job.request.partitions.size(); ++i) {
    const PartitionIndex partition = job.request.partitions[i];
    if (!could_run_in(job, partition)) continue;
    const JobKind kind{.partition = partition, .shape = shape_of(job, partition), .qos = job.request.qos};
    visit(record_of(id, i), kind, limit_of(job, partition));
  }
}

std::uint32_t Cluster::priority_in(const QueueRecord& record) const {
  const Job& job = jobs[record.job];
  const auto& partitions = job.request.partitions;
  const auto at = std::find(partitions.begin(), partitions.end(), record.partition);
  return job.priorities[static_cast<std::size_t>(at - partitions.begin())];
}

void Cluster::enqueue(JobId id) {
  jobs[id].state = JobState::pending;
  for_each_record(id, [&](const QueueRecord& record, const JobKind& kind, SimDuration limit) {
    queue.insert(record, kind, limit);
  });
  note_in_queue(id);
  has_changed();
}

void Cluster::dequeue(JobId id) {
  for_each_record(id, [&](const QueueRecord& record, const JobKind& kind, SimDuration limit) {
    queue.remove(record, kind, limit);
  });
  note_in_queue(id);
}

std::optional<std::vector<NodeIndex>> Cluster::room_for(const Job& job, PartitionIndex partition,
                                                        const NodeSet& among) {
  const Shape shape = shape_of(job, partition);
  nodes.free.select(among, shape, fitting_);
  if (fitting_.size() < shape.nodes) return std::nullopt;
  std::vector<NodeIndex> chosen;
  nodes.selector.choose(fitting_, nodes.free, nodes.weights, shape, chosen);
  return chosen;
}

void Cluster::hold_nodes(JobId id, PartitionIndex partition, std::vector<NodeIndex> held, SimTime at) {
  Job& job = jobs[id];
  dequeue(id);
  nodes.free.take(held, shape_of(job, partition), configuration.nodes);
  for (const NodeIndex node : held) nodes.jobs_on[node].push_back(id);
  job.run.partition = partition;
  job.run.nodes = std::move(held);
  job.run.started = at;
  job.run.expected_end = at + limit_of(job, partition);
  running.emplace(job.run.expected_end, id);
  note_nodes_of(job);
  has_changed();
}

void Cluster::free_nodes(JobId id) {
  Job& job = jobs[id];
  STOCKOUT_CHECK(running.erase({job.run.expected_end, id}) == 1);
  nodes.free.give(job.run.nodes, shape_of(job, job.run.partition), configuration.nodes);
  for (const NodeIndex node : job.run.nodes) std::erase(nodes.jobs_on[node], id);
  note_nodes_of(job);
  job.run.nodes.clear();
  has_changed();
}

void Cluster::set_expected_end(JobId id, SimTime end) {
  Job& job = jobs[id];
  STOCKOUT_CHECK(running.erase({job.run.expected_end, id}) == 1);
  job.run.expected_end = end;
  running.emplace(end, id);
  note_nodes_of(job);
}

}  // namespace stockout::slurm

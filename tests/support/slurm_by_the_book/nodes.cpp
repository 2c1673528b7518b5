#include <algorithm>

#include "tests/support/slurm_by_the_book/book.h"

namespace stockout::by_the_book {
namespace {

// Nodes side by side, of one weight.
struct Stretch {
  Nodes nodes;
  std::int64_t weight = 0;
  int cpus = 0;
};

int free_gpus(const Book& book, NodeIndex node, const std::vector<JobId>& gone) {
  int free = book.cluster.nodes[node].gpus;
  for (JobId id = 0; id < book.jobs.size(); ++id) {
    const BookJob& job = book.jobs[id];
    if (!contains(job.nodes, node) || std::count(gone.begin(), gone.end(), id) > 0) continue;
    free -=
        is_whole(book, job, job.partition) ? book.cluster.nodes[node].gpus : job.request.size.gpus_per_node;
  }
  return free;
}

bool is_idle(const Book& book, NodeIndex node, const std::vector<JobId>& gone) {
  for (JobId id = 0; id < book.jobs.size(); ++id) {
    if (contains(book.jobs[id].nodes, node) && std::count(gone.begin(), gone.end(), id) == 0) return false;
  }
  return true;
}

int wanted_cpus(const Book& book, const BookJob& job, NodeIndex node, const std::vector<JobId>& gone) {
  return job.request.size.cpus_per_node > 0 ? job.request.size.cpus_per_node : free_cpus(book, node, gone);
}

// Nodes that are up come first, then those on their way, then those that are off.
std::int64_t weight_of(const Book& book, NodeIndex node) {
  const NodeState state = book.nodes[node].state;
  const std::int64_t power = state == NodeState::up ? 0 : state == NodeState::powering_up ? 1 : 2;
  return power * 1'000'000 + book.cluster.nodes[node].weight;
}

std::vector<Stretch> stretches_of(const Book& book, const BookJob& job, const Nodes& candidates,
                                  const std::vector<JobId>& gone) {
  std::vector<Stretch> found;
  for (const NodeIndex node : candidates) {
    const std::int64_t weight = weight_of(book, node);
    if (found.empty() || found.back().nodes.back() + 1 != node || found.back().weight != weight)
      found.push_back({.nodes = {}, .weight = weight, .cpus = 0});
    found.back().nodes.push_back(node);
    found.back().cpus += wanted_cpus(book, job, node, gone);
  }
  return found;
}

}  // namespace

bool contains(const Nodes& nodes, NodeIndex node) {
  return std::find(nodes.begin(), nodes.end(), node) != nodes.end();
}

bool overlap(const Nodes& a, const Nodes& b) {
  return std::any_of(a.begin(), a.end(), [&](NodeIndex node) { return contains(b, node); });
}

Nodes without(const Nodes& nodes, const Nodes& others) {
  Nodes left;
  for (const NodeIndex node : nodes) {
    if (!contains(others, node)) left.push_back(node);
  }
  return left;
}

bool holds_nodes(const BookJob& job) { return !job.nodes.empty(); }

bool is_whole(const Book& book, const BookJob& job, PartitionIndex partition) {
  return job.request.size.exclusive || book.cluster.partitions[partition].exclusive;
}

int least_cpus(const BookJob& job) { return std::max(job.request.size.cpus_per_node, 1); }

int free_cpus(const Book& book, NodeIndex node, const std::vector<JobId>& gone) {
  int free = book.cluster.nodes[node].cpus;
  for (JobId id = 0; id < book.jobs.size(); ++id) {
    const BookJob& job = book.jobs[id];
    if (!contains(job.nodes, node) || std::count(gone.begin(), gone.end(), id) > 0) continue;
    free -= is_whole(book, job, job.partition) ? book.cluster.nodes[node].cpus : least_cpus(job);
  }
  return free;
}

bool fits(const Book& book, JobId id, PartitionIndex partition, NodeIndex node,
          const std::vector<JobId>& gone) {
  const BookJob& job = book.jobs[id];
  if (is_whole(book, job, partition) && !is_idle(book, node, gone)) return false;
  return free_cpus(book, node, gone) >= least_cpus(job) &&
         free_gpus(book, node, gone) >= job.request.size.gpus_per_node;
}

Nodes fitting(const Book& book, JobId id, PartitionIndex partition, const Nodes& among,
              const std::vector<JobId>& gone) {
  Nodes found;
  for (const NodeIndex node : among) {
    if (fits(book, id, partition, node, gone)) found.push_back(node);
  }
  return found;
}

Nodes usable_nodes(const Book& book, PartitionIndex partition) {
  Nodes found;
  for (NodeIndex node = 0; node < book.nodes.size(); ++node) {
    const NodeState state = book.nodes[node].state;
    const bool is_there = state != NodeState::down && state != NodeState::powering_down;
    if (is_there && contains(book.cluster.partitions[partition].nodes, node)) found.push_back(node);
  }
  return found;
}

// As _eval_nodes_consec() of Slurm does, for a job without nodes by name.
std::optional<Nodes> choose(const Book& book, JobId id, PartitionIndex partition, const Nodes& candidates,
                            const std::vector<JobId>& gone) {
  static_cast<void>(partition);
  const BookJob& job = book.jobs[id];
  int nodes_left = job.request.size.nodes;
  int cpus_left = job.request.size.nodes * least_cpus(job);
  std::vector<Stretch> stretches = stretches_of(book, job, candidates, gone);
  Nodes chosen;
  while (nodes_left > 0) {
    int best = -1;
    bool best_is_enough = false;
    for (int i = 0; i < static_cast<int>(stretches.size()); ++i) {
      const Stretch& one = stretches[static_cast<std::size_t>(i)];
      if (one.nodes.empty()) continue;
      const bool is_enough = one.cpus >= cpus_left && static_cast<int>(one.nodes.size()) >= nodes_left;
      bool is_better = best < 0;
      if (!is_better) {
        const Stretch& other = stretches[static_cast<std::size_t>(best)];
        is_better = one.weight < other.weight;
        if (one.weight == other.weight) {
          is_better = (is_enough && !best_is_enough) || (is_enough && one.cpus < other.cpus) ||
                      (!is_enough && one.cpus > other.cpus);
        }
      }
      if (!is_better) continue;
      best = i;
      best_is_enough = is_enough;
    }
    if (best < 0) return std::nullopt;
    Stretch& from = stretches[static_cast<std::size_t>(best)];
    if (nodes_left == 1) {  // one node alone, with the fewest CPUs that are enough
      int fewest = 0;
      std::optional<NodeIndex> found;
      for (const NodeIndex node : from.nodes) {
        const int cpus = wanted_cpus(book, job, node, gone);
        if (cpus < cpus_left || (found && cpus >= fewest)) continue;
        found = node;
        fewest = cpus;
      }
      if (found) from.nodes = {*found};
    }
    for (const NodeIndex node : from.nodes) {
      if (nodes_left == 0) break;
      chosen.push_back(node);
      --nodes_left;
      cpus_left -= wanted_cpus(book, job, node, gone);
    }
    from.nodes.clear();
  }
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

bool could_run_in(const Book& book, const BookJob& job, PartitionIndex partition) {
  const slurm::Partition& where = book.cluster.partitions[partition];
  const slurm::Size& size = job.request.size;
  if (where.max_nodes && size.nodes > *where.max_nodes) return false;
  if (job.request.time_limit != kForever && job.request.time_limit > where.max_time) return false;
  const auto large = std::count_if(where.nodes.begin(), where.nodes.end(), [&](NodeIndex node) {
    const slurm::Node& has = book.cluster.nodes[node];
    return has.cpus >= least_cpus(job) && has.gpus >= size.gpus_per_node;
  });
  return large >= size.nodes;
}

SimDuration limit_of(const Book& book, const BookJob& job, PartitionIndex partition) {
  const slurm::Partition& where = book.cluster.partitions[partition];
  SimDuration limit = job.request.time_limit;
  if (limit == kForever) limit = where.default_time;
  if (limit == kForever) limit = where.max_time;
  if (limit == kForever) limit = std::chrono::hours{24 * 365};
  return std::min(limit, where.max_time);
}

SimTime whole_second(SimTime at) { return at - (at - kStart) % std::chrono::seconds{1}; }

}  // namespace stockout::by_the_book

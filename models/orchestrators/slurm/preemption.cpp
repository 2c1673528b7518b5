#include "models/orchestrators/slurm/preemption.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "models/orchestrators/slurm/cluster.h"

namespace stockout::slurm {
namespace {

int level_of(const std::vector<Qos>& all, QosIndex index, int depth) {
  if (depth > static_cast<int>(all.size())) return depth;  // they preempt each other in a circle
  int level = 0;
  for (const QosIndex other : all[index].preempts) {
    if (other != index) level = std::max(level, 1 + level_of(all, other, depth + 1));
  }
  return level;
}

std::int64_t rank_of(const Configuration& configuration, const Job& job) {
  if (configuration.settings.preemption.type == PreemptType::qos) {
    return job.request.qos ? configuration.qos[*job.request.qos].priority : 0;
  }
  return configuration.partitions[job.run.partition].priority_tier;
}

// Candidates, of which more and more are taken away until the job fits.
class VictimSearch {
 public:
  VictimSearch(Cluster& cluster, JobId id, PartitionIndex partition, const NodeSet& among)
      : cluster_{cluster},
        shape_{cluster.shape_of(cluster.jobs[id], partition)},
        among_{among},
        candidates_{preemptable(cluster, id, partition, among)} {}

  std::optional<std::vector<JobId>> find() {
    const int passes = cluster_.settings().preemption.reorder_count + 1;
    for (int pass = 1;; ++pass) {
      const auto enough = how_many_are_enough();
      if (!enough) return std::nullopt;
      if (pass > passes || static_cast<int>(candidates_.size()) <= pass) return victims(*enough);
      reorder(*enough);
    }
  }

 private:
  // Sets `chosen_` to where the job would be.
  std::optional<std::size_t> how_many_are_enough() {
    FreeNodes free = cluster_.nodes.free;
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
      const Job& victim = cluster_.jobs[candidates_[i]];
      free.give(victim.run.nodes, cluster_.shape_of(victim, victim.run.partition),
                cluster_.configuration.nodes);
      free.select(among_, shape_, fitting_);
      if (fitting_.size() < shape_.nodes) continue;
      cluster_.nodes.selector.choose(fitting_, free, cluster_.nodes.weights, shape_, chosen_);
      return i + 1;
    }
    return std::nullopt;
  }

  [[nodiscard]] int chosen_nodes_of(JobId id) const {
    const std::vector<NodeIndex>& nodes = cluster_.jobs[id].run.nodes;
    return static_cast<int>(std::count_if(nodes.begin(), nodes.end(), [&](NodeIndex node) {
      return std::binary_search(chosen_.begin(), chosen_.end(), node);
    }));
  }

  // The one that made it fit comes first, then those with the most of the chosen nodes.
  void reorder(std::size_t enough) {
    const auto last = candidates_.begin() + static_cast<std::ptrdiff_t>(enough);
    std::rotate(candidates_.begin(), last - 1, last);
    std::stable_sort(candidates_.begin() + 1, last,
                     [&](JobId a, JobId b) { return chosen_nodes_of(a) > chosen_nodes_of(b); });
  }

  [[nodiscard]] std::vector<JobId> victims(std::size_t enough) const {
    std::vector<JobId> found;
    std::copy_if(candidates_.begin(), candidates_.begin() + static_cast<std::ptrdiff_t>(enough),
                 std::back_inserter(found), [&](JobId id) { return chosen_nodes_of(id) > 0; });
    return found;
  }

  Cluster& cluster_;
  Shape shape_;
  const NodeSet& among_;
  std::vector<JobId> candidates_;
  NodeSet fitting_;
  std::vector<NodeIndex> chosen_;
};

}  // namespace

int preemption_level(const Configuration& configuration, const Job& job) {
  if (configuration.settings.preemption.type != PreemptType::qos || !job.request.qos) return 0;
  return level_of(configuration.qos, *job.request.qos, 0);
}

PreemptMode preempt_mode_of(const Configuration& configuration, const Job& victim) {
  const Settings& settings = configuration.settings;
  PreemptMode mode = settings.preemption.mode;
  if (settings.preemption.type == PreemptType::qos) {
    if (victim.request.qos) mode = configuration.qos[*victim.request.qos].preempt_mode.value_or(mode);
  } else {
    mode = configuration.partitions[victim.run.partition].preempt_mode.value_or(mode);
  }
  const bool may_requeue = victim.request.requeue && victim.request.batch;
  return mode == PreemptMode::requeue && !may_requeue ? PreemptMode::cancel : mode;
}

bool may_preempt(const Configuration& configuration, const Job& job, PartitionIndex partition,
                 const Job& victim) {
  const PreemptType type = configuration.settings.preemption.type;
  if (type == PreemptType::none || victim.state != JobState::running) return false;
  if (preempt_mode_of(configuration, victim) == PreemptMode::off) return false;
  if (type == PreemptType::partition_priority) {
    return configuration.partitions[partition].priority_tier >
           configuration.partitions[victim.run.partition].priority_tier;
  }
  if (!job.request.qos || !victim.request.qos) return false;
  const std::vector<QosIndex>& preempts = configuration.qos[*job.request.qos].preempts;
  return *job.request.qos != *victim.request.qos &&
         std::find(preempts.begin(), preempts.end(), *victim.request.qos) != preempts.end();
}

std::vector<JobId> preemptable(const Cluster& cluster, JobId id, PartitionIndex partition,
                               const NodeSet& among) {
  std::vector<JobId> found;
  if (cluster.settings().preemption.type == PreemptType::none) return found;
  for (const auto& [end, other] : cluster.running) {
    const Job& victim = cluster.jobs[other];
    if (!may_preempt(cluster.configuration, cluster.jobs[id], partition, victim)) continue;
    if (std::any_of(victim.run.nodes.begin(), victim.run.nodes.end(),
                    [&](NodeIndex n) { return among.contains(n); })) {
      found.push_back(other);
    }
  }
  std::sort(found.begin(), found.end());
  const auto order = [&](JobId other) {
    const Job& job = cluster.jobs[other];
    const bool youngest = cluster.settings().preemption.youngest_first;
    return youngest ? std::tuple{std::int64_t{0}, -job.run.started.time_since_epoch().count()}
                    : std::tuple{rank_of(cluster.configuration, job),
                                 static_cast<std::int64_t>(job.run.nodes.size())};
  };
  std::stable_sort(found.begin(), found.end(), [&](JobId a, JobId b) { return order(a) < order(b); });
  return found;
}

std::optional<std::vector<JobId>> find_victims(Cluster& cluster, JobId id, PartitionIndex partition,
                                               const NodeSet& among) {
  if (cluster.settings().preemption.type == PreemptType::none) return std::nullopt;
  return VictimSearch{cluster, id, partition, among}.find();
}

}  // namespace stockout::slurm

#include <algorithm>
#include <cmath>

#include "tests/support/slurm_by_the_book/book.h"

namespace stockout::by_the_book {
namespace {

double seconds(SimDuration length) {
  return static_cast<double>(std::chrono::floor<std::chrono::seconds>(length).count());
}

double size_factor(const Book& book, const BookJob& job, PartitionIndex partition) {
  const slurm::PriorityParameters& rules = book.cluster.settings.priority;
  const auto nodes = static_cast<double>(book.cluster.nodes.size());
  double cpus = 0;
  for (const slurm::Node& node : book.cluster.nodes) cpus += node.cpus;
  const double wanted_nodes = job.request.size.nodes;
  const double wanted_cpus = wanted_nodes * least_cpus(job);
  double factor = (wanted_nodes / nodes + wanted_cpus / cpus) / 2;
  if (rules.size_relative_to_time) {
    const double minutes = seconds(limit_of(book, job, partition)) / 60;
    factor = std::max(wanted_cpus, wanted_nodes * cpus / nodes) / minutes / cpus;
    if (rules.favor_small) factor = 1 - factor;
  } else if (rules.favor_small) {
    factor = ((nodes - wanted_nodes) / nodes + (cpus - wanted_cpus) / cpus) / 2;
  }
  return std::clamp(factor, 0.0, 1.0);
}

double partition_factor(const Book& book, PartitionIndex partition) {
  int highest = 0;
  for (const slurm::Partition& one : book.cluster.partitions)
    highest = std::max(highest, one.priority_job_factor);
  return highest == 0 ? 0
                      : static_cast<double>(book.cluster.partitions[partition].priority_job_factor) / highest;
}

double qos_factor(const Book& book, const BookJob& job) {
  std::uint32_t highest = 0;
  for (const slurm::Qos& one : book.cluster.qos) highest = std::max(highest, one.priority);
  return highest == 0 || !job.request.qos
             ? 0
             : static_cast<double>(book.cluster.qos[*job.request.qos].priority) / highest;
}

// Of use that does not decay in a second.
double kept_in_a_second(const Book& book) {
  const SimDuration half_life = book.cluster.settings.priority.half_life;
  return half_life == SimDuration{} ? 1 : 1 - 0.693 / seconds(half_life);
}

int cpus_of(const Book& book, const BookJob& job) {
  int cpus = 0;
  for (const NodeIndex node : job.nodes)
    cpus += is_whole(book, job, job.partition) ? book.cluster.nodes[node].cpus : least_cpus(job);
  return cpus;
}

}  // namespace

std::uint32_t priority_of(const Book& book, const BookJob& job, PartitionIndex partition) {
  if (job.request.priority) return *job.request.priority;
  const slurm::PriorityParameters& rules = book.cluster.settings.priority;
  if (rules.type == slurm::PriorityType::basic) return 1;
  const SimDuration waited =
      std::max(whole_second(book.last_priorities) - whole_second(job.age_from), SimDuration{});
  const double age = std::min(1.0, seconds(waited) / seconds(rules.max_age));
  const double share = job.request.user ? book.shares.at(*job.request.user) : 0;
  const double sum = rules.weights.age * age + rules.weights.fair_share * share +
                     rules.weights.job_size * size_factor(book, job, partition) +
                     rules.weights.partition * partition_factor(book, partition) +
                     rules.weights.qos * qos_factor(book, job) - static_cast<double>(job.request.nice);
  return static_cast<std::uint32_t>(std::clamp(sum, 1.0, 4294967295.0));
}

// The use since the last calculation, or the start if that was later. It has decayed by itself.
void charge(Book& book, JobId id, SimTime until) {
  const BookJob& job = book.jobs[id];
  if (!job.request.user || job.nodes.empty() || job.state == slurm::JobState::configuring) return;
  const double ran = seconds(whole_second(until) - std::max(job.started, whole_second(book.last_priorities)));
  if (ran <= 0) return;
  double use = ran * std::pow(kept_in_a_second(book), ran) * cpus_of(book, job);
  if (job.request.qos) use *= book.cluster.qos[*job.request.qos].usage_factor;
  for (auto at = job.request.user; at; at = book.cluster.associations[*at].parent) book.usage[*at] += use;
}

void calculate_priorities(Book& book, SimTime due) {
  const slurm::PriorityParameters& rules = book.cluster.settings.priority;
  const bool may_change = rules.weights.age > 0 || rules.weights.fair_share > 0;
  if (rules.type == slurm::PriorityType::basic || !may_change) return;
  const double kept = std::pow(kept_in_a_second(book), seconds(due - book.last_priorities));
  for (double& used : book.usage) used *= kept;
  for (JobId id = 0; id < book.jobs.size(); ++id) charge(book, id, due);
  book.shares = fair_tree(book);
  book.last_priorities = due;
  for (BookJob& job : book.jobs) {
    if (job.eligible == kNever || holds_nodes(job) || job.state == slurm::JobState::ended) continue;
    change(book);
    for (std::size_t i = 0; i < job.priorities.size(); ++i)
      job.priorities[i] = priority_of(book, job, job.request.partitions[i]);
  }
}

}  // namespace stockout::by_the_book

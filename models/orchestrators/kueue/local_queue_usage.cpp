#include "models/orchestrators/kueue/local_queue_usage.h"

#include <cmath>
#include <limits>
#include <utility>

namespace stockout::kueue {
namespace {

constexpr const char* kCpu = "cpu";  // counted in thousandths

}  // namespace

double decay(SimDuration passed, SimDuration half_life) {
  if (half_life <= SimDuration{}) return 0;
  return std::pow(0.5, static_cast<double>(passed.count()) / static_cast<double>(half_life.count()));
}

LocalQueueUsages::LocalQueueUsages(const Configuration& configuration, const AdmissionFairSharing& rule)
    : configuration_{configuration}, rule_{rule} {
  for (const auto& [name, queue] : configuration.local_queues) books_[name].consumed = queue.consumed;
}

double LocalQueueUsages::usage(const std::string& local_queue) const {
  const auto queue = configuration_.local_queues.find(local_queue);
  const double weight = queue == configuration_.local_queues.end() ? 1 : queue->second.fair_weight;
  if (weight <= 0) return std::numeric_limits<double>::infinity();
  const auto book = books_.find(local_queue);
  if (book == books_.end()) return 0;
  double sum = 0;
  for (const Amounts* amounts : {&book->second.consumed, &book->second.penalty}) {
    for (const auto& [resource, amount] : *amounts) {
      const auto factor = rule_.weights.find(resource);
      const double whole = resource == kCpu ? amount / 1000 : amount;
      sum += whole * (factor == rule_.weights.end() ? 1 : factor->second);
    }
  }
  return sum / weight;
}

std::optional<double> LocalQueueUsages::usage_for(const Workload& workload) const {
  const std::string& name =
      workload.status.admission ? workload.status.admission->cluster_queue : workload.cluster_queue;
  const auto queue = configuration_.cluster_queues.find(name);
  if (queue == configuration_.cluster_queues.end() || !queue->second.usage_based_admission)
    return std::nullopt;
  return usage(workload.spec.local_queue);
}

void LocalQueueUsages::admitted(const Workload& workload) {
  if (rule_.half_life <= SimDuration{}) return;  // nothing of it would be left
  const double share = 1 - decay(rule_.sampling, rule_.half_life);
  Amounts& penalty = books_[workload.spec.local_queue].penalty;
  for (const PodSet& pod_set : workload.spec.pod_sets) {
    for (const auto& [resource, amount] : pod_set.requests) {
      penalty[resource] += share * static_cast<double>((amount * pod_set.count).count());
    }
  }
}

SimTime LocalQueueUsages::next_sample(SimTime now) const {
  return kStart + rule_.sampling * ((now - kStart) / rule_.sampling + 1);
}

// By local queue.
std::map<std::string, LocalQueueUsages::Amounts> LocalQueueUsages::in_use(const Ledger& ledger) const {
  std::map<std::string, Amounts> used;
  for (const auto& [name, queue] : configuration_.cluster_queues) {
    if (!queue.usage_based_admission) continue;
    for (const WorkloadId id : ledger.held_in(name)) {
      if (!ledger.workload(id).status.admitted) continue;
      Amounts& amounts = used[ledger.workload(id).spec.local_queue];
      for (const CellAmount& one : ledger.usage(id)) {
        amounts[ledger.tree().cell(one.cell).resource] += static_cast<double>(one.amount.count());
      }
    }
  }
  return used;
}

void LocalQueueUsages::pass_time(SimTime from, SimTime to, const Ledger& ledger) {
  if (to <= from) return;
  const auto samples = (to - kStart) / rule_.sampling - (from - kStart) / rule_.sampling;
  if (samples == 0) return;
  std::map<std::string, Amounts> used = in_use(ledger);
  for (const auto& [name, queue] : configuration_.local_queues) {
    sample(name, used[name], rule_.sampling);  // takes in the penalty, which then decays
    if (samples > 1) sample(name, used[name], rule_.sampling * (samples - 1));
  }
}

void LocalQueueUsages::sample(const std::string& local_queue, const Amounts& current, SimDuration passed) {
  Book& book = books_[local_queue];
  const double kept = decay(passed, rule_.half_life);
  for (auto& [resource, amount] : book.consumed) amount *= kept;
  if (rule_.half_life <= SimDuration{}) return;
  for (const auto& [resource, amount] : current) book.consumed[resource] += (1 - kept) * amount;
  for (const auto& [resource, amount] : book.penalty) book.consumed[resource] += amount;
  book.penalty.clear();
}

}  // namespace stockout::kueue

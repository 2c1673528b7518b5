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
  const std::string& name = workload.admission ? workload.admission->cluster_queue : workload.cluster_queue;
  const auto queue = configuration_.cluster_queues.find(name);
  if (queue == configuration_.cluster_queues.end() || !queue->second.usage_based_admission)
    return std::nullopt;
  return usage(workload.local_queue);
}

void LocalQueueUsages::set(const std::string& local_queue, std::map<std::string, double> consumed) {
  books_[local_queue].consumed = std::move(consumed);
}

void LocalQueueUsages::admitted(const Workload& workload) {
  const double share = 1 - decay(rule_.sampling, rule_.half_life);
  Amounts& penalty = books_[workload.local_queue].penalty;
  for (const PodSet& pod_set : workload.pod_sets) {
    for (const auto& [resource, amount] : pod_set.requests) {
      penalty[resource] += share * static_cast<double>((amount * pod_set.count).count());
    }
  }
}

void LocalQueueUsages::sample(const std::string& local_queue, const std::map<std::string, double>& current,
                              SimDuration passed) {
  Book& book = books_[local_queue];
  const double kept = decay(passed, rule_.half_life);
  for (auto& [resource, amount] : book.consumed) amount *= kept;
  for (const auto& [resource, amount] : current) book.consumed[resource] += (1 - kept) * amount;
  for (const auto& [resource, amount] : book.penalty) book.consumed[resource] += amount;
  book.penalty.clear();
}

}  // namespace stockout::kueue

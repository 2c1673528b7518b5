#include "models/orchestrators/kueue/cluster.h"

#include <algorithm>
#include <utility>

#include "models/orchestrators/kueue/admission_checks.h"

namespace stockout::kueue {

// Nobody is parked yet, so that nothing has changed for anybody.
Cluster::Cluster(Configuration configuration, Settings its_settings)
    : settings{std::move(its_settings)}, objects{std::move(configuration)}, queues{settings} {
  if (settings.admission_fair_sharing) {
    usages.emplace(objects.configuration(), *settings.admission_fair_sharing);
  }
  rebuild();
}

Scene Cluster::scene() {
  return {ledger, objects.configuration(), settings, usages ? &*usages : nullptr, &objects.active_queues()};
}

std::vector<std::string> Cluster::required_checks_of(const Workload& workload) const {
  const Admission& admission = *workload.status.admission;
  const auto& queues_by_name = objects.configuration().cluster_queues;
  const auto queue = queues_by_name.find(admission.cluster_queue);
  if (queue == queues_by_name.end()) return {};
  return required_checks(queue->second, admission);
}

void Cluster::rebuild() {
  objects.drop_unused(ledger);
  ledger.rebuild(objects.configuration());
  objects.refresh(tree());
  queues.rebuild(objects.configuration(), usages ? &*usages : nullptr, now);
}

void Cluster::reconfigure() {
  rebuild();
  queues.all_quota_changed();
}

void Cluster::pass_time(SimTime to) {
  if (usages) usages->pass_time(now, to, ledger);
  now = std::max(now, to);
}

void Cluster::enqueue(Workload& workload) {
  if (!workload.spec.active || workload.status.finished || workload.has_quota()) return;
  const auto queue = objects.queue_of(workload);
  workload.cluster_queue = queue.value_or("");
  if (queue) queues.find(*queue)->push(workload, now);
}

void Cluster::enqueue_changed(const Workload& before, Workload& workload) {
  const auto queue = objects.queue_of(workload);
  if (workload.spec.active && queue == before.cluster_queue && queues.holds(before)) {
    queues.find(*queue)->update(before, workload, now);
  } else {
    dequeue(before);
    enqueue(workload);
  }
}

void Cluster::hold(const Workload& workload) {
  ledger.hold(workload);
  holders_changed(workload.status.admission->cluster_queue);
}

void Cluster::release(Workload& workload) {
  if (!workload.has_quota()) return;
  const std::string queue = workload.status.admission->cluster_queue;
  ledger.release(workload);
  workload.status.admission.reset();
  workload.status.admitted.reset();
  quota_changed(queue);
}

void Cluster::stop_holding(const Workload& workload) {
  if (!ledger.holds(workload.id)) return;
  ledger.release(workload);
  quota_changed(workload.status.admission->cluster_queue);
}

void Cluster::recount(const Workload& workload) {
  ledger.recount(workload);
  quota_changed(workload.status.admission->cluster_queue);
}

}  // namespace stockout::kueue

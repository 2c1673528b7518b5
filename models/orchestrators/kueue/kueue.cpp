#include "models/orchestrators/kueue/kueue.h"

#include <utility>

namespace stockout::kueue {

Kueue::Kueue(Configuration configuration, Settings settings)
    : cluster_{std::move(configuration), std::move(settings)} {}

void Kueue::apply(Object object) {
  cluster_.objects.apply(std::move(object));
  reconfigure();
}

void Kueue::remove(ObjectKind kind, const std::string& name) {
  cluster_.objects.remove(kind, name);
  reconfigure();
}

void Kueue::reconfigure() {
  cluster_.reconfigure();
  workloads_.refit();
  drop_unused_queues();
}

void Kueue::drop_unused_queues() {
  if (cluster_.objects.has_unused(cluster_.ledger)) reconfigure();
}

WorkloadId Kueue::submit(Workload workload) { return workloads_.submit(std::move(workload)); }

void Kueue::update(WorkloadId id, WorkloadSpec spec) {
  workloads_.update(id, std::move(spec));
  drop_unused_queues();
}

void Kueue::deactivate(WorkloadId id) {
  workloads_.deactivate(id);
  drop_unused_queues();
}

void Kueue::set_check(WorkloadId id, const Check& check) {
  workloads_.set_check(id, check);
  drop_unused_queues();
}

void Kueue::advance(SimTime at) {
  workloads_.advance(at);
  drop_unused_queues();
}

void Kueue::finish(WorkloadId id) {
  workloads_.finish(id);
  drop_unused_queues();
}

void Kueue::finish_eviction(WorkloadId id) {
  workloads_.finish_eviction(id);
  drop_unused_queues();
}

}  // namespace stockout::kueue

#include <algorithm>

#include "models/workload/readers/cluster_objects.h"
#include "models/workload/readers/pod_fields.h"
#include "models/workload/readers/trace_formats.h"

namespace stockout {
namespace {

// Source of all names: kueue.x-k8s.io/v1beta1 and v1beta2, Workload.

// An entry of a list whose `name` is that of a pod set; nullptr where there is none.
const JsonValue* assignment_of(const JsonRow& workload, std::string_view pod_set) {
  const auto& assignments = workload.list("status.admission.podSetAssignments");
  const auto found = std::ranges::find_if(
      assignments, [&](const JsonValue& value) { return workload.row(value).text("name") == pod_set; });
  return found == assignments.end() ? nullptr : &*found;
}

// The member of an assignment's object for the resource that is GPUs.
const JsonValue* gpu_member(const JsonValue& assignment, std::string_view kind) {
  const JsonValue* const value = assignment.find(kind);
  const auto* const members = value == nullptr ? nullptr : value->get<JsonValue::Members>();
  if (members == nullptr) return nullptr;
  const auto found = std::ranges::find_if(
      *members, [](const JsonValue::Member& member) { return member.key.ends_with("/gpu"); });
  return found == members->end() ? nullptr : &found->value;
}

void set_workload_machines(const JsonRow& workload, const JsonValue& item, RecordedRow& row) {
  std::int64_t gpus = 0;
  for (const JsonValue& value : workload.list("spec.podSets")) {
    const JsonRow pods = workload.row(value);
    const JsonValue* const assignment = assignment_of(workload, pods.text("name"));
    const std::int64_t count = assignment == nullptr
                                   ? pods.count("count", 1)
                                   : workload.row(*assignment).count("count", pods.count("count", 1));
    const std::int64_t here = count * pod_gpus(pods, "template");
    gpus = gang_gpus(item, gpus + here);
    if (here == 0 || !row.gpu.empty()) continue;
    row.machine = pod_machine(pods, "template");
    row.gpu = pod_gpu(pods, "template");
    const JsonValue* const flavor = assignment == nullptr ? nullptr : gpu_member(*assignment, "flavors");
    const auto* const name = flavor == nullptr ? nullptr : flavor->get<std::string>();
    if (row.gpu.empty() && name != nullptr) row.gpu = *name;
  }
  row.gpus = static_cast<std::int32_t>(gpus);
}

void set_workload_times(const JsonRow& workload, RecordedRow& row) {
  const auto admitted = find_condition(workload, "Admitted");
  const auto ready = find_condition(workload, "PodsReady");
  const auto finished = find_condition(workload, "Finished");
  if (admitted) row.start_ms = ready && ready->at_ms >= admitted->at_ms ? ready->at_ms : admitted->at_ms;
  row.outcome = admitted ? RecordedOutcome::running : RecordedOutcome::waiting;
  row.word = admitted ? "Admitted" : "Pending";
  if (finished) {
    row.end_ms = finished->at_ms;
    row.word = finished->reason;
    row.outcome = recorded_outcome_of(finished->reason);
    // OutOfSync, OwnerNotFound, WorkloadSliceReplaced: its owner is not there any more.
    if (row.outcome == RecordedOutcome::unknown) row.outcome = RecordedOutcome::cancelled;
  } else if (const auto evicted = find_condition(workload, "Evicted");
             evicted && evicted->reason.starts_with("Deactivated")) {
    row.end_ms = evicted->at_ms;
    row.word = evicted->reason;
    row.outcome = RecordedOutcome::expired;
  }
}

// An eviction leaves its condition behind, false once the workload is admitted anew.
bool was_evicted(const JsonRow& workload, const RecordedRow& row) {
  const bool has_trace = find_condition(workload, "Evicted", "False") ||
                         find_condition(workload, "Evicted") ||
                         workload.count("status.requeueState.count", 0) > 0;
  return row.attempts > 1 || find_condition(workload, "Requeued") ||
         (has_trace && row.start_ms != kUnknownMs);
}

RecordedRow row_of_workload(const JsonRow& workload, const JsonValue& item) {
  RecordedRow row{.submit_ms = workload.time("metadata.creationTimestamp"),
                  .id = workload.text("metadata.uid"),
                  .team = workload.text("metadata.namespace"),
                  .job_class = workload.text("spec.priorityClassRef.name"),
                  .partition = workload.text("spec.queueName")};
  if (row.job_class.empty()) row.job_class = workload.text("spec.priorityClassName");
  row.estimate = SimDuration{std::int64_t{workload.count("spec.maximumExecutionTimeSeconds", 0)} * kSecond};
  set_workload_machines(workload, item, row);
  set_workload_times(workload, row);
  for (const JsonValue& eviction : workload.list("status.schedulingStats.evictions")) {
    row.attempts += static_cast<std::uint32_t>(workload.row(eviction).count("count", 0));
  }
  row.attempts = std::min(row.attempts, static_cast<std::uint32_t>(kMostJobGpus));
  // Each condition keeps its last time only, so the first start of what was evicted is gone.
  row.knows_wait = !was_evicted(workload, row);
  return row;
}

}  // namespace

void read_kueue_trace(TraceBuilder& builder, TraceFields& /*fields*/, const TraceOptions& /*options*/) {
  add_cluster_objects(builder, "Workload", row_of_workload);
}

}  // namespace stockout

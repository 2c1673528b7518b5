#include "models/workload/readers/cluster_objects.h"
#include "models/workload/readers/pod_fields.h"
#include "models/workload/readers/trace_formats.h"

namespace stockout {
namespace {

// Source of all names: batch/v1, Job.

void set_job_outcome(const JsonRow& job, RecordedRow& row) {
  const auto failed = find_condition(job, "Failed");
  if (failed) {
    row.end_ms = failed->at_ms;
    row.word = failed->reason;
    row.outcome = failed->reason == "DeadlineExceeded" ? RecordedOutcome::timed_out : RecordedOutcome::failed;
    if (row.attempts > 1) --row.attempts;  // the last failure was the end
  } else if (row.end_ms != kUnknownMs) {
    row.word = "Complete";
    row.outcome = RecordedOutcome::completed;
  } else {
    const bool waits = row.start_ms == kUnknownMs;
    row.word = waits ? "Suspended" : "Running";
    row.outcome = waits ? RecordedOutcome::waiting : RecordedOutcome::running;
  }
}

RecordedRow row_of_job(const JsonRow& job, const JsonValue& item) {
  RecordedRow row{.submit_ms = job.time("metadata.creationTimestamp"),
                  .start_ms = job.time("status.startTime"),
                  .end_ms = job.time("status.completionTime"),
                  .id = job.text("metadata.uid"),
                  .team = job.text("metadata.namespace"),
                  .job_class = job.text("spec.template.spec.priorityClassName"),
                  .partition = job.label("metadata.labels", "kueue.x-k8s.io/queue-name"),
                  .machine = pod_machine(job, "spec.template"),
                  .gpu = pod_gpu(job, "spec.template")};
  const std::int64_t pods = job.count("spec.parallelism", 1);
  row.gpus = gang_gpus(item, pods * pod_gpus(job, "spec.template"));
  row.estimate = SimDuration{std::int64_t{job.count("spec.activeDeadlineSeconds", 0)} * kSecond};
  // A pod that fails is made anew. Which of several belong together is not told.
  if (pods == 1) row.attempts = 1 + static_cast<std::uint32_t>(job.count("status.failed", 0));
  set_job_outcome(job, row);
  // The controller starts a job at once, whether its pods find machines or not. One that a queue let in was
  // suspended before, and its start is that of its machines.
  row.knows_wait = find_condition(job, "Suspended", "False").has_value();
  return row;
}

}  // namespace

void read_kubernetes_trace(TraceBuilder& builder, TraceFields& /*fields*/, const TraceOptions& /*options*/) {
  add_cluster_objects(builder, "Job", row_of_job);
}

}  // namespace stockout

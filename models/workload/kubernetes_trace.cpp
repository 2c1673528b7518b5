#include <algorithm>

#include "models/workload/json_row.h"
#include "models/workload/pod_fields.h"
#include "models/workload/trace_formats.h"
#include "sim/io/json_items.h"

namespace stockout {
namespace {

// Source of all names: batch/v1, Job.
class KubernetesTrace {
 public:
  KubernetesTrace(TraceBuilder& builder, TraceFields& fields)
      : builder_{builder}, fields_{fields}, stamps_{"UTC", {.file = builder.columns().file}} {}

  void read() {
    builder_.columns().absolute = true;
    builder_.keep({.times = true,
                   .outcome = true,
                   .team = true,
                   .job_class = true,
                   .partition = true,
                   .machine = true,
                   .gpu = true,
                   .estimate = true,
                   .attempts = true});
    for_each_json_item(builder_.columns().file, [this](const JsonValue& item) {
      builder_.begin_row(static_cast<std::uint64_t>(item.line));
      fields_.at_line(static_cast<std::uint64_t>(item.line));
      read_job(JsonRow{item, fields_, stamps_}, item);
      return true;
    });
  }

 private:
  void read_job(const JsonRow& job, const JsonValue& item) {
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
    row.gpus = gang_gpus(job, item, pods * pod_gpus(job, "spec.template"));
    row.estimate = SimDuration{std::int64_t{job.count("spec.activeDeadlineSeconds", 0)} * kSecond};
    // A pod that fails is made anew. Which of several belong together is not told.
    if (pods == 1) row.attempts = 1 + static_cast<std::uint32_t>(job.count("status.failed", 0));
    set_outcome(job, row);
    // The controller starts a job at once, whether its pods find machines or not. One that a queue let in was
    // suspended before, and its start is that of its machines.
    row.knows_wait = find_condition(job, "Suspended", "False").has_value();
    builder_.add(row);
  }

  static void set_outcome(const JsonRow& job, RecordedRow& row) {
    const auto failed = find_condition(job, "Failed");
    if (failed) {
      row.end_ms = failed->at_ms;
      row.word = failed->reason;
      row.outcome =
          failed->reason == "DeadlineExceeded" ? RecordedOutcome::timed_out : RecordedOutcome::failed;
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

  TraceBuilder& builder_;
  TraceFields& fields_;
  TimeStampReader stamps_;
};

}  // namespace

void read_kubernetes_trace(TraceBuilder& builder, TraceFields& fields, const TraceOptions& /*options*/) {
  KubernetesTrace{builder, fields}.read();
}

}  // namespace stockout

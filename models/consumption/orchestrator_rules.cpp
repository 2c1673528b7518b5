#include "models/consumption/orchestrator_rules.h"

#include <array>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "sim/core/duration_text.h"

namespace stockout {
namespace {

using namespace std::chrono_literals;

constexpr SimDuration kWeek = 7 * 24h;

RuleValue retries(Tries most) { return {"retries", FieldValue<Tries>{&Policy::retries, most}}; }
RuleValue restarts(Tries most) { return {"restarts", FieldValue<Tries>{&Policy::restarts, most}}; }
RuleValue fault_restarts(Tries most) {
  return {"fault_restarts", FieldValue<std::optional<Tries>>{&Policy::fault_restarts, most}};
}
RuleValue worker_restarts(Tries most) {
  return {"worker_restarts", FieldValue<Tries>{&Policy::worker_restarts, most}};
}
RuleValue exit_restarts(Tries most) {
  return {"exit_restarts", FieldValue<Tries>{&Policy::exit_restarts, most}};
}
RuleValue retry_interval(SimDuration length) {
  return {"retry_interval", FieldValue<SimDuration>{&Policy::retry_interval, length}};
}
RuleValue max_wait(SimDuration length) {
  return {"max_wait", FieldValue<SimDuration>{&Policy::max_wait, length}};
}
RuleValue run_max(SimDuration length) {
  return {"run_max", FieldValue<SimDuration>{&Policy::run_max, length}};
}
RuleValue machines_max(std::int32_t most) {
  return {"machines_max", FieldValue<std::int32_t>{&Policy::machines_max, most}};
}
RuleValue open_max(std::int32_t most) {
  return {"open_max", FieldValue<std::int32_t>{&Policy::open_max, most}};
}
RuleValue notice(SimDuration length) { return {"notice", FieldValue<SimDuration>{&Policy::notice, length}}; }

constexpr Evidence kVertex{"documented", "vertex-docs-2026-08"};
constexpr Evidence kVertexPause{"low", "vertex-docs-2026-08",
                                "an assumption: the time between two tries is not public"};
constexpr Evidence kVertexTimeOut{"documented", "vertex-docs-2026-08",
                                  "the default time-out of a job; it may be set to more"};
constexpr Evidence kVertexWait{"documented", "vertex-docs-2026-08", "0s is no limit"};
constexpr Evidence kVertexInternal{
    "documented", "vertex-docs-2026-08",
    "after an internal error: three attempts in all. That a fault of a machine is one, and maintenance is "
    "not, is inferred"};
constexpr Evidence kVertexWorker{"documented", "vertex-docs-2026-08",
                                 "of each worker, after an error that is not permanent"};
constexpr Evidence kVertexJob{"documented", "vertex-docs-2026-08",
                              "of the whole job, once a worker has no restart left"};
constexpr Evidence kPodNotice{"documented", "gke-2026",
                              "of a node's 30s; the other half is for pods of the system. Up to 120s in all "
                              "can be chosen"};
constexpr Evidence kNotice{"secondary", "compute-docs-2026", "at most; 0s or 120s can be chosen since 2026"};

constexpr Evidence kOneCall{"documented", "compute-docs-2026",
                            "a create or bulkInsert that finds no machines is an error; nothing repeats it"};
constexpr Evidence kNotAgain{
    "inferred", "compute-docs-2026",
    "a preempted VM is stopped or deleted; a managed instance group would ask again"};
constexpr Evidence kNoJobs{"inferred", "compute-docs-2026",
                           "it knows VMs, not what runs on them: whoever restarts that is a script of yours"};
constexpr Evidence kFlexVm{"secondary", "compute-docs-2026", "a request is valid for 0s, or 90s to 2h"};
constexpr Evidence kFlexRun{"secondary", "compute-docs-2026"};
constexpr Evidence kMigSize{"secondary", "compute-docs-2026", "VMs of one resize request"};
constexpr Evidence kMigOpen{"secondary", "compute-docs-2026",
                            "open resize requests of a project: a quota, which may be raised"};
constexpr Evidence kMigWait{"secondary", "compute-docs-2026", "a resize request has no stated expiry"};

constexpr Evidence kPodsWait{"inferred", "autoscaler-2026-08",
                             "pods stay pending, and may use each of their node groups; in the last leg of a "
                             "job, others pass on at once"};
constexpr Evidence kNodeGroup{
    "inferred", "autoscaler-2026-08",
    "the first back-off of a node group, shared by all jobs; it doubles to 30min; GKE's own "
    "build may differ"};
constexpr Evidence kPodRetries{"low", "autoscaler-2026-08",
                               "the default backoffLimit of a Kubernetes Job, which counts lost nodes"};
constexpr Evidence kPodFails{
    "low", "autoscaler-2026-08",
    "the default backoffLimit of a Kubernetes Job, for all its pods together; here for each"};
constexpr Evidence kJobFails{"inferred", "autoscaler-2026-08", "a Job beyond its backoffLimit has failed"};
constexpr Evidence kQueued{"secondary", "gke-2026", "queued provisioning: no expiry is stated"};
constexpr Evidence kQueuedRun{"secondary", "gke-2026", "maxRunDurationSeconds is at most 604800"};

constexpr Evidence kRequeued{"documented", "slurm-2026-08",
                             "a node that does not come up is down, and its job is requeued. That is so in a "
                             "job's last leg; others pass on at once"};
constexpr Evidence kRequeueDelay{"computed", "slurm-2026-08",
                                 "120s + 1s to be eligible again; a node set without spare node names waits "
                                 "for its ResumeTimeout, 330s or more"};
constexpr Evidence kRequeuedSpot{"documented", "slurm-2026-08", "JobRequeue is 1 by default"};
constexpr Evidence kNoRequeue{
    "documented", "slurm-2026-08",
    "a job that exits has failed; RequeueExit, which requeues it, is not set by default"};
constexpr Evidence kResume{"documented", "toolkit-2026-06", "Slurm's longest ResumeTimeout"};
constexpr Evidence kToolkitRun{"documented", "toolkit-2026-06", "the largest max_run_duration of a node set"};

// Models that are not here, and fields that are not, are as policy_table() has them.
std::vector<OrchestratorRule> make_table() {
  using enum OrchestratorName;
  using enum RuleKind;
  return {
      {vertex, "", fault_restarts(2), own, kVertexInternal},
      {vertex, "", worker_restarts(5), own, kVertexWorker},
      {vertex, "", exit_restarts(3), own, kVertexJob},
      {vertex, "on_demand", retries(3), own, kVertex},
      {vertex, "on_demand", retry_interval(5min), usual, kVertexPause},
      {vertex, "on_demand", run_max(kWeek), usual, kVertexTimeOut},
      {vertex, "spot", retries(3), own, kVertex},
      {vertex, "spot", retry_interval(5min), usual, kVertexPause},
      {vertex, "spot", restarts(6), own, kVertex},
      {vertex, "spot", notice(30s), usual, kNotice},
      {vertex, "spot", run_max(kWeek), usual, kVertexTimeOut},
      {vertex, "flex_start", max_wait(24h), usual, kVertexWait},
      {vertex, "flex_start", run_max(kWeek), enforced, kVertex},
      {vertex, "reservation", run_max(kWeek), usual, kVertexTimeOut},
      {vertex, "future_reservation", run_max(kWeek), usual, kVertexTimeOut},
      {vertex, "persistent_resource", run_max(kWeek), usual, kVertexTimeOut},

      {compute_engine, "", worker_restarts(0), own, kNoJobs},
      {compute_engine, "", exit_restarts(0), own, kNoJobs},
      {compute_engine, "on_demand", retries(0), own, kOneCall},
      {compute_engine, "spot", retries(0), own, kOneCall},
      {compute_engine, "spot", restarts(0), own, kNotAgain},
      {compute_engine, "spot", notice(30s), usual, kNotice},
      {compute_engine, "flex_start_vm", max_wait(2h), enforced, kFlexVm},
      {compute_engine, "flex_start_vm", run_max(kWeek), enforced, kFlexRun},
      {compute_engine, "flex_start_mig", max_wait(kForever), usual, kMigWait},
      {compute_engine, "flex_start_mig", run_max(kWeek), enforced, kFlexRun},
      {compute_engine, "flex_start_mig", machines_max(1'000), enforced, kMigSize},
      {compute_engine, "flex_start_mig", open_max(100), usual, kMigOpen},

      {gke, "", worker_restarts(6), own, kPodFails},
      {gke, "", exit_restarts(0), own, kJobFails},
      {gke, "on_demand", retries(kUnlimited), own, kPodsWait},
      {gke, "on_demand", retry_interval(5min), usual, kNodeGroup},
      {gke, "spot", retries(kUnlimited), own, kPodsWait},
      {gke, "spot", retry_interval(5min), usual, kNodeGroup},
      {gke, "spot", restarts(6), own, kPodRetries},
      {gke, "spot", notice(15s), usual, kPodNotice},
      {gke, "flex_start_vm", max_wait(2h), enforced, kFlexVm},
      {gke, "flex_start_vm", run_max(kWeek), enforced, kFlexRun},
      {gke, "flex_start_mig", max_wait(kForever), usual, kQueued},
      {gke, "flex_start_mig", run_max(kWeek), enforced, kQueuedRun},

      {slurm, "", worker_restarts(0), own, kNoRequeue},
      {slurm, "", exit_restarts(0), own, kNoRequeue},
      {slurm, "on_demand", retries(kUnlimited), own, kRequeued},
      {slurm, "on_demand", retry_interval(121s), usual, kRequeueDelay},
      {slurm, "spot", retries(kUnlimited), own, kRequeued},
      {slurm, "spot", retry_interval(121s), usual, kRequeueDelay},
      {slurm, "spot", restarts(kUnlimited), own, kRequeuedSpot},
      {slurm, "spot", notice(30s), usual, kNotice},
      {slurm, "flex_start_slurm", max_wait(65'535s), enforced, kResume},
      {slurm, "flex_start_slurm", run_max(kWeek), enforced, kToolkitRun},
  };
}

// What has no bound in the row of a model, since it also stands for queues that nobody sells.
void enforce(Policy& row, const OrchestratorRule& rule) {
  row.bounds.source = rule.from.source;
  const auto* length = std::get_if<FieldValue<SimDuration>>(&rule.sets.field);
  if (length != nullptr && length->field == &Policy::run_max) row.bounds.run_most_is_assumed = false;
}

}  // namespace

std::string_view title_of(OrchestratorName orchestrator) {
  constexpr std::array<std::string_view, kOrchestratorNames.size()> kTitles{"Compute Engine", "Vertex AI",
                                                                            "GKE", "Slurm"};
  return kTitles[static_cast<std::size_t>(orchestrator)];
}

std::span<const OrchestratorRule> orchestrator_rules() {
  static const std::vector<OrchestratorRule> kTable = make_table();
  return kTable;
}

Policy under(OrchestratorName orchestrator, Policy row) {
  for (const OrchestratorRule& rule : orchestrator_rules()) {
    if (!rule.is_about(orchestrator, row.name)) continue;
    std::visit([&row](const auto& sets) { row.*(sets.field) = sets.value; }, rule.sets.field);
    if (rule.kind == RuleKind::enforced) enforce(row, rule);
  }
  return row;
}

bool exceeds(const Policy& row, const OrchestratorRule& rule) {
  const auto is_more = [](Tries tries, Tries most) {
    return most != kUnlimited && (tries == kUnlimited || tries > most);
  };
  if (const auto* tries = std::get_if<FieldValue<Tries>>(&rule.sets.field))
    return is_more(row.*(tries->field), tries->value);
  if (const auto* tries = std::get_if<FieldValue<std::optional<Tries>>>(&rule.sets.field))
    return is_more((row.*(tries->field)).value_or(0), *tries->value);
  const auto& length = std::get<FieldValue<SimDuration>>(rule.sets.field);
  return row.*(length.field) > length.value;
}

std::string value_text(const OrchestratorRule& rule) {
  const auto text = [](Tries tries) {
    return tries == kUnlimited ? std::string{"unlimited"} : fmt::format("{}", tries);
  };
  if (const auto* tries = std::get_if<FieldValue<Tries>>(&rule.sets.field)) return text(tries->value);
  if (const auto* tries = std::get_if<FieldValue<std::optional<Tries>>>(&rule.sets.field))
    return text(*tries->value);
  return format_duration(std::get<FieldValue<SimDuration>>(rule.sets.field).value);
}

}  // namespace stockout

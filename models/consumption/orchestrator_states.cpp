#include "models/consumption/orchestrator_states.h"

#include <algorithm>

namespace stockout {
namespace {

constexpr Evidence kJobState{"documented", "vertex-docs-2026-08", "JobState of the API"};
constexpr Evidence kTimeOut{"low", "vertex-docs-2026-08",
                            "a job that ran 7 days was cancelled, tensorflow/tfx issue 6223; not documented"};
constexpr Evidence kWaitOver{"low", "vertex-docs-2026-08",
                             "an assumption: JobState has it, no page says that maxWaitDuration ends in it"};
constexpr Evidence kNotTriggered{"secondary", "vertex-docs-2026-08", "a task of Vertex AI Pipelines"};

constexpr Evidence kInstance{"documented", "compute-docs-2026", "status of a VM"};
constexpr Evidence kCallError{"documented", "compute-docs-2026", "error code of the call; no VM is made"};
constexpr Evidence kGone{"inferred", "compute-docs-2026",
                         "status of a VM that was preempted or is at its end"};

constexpr bool kByResize = true;  // StateName::by_resize_request
constexpr Evidence kRequest{"secondary", "compute-docs-2026", "state of a resize request"};
constexpr Evidence kRequestWaits{"secondary", "compute-docs-2026",
                                 "state of a resize request; here also of a job that waits to make one"};
constexpr Evidence kRequestOver{"secondary", "compute-docs-2026",
                                "state of a resize request: it had its machines"};
constexpr Evidence kRequestCancelled{
    "inferred", "compute-docs-2026",
    "state of a resize request that its user cancels after the longest wait"};
constexpr Evidence kRequestRefused{"inferred", "compute-docs-2026",
                                   "state of a resize request without quota, or for what no zone has"};

constexpr Evidence kJobCondition{"documented", "autoscaler-2026-08", "condition of a Kubernetes Job"};
constexpr Evidence kPodPhase{"documented", "autoscaler-2026-08", "phase of its pods"};
constexpr Evidence kRequestFails{"inferred", "gke-2026",
                                 "condition of a Job whose pods found no nodes in time"};

constexpr Evidence kCondition{"documented", "gke-2026", "condition of the ProvisioningRequest"};
constexpr Evidence kConditionWaits{
    "documented", "gke-2026",
    "condition of the ProvisioningRequest; here also of a job that waits to make one"};
constexpr Evidence kConditionOver{"inferred", "gke-2026",
                                  "condition of the ProvisioningRequest: the job had its machines"};
constexpr Evidence kConditionFails{
    "inferred", "gke-2026",
    "condition of a request that is withdrawn after the longest wait, or that nothing holds"};
constexpr Evidence kConditionShort{"inferred", "gke-2026",
                                   "condition of a request without quota; no page names another"};
constexpr Evidence kRunIsOver{"inferred", "gke-2026",
                              "condition of the ProvisioningRequest, when maxRunDurationSeconds are over"};
constexpr Evidence kRevoked{"inferred", "gke-2026",
                            "condition of the ProvisioningRequest, when machines go before their pods start"};

constexpr Evidence kSlurmState{"documented", "slurm-2026-08", "job state"};
constexpr Evidence kRequeues{"inferred", "slurm-2026-08", "job state: it is requeued, and waits"};
constexpr Evidence kNodesGone{"inferred", "slurm-2026-08", "job state: its nodes are gone"};

constexpr std::array kStates{
    StateName{OrchestratorName::vertex, JobFate::completed, "SUCCEEDED", kJobState},
    StateName{OrchestratorName::vertex, JobFate::expired, "EXPIRED", kWaitOver},
    StateName{OrchestratorName::vertex, JobFate::refused, "FAILED", kJobState},
    StateName{OrchestratorName::vertex, JobFate::failed, "FAILED", kJobState},
    StateName{OrchestratorName::vertex, JobFate::cut_off, "CANCELLED", kTimeOut},
    StateName{OrchestratorName::vertex, JobFate::skipped, "NOT_TRIGGERED", kNotTriggered},
    StateName{OrchestratorName::vertex, JobFate::short_of_quota, "QUEUED", kJobState},
    StateName{OrchestratorName::vertex, JobFate::waiting, "PENDING", kJobState},
    StateName{OrchestratorName::vertex, JobFate::starting, "PENDING", kJobState},
    StateName{OrchestratorName::vertex, JobFate::running, "RUNNING", kJobState},

    StateName{OrchestratorName::compute_engine, JobFate::completed, "TERMINATED", kInstance},
    StateName{OrchestratorName::compute_engine, JobFate::expired, "ZONE_RESOURCE_POOL_EXHAUSTED", kCallError},
    StateName{OrchestratorName::compute_engine, JobFate::refused, "ZONE_RESOURCE_POOL_EXHAUSTED", kCallError},
    StateName{OrchestratorName::compute_engine, JobFate::failed, "TERMINATED", kGone},
    StateName{OrchestratorName::compute_engine, JobFate::cut_off, "TERMINATED", kGone},
    StateName{OrchestratorName::compute_engine, JobFate::waiting, "PENDING", kInstance},
    StateName{OrchestratorName::compute_engine, JobFate::starting, "STAGING", kInstance},
    StateName{OrchestratorName::compute_engine, JobFate::running, "RUNNING", kInstance},

    StateName{OrchestratorName::compute_engine, JobFate::completed, "SUCCEEDED", kRequestOver, kByResize},
    StateName{OrchestratorName::compute_engine, JobFate::expired, "CANCELLED", kRequestCancelled, kByResize},
    StateName{OrchestratorName::compute_engine, JobFate::refused, "FAILED", kRequestRefused, kByResize},
    StateName{OrchestratorName::compute_engine, JobFate::failed, "SUCCEEDED", kRequestOver, kByResize},
    StateName{OrchestratorName::compute_engine, JobFate::cut_off, "SUCCEEDED", kRequestOver, kByResize},
    StateName{OrchestratorName::compute_engine, JobFate::waiting, "ACCEPTED", kRequestWaits, kByResize},
    StateName{OrchestratorName::compute_engine, JobFate::starting, "PROVISIONING", kRequest, kByResize},
    StateName{OrchestratorName::compute_engine, JobFate::running, "SUCCEEDED", kRequestOver, kByResize},

    StateName{OrchestratorName::gke, JobFate::completed, "Complete", kJobCondition},
    StateName{OrchestratorName::gke, JobFate::expired, "Failed", kRequestFails},
    StateName{OrchestratorName::gke, JobFate::refused, "Pending", kPodPhase},
    StateName{OrchestratorName::gke, JobFate::failed, "Failed", kJobCondition},
    StateName{OrchestratorName::gke, JobFate::cut_off, "Failed", kJobCondition},
    StateName{OrchestratorName::gke, JobFate::short_of_quota, "Pending", kPodPhase},
    StateName{OrchestratorName::gke, JobFate::waiting, "Pending", kPodPhase},
    StateName{OrchestratorName::gke, JobFate::starting, "Pending", kPodPhase},
    StateName{OrchestratorName::gke, JobFate::running, "Running", kPodPhase},

    StateName{OrchestratorName::gke, JobFate::completed, "Provisioned", kConditionOver, kByResize},
    StateName{OrchestratorName::gke, JobFate::expired, "Failed", kConditionFails, kByResize},
    StateName{OrchestratorName::gke, JobFate::refused, "Failed", kConditionFails, kByResize},
    StateName{OrchestratorName::gke, JobFate::failed, "Provisioned", kConditionOver, kByResize},
    StateName{OrchestratorName::gke, JobFate::cut_off, "CapacityRevoked", kRunIsOver, kByResize},
    StateName{OrchestratorName::gke, JobFate::short_of_quota, "Accepted", kConditionShort, kByResize},
    StateName{OrchestratorName::gke, JobFate::waiting, "Accepted", kConditionWaits, kByResize},
    StateName{OrchestratorName::gke, JobFate::starting, "Provisioned", kCondition, kByResize},
    StateName{OrchestratorName::gke, JobFate::running, "Provisioned", kCondition, kByResize},
    StateName{OrchestratorName::gke, JobFate::booking_expired, "BookingExpired", kCondition, kByResize},
    StateName{OrchestratorName::gke, JobFate::revoked, "CapacityRevoked", kRevoked, kByResize},

    StateName{OrchestratorName::slurm, JobFate::completed, "COMPLETED", kSlurmState},
    StateName{OrchestratorName::slurm, JobFate::expired, "PENDING", kRequeues},
    StateName{OrchestratorName::slurm, JobFate::refused, "PENDING", kRequeues},
    StateName{OrchestratorName::slurm, JobFate::failed, "NODE_FAIL", kNodesGone},
    StateName{OrchestratorName::slurm, JobFate::cut_off, "NODE_FAIL", kNodesGone},
    StateName{OrchestratorName::slurm, JobFate::timed_out, "TIMEOUT", kSlurmState},
    StateName{OrchestratorName::slurm, JobFate::preempted, "PREEMPTED", kSlurmState},
    StateName{OrchestratorName::slurm, JobFate::short_of_quota, "PENDING", kRequeues},
    StateName{OrchestratorName::slurm, JobFate::waiting, "PENDING", kSlurmState},
    StateName{OrchestratorName::slurm, JobFate::starting, "CONFIGURING", kSlurmState},
    StateName{OrchestratorName::slurm, JobFate::running, "RUNNING", kSlurmState},
};

}  // namespace

std::span<const StateName> state_names() { return kStates; }

std::string_view state_name(OrchestratorName orchestrator, const Policy& policy, JobFate fate) {
  const auto is_own = [&](const StateName& state) {
    return state.orchestrator == orchestrator && state.by_resize_request;
  };
  const bool by_resize = policy.by_resize_request && std::ranges::any_of(kStates, is_own);
  const auto found = std::ranges::find_if(kStates, [&](const StateName& state) {
    return state.orchestrator == orchestrator && state.by_resize_request == by_resize && state.fate == fate;
  });
  return found == kStates.end() ? std::string_view{} : found->name;
}

}  // namespace stockout

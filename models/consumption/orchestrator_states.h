#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "models/consumption/orchestrator_rules.h"

namespace stockout {

/// How a job ended, or what it was doing when the run ended.
enum class JobFate : std::uint8_t {
  completed,
  expired,  // its maximum wait ran out
  refused,  // a stock-out with no retry left to it, or a request that nothing can satisfy
  failed,   // retries or restarts ran out
  cut_off,  // at its longest run
  skipped,  // a step of a pipeline that never began
  short_of_quota,
  waiting,   // for capacity
  starting,  // on machines that work has not begun on
  running,
  booking_expired,  // the machines that it had last waited for it too long
  revoked,          // the machines that it had last were lost before work began
  timed_out,        // its scheduler ended it at its time limit
  preempted,        // its scheduler ended it for another
};
inline constexpr std::array<std::string_view, 14> kJobFateNames{
    "completed", "expired",  "refused", "failed",          "cut_off", "skipped",   "short of quota",
    "waiting",   "starting", "running", "booking expired", "revoked", "timed out", "preempted"};

/// Name that an orchestrator gives a job of that fate. Compute Engine has no jobs: it is the state of the
/// job's VM, or the error of the call that makes none; of a managed instance group that of its resize
/// request. Of queued provisioning of GKE it is that of the ProvisioningRequest.
struct StateName {
  OrchestratorName orchestrator = OrchestratorName::vertex;
  JobFate fate{};
  std::string_view name;
  Evidence from;
  bool by_resize_request = false;  // of jobs that ask last under such a Policy; else of others
};

/// Every name, by orchestrator, kind of request and fate.
[[nodiscard]] std::span<const StateName> state_names();

/// The name for a job that asks last under `policy`. Empty where the orchestrator has no word for it, since
/// it does not come to that or knows nothing of the job.
[[nodiscard]] std::string_view state_name(OrchestratorName orchestrator, const Policy& policy, JobFate fate);

}  // namespace stockout

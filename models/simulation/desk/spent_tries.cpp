#include "models/simulation/desk/spent_tries.h"

namespace stockout {
namespace {

using CountByLeg = std::array<std::uint16_t, kMostLegs> SpentTries::*;

bool spend(Tables& tables, JobState& job, CountByLeg kind, Tries allowed) {
  if (allowed == kUnlimited) return true;
  if (allowed == 0) return false;
  std::uint16_t& spent = (tables.tries_of(job).*kind)[job.asks.leg];
  if (spent >= allowed) return false;
  ++spent;
  return true;
}

const Policy& policy_of(const JobState& job) { return job.route.strategy->legs[job.asks.leg].policy; }

}  // namespace

bool spend_retry(Tables& tables, JobState& job) {
  return spend(tables, job, &SpentTries::retries, policy_of(job).retries);
}

bool spend_restart(Tables& tables, JobState& job, Outcome::Kind why) {
  const Policy& policy = policy_of(job);
  if (why == Outcome::Kind::failed) return false;
  if (why == Outcome::Kind::exited)
    return spend(tables, job, &SpentTries::exit_restarts, policy.exit_restarts);
  if (why == Outcome::Kind::broke && policy.fault_restarts)
    return spend(tables, job, &SpentTries::fault_restarts, *policy.fault_restarts);
  return spend(tables, job, &SpentTries::restarts, policy.restarts);
}

}  // namespace stockout

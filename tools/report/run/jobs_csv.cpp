#include "tools/report/run/jobs_csv.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tools/table/csv_text.h"

namespace stockout {
namespace {

std::string_view orchestrator_name(const Leg& leg) {
  if (!leg.orchestrator) return {};
  return kOrchestratorNames[static_cast<std::size_t>(*leg.orchestrator)];
}

// Each cause of waiting has a column of its own.
std::string wait_columns() {
  std::string columns = "waited_for";
  for (const std::string_view cause : kWaitCauseNames) columns += fmt::format(",for_{}_s", cause);
  return columns;
}

std::string wait_fields(const WaitTimes& times) {
  const std::optional<WaitCause> most = times.main_cause();
  std::string fields{most ? name_of(*most) : ""};
  for (std::size_t i = 0; i < kWaitCauses; ++i)
    fields += fmt::format(",{}", csv_seconds(times[static_cast<WaitCause>(i)]));
  return fields;
}

}  // namespace

std::string jobs_csv_header() {
  return fmt::format(
      "job,source,row,class,user,gpus,work_s,submit_s,released_s,first_grant_s,finished_s,wait_s,"
      "start_delay_s,leased_s,state,leg,preemptions,lost_s,deadline_s,deadline_met,quota_wait_s,"
      "quota_refusals,kueue_wait_s,kueue_evictions,stock_outs,faults,worker_exits,bookings_expired,revoked,"
      "orchestrator,orchestrator_state,gave_way_to,{}\n",
      wait_columns());
}

std::string jobs_csv_line(const World& world, const Strategy& strategy, std::uint64_t number, const Job& job,
                          const JobOutcome& outcome, const JobTroubles& troubles,
                          const std::vector<std::uint64_t>& gave_way_to) {
  const bool started = outcome.first_grant != kNever;
  const bool has_deadline = job.deadline != kForever;
  const std::int64_t gpus = world.shapes[index(job.shape)].gpus().count();
  const bool in_time =
      outcome.state == FinalState::completed && outcome.finished <= later(job.submit, job.deadline);
  return fmt::format(
      "{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n",
      number, csv_text(world.sources[index(job.source)].name), job.row,
      csv_text(world.classes[index(job.job_class)].name), csv_text(world.users[index(job.user)]), gpus,
      csv_seconds(job.work), csv_seconds(job.submit), csv_seconds(outcome.released),
      started ? csv_seconds(outcome.first_grant) : "", csv_seconds(outcome.finished),
      started ? csv_seconds(outcome.first_grant - outcome.released) : "",
      started ? csv_seconds(outcome.start_delay) : "", csv_seconds(outcome.leased),
      kFinalStateNames[static_cast<std::size_t>(outcome.state)], csv_text(strategy.legs[outcome.leg].label),
      outcome.preemptions, csv_seconds(outcome.lost), csv_seconds_or_nothing(job.deadline),
      has_deadline ? (in_time ? "1" : "0") : "", csv_seconds(outcome.quota.wait), outcome.quota.refusals,
      csv_seconds(outcome.kueue.wait), outcome.kueue.evictions, troubles.stock_outs, troubles.faults,
      outcome.exits, troubles.bookings_expired, troubles.revoked,
      orchestrator_name(strategy.legs[outcome.leg]), orchestrator_state(strategy, outcome, troubles),
      fmt::join(gave_way_to, " "), wait_fields(wait_times(job.submit, outcome)));
}

std::string leases_csv_header() {
  return "job,attempt,leg,pool,gpus,granted_s,running_s,ended_s,lost_s,preempted\n";
}

std::string leases_csv_line(const World& world, const Strategy& strategy, const LeaseRow& lease) {
  const bool ran = lease.running < lease.ended;
  return fmt::format("{},{},{},{},{},{},{},{},{},{}\n", lease.job, lease.attempt,
                     csv_text(strategy.legs[lease.leg].label), csv_text(world.pool(lease.pool).name),
                     lease.gpus.count(), csv_seconds(lease.granted), ran ? csv_seconds(lease.running) : "",
                     csv_seconds(lease.ended), csv_seconds(lease.lost), lease.preempted ? 1 : 0);
}

}  // namespace stockout

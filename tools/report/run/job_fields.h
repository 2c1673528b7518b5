#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "models/experiment/run_observer.h"
#include "models/history/job_troubles.h"
#include "models/measures/slurm_rows.h"

namespace stockout {

/// A recorded job, and all that its run tells of it.
struct ToldJob {
  const World& world;
  const Strategy& strategy;
  std::uint64_t number = 0;  // in the run record
  const Job& job;
  const JobOutcome& outcome;
  const JobTroubles& troubles;
  std::span<const std::uint64_t> gave_way_to = {};  // numbers of the jobs for which it was evicted
  WaitTimes waited = wait_times(job.submit, outcome);

  [[nodiscard]] const Leg& last_leg() const { return strategy.legs[outcome.leg]; }
  [[nodiscard]] bool has_started() const { return outcome.first_grant != kNever; }

  // Nothing of these: it never started. The wait is from its release to its first grant.
  [[nodiscard]] std::optional<SimDuration> first_grant() const {
    return has_started() ? std::optional{outcome.first_grant - kStart} : std::nullopt;
  }
  [[nodiscard]] std::optional<SimDuration> start_delay() const {
    return has_started() ? std::optional{outcome.start_delay} : std::nullopt;
  }
  [[nodiscard]] std::optional<SimDuration> wait() const {
    return has_started() ? std::optional{outcome.first_grant - outcome.released} : std::nullopt;
  }
  [[nodiscard]] std::optional<SimDuration> deadline() const {
    return job.deadline != kForever ? std::optional{job.deadline} : std::nullopt;
  }
  /// GPUs of its last admission by Kueue. Nothing: all that it asked for, or no admission.
  [[nodiscard]] std::optional<std::uint64_t> reduced_to() const {
    const GpuCount gpus = outcome.kueue.reduced;
    return gpus > GpuCount{} ? std::optional{static_cast<std::uint64_t>(gpus.count())} : std::nullopt;
  }
  /// Nothing: it has no deadline.
  [[nodiscard]] std::optional<bool> met_deadline() const {
    if (!deadline()) return std::nullopt;
    return outcome.state == FinalState::completed && outcome.finished <= later(job.submit, job.deadline);
  }
  /// Of most of its waiting; empty: it did not wait.
  [[nodiscard]] std::string_view main_cause() const {
    const std::optional<WaitCause> most = waited.main_cause();
    return most ? name_of(*most) : std::string_view{};
  }
  /// The same of its waits in its scheduler's queue after its first grant.
  [[nodiscard]] std::string_view main_cause_again() const {
    const std::optional<WaitCause> most = outcome.pending_again.main_cause();
    return most ? name_of(*most) : std::string_view{};
  }
  /// Of Slurm; empty: none may serve it.
  [[nodiscard]] std::string_view partition() const {
    const Leg* leg = leg_counted(strategy, job, outcome.leg);
    return leg == nullptr ? std::string_view{} : leg->partition;
  }
  /// Of Slurm, under every strategy; empty: its options have none.
  [[nodiscard]] std::string_view account() const {
    return world.slurm ? world.slurm->account_of(job.job_class, job.user) : std::string_view{};
  }
  /// As the orchestrator of its last leg is called; empty: it names none.
  [[nodiscard]] std::string_view orchestrator() const {
    const auto& name = last_leg().orchestrator;
    return name ? kOrchestratorNames[static_cast<std::size_t>(*name)] : std::string_view{};
  }
};

/// A column of the per-job record: its name, with its unit, and what it holds of a job.
template <typename Of>
struct JobField {
  std::string_view key;
  Of of;
};
template <typename Of>
JobField(std::string_view, Of) -> JobField<Of>;

/// The columns but those of causes of waiting. Times count from the start of the window. README.md of
/// tools/report says what each is.
inline constexpr std::tuple kJobFields{
    JobField{"job", [](const ToldJob& of) { return of.number; }},
    JobField{
        "source",
        [](const ToldJob& of) -> std::string_view { return of.world.sources[index(of.job.source)].name; }},
    JobField{"row", [](const ToldJob& of) { return of.job.row; }},
    JobField{
        "class",
        [](const ToldJob& of) -> std::string_view { return of.world.classes[index(of.job.job_class)].name; }},
    JobField{"user",
             [](const ToldJob& of) -> std::string_view { return of.world.users[index(of.job.user)]; }},
    JobField{"gpus", [](const ToldJob& of) { return of.world.shapes[index(of.job.shape)].gpus().count(); }},
    JobField{"work_s", [](const ToldJob& of) { return of.job.work; }},
    JobField{"submit_s", [](const ToldJob& of) { return of.job.submit - kStart; }},
    JobField{"released_s", [](const ToldJob& of) { return of.outcome.released - kStart; }},
    JobField{"first_grant_s", [](const ToldJob& of) { return of.first_grant(); }},
    JobField{"finished_s", [](const ToldJob& of) { return of.outcome.finished - kStart; }},
    JobField{"wait_s", [](const ToldJob& of) { return of.wait(); }},
    JobField{"start_delay_s", [](const ToldJob& of) { return of.start_delay(); }},
    JobField{"leased_s", [](const ToldJob& of) { return of.outcome.leased; }},
    JobField{"state",
             [](const ToldJob& of) { return kFinalStateNames[static_cast<std::size_t>(of.outcome.state)]; }},
    JobField{"leg", [](const ToldJob& of) -> std::string_view { return of.last_leg().label; }},
    JobField{"preemptions", [](const ToldJob& of) { return of.outcome.preemptions; }},
    JobField{"lost_s", [](const ToldJob& of) { return of.outcome.lost; }},
    JobField{"deadline_s", [](const ToldJob& of) { return of.deadline(); }},
    JobField{"deadline_met", [](const ToldJob& of) { return of.met_deadline(); }},
    JobField{"quota_wait_s", [](const ToldJob& of) { return of.outcome.quota.wait; }},
    JobField{"quota_refusals", [](const ToldJob& of) { return of.outcome.quota.refusals; }},
    JobField{"kueue_wait_s", [](const ToldJob& of) { return of.outcome.kueue.wait; }},
    JobField{"kueue_evictions", [](const ToldJob& of) { return of.outcome.kueue.evictions; }},
    JobField{"kueue_gpus", [](const ToldJob& of) { return of.reduced_to(); }},
    JobField{"stock_outs", [](const ToldJob& of) { return of.troubles.stock_outs; }},
    JobField{"faults", [](const ToldJob& of) { return of.troubles.faults; }},
    JobField{"worker_exits", [](const ToldJob& of) { return of.outcome.exits; }},
    JobField{"bookings_expired", [](const ToldJob& of) { return of.troubles.bookings_expired; }},
    JobField{"revoked", [](const ToldJob& of) { return of.troubles.revoked; }},
    JobField{"orchestrator", [](const ToldJob& of) { return of.orchestrator(); }},
    JobField{"orchestrator_state",
             [](const ToldJob& of) { return orchestrator_state(of.strategy, of.outcome, of.troubles); }},
    JobField{"partition", [](const ToldJob& of) { return of.partition(); }},
    JobField{"account", [](const ToldJob& of) { return of.account(); }},
    JobField{"gave_way_to", [](const ToldJob& of) { return of.gave_way_to; }},
    JobField{"waited_again_s", [](const ToldJob& of) { return of.outcome.pending_again.sum(); }},
    JobField{"waited_again_for", [](const ToldJob& of) { return of.main_cause_again(); }},
    JobField{"waited_for", [](const ToldJob& of) { return of.main_cause(); }},
};

/// Calls `visit(of)` for each column in order, causes of waiting last. `of(job)` is what it holds of a
/// ToldJob: a count, a length, a text, whole numbers, or nothing of these.
template <typename Visit>
void for_each_job_field(const Visit& visit) {
  std::apply([&](const auto&... fields) { (visit(fields.of), ...); }, kJobFields);
  for (std::size_t i = 0; i < kWaitCauses; ++i)
    visit([cause = static_cast<WaitCause>(i)](const ToldJob& of) { return of.waited[cause]; });
}

/// Their names in the same order.
[[nodiscard]] std::vector<std::string> job_keys();

/// Calls `visit` with each recorded job of a run, in order of arrival.
template <typename Visit>
void for_each_told_job(const World& world, const RunPlace& run, const RunRecord& record,
                       const JobTroublesBook& troubles, const Visit& visit) {
  const GaveWayTo gave_way = gave_way_by_job(record.gave_way);
  for_each_recorded_job(world, run.replication, [&](std::uint64_t number, const Job& job) {
    const JobOutcome outcome = record.jobs.at(number);
    const JobTroubles troubled = troubles.of(number);
    const auto gave = gave_way.find(number);
    visit(ToldJob{.world = world,
                  .strategy = world.strategies[run.strategy],
                  .number = number,
                  .job = job,
                  .outcome = outcome,
                  .troubles = troubled,
                  .gave_way_to = gave == gave_way.end() ? std::span<const std::uint64_t>{} : gave->second});
  });
}

}  // namespace stockout

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/orchestrators/orchestrator.h"
#include "models/simulation/books/books.h"
#include "models/simulation/books/orchestrator_turns.h"
#include "models/simulation/books/route.h"
#include "models/simulation/ground/agenda.h"
#include "models/simulation/ground/tables.h"

namespace stockout {

/// The orchestrators of a run. The job desk asks them, rooms tell them what happens to the jobs that concern
/// them, and the loop gives them their turns. A job that concerns none costs a test of a byte.
class Orchestration {
 public:
  /// At most eight.
  Orchestration(Orchestrators orchestrators, Tables& tables, Agenda& agenda, Books& books,
                const Route& route);
  Orchestration(const Orchestration&) = delete;
  Orchestration& operator=(const Orchestration&) = delete;

  // Questions of the job desk. They go to one after the other; who says wait is passed over once the job is
  // admitted.

  /// A job has come.
  void assign(JobSlot slot);
  /// Whether the job may begin. If not, a step will admit it.
  [[nodiscard]] bool may_begin(JobSlot slot) {
    return !tables_.jobs[slot].orchestrators.any() || all_let(slot, &Orchestrator::may_begin);
  }
  /// Whether it may begin an attempt. If not, a step will admit it.
  [[nodiscard]] bool may_try(JobSlot slot) {
    return !tables_.jobs[slot].orchestrators.any() || all_let(slot, &Orchestrator::may_try);
  }
  /// Whether a job without a leg left begins another attempt.
  [[nodiscard]] bool tries_again(JobSlot slot);
  /// Of a job that concerns any of them: whether it may ask in its leg, where it `waits` in queues or not. If
  /// it is to wait, a step will admit it.
  [[nodiscard]] Reply may_ask(JobSlot slot, bool waits);

  /// Whether it could ask in that place of a leg that goes from one to the other, if it entered that leg now.
  [[nodiscard]] bool would_let_ask(JobSlot slot, std::uint8_t leg, const Candidate& place) const;

  /// Whether a job that may come has to do with any of them.
  [[nodiscard]] bool concerns_anybody(const Job& job, bool is_tenant) const {
    return std::ranges::any_of(seats_, [&](const Seat& seat) {
      return seat.orchestrator->concerns({.ticket = {}, .job = job, .is_tenant = is_tenant});
    });
  }

  /// Whether it may ask in that place of its leg now, where all have let it ask. If not, it passes the place
  /// over.
  [[nodiscard]] bool may_ask_in(JobSlot slot, bool waits, const Candidate& place) {
    const JobState& job = tables_.jobs[slot];
    return !job.orchestrators.any() || all_let(slot, job.asks.leg, waits, place, &Orchestrator::may_ask_in);
  }
  /// Whether a request that waits in a queue, and has room, may be granted.
  [[nodiscard]] bool may_start(const Request& request) {
    return !tables_.jobs[request.job].orchestrators.any() ||
           all_let(request.job, request.leg_number, /*waits=*/true, *request.candidate,
                   &Orchestrator::may_start);
  }

  /// Of a job that concerns any of them: whether the work of its lease may begin at `ready`. If so, they know
  /// of it. If not, a step will let it.
  [[nodiscard]] bool may_work(const Lease& lease, SimTime ready);

  /// When a job that was refused in all places of its leg tries again, if not at `usual`.
  [[nodiscard]] SimTime next_try(JobSlot slot, SimTime usual) const;

  // What happens to jobs.

  void opened(const Request& request, const JobState& job) {
    if (job.orchestrators.any()) tell(News::Kind::opened, request.job, request.leg_number, request.candidate);
  }
  void closed(const Request& request, const JobState& job) {
    if (job.orchestrators.any()) tell(News::Kind::closed, request.job, request.leg_number, request.candidate);
  }
  void refused(JobSlot slot, const Candidate& place) {
    const JobState& job = tables_.jobs[slot];
    if (job.orchestrators.any()) tell(News::Kind::refused, slot, job.asks.leg, &place);
  }
  /// The lease, with all others of its gang if that is spread.
  void granted(LeaseSlot slot);
  /// The lease has so many machines less.
  void fewer(const Lease& lease, const JobState& job, std::int64_t machines) {
    if (job.orchestrators.any()) tell(News::Kind::fewer, lease, machines);
  }
  /// Of a lease. starts: its work, which was not let begin before, begins. ended: it had so many machines, or
  /// could still get them.
  void happened(News::Kind kind, const Lease& lease, std::int64_t machines) { tell(kind, lease, machines); }
  /// Of a job: left, suspended or fails.
  void happened(News::Kind kind, JobSlot slot) { tell(kind, slot, tables_.jobs[slot].asks.leg); }
  void job_final(JobSlot slot, FinalState state) {
    const JobState& job = tables_.jobs[slot];
    if (job.orchestrators.any()) tell(News::Kind::final, slot, job.asks.leg, nullptr, state);
  }

  // What the loop asks.

  [[nodiscard]] OrchestratorTurns& turns() { return turns_; }
  /// The run is over, and all is closed: their books are compared, and they add to the record.
  void close(RunRecord& record) const;

 private:
  using AskOfJob = bool (Orchestrator::*)(const JobView&, Clerk&);
  using AskOfPlace = bool (Orchestrator::*)(const JobView&, const LegView&, const Candidate&, Clerk&);

  [[nodiscard]] bool all_let(JobSlot slot, AskOfJob question);
  [[nodiscard]] bool all_let(JobSlot slot, std::uint8_t leg, bool waits, const Candidate& place,
                             AskOfPlace question);
  void tell(News::Kind kind, JobSlot slot, std::uint8_t leg, const Candidate* asked = nullptr,
            FinalState state = {}, std::int64_t machines = 0, SimTime works = kNever);
  void tell(News::Kind kind, const Lease& lease, std::int64_t machines);

  Tables& tables_;
  Books& books_;
  const Route& route_;
  std::vector<Seat> seats_;
  OrchestratorTurns turns_{seats_};
};

}  // namespace stockout

#include "models/simulation/books/orchestration.h"

#include <algorithm>
#include <climits>
#include <utility>

namespace stockout {
namespace {

JobView view_of(const Tables& tables, JobSlot slot) {
  const JobState& job = tables.jobs[slot];
  return {.ticket = {.slot = static_cast<std::uint32_t>(slot), .generation = job.generation},
          .job = job.job,
          .has_begun = job.orchestrators.is_released,
          .is_tenant = job.route.number != 0,
          .was_granted = job.history.ever_granted(),
          .number = job.record};
}

LegView view_of(const Route& route, const JobState& job, std::uint8_t leg, bool waits) {
  return {.leg = job.route.strategy->legs[leg],
          .number = leg,
          .waits = waits,
          .is_anew = job.orchestrators.are_asked_anew && leg == job.asks.leg,
          .places = route.usable(job, leg)};
}

// A lease that gathers may still get all that it asked for.
std::int64_t machines_granted(const Lease& lease) {
  const bool is_partial =
      lease.parts.gang != kNoGang && lease.asked.leg->partial->gather == SimDuration::zero();
  return is_partial ? lease.gpus.count() / lease.asked.candidate->gpus_of_each().count()
                    : lease.asked.candidate->machines();
}

constexpr std::size_t kNobody = CHAR_BIT;

// All whom the job concerns, but for one.
void let_hear(const std::vector<Seat>& seats, const JobState& job, const News& news,
              std::size_t but = kNobody) {
  for (std::size_t i = 0; i < seats.size(); ++i) {
    if (i != but && job.orchestrators.has(i)) seats[i].orchestrator->heard(news, *seats[i].clerk);
  }
}

}  // namespace

Orchestration::Orchestration(Orchestrators orchestrators, Tables& tables, Agenda& agenda, Books& books,
                             const Route& route)
    : tables_{tables}, books_{books}, route_{route} {
  STOCKOUT_CHECK(orchestrators.size() <= CHAR_BIT, "a job has a bit for each orchestrator");
  for (std::unique_ptr<Orchestrator>& each : orchestrators) {
    const auto number = static_cast<std::uint8_t>(seats_.size());
    seats_.push_back({.orchestrator = std::move(each),
                      .clerk = std::make_unique<RunClerk>(number, tables, agenda, books, turns_.turn())});
  }
}

void Orchestration::assign(JobSlot slot) {
  JobState& job = tables_.jobs[slot];
  for (std::size_t i = 0; i < seats_.size(); ++i) {
    if (seats_[i].orchestrator->concerns(view_of(tables_, slot))) job.orchestrators.add(i);
  }
}

// From the one on for whose word it waits.
bool Orchestration::all_let(JobSlot slot, AskOfJob question) {
  JobState& job = tables_.jobs[slot];
  for (std::uint8_t& i = job.orchestrators.next; i < seats_.size(); ++i) {
    Orchestrator& asked = *seats_[i].orchestrator;
    if (job.orchestrators.has(i) && !(asked.*question)(view_of(tables_, slot), *seats_[i].clerk))
      return false;
  }
  return true;
}

bool Orchestration::tries_again(JobSlot slot) {
  const JobState& job = tables_.jobs[slot];
  return std::ranges::any_of(seats_, [&, i = std::size_t{0}](const Seat& seat) mutable {
    return job.orchestrators.has(i++) && seat.orchestrator->tries_again(view_of(tables_, slot), *seat.clerk);
  });
}

Reply Orchestration::may_ask(JobSlot slot, bool waits) {
  JobState& job = tables_.jobs[slot];
  const LegView leg = view_of(route_, job, job.asks.leg, waits);
  for (std::uint8_t& i = job.orchestrators.next; i < seats_.size(); ++i) {
    if (!job.orchestrators.has(i)) continue;
    const Reply reply = seats_[i].orchestrator->may_ask(view_of(tables_, slot), leg, *seats_[i].clerk);
    if (reply != Reply::go) return reply;
  }
  return Reply::go;
}

bool Orchestration::would_let_ask(JobSlot slot, std::uint8_t leg, const Candidate& place) const {
  const JobState& job = tables_.jobs[slot];
  if (!job.orchestrators.any()) return true;
  const JobView of_job = view_of(tables_, slot);
  const LegView of_leg = view_of(route_, job, leg, /*waits=*/false);
  for (std::size_t i = 0; i < seats_.size(); ++i) {
    const Seat& seat = seats_[i];
    if (job.orchestrators.has(i) && !seat.orchestrator->would_let_ask(of_job, of_leg, place, *seat.clerk))
      return false;
  }
  return true;
}

bool Orchestration::all_let(JobSlot slot, std::uint8_t leg, bool waits, const Candidate& place,
                            AskOfPlace question) {
  const JobState& job = tables_.jobs[slot];
  const LegView of_leg = view_of(route_, job, leg, waits);
  for (std::size_t i = 0; i < seats_.size(); ++i) {
    if (!job.orchestrators.has(i)) continue;
    Orchestrator& asked = *seats_[i].orchestrator;
    if ((asked.*question)(view_of(tables_, slot), of_leg, place, *seats_[i].clerk)) continue;
    if (!waits) {
      const News news{
          .kind = News::Kind::passed_over, .job = view_of(tables_, slot), .leg = leg, .asked = &place};
      let_hear(seats_, job, news, i);
    }
    return false;
  }
  return true;
}

bool Orchestration::may_work(const Lease& lease, SimTime ready) {
  const JobState& job = tables_.jobs[lease.job];
  for (std::size_t i = 0; i < seats_.size(); ++i) {
    Seat& seat = seats_[i];
    const auto lets = [&] {
      return seat.orchestrator->may_work(view_of(tables_, lease.job), lease.times.up, ready, *seat.clerk);
    };
    if (job.orchestrators.has(i) && !lets()) return false;
  }
  tell(News::Kind::starts, lease, 0);
  return true;
}

// If it would be in vain in its own leg until then: when it would not in any.
SimTime Orchestration::next_try(JobSlot slot, SimTime usual) const {
  const JobState& job = tables_.jobs[slot];
  const auto next_in = [&](std::size_t leg) {
    const LegView of_leg = view_of(route_, job, static_cast<std::uint8_t>(leg), /*waits=*/false);
    SimTime next = kNever;
    for (std::size_t i = 0; i < seats_.size(); ++i) {
      const Seat& seat = seats_[i];
      if (job.orchestrators.has(i)) next = std::min(next, seat.orchestrator->next_try(of_leg, *seat.clerk));
    }
    return next;
  };
  SimTime next = next_in(job.asks.leg);
  if (next == kNever) return usual;
  for (std::size_t leg = 0; leg < job.route.strategy->legs.size(); ++leg) {
    if (job.may_use(leg)) next = std::min(next, next_in(leg));
  }
  return next;
}

void Orchestration::granted(LeaseSlot slot) {
  const Lease& lease = books_.leases()[slot];
  tell(News::Kind::granted, lease, machines_granted(lease));
  if (lease.parts.spread == kNoSpread) return;
  for (LeaseSlot each = tables_.jobs[lease.job].lease; each != kNoLease;
       each = books_.leases()[each].links.next_of_job) {
    const Lease& other = books_.leases()[each];
    if (each != slot) tell(News::Kind::granted, other, machines_granted(other));
  }
}

void Orchestration::tell(News::Kind kind, const Lease& lease, std::int64_t machines) {
  const auto leg = lease.asked.leg - tables_.jobs[lease.job].route.strategy->legs.data();
  tell(kind, lease.job, static_cast<std::uint8_t>(leg), lease.asked.candidate, {}, machines,
       lease.times.working);
}

void Orchestration::tell(News::Kind kind, JobSlot slot, std::uint8_t leg, const Candidate* asked,
                         FinalState state, std::int64_t machines, SimTime works) {
  const News news{.kind = kind,
                  .job = view_of(tables_, slot),
                  .leg = leg,
                  .asked = asked,
                  .state = state,
                  .machines = machines,
                  .works = works};
  let_hear(seats_, tables_.jobs[slot], news);
}

void Orchestration::close(RunRecord& record) const {
  for (const Seat& seat : seats_) seat.orchestrator->check();
  for (const Seat& seat : seats_) seat.orchestrator->write(record);
}

}  // namespace stockout

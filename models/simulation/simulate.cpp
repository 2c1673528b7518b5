#include "models/simulation/simulate.h"

#include <algorithm>
#include <tuple>
#include <vector>

#include <fmt/format.h>

#include "models/simulation/books/pool_checks.h"
#include "models/simulation/books/pool_totals.h"
#include "models/simulation/house.h"
#include "models/simulation/incoming.h"
#include "models/simulation/pace.h"
#include "sim/core/duration_text.h"

namespace stockout {
namespace {

Step step_of(EventKind kind) {
  return kind == EventKind::tick ? Step::tick : kind == EventKind::gather ? Step::gather : Step::attempt;
}

/// One run: the loop over instants and rounds. It owns nothing but the rooms.
class Simulation {
 public:
  Simulation(const World& world, std::size_t strategy, std::uint64_t replication, const Logs& logs,
             const Roster& orchestrators)
      : world_{world},
        strategy_{world.strategies.at(strategy)},
        pace_{world, strategy, logs},
        ground_{world},
        known_{world, strategy_, replication, logs, ground_, orchestrators},
        incoming_{world, replication, known_.route, known_.draws},
        lives_{world, ground_, known_},
        pools_{world, strategy_, ground_, known_, lives_},
        desks_{world, ground_, known_, lives_, pools_},
        most_rounds_{16 + 4 * known_.route.most_places()},
        is_counting_{world.begin >= kStart} {}

  RunRecord play() {
    pools_.supply.open(known_.draws.random());
    known_.orchestration.turns().begin();
    std::vector<PoolId> held = strategy_.held;
    std::ranges::sort(held);  // the legs may name them in any order
    for (const PoolId id : held) {
      desks_.holdings.begin(id);
      settle();
    }
    for (const PoolId id : held) pools_.idle.review(id);
    SimTime stop{};                                                    // the run never goes past it
    for (SimTime next = next_instant();; next = play_instant(next)) {  // the main loop
      if (is_counting_) next = play_plain(next);
      const bool is_drained = world_.end == RunEnd::drain && known_.recorder.open_jobs() == 0;
      stop = world_.end == RunEnd::time || is_drained ? world_.window_end
                                                      : world_.window_end + world_.drain_limit;
      if (next > stop) break;
      pace_.look(next, steps());
    }
    const bool is_stuck =
        world_.end == RunEnd::drain && (known_.recorder.open_jobs() == 0 || next_instant() == kNever);
    ground_.agenda.stop(is_stuck ? std::max(now(), world_.window_end) : stop);
    return close();
  }

 private:
  [[nodiscard]] SimTime now() const { return ground_.agenda.now(); }

  SimTime next_instant() {
    return std::min(
        {ground_.agenda.next_event(), next_patience(), ground_.touched.next_time(), incoming_.next_time()});
  }
  SimTime next_patience() {
    return ground_.agenda.next_patience([this](const JobStay& stay) { return ground_.tables.is_live(stay); });
  }
  [[nodiscard]] std::uint64_t steps() {
    return ground_.agenda.taken() + known_.recorder.requests().ever_opened();
  }

  // Everything at `at`; then the next instant.
  SimTime play_instant(SimTime at) {
    ground_.agenda.begin_instant(at);
    ground_.touched.begin_instant(at);
    if (!is_counting_ && at >= kStart) begin_counting();
    do {
      ground_.agenda.begin_round(most_rounds_);
      play_round();
      if (!ground_.agenda.has_more() && ground_.touched.empty() && !known_.orchestration.turns().is_due())
        at = next_instant();
    } while (at <= now());
    return at;
  }

  // Instants in which one plain job comes or is done, and nothing else happens, need no rounds: all of them
  // up to the first that does, which may have begun so. Returns that instant. A lease that waits for machines
  // begins as another ends, in a round. Most of the time of most runs is spent here: flatten makes one loop
  // of it, without calls.
  [[gnu::flatten]] SimTime play_plain(SimTime next) {
    Agenda& agenda = ground_.agenda;
    const bool is_settled = ground_.touched.empty() && !agenda.has_more();
    if (!is_settled || !known_.books.delayed().empty() || world_.ties != Ties::releases_first) return next;
    const SimTime limit = std::min({next_patience(), ground_.touched.next_time(), world_.window_end});
    bool is_event = agenda.next_event() == next;
    for (std::uint64_t left = pace_.left(steps()); next < limit && left > 0; --left) {
      const SimTime now = next;
      if (is_event ? !land(now) : !arrive(now)) return now;
      is_event = agenda.next_event() <= incoming_.next_time();
      next = is_event ? agenda.next_event() : incoming_.next_time();
    }
    return next < limit ? next : next_instant();
  }

  // The lease of a plain job ends. That it is the first release of the instant holds whatever else happens.
  // False: the instant goes on.
  bool land(SimTime now) {
    Agenda& agenda = ground_.agenda;
    if (!agenda.is_flight_next()) return false;
    agenda.begin_instant(now);
    const PoolId pool = lives_.flights.land(agenda.take_flight());
    const bool is_alone = agenda.next_event() > now && incoming_.next_time() > now;
    if (is_alone && lives_.flights.serve(pool)) return true;
    ground_.touched.touch(pool, now);
    return false;
  }

  // A plain job comes. False: the instant goes on, or has not begun since the job is not plain.
  bool arrive(SimTime now) {
    ground_.agenda.begin_instant(now);
    const Job& job = *incoming_.next();
    const JobSlot plain = lives_.flights.come(job, incoming_.strategy_of(job));
    if (plain == kNoJob) return false;
    incoming_.pop();
    const bool is_alone = incoming_.next_time() > now;
    if (is_alone && lives_.flights.ask_alone(plain)) return true;
    ground_.touched.touch(is_alone ? lives_.flights.pool_of(plain) : lives_.flights.ask(plain), now);
    return false;
  }

  // Counts are of the window, as areas are.
  void begin_counting() {
    is_counting_ = true;
    clear_totals(known_.books.pools());
  }

  void play_round() {
    if (world_.ties == Ties::releases_first) {
      play_releases();
      play_capacity();
      play_timers();
      play_arrivals();
      play_dispatch();
    } else {
      play_timers();
      play_arrivals();
      play_dispatch();
      ground_.touched.set_frees_later(true);
      play_releases();
      play_capacity();
      ground_.touched.set_frees_later(false);
    }
  }

  // Hands what has happened to whom it concerns, in the order in which it happened.
  void settle() {
    for (Outcome outcome; ground_.outcomes.take(outcome);) {
      outcome.kind >= Outcome::Kind::machines_free ? desks_.holdings.hear(outcome)
                                                   : desks_.jobs.hear(outcome);
    }
  }

  // A lease whose end was set for this instant during this round ends in the next.
  void play_releases() {
    for (Event event{}; ground_.agenda.take(Phase::releases, event); settle()) {
      if (event.kind == EventKind::flight_ends) {
        ground_.touched.touch(lives_.flights.end(event.job()), now());
      } else {
        lives_.ends.play_release(event);
      }
    }
  }

  void play_capacity() {
    Agenda& agenda = ground_.agenda;
    if (agenda.next_event() > now()) return;
    for (Event event{}; agenda.take(Phase::capacity, event); settle()) pools_.supply.play_step(event);
    for (Event event{}; agenda.take(Phase::repairs, event); settle()) pools_.supply.play_repair(event);
    while (desks_.holdings.play_next()) settle();
    for (Event event{}; agenda.take(Phase::lifetimes, event); settle()) play_fate(event);
  }

  void play_fate(Event event) {
    event.kind == EventKind::idle_fault ? pools_.idle.play_fault(event) : lives_.leases.play_fate(event);
  }

  void play_timers() {
    ground_.agenda.take_due(steps_);  // what the timers below bring about waits for the next round
    for (JobStay stay{}; ground_.agenda.take_patience(stay);) {
      if (ground_.tables.is_live(stay)) desks_.jobs.patience_over(stay.job);
    }
    if (!steps_.empty()) play_first(Step::patience_over);
    for (Event event{}; ground_.agenda.take(Phase::timers, event);) play_timer(event);
    if (!steps_.empty()) play_first(Step::own_wait_over);
    for (Event event{}; ground_.agenda.take(Phase::wakes, event);)
      known_.orchestration.turns().play_timer(event);
    if (!steps_.empty()) play_steps();
    for (Due told{}; known_.orchestration.turns().take(told);) desks_.jobs.play(told);
  }

  void play_timer(Event event) {
    if (event.kind == EventKind::own_expiry) return desks_.jobs.own_wait_over(event.job());
    if (event.kind == EventKind::kept_over) return desks_.jobs.kept_over(event.request());
    steps_.push_back({.stay = ground_.tables.stay_of(event.job()), .step = step_of(event.kind)});
  }

  // What ends at once ends before any other step, in the order in which it was set.
  void play_first(Step step) {
    for (const Due& due : steps_) {
      if (due.step == step) desks_.jobs.play(due);
    }
    std::erase_if(steps_, [step](const Due& due) { return due.step == step; });
  }

  void play_steps() {
    std::ranges::stable_sort(steps_, {}, [this](const Due& due) {
      const Job& job = ground_.tables.jobs[due.stay.job].job;
      return std::tuple{job.source, job.row};
    });
    for (const Due& due : steps_) {
      if (due.step != Step::gather) {
        desks_.jobs.play(due);
      } else if (ground_.tables.jobs[due.stay.job].generation == due.stay.generation) {
        lives_.leases.gather(due.stay.job);
      }
    }
    steps_.clear();
  }

  void play_arrivals() {
    for (const Job* job = incoming_.next(); job != nullptr && job->submit <= now(); job = incoming_.next()) {
      const std::uint32_t strategy = incoming_.strategy_of(*job);
      const JobSlot plain = lives_.flights.come(*job, strategy);
      if (plain == kNoJob) {
        desks_.jobs.submit(*job, strategy);
      } else {
        ground_.touched.touch(lives_.flights.ask(plain), now());
      }
      incoming_.pop();
    }
  }

  void play_dispatch() {
    if (ground_.touched.empty()) return;
    for (const PoolId pool : ground_.touched.take(now())) {
      pools_.market.begin_dispatch(pool);
      while (pools_.market.decide()) settle();
    }
  }

  // What is open is closed, and both sides of every book are compared.
  RunRecord close() {
    std::vector<PoolState>& pools = known_.books.pools();
    if (!is_counting_) begin_counting();  // nothing happened in the window
    for (PoolState& pool : pools) pool.claims.to_create.clear();
    std::uint64_t requests = lives_.flights.all_to_rooms();
    ground_.tables.jobs.visit_slots([this](JobSlot slot) { close_leases(slot); });
    desks_.holdings.close_all(strategy_.held);
    ground_.tables.jobs.visit_slots([&](JobSlot slot) { requests += desks_.jobs.close(slot); });
    check_balance(known_.books, now());
    RunRecord record = known_.recorder.finish(requests + requests_ended(pools), totals_of(pools, now()));
    known_.orchestration.close(record);
    return record;
  }

  void close_leases(JobSlot slot) {
    const JobState& job = ground_.tables.jobs[slot];
    if (job.generation == 0) return;
    for (; job.lease != kNoLease; settle()) lives_.ends.close_at_end(job.lease);
  }

  const World& world_;
  const Strategy& strategy_;
  Pace pace_;
  GroundFloor ground_;
  BooksFloor known_;
  Incoming incoming_;
  LivesFloor lives_;
  MarketFloor pools_;
  DeskFloor desks_;
  std::size_t most_rounds_;  // without progress, at one instant
  bool is_counting_;         // warm-up is over
  std::vector<Due> steps_;   // scratch
};

}  // namespace

TooManySteps::TooManySteps(std::size_t strategy, std::uint64_t most, SimTime reached)
    : std::runtime_error{fmt::format("strategy {} comes to more than {} steps by {}", strategy, most,
                                     format_duration(reached - kStart))},
      strategy_{strategy},
      most_{most},
      reached_{reached} {}

RunRecord simulate(const World& world, std::size_t strategy, std::uint64_t replication, const Logs& logs,
                   const Roster& orchestrators) {
  return Simulation{world, strategy, replication, logs, orchestrators}.play();
}

}  // namespace stockout

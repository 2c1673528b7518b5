#include "models/simulation/run.h"

#include <algorithm>
#include <array>
#include <tuple>

#include <fmt/format.h>

namespace stockout {
Run::Run(const World& world, std::size_t strategy, std::uint64_t replication, const Logs& logs)
    : world_{world},
      strategy_{world.strategies.at(strategy)},
      pace_{world, strategy, logs},
      arrivals_{all_arrivals(world, replication)},
      agenda_{world.begin, world.ties},
      touched_{world.pool_count(), std::max(world.grid, SimDuration{1})},
      recorder_{world, logs, agenda_},
      draws_{{.seed = world.seed, .replication = replication}, recorder_},
      route_{world, strategy_, agenda_},
      books_{world, strategy_, logs},
      held_(world.held.size()),
      is_counting_{world.begin >= kStart} {
  most_rounds_ = 16 + 4 * route_.most_places();
  build_gates();
  skip_unwanted_arrivals();
}

RunRecord Run::play() {
  open_capacity();
  for (const PoolId held : strategy_.held) begin_held(held);
  for (SimTime next = next_instant();; next = play_instant(next)) {  // the main loop
    const bool is_drained = world_.end == RunEnd::drain && recorder_.open_jobs() == 0;
    stop_ =
        world_.end == RunEnd::time || is_drained ? world_.window_end : world_.window_end + world_.drain_limit;
    if (next > stop_) break;
    pace_.look(next, agenda_.taken() + recorder_.requests());
  }
  const bool is_stuck =
      world_.end == RunEnd::drain && (recorder_.open_jobs() == 0 || next_instant() == kNever);
  agenda_.stop(is_stuck ? std::max(now(), world_.window_end) : stop_);
  if (!is_counting_) begin_counting();  // nothing happened in the window
  close_open_leases();
  close_held_pools();
  return close_open_jobs();
}

void Run::open_capacity() {
  const SimTime end = world_.window_end + (world_.end == RunEnd::drain ? world_.drain_limit : SimDuration{});
  for (std::size_t pool = 0; pool < world_.pools.size(); ++pool) {
    const PoolId id{static_cast<std::uint16_t>(pool)};
    const std::vector<CapacitySource>& sources = world_.pools[pool].capacity;
    for (std::size_t i = 0; i < sources.size(); ++i) {
      books_.pool(id).sources[i].path = CapacityPath{sources[i], draws_.dice(), world_.begin, end};
      set_capacity(id, i);
    }
  }
}

SimTime Run::next_instant() {
  SimTime next = std::min(agenda_.next_time([this](const JobStay& entry) { return is_live(entry); }),
                          touched_.next_time());
  if (const Job* job = arrivals_.peek()) next = std::min(next, job->submit);
  return next;
}

// Everything at `at`; then the next instant.
SimTime Run::play_instant(SimTime at) {
  agenda_.begin_instant(at);
  touched_.begin_instant(at);
  if (!is_counting_ && at >= kStart) begin_counting();
  do {
    agenda_.begin_round(most_rounds_);
    play_round();
    if (!agenda_.has_more() && touched_.empty() && !is_gate_due()) at = next_instant();
  } while (at <= now());
  return at;
}

// Counts are of the window, as areas are.
void Run::begin_counting() {
  is_counting_ = true;
  for (PoolState& pool : books_.pools()) {
    pool.totals = {};
    pool.totals.peak_waiting = pool.queue.size();
  }
}

void Run::play_round() {
  if (world_.ties == Ties::releases_first) {
    do_releases();
    do_capacity();
    do_timers();
    do_arrivals();
    do_dispatch();
  } else {
    do_timers();
    do_arrivals();
    do_dispatch();
    touched_.set_frees_later(true);
    do_releases();
    do_capacity();
    touched_.set_frees_later(false);
  }
}

// A lease whose end was set for this instant during this round ends in the next.
void Run::do_releases() {
  for (Event event{}; agenda_.take(Phase::releases, event);) {
    event.kind == EventKind::work_begins ? work_begins(event.lease()) : lease_ends(event.lease());
  }
}

void Run::do_capacity() {
  for (Event event{}; agenda_.take(Phase::capacity, event);) {
    books_.pool(event.pool()).sources[event.detail].path.advance();
    set_capacity(event.pool(), event.detail);
  }
  for (Event event{}; agenda_.take(Phase::repairs, event);) repaired(event);
  do_held_pools();
  for (Event event{}; agenda_.take(Phase::lifetimes, event);) play_life(event);
}

void Run::play_life(Event event) {
  if (books_.leases()[event.lease()].partial != kNoGang) return lose_machine(event);
  event.kind == EventKind::fault ? machine_breaks(event.lease()) : life_over(event.lease());
}

// The source's path stands at what is there from now on.
void Run::set_capacity(PoolId id, std::size_t number) {
  PoolState& pool = books_.pool(id);
  SourceState& source = pool.sources[number];
  books_.resize(id, number, source.path.gpus(), now());
  if (source.path.next_at() != kNever) {
    agenda_.at(source.path.next_at(), Phase::capacity, Event::of(EventKind::capacity, id, number));
  }
  if (source.is_over_full()) make_room(pool, source);
  start_ready(pool, source);
  books_.check_capacity(pool);
  touch(id);
}

Step Run::step_of(EventKind kind) {
  return kind == EventKind::tick ? Step::tick : kind == EventKind::gather ? Step::gather : Step::attempt;
}

void Run::do_timers() {
  agenda_.take_due(steps_);  // what the timers below bring about waits for the next round
  for (JobStay stay{}; agenda_.take_patience(stay);) {
    if (is_live(stay)) patience_over(stay.job);
  }
  for (Event event{}; agenda_.take(Phase::timers, event);) {
    if (event.kind == EventKind::own_expiry) {
      own_wait_over(event.job());
    } else if (event.kind == EventKind::kept_over) {
      kept_over(event.request());
    } else {
      steps_.push_back(due(event.job(), step_of(event.kind)));
    }
  }
  if (!steps_.empty()) do_steps();
  if (!gates_.empty()) open_gates();
}

void Run::do_steps() {
  std::ranges::stable_sort(steps_, {}, [this](const Due& due) {
    const Job& job = jobs_[due.job].job;
    return std::tuple{job.source, job.row};
  });
  for (const Due& due : steps_) {
    if (jobs_[due.job].generation == due.generation) do_step(due);
  }
  steps_.clear();
}

void Run::do_arrivals() {
  for (const Job* job = arrivals_.peek(); job != nullptr && job->submit <= now(); job = arrivals_.peek()) {
    submit(*job);
    arrivals_.pop();
    skip_unwanted_arrivals();
  }
}

// Tenants come from the begin on, recorded jobs in the window; others are not simulated.
void Run::skip_unwanted_arrivals() {
  for (const Job* job = arrivals_.peek(); job != nullptr; job = arrivals_.peek()) {
    const bool is_background = world_.sources[index(job->source)].background;
    if (job->submit < (is_background ? world_.begin : kStart)) {
      arrivals_.pop();
    } else if (!is_background && job->submit >= world_.window_end) {
      arrivals_.end_source();
    } else {
      return;
    }
  }
}

void Run::do_dispatch() {
  if (touched_.empty()) return;
  for (const PoolId id : touched_.take(now())) dispatch(id);
}

Due Run::due(JobSlot slot, Step step) const {
  const JobState& job = jobs_[slot];
  return {.job = slot, .generation = job.generation, .stay = job.stay, .step = step};
}

bool Run::is_live(const JobStay& entry) const {
  const JobState& job = jobs_[entry.job];
  return job.generation == entry.generation && job.stay == entry.stay;
}

RunRecord simulate(const World& world, std::size_t strategy, std::uint64_t replication, const Logs& logs) {
  return Run{world, strategy, replication, logs}.play();
}

}  // namespace stockout

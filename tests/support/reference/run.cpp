#include "tests/support/reference/run.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "models/supply/capacity_path.h"

namespace stockout::reference {

ReferenceResult reference_simulate(const World& world, std::size_t strategy, std::uint64_t replication) {
  return Run{world, strategy, replication}.simulate();
}

Run::Run(const World& world, std::size_t strategy, std::uint64_t replication)
    : world_{world}, strategy_{strategy}, dice_{.seed = world.seed, .replication = replication} {
  last_instant_ = world.begin;
  for (const Arrival& arrival : all_jobs(world, strategy, dice_, latest_end())) {
    const Source& source = world.sources[index(arrival.job.source)];
    JobState state;
    state.job = arrival.job;
    state.recorded = arrival.recorded;
    state.strategy = arrival.recorded ? &world.strategies[strategy] : &source.tenants[arrival.strategy];
    state.retries.resize(state.strategy->legs.size());
    state.restarts.resize(state.strategy->legs.size());
    state.work_left = state.job.work;
    jobs_.push_back(state);
  }
  for (std::size_t p = 0; p < world.pool_count(); ++p) {
    const PoolId id{static_cast<std::uint16_t>(p)};
    PoolState pool;
    for (const CapacitySource& source : world.pool(id).capacity) {
      SourceState state;
      state.steps = steps_of(source);
      for (const CapacityStep& step : state.steps) {
        if (step.at > world.begin) break;
        state.gpus = step.gpus.count();
        ++state.next_step;
      }
      pool.sources.push_back(state);
    }
    pool.exists = !world.is_held(id);
    const auto& bought = world.strategies[strategy].held;
    if (world.is_held(id) && std::find(bought.begin(), bought.end(), id) != bought.end()) {
      pool.creation.at = std::max(world.held_pool(id).from, world.begin);
    }
    pools_.push_back(pool);
  }
}

/// All steps of the source in this replication. The levels of a chain come from the function that the chain's
/// own tests hold to its theory.
std::vector<CapacityStep> Run::steps_of(const CapacitySource& source) const {
  if (source.chain == nullptr) return source.steps;
  CapacityPath path{source, dice_, world_.begin, latest_end()};
  std::vector<CapacityStep> steps{{.at = world_.begin, .gpus = path.gpus()}};
  while (path.next_at() != kNever) {
    const SimTime at = path.next_at();
    path.advance();
    steps.push_back({.at = at, .gpus = path.gpus()});
  }
  return steps;
}

/// Held pools that are due at the begin are there, or refused, before the first instant.
void Run::hold_from_begin() {
  now_ = world_.begin;
  phase_ = Phase::dispatch;
  for (std::size_t p = world_.pools.size(); p < pools_.size(); ++p) {
    if (!is_due(pools_[p].creation)) continue;
    request_held_pool(p);
    serve_held_creations(index(world_.held_pool(PoolId{static_cast<std::uint16_t>(p)}).landlord));
  }
  for (PoolState& pool : pools_) pool.touched = false;
}

ReferenceResult Run::simulate() {
  hold_from_begin();
  while (true) {
    const SimTime next = next_instant();
    const bool done = world_.end == RunEnd::drain && all_recorded_final();
    const SimTime last = done ? std::max(world_.window_end, last_instant_) : latest_end();
    if (next == kNever || next > last) {
      const bool dried_up = next == kNever && world_.end == RunEnd::drain;
      end_ = dried_up ? std::max(world_.window_end, last_instant_) : last;
      break;
    }
    now_ = last_instant_ = next;
    run_instant();
  }
  now_ = end_;
  close_open_leases();
  book_held_pools();
  return result();
}

SimTime Run::latest_end() const {
  return world_.end == RunEnd::time ? world_.window_end : later(world_.window_end, world_.drain_limit);
}

bool Run::all_recorded_final() const {
  return std::all_of(jobs_.begin(), jobs_.end(),
                     [](const JobState& job) { return !job.recorded || job.final; });
}

/// The earliest of everything that may happen.
SimTime Run::next_instant() const {
  SimTime next = kNever;
  for (const JobState& job : jobs_) {
    if (!job.arrived) next = std::min(next, job.job.submit);
    if (job.arrived && !job.final) next = std::min({next, job.step_due.at, job.patience.at, job.own_wait.at});
  }
  for (const Lease& lease : leases_) {
    if (lease.open) next = std::min(next, lease.end.at);
    if (lease.open && !lease.leaving) next = std::min(next, lease.life.at);
  }
  for (std::size_t p = 0; p < pools_.size(); ++p) {
    next = std::min(next, pools_[p].creation.at);
    for (const SimTime at : pools_[p].touched_later) next = std::min(next, at);
    for (const SourceState& source : pools_[p].sources) {
      if (source.next_step < source.steps.size()) next = std::min(next, source.steps[source.next_step].at);
    }
  }
  return next;
}

void Run::run_instant() {
  std::int64_t rounds = 0;
  while (next_instant() == now_ || anything_due()) {
    ++round_;
    run_round();
    STOCKOUT_CHECK(++rounds < 10'000,
                   fmt::format("the rounds at {} have no end", now_.time_since_epoch().count()));
  }
  auto& most = result_.happened["most rounds in an instant"];
  most = std::max(most, rounds);
}

bool Run::anything_due() const {
  return std::any_of(pools_.begin(), pools_.end(), [](const PoolState& pool) { return pool.touched; });
}

void Run::run_round() {
  if (world_.ties == Ties::releases_first) {
    releases();
    capacity_changes();
  }
  timers();
  arrivals();
  dispatch();
  if (world_.ties == Ties::starts_first) {
    releases();
    capacity_changes();
  }
}

/// Phase 1: leases that end, in the order in which their ends were set.
void Run::releases() {
  phase_ = Phase::releases;
  while (true) {
    std::size_t first = kNone;
    for (std::size_t i = 0; i < leases_.size(); ++i) {
      if (!leases_[i].open || !is_due(leases_[i].end)) continue;
      if (first == kNone || leases_[i].end.order < leases_[first].end.order) first = i;
    }
    if (first == kNone) return;
    end_lease(first);
  }
}

/// Phase 2: steps of capacity, then held pools that are due, in pool order, then lifetimes.
void Run::capacity_changes() {
  phase_ = Phase::capacity;
  for (std::size_t p = 0; p < pools_.size(); ++p) {
    for (std::size_t s = 0; s < pools_[p].sources.size(); ++s) capacity_step(p, s);
  }
  for (std::size_t p = 0; p < pools_.size(); ++p) {
    if (is_due(pools_[p].creation)) request_held_pool(p);
  }
  lifetimes();
}

/// Leases whose first machine is taken now, in the order in which the lifetimes were set.
void Run::lifetimes() {
  while (true) {
    std::size_t first = kNone;
    for (std::size_t i = 0; i < leases_.size(); ++i) {
      const Lease& lease = leases_[i];
      if (!lease.open || lease.leaving || !is_due(lease.life)) continue;
      if (first == kNone || lease.life.order < leases_[first].life.order) first = i;
    }
    if (first == kNone) return;
    note(leases_[first].notice > SimDuration::zero() ? "lifetime over, with notice"
                                                     : "lifetime over, without notice");
    touch(leases_[first].pool);
    set_leaving(first);
  }
}

/// Phase 3: ends of waiting, first of legs, then of jobs; then the next steps of jobs by (source, row).
void Run::timers() {
  phase_ = Phase::timers;
  while (end_a_wait(&JobState::patience)) {
  }
  while (end_a_wait(&JobState::own_wait)) {
  }
  std::vector<std::size_t> steps;
  for (std::size_t j = 0; j < jobs_.size(); ++j) {
    if (is_due(jobs_[j].step_due)) steps.push_back(j);
  }
  std::sort(steps.begin(), steps.end(), [this](std::size_t a, std::size_t b) {
    return std::pair{jobs_[a].job.source, jobs_[a].job.row} <
           std::pair{jobs_[b].job.source, jobs_[b].job.row};
  });
  for (const std::size_t j : steps) do_step(j);
}

/// Ends the wait that is due and was set first. False: none is due.
bool Run::end_a_wait(Due JobState::*wait) {
  std::size_t first = kNone;
  for (std::size_t j = 0; j < jobs_.size(); ++j) {
    const Due& due = jobs_[j].*wait;
    if (is_due(due) && (first == kNone || due.order < (jobs_[first].*wait).order)) first = j;
  }
  if (first == kNone) return false;
  jobs_[first].*wait = Due{};
  if (wait == &JobState::patience) {
    patience_ends(first);
  } else {
    own_wait_ends(first);
  }
  return true;
}

/// Phase 4.
void Run::arrivals() {
  phase_ = Phase::arrivals;
  for (std::size_t j = 0; j < jobs_.size(); ++j) {
    if (!jobs_[j].arrived && jobs_[j].job.submit == now_) arrive(j);
  }
}

/// Phase 5: every pool touched so far, zone pools first. What is touched from now on has its turn in the next
/// round.
void Run::dispatch() {
  phase_ = Phase::dispatch;
  std::vector<std::size_t> turn;
  for (std::size_t p = 0; p < pools_.size(); ++p) {
    PoolState& pool = pools_[p];
    if (std::erase(pool.touched_later, now_) > 0) pool.touched = true;
    if (pool.touched) turn.push_back(p);
    pool.touched = false;
  }
  for (const std::size_t p : turn) {
    if (world_.is_held(PoolId{static_cast<std::uint16_t>(p)})) {
      dispatch_queue(p);
    } else {
      dispatch_zone_pool(p);
    }
  }
}

/// Set now, due `after` from now: at the earliest in the next round.
Due Run::from_now(SimDuration after) {
  return {.at = later(now_, after), .round = round_ + 1, .order = orders_++};
}

/// Due in phase 3: of this round where a release brings it about, else of the next.
Due Run::at_soonest() {
  const std::int64_t round = phase_ == Phase::releases ? round_ : round_ + 1;
  return {.at = now_, .round = round, .order = orders_++};
}

}  // namespace stockout::reference

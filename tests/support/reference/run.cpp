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
    const PoolId id = pool_id(p);
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
    pool.bought = world.is_held(id) && std::find(bought.begin(), bought.end(), id) != bought.end();
    pools_.push_back(pool);
    result_.pools.emplace_back();
    if (pool.bought) set_timetable(p);
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

/// What is due for held pools at the begin is done before the first instant, their landlords' part too.
void Run::hold_from_begin() {
  now_ = world_.begin;
  phase_ = Phase::dispatch;
  for (std::size_t p = world_.pools.size(); p < pools_.size(); ++p) {
    if (!pools_[p].bought) continue;
    due_for_held_pool(p);
    if (held_pool(p).scaling) resize(p);
    const std::size_t landlord = index(held_pool(p).landlord);
    serve_gathering(landlord);
    serve_held_creations(landlord);
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
    add_capacity_until(next);
    now_ = last_instant_ = next;
    run_instant();
  }
  add_capacity_until(end_);
  now_ = end_;
  count_totals();
  count_phantom();
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
SimTime Run::next_instant() const { return std::min({next_of_jobs(), next_of_leases(), next_of_pools()}); }

SimTime Run::next_of_jobs() const {
  SimTime next = kNever;
  for (const JobState& job : jobs_) {
    if (!job.arrived) next = std::min(next, job.job.submit);
    if (!job.arrived || job.final) continue;
    next = std::min({next, job.step_due.at, job.patience.at, job.own_wait.at, job.tick.at});
  }
  for (const Request& request : requests_) {
    if (request.open) next = std::min(next, request.life.at);
  }
  return next;
}

SimTime Run::next_of_leases() const {
  SimTime next = kNever;
  for (const Lease& lease : leases_) {
    if (!lease.open) continue;
    next = std::min({next, lease.end.at, lease.comes.at, lease.first_work.at, lease.loss.at});
    if (lease.leaving) continue;
    next = std::min({next, lease.life.at, lease.fault.at});
    for (const Machine& machine : lease.machines) {
      if (machine.gone == kNever) next = std::min({next, machine.life.at, machine.fault.at});
    }
  }
  return next;
}

SimTime Run::next_of_pools() const {
  SimTime next = kNever;
  for (std::size_t p = 0; p < pools_.size(); ++p) {
    const PoolState& pool = pools_[p];
    next = std::min({next, pool.creation.at, pool.until.at, pool.decision.at, pool.gathering.at,
                     pool.ask_again.at, pool.look_again.at});
    for (const SimTime at : pool.touched_later) next = std::min(next, at);
    for (const Broken& broken : pool.broken) next = std::min(next, broken.repaired.at);
    for (const SourceState& source : pool.sources) {
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
  return gate_is_due() ||
         std::any_of(pools_.begin(), pools_.end(), [](const PoolState& pool) { return pool.touched; });
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

/// Phase 1: leases that end, those whose work begins in a race, and machines that go, in the order in which
/// this was set.
void Run::releases() {
  phase_ = Phase::releases;
  while (true) {
    std::size_t first = kNone;
    const Due* due = nullptr;
    for (std::size_t i = 0; i < leases_.size(); ++i) {
      const Lease& lease = leases_[i];
      if (!lease.open) continue;
      for (const Due* one : {&lease.end, &lease.first_work, &lease.loss}) {
        if (!is_due(*one) || (due != nullptr && one->order > due->order)) continue;
        first = i;
        due = one;
      }
    }
    if (first == kNone) return;
    if (due == &leases_[first].first_work) {
      win_race(first);
    } else if (due == &leases_[first].loss) {
      machines_go(first);
    } else {
      end_lease(first);
    }
  }
}

/// Phase 2: steps of capacity and repairs, then what is due for held pools, in pool order, then lifetimes and
/// faults.
void Run::capacity_changes() {
  phase_ = Phase::capacity;
  for (std::size_t p = 0; p < pools_.size(); ++p) {
    for (std::size_t s = 0; s < pools_[p].sources.size(); ++s) capacity_step(p, s);
  }
  repairs();
  for (std::size_t p = world_.pools.size(); p < pools_.size(); ++p) due_for_held_pool(p);
  lifetimes_and_faults();
}

/// Phase 3: ends of waiting, first of legs, then of jobs; then the next steps of jobs by (source, row).
void Run::timers() {
  phase_ = Phase::timers;
  while (end_a_wait(&JobState::patience) || end_a_kept_request()) {
  }
  while (end_a_wait(&JobState::own_wait)) {
  }
  std::vector<std::size_t> steps;
  for (std::size_t j = 0; j < jobs_.size(); ++j) {
    if (is_due(jobs_[j].step_due) || is_due(jobs_[j].tick)) steps.push_back(j);
  }
  std::sort(steps.begin(), steps.end(), [this](std::size_t a, std::size_t b) {
    return std::pair{jobs_[a].job.source, jobs_[a].job.row} <
           std::pair{jobs_[b].job.source, jobs_[b].job.row};
  });
  for (const std::size_t j : steps) {
    const bool ticks = is_due(jobs_[j].tick);
    if (ticks) set_next_tick(j);
    if (is_due(jobs_[j].step_due)) {
      do_step(j);
    } else if (ticks) {
      note("decided at a tick");
      decide(j);
    }
  }
  look_at_gates();
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

/// Ends a request that has waited for as long as its model lets it. False: none is due.
bool Run::end_a_kept_request() {
  for (std::size_t i = 0; i < requests_.size(); ++i) {
    if (!requests_[i].open || !is_due(requests_[i].life)) continue;
    kept_request_ends(i);
    return true;
  }
  return false;
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
    const bool waits =
        std::ranges::count(pool.touched_later, now_ + std::max(world_.grid, SimDuration{1})) > 0;
    if (waits && pool.touched) note("starts first: a pool waits for the next instant");
    if (pool.touched && !waits) turn.push_back(p);
    pool.touched = false;
  }
  for (const std::size_t p : turn) {
    if (is_held(p)) {
      dispatch_queue(p);
      if (held_pool(p).scaling) resize(p);
    } else {
      dispatch_zone_pool(p);
    }
  }
}

/// Set now, due `after` from now: at the earliest in the next round.
Due Run::from_now(SimDuration after) {
  return {.at = later(now_, after), .round = round_ + 1, .order = orders_++};
}

/// Due in the next phase 3: of this round where phase 1 or 2 brings it about, else of the next.
Due Run::at_soonest() {
  const bool before = phase_ == Phase::releases || phase_ == Phase::capacity;
  const std::int64_t round = before ? round_ : round_ + 1;
  return {.at = now_, .round = round, .order = orders_++};
}

}  // namespace stockout::reference

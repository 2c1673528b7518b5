#include "tests/support/reference/run.h"

#include <algorithm>
#include <functional>
#include <utility>

#include <fmt/format.h>

// Section 2: instants and rounds; and when they end (section 15).
namespace stockout::reference {

ReferenceResult reference_simulate(const World& world, std::size_t strategy, std::uint64_t replication) {
  return Run{world, strategy, replication}.simulate();
}

Run::Run(const World& world, std::size_t strategy, std::uint64_t replication)
    : RunBooks{world, world.strategies[strategy], RandomStreams{world.seed, replication}} {
  last_instant_ = world.begin;
  add_jobs();
  add_sets();
  pools_.resize(world.pool_count());
  result_.pools.resize(world.pool_count());
  for (std::size_t p = 0; p < pools_.size(); ++p) {
    for (const CapacitySource& source : pool_of(p).capacity) {
      SourceState& state = pools_[p].sources.emplace_back();
      state.steps = steps_of(source);
      state.order = orders_++;
      const auto is_played = [&](const CapacityStep& step) { return step.at <= world.begin; };
      state.next_step = static_cast<std::size_t>(std::ranges::count_if(state.steps, is_played));
    }
    if (is_bought(p)) set_timetable(p);
  }
  const auto has_flavor = [](const Leg& leg) { return !leg.flavor.empty(); };
  if (world.kueue && std::ranges::any_of(strategy_.legs, has_flavor)) {
    kueue_.emplace(world.kueue->objects, world.kueue->settings);
  }
  const auto has_partition = [](const Leg& leg) { return !leg.partition.empty(); };
  if (world.slurm && std::ranges::any_of(strategy_.legs, has_partition)) set_up_slurm();
}

/// R12.1, R12.13, R12.22: What is due for held pools at the begin is done before the first instant,
/// their parents' part too.
void Run::hold_from_begin() {
  now_ = world_.begin;
  phase_ = Phase::dispatch;
  for (std::size_t p = world_.pools.size(); p < pools_.size(); ++p) {
    if (!is_bought(p)) continue;
    due_for_held_pool(p);
    if (held_pool(p).scaling) resize(p);
    serve_held_pools(parent_of(p), /*bookings=*/true);
    serve_held_pools(parent_of(p), /*bookings=*/false);
  }
  for (std::size_t p = world_.pools.size(); p < pools_.size(); ++p) review_idle_machines(p);
  for (PoolState& pool : pools_) pool.touched = false;
}

/// R15.1, R15.2.
ReferenceResult Run::simulate() {
  const auto is_open = [](const JobState& job) { return job.recorded && job.stage != Stage::final; };
  hold_from_begin();
  while (true) {
    const SimTime next = next_instant();
    const bool drains = world_.end == RunEnd::drain;
    const bool done = drains && std::ranges::none_of(jobs_, is_open);
    const SimTime dry_end = std::max(world_.window_end, last_instant_);
    const SimTime last = done ? dry_end : latest_end();
    if (next == kNever || next > last) {
      end_ = next == kNever && drains ? dry_end : last;
      break;
    }
    add_capacity_until(next);
    now_ = last_instant_ = next;
    run_instant();
    put_requests_away();
  }
  add_capacity_until(end_);
  now_ = end_;
  return result();
}

/// R15.1.
SimTime Run::latest_end() const {
  return world_.end == RunEnd::time ? world_.window_end : later(world_.window_end, world_.drain_limit);
}

/// Shows all of the kind that is to come to `visit`: when, and how it is played.
template <typename Visit>
void Run::for_each_to_come(Kind kind, Visit visit) {
  switch (kind) {
    case Kind::release:
      for (Lease& lease : leases_) {
        if (!lease.open()) continue;
        visit(lease.end, [&] { end_lease(lease); });
        visit(lease.first_work, [&] { win_race(lease); });
        visit(lease.loss, [&] { machines_go(lease); });
        visit(lease.joins, [&] { machines_join(lease); });
      }
      break;
    case Kind::repair:
      for (std::size_t p = 0; p < pools_.size(); ++p) {
        for (Broken& broken : pools_[p].broken) visit(broken.repaired, [&, p] { is_repaired(p, broken); });
      }
      break;
    case Kind::failure:
      for (Lease& lease : leases_) {
        if (lease.open()) visit(lease.exit, [&] { worker_exits(lease); });
        if (!lease.stays()) continue;
        for (Failure& failure : lease.failures) {
          const bool is_on = lease.machines[failure.machine].gone == kNever;
          if (is_on) visit(failure.due, [&] { fail(lease, failure); });
        }
      }
      for (std::size_t p = world_.pools.size(); p < pools_.size(); ++p) {
        for (std::size_t i = 0; i < pools_[p].idle_machines.size(); ++i)
          visit(pools_[p].idle_machines[i].fault, [this, p, i] { idle_machine_breaks(p, i); });
      }
      break;
    case Kind::patience:
      for (JobState& job : jobs_) visit(job.patience, [&] { patience_ends(job); });
      break;
    case Kind::kept_request:
      for (Request& request : requests_) {
        if (request.open()) visit(request.life, [&] { kept_request_ends(request); });
      }
      break;
    case Kind::own_wait:
      for (JobState& job : jobs_) visit(job.own_wait, [&] { own_wait_ends(job); });
      break;
  }
}

/// Nobody looks at requests that are over but those who count all.
void Run::put_requests_away() {
  for (auto request = requests_.begin(); request != requests_.end();) {
    const auto next = std::next(request);
    if (!request->open()) past_requests_.splice(past_requests_.end(), requests_, request);
    request = next;
  }
}

/// R2.1: The earliest of all that is to come.
SimTime Run::next_instant() {
  SimTime next = kNever;
  const auto consider = [&next](SimTime at) { next = std::min(next, at); };
  for (const Kind kind : kKinds) {
    for_each_to_come(kind, [&](const Due& due, auto) { consider(due.at); });
  }
  for (const JobState& job : jobs_) {
    if (job.stage == Stage::to_come) consider(job.job.submit);
    consider(std::min(job.step.due.at, job.tick.at));
  }
  for (const Lease& lease : leases_) consider(lease.open() ? lease.comes.at : kNever);
  for (const PoolState& pool : pools_) {
    for (const auto& [moment, due] : pool.due) consider(due.at);
    for (const Due& step : pool.least_steps) consider(step.at);
    for (const SourceState& source : pool.sources) {
      if (source.next_step < source.steps.size()) consider(source.steps[source.next_step].at);
    }
    for (const SimTime at : pool.touched_later) consider(at);
  }
  consider(std::min(next_quota_instant(), next_set_instant()));
  for (const Due& due : kueue_instants_) consider(due.at);
  for (const Due& due : slurm_instants_) consider(due.at);
  return next;
}

/// R2.2: Plays what is due of the kind and was set first. False: nothing is due.
bool Run::play_first(Kind kind) {
  Due* first = nullptr;
  std::function<void()> play_it;
  for_each_to_come(kind, [&](Due& due, auto play) {
    if (!is_due(due) || (first != nullptr && due.order > first->order)) return;
    first = &due;
    play_it = play;
  });
  if (first == nullptr) return false;
  *first = Due{};
  play_it();
  return true;
}

/// R2.2.
void Run::run_instant() {
  std::int64_t rounds = 0;
  const auto has_cause = [this](const SetState& set) { return is_to_be_looked_at(set); };
  const auto lets_in = [this](const Leg& leg) { return next_to_let_in(leg) != nullptr; };
  while (next_instant() == now_ || std::ranges::any_of(pools_, &PoolState::touched) ||
         std::ranges::any_of(strategy_.legs, lets_in) || next_with_quota() != nullptr || kueue_is_due_ ||
         slurm_is_due_ || std::ranges::any_of(sets_, has_cause)) {
    ++round_;
    run_round();
    STOCKOUT_CHECK(++rounds < 10'000,
                   fmt::format("the rounds at {} have no end", now_.time_since_epoch().count()));
  }
}

/// R2.2, R2.10.
void Run::run_round() {
  const bool releases_first = world_.ties == Ties::releases_first;
  if (releases_first) releases_and_capacity();
  timers();
  arrivals();
  dispatch();
  if (!releases_first) releases_and_capacity();
}

/// R2.2: Phase 1: leases that end, those whose work begins in a race, and machines that go. Phase 2:
/// steps of capacity, repairs, what is due for held pools, lifetimes and faults.
void Run::releases_and_capacity() {
  phase_ = Phase::releases;
  while (play_first(Kind::release)) {
  }
  phase_ = Phase::capacity;
  while (capacity_step()) {
  }
  while (play_first(Kind::repair)) {
  }
  for (std::size_t p = world_.pools.size(); p < pools_.size(); ++p) due_for_held_pool(p);
  while (play_first(Kind::failure)) {
  }
}

/// R2.2: Phase 3: ends of waiting, first of legs, then of jobs; then the next steps of jobs by (source,
/// row).
void Run::timers() {
  phase_ = Phase::timers;
  while (play_first(Kind::patience) || play_first(Kind::kept_request) || play_first(Kind::own_wait)) {
  }
  play_kueue_instants();
  play_slurm_instants();
  std::vector<JobState*> steps;
  for (JobState& job : jobs_) {
    if (is_due(job.step.due) || is_due(job.tick)) steps.push_back(&job);
  }
  std::ranges::sort(steps, {}, [](const JobState* job) { return std::pair{job->job.source, job->job.row}; });
  for (JobState* job : steps) {
    const bool ticks = is_due(job->tick);
    if (ticks) job->tick = from_now(job->strategy->deadline_rule->tick);
    if (is_due(job->step.due)) {
      std::exchange(job->step, {}).play();
    }
    if (ticks && job->stage == Stage::open) {
      note("decided at a tick");
      decide(*job);
    }
  }
  look_at_sets();
  look_at_quotas();
  look_at_kueue();
  look_at_slurm();
  look_at_limits();
}

/// R2.2: Phase 4.
void Run::arrivals() {
  phase_ = Phase::arrivals;
  for (JobState& job : jobs_) {
    if (job.stage == Stage::to_come && job.job.submit == now_) arrive(job);
  }
}

/// R2.2, R2.8, R2.10: Phase 5: every pool touched so far, zone pools first. What is touched from now on
/// has its turn in the next round.
void Run::dispatch() {
  phase_ = Phase::dispatch;
  std::vector<std::size_t> turn;
  for (std::size_t p = 0; p < pools_.size(); ++p) {
    PoolState& pool = pools_[p];
    if (std::erase(pool.touched_later, now_) > 0) pool.touched = true;
    const bool waits = std::ranges::count(pool.touched_later, after_this_instant()) > 0;
    if (waits && pool.touched) note("starts first: a pool waits for the next instant");
    if (pool.touched && !waits) turn.push_back(p);
    pool.touched = false;
  }
  for (const std::size_t p : turn) {
    if (is_held(p)) {
      serve_queue(p);
      if (held_pool(p).scaling) resize(p);
      review_idle_machines(p);
    } else {
      dispatch_zone_pool(p);
    }
  }
}

/// R2.10.
SimTime Run::after_this_instant() const { return now_ + std::max(world_.grid, SimDuration{1}); }

/// R2.7, R2.10: Something changed in the pool: it is to be dispatched.
void Run::touch(std::size_t p) {
  const bool after_dispatch =
      world_.ties == Ties::starts_first && (phase_ == Phase::releases || phase_ == Phase::capacity);
  if (after_dispatch) {
    pools_[p].touched_later.push_back(after_this_instant());
  } else {
    pools_[p].touched = true;
  }
}

bool Run::comes_due(Due& due) {
  const bool is_now = is_due(due);
  if (is_now) due = Due{};
  return is_now;
}

/// R2.3, R2.5: Set now, due `after` from now: at the earliest in the next round.
Due Run::from_now(SimDuration after) { return set_for(later(now_, after)); }

/// Set now, due at a time that was known before.
Due Run::set_for(SimTime at) { return {.at = at, .round = round_ + 1, .order = orders_++}; }

/// R2.6: Due at `at`, in the next phase 3 that is left: of this round where phase 1 or 2 brings it
/// about, else of the next.
Due Run::at_soonest(SimTime at) {
  const bool before = phase_ == Phase::releases || phase_ == Phase::capacity;
  return {.at = at, .round = before ? round_ : round_ + 1, .order = orders_++};
}

}  // namespace stockout::reference

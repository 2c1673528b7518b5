#include "models/simulation/run.h"

#include <algorithm>
#include <array>
#include <tuple>

#include <fmt/format.h>

namespace stockout {
namespace {

using MostEver = std::array<GpuCount, kLeaseClasses>;  // by LeaseClass

// The most GPUs a pool ever has for each class; less than none for a held pool that is not in this run.
std::vector<MostEver> most_ever(const World& world, const Strategy& strategy) {
  std::vector<MostEver> most(world.pool_count());
  for (MostEver& of_pool : most) of_pool.fill(PoolState::kUnlimitedRoom);
  for (std::size_t i = 0; i < world.pools.size(); ++i) {
    for (const CapacitySource& source : world.pools[i].capacity) {
      const GpuCount gpus = most_gpus(source);
      for (std::size_t c = 0; c < kLeaseClasses; ++c) {
        if (source.classes[c]) most[i][c] = gpus;
      }
    }
  }
  for (std::size_t i = 0; i < world.held.size(); ++i) most[world.pools.size() + i].fill(GpuCount{-1});
  for (const PoolId id : strategy.held) most[index(id)].fill(world.held_pool(id).gpus);
  return most;
}

// Asked before anybody stands anywhere.
bool fits_empty_hosts(PoolState& pool, const Candidate& candidate, const Leg& leg) {
  return pool.hosts == nullptr || pool.hosts->fits(leg.policy.lease_class, candidate.footprint(leg.compact));
}

GpuCount least_gpus(const Leg& leg, const Candidate& candidate) {
  if (!leg.partial || candidate.least == 0) return candidate.gpus;
  return gpus_of_each(candidate) * candidate.least;
}

std::vector<std::vector<const Candidate*>> usable_of(const std::vector<MostEver>& most, const Leg& leg,
                                                     Books& books) {
  const auto lease_class = static_cast<std::size_t>(leg.policy.lease_class);
  std::vector<std::vector<const Candidate*>> usable(leg.candidates.size());
  for (std::size_t shape = 0; shape < leg.candidates.size(); ++shape) {
    for (const Candidate& candidate : leg.candidates[shape]) {
      const bool is_small = leg.policy.machines_max == 0 || candidate.machines() <= leg.policy.machines_max;
      const bool fits = least_gpus(leg, candidate) <= most[index(candidate.pool)][lease_class] &&
                        fits_empty_hosts(books.pool(candidate.pool), candidate, leg);
      if (is_small && fits) usable[shape].push_back(&candidate);
    }
  }
  return usable;
}

bool is_random(const Pool& pool) {
  return std::ranges::any_of(pool.capacity, [](const auto& source) { return source.chain != nullptr; });
}

bool is_random(const Source& source) {
  if (source.tenants.size() > 1) return true;
  if (const auto* trace = std::get_if<TraceDemand>(&source.demand)) {
    return trace->resampled || !trace->factor.is_one();
  }
  const auto& synthetic = std::get<SyntheticDemand>(source.demand);
  return std::holds_alternative<PoissonArrivals>(synthetic.arrivals) || synthetic.work.is_random() ||
         synthetic.max_wait.is_random() || synthetic.shapes.size() > 1 || !synthetic.factor.is_one();
}

}  // namespace

Run::Run(const World& world, std::size_t strategy, std::uint64_t replication, const Logs& logs)
    : world_{world},
      logs_{logs},
      strategy_{world.strategies.at(strategy)},
      pace_{world, strategy, logs},
      dice_{.seed = world.seed, .replication = replication},
      arrivals_{all_arrivals(world, replication)},
      events_{world.begin},
      books_{world, strategy_, logs},
      phases_{world.ties == Ties::releases_first ? kReleasesFirst : kStartsFirst},
      now_{world.begin},
      held_(world.held.size()),
      is_counting_{world.begin >= kStart} {
  strategies_.push_back(&strategy_);
  for (const Source& source : world.sources) {
    tenants_of_.push_back(static_cast<std::uint32_t>(strategies_.size()));
    for (const Strategy& tenant : source.tenants) strategies_.push_back(&tenant);
    record_.drew = record_.drew || is_random(source);
  }
  for (const Pool& pool : world.pools) record_.drew = record_.drew || is_random(pool);
  const std::vector<MostEver> most = most_ever(world, strategy_);
  std::size_t places = 0;
  for (const Strategy* each : strategies_) {
    first_usable_.push_back(usable_.size());
    std::size_t asked = 0;
    for (const Leg& leg : each->legs) {
      STOCKOUT_CHECK(leg.candidates.size() == world.shapes.size(), "a leg does not know every shape");
      std::size_t longest = 1;
      for (auto& candidates : usable_of(most, leg, books_)) {
        longest = std::max(longest, candidates.size());
        usable_.push_back(std::move(candidates));
      }
      asked += longest;
    }
    places = std::max(places, asked);
  }
  most_rounds_ = 16 + 4 * places;
  build_gates();
  skip_unwanted_arrivals();
  record_.jobs = JobRecord{world.begin};
  record_.usage = UsageLedger{world.price_lines.size(), world.users.size(), world.classes.size()};
  record_.phantom = UsageLedger{world.price_lines.size(), world.users.size(), world.classes.size()};
}

RunRecord Run::play() {
  open_capacity();
  is_before_first_ = true;
  for (const PoolId held : strategy_.held) begin_held(held);
  is_before_first_ = false;
  for (SimTime next = next_instant();; next = play_instant(next)) {  // the main loop
    const bool is_drained = world_.end == RunEnd::drain && open_recorded_ == 0;
    stop_ =
        world_.end == RunEnd::time || is_drained ? world_.window_end : world_.window_end + world_.drain_limit;
    if (next > stop_) break;
    pace_.look(next, record_.events + requests_opened_);
  }
  const bool is_stuck = world_.end == RunEnd::drain && (open_recorded_ == 0 || next_instant() == kNever);
  now_ = is_stuck ? std::max(now_, world_.window_end) : stop_;
  if (!is_counting_) begin_counting();  // nothing happened in the window
  close_open_leases();
  close_held_pools();
  close_open_jobs();
  books_.check_balance(now_);
  total_pools();
  return std::move(record_);
}

void Run::open_capacity() {
  const SimTime end = world_.window_end + (world_.end == RunEnd::drain ? world_.drain_limit : SimDuration{});
  for (std::size_t pool = 0; pool < world_.pools.size(); ++pool) {
    const PoolId id{static_cast<std::uint16_t>(pool)};
    const std::vector<CapacitySource>& sources = world_.pools[pool].capacity;
    for (std::size_t i = 0; i < sources.size(); ++i) {
      books_.pool(id).sources[i].path = CapacityPath{sources[i], dice_, world_.begin, end};
      set_capacity(id, i);
    }
  }
}

SimTime Run::next_instant() {
  SimTime next = events_.next_time();
  if (!touched_later_.empty()) next = std::min(next, touched_later_.front().at);
  next = std::min(next, patience_.next_time([this](const JobStay& entry) { return is_live(entry); }));
  if (const Job* job = arrivals_.peek()) next = std::min(next, job->submit);
  return next;
}

// Everything at `at`; then the next instant.
SimTime Run::play_instant(SimTime at) {
  now_ = at;
  for (; !touched_later_.empty() && touched_later_.front().at <= now_; touched_later_.pop_front()) {
    touch(touched_later_.front().pool);
  }
  if (!is_counting_ && now_ >= kStart) begin_counting();
  rounds_ = 0;
  do {
    STOCKOUT_CHECK(++rounds_ <= most_rounds_,
                   fmt::format("{} rounds at {} ms without progress: {} steps due, {} pools touched", rounds_,
                               now_.time_since_epoch().count(), due_.size(), touched_.size()));
    play_round();
    if (due_.empty() && touched_.empty() && ending_.empty() && soon_.empty() && !is_gate_due()) {
      at = next_instant();
    }
  } while (at <= now_);
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

// What a phase sets for this very instant is played in the next round.
EventHandle Run::schedule(SimTime at, std::uint8_t phase, Event event) {
  if (at > now_ || is_before_first_) return events_.schedule(at, phase, event);
  soon_.push_back({.phase = phase, .event = event});
  return {};
}

void Run::play_round() {
  for (const Soon& soon : soon_) events_.schedule(now_, soon.phase, soon.event);
  soon_.clear();
  ending_now_.swap(ending_);
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
    grants_later_ = true;
    do_releases();
    do_capacity();
    grants_later_ = false;
  }
}

// A lease whose end was set for this instant during this round ends in the next.
void Run::do_releases() {
  for (; events_.is_next(now_, phases_.releases); ++record_.events) release(events_.pop());
  if (ending_now_.empty()) return;
  for (const Event& event : ending_now_) {
    if (event.subject == Event::kNobody) continue;  // it was set anew
    ++record_.events;
    release(event);
  }
  ending_now_.clear();
}

void Run::release(Event event) {
  event.kind == EventKind::work_begins ? work_begins(event.lease()) : lease_ends(event.lease());
}

void Run::do_capacity() {
  if (events_.next_time() > now_) return;
  for (; events_.is_next(now_, phases_.capacity); ++record_.events) {
    const Event event = events_.pop();
    const PoolId id = event.pool();
    books_.pool(id).sources[event.detail].path.advance();
    set_capacity(id, event.detail);
  }
  for (; events_.is_next(now_, phases_.repairs); ++record_.events) repaired(events_.pop());
  do_held_pools();
  for (; events_.is_next(now_, phases_.lifetimes); ++record_.events) {
    const Event event = events_.pop();
    if (books_.leases()[event.lease()].partial != kNoGang) {
      lose_machine(event);
    } else {
      event.kind == EventKind::fault ? machine_breaks(event.lease()) : life_over(event.lease());
    }
  }
}

// The source's path stands at what is there from now on.
void Run::set_capacity(PoolId id, std::size_t number) {
  PoolState& pool = books_.pool(id);
  SourceState& source = pool.sources[number];
  books_.resize(id, number, source.path.gpus(), now_);
  if (source.path.next_at() != kNever) {
    events_.schedule(source.path.next_at(), phases_.capacity, Event::of(EventKind::capacity, id, number));
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
  if (!due_.empty()) due_now_.swap(due_);  // what the timers below bring about waits for the next round
  JobStay timer{};
  while (patience_.pop(now_, timer)) {
    if (is_live(timer)) patience_over(timer.job);
  }
  while (events_.is_next(now_, phases_.timers)) {
    ++record_.events;
    const Event event = events_.pop();
    if (event.kind == EventKind::own_expiry) {
      own_wait_over(event.job());
    } else if (event.kind == EventKind::kept_over) {
      kept_over(event.request());
    } else {
      due_now_.push_back(due(event.job(), step_of(event.kind)));
    }
  }
  if (!due_now_.empty()) do_steps();
  if (!gates_.empty()) open_gates();
}

void Run::do_steps() {
  std::ranges::stable_sort(due_now_, {}, [this](const Due& due) {
    const Job& job = jobs_[due.job].job;
    return std::tuple{job.source, job.row};
  });
  for (const Due& due : due_now_) {
    if (jobs_[due.job].generation == due.generation) do_step(due);
  }
  due_now_.clear();
}

void Run::do_arrivals() {
  for (const Job* job = arrivals_.peek(); job != nullptr && job->submit <= now_; job = arrivals_.peek()) {
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
  if (touched_.size() == 1) return dispatch_one();
  touched_now_.swap(touched_);
  if (touched_now_.size() > 1) std::ranges::sort(touched_now_);
  for (const PoolId id : touched_now_) books_.pool(id).touched = false;
  for (const PoolId id : touched_now_) {
    if (books_.pool(id).freed_at != now_) dispatch(id);
  }
  touched_now_.clear();
}

void Run::dispatch_one() {
  const PoolId id = touched_.front();
  touched_.clear();
  PoolState& pool = books_.pool(id);
  pool.touched = false;
  if (pool.freed_at != now_) dispatch(id);
}

// With starts_first, what releases and changes of capacity free is granted at the next instant.
void Run::touch_later(PoolId id) {
  touched_later_.push_back({.at = now_ + std::max(world_.grid, SimDuration{1}), .pool = id});
  books_.pool(id).freed_at = now_;
}

Due Run::due(JobSlot slot, Step step) const {
  const JobState& job = jobs_[slot];
  return {.job = slot, .generation = job.generation, .stay = job.stay, .step = step};
}

void Run::plan(JobSlot slot, Step step) { due_.push_back(due(slot, step)); }

bool Run::is_live(const JobStay& entry) const {
  const JobState& job = jobs_[entry.job];
  return job.generation == entry.generation && job.stay == entry.stay;
}

RunRecord simulate(const World& world, std::size_t strategy, std::uint64_t replication, const Logs& logs) {
  return Run{world, strategy, replication, logs}.play();
}

}  // namespace stockout

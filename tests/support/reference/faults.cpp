#include <algorithm>
#include <cmath>

#include "sim/core/fnv1a.h"
#include "tests/support/reference/run.h"

// Section 8: machines that go of themselves.
namespace stockout::reference {
namespace {

/// No machine lives shorter, whatever its law says.
constexpr SimDuration kLeastLife{1'000};

constexpr std::uint64_t kAttempts = std::uint64_t{1} << 32;  // numbers of draws between two attempts
constexpr std::uint64_t kRules = std::uint64_t{1} << 24;     // and between two rules

}  // namespace

/// R1.10.
Draw Run::draw_of_machine(Purpose purpose, const Lease& lease, std::uint64_t number) const {
  return random_.draw(purpose, draw_entity(lease.job->job),
                      lease.draws * kAttempts + number + lease.machines_before);
}

/// R8.1, R8.2, R8.4, R10.25: Of the machines of a batch. Those of a whole lease go together, with the
/// first.
void Run::draw_lifetimes(Lease& lease, std::size_t batch) {
  const Law& law = leg_of(lease).policy.lifetime;
  if (is_held(lease.pool)) return;
  for (std::size_t i = 0; i < lease.machines.size(); ++i) {
    if (lease.machines[i].batch != batch) continue;
    Draw draw = draw_of_machine(Purpose::lifetime, lease, i);
    const SimDuration alone = law.sample(draw);
    const SimDuration together = time_to_mass_reclaim(lease, i);
    if (together < std::max(alone, kLeastLife)) note("taken in a mass reclaim");
    const SimDuration life = std::min(alone, together);
    if (life < kLeastLife) note("a machine lives the least");
    add_failure(lease, {.machine = i}, life);
  }
  if (lease.machines.size() > 1 && law.is_random()) note("shortest life of several machines");
}

/// R8.12, R8.13.
SimDuration Run::time_to_mass_reclaim(const Lease& lease, std::size_t machine) const {
  const std::optional<MassReclaim>& rule = pool_of(lease.pool).mass_reclaim;
  if (!rule || lease.lease_class != LeaseClass::spot) return kForever;
  const SimTime up = lease.batches[lease.machines[machine].batch].up;
  Draw luck = draw_of_machine(Purpose::mass_reclaimed, lease, machine);
  double spared = std::floor(std::log1p(-uniform01(luck)) / std::log1p(-rule->share_ppm / 1e6));
  SimTime at = world_.begin;
  for (std::uint64_t k = 0; at <= world_.window_end + world_.drain_limit; ++k) {
    if (at > up && spared-- < 1) return (at - up) + rule->spread.sample(luck);
    Draw gap = random_.draw(Purpose::mass_reclaim, fnv1a(kFnv1aBegin, pool_of(lease.pool).name), k);
    at += std::max(rule->every.sample(gap), kLeastLife);
  }
  return kForever;
}

/// R8.5, R8.6, R10.25: Of the machines of a batch, under each of the pool's rules. Of those at one instant
/// the first in the order of rules strikes a whole lease, and the first in the order of machines a
/// partial one.
void Run::draw_faults(Lease& lease, std::size_t batch) {
  const auto& rules = pool_of(lease.pool).faults;
  for (std::size_t j = 0; j < rules.size() * lease.machines.size(); ++j) {
    const std::size_t k = is_partial(lease) ? j % rules.size() : j / lease.machines.size();
    const std::size_t i = is_partial(lease) ? j / rules.size() : j % lease.machines.size();
    if (lease.machines[i].batch != batch) continue;
    Draw life = draw_of_machine(Purpose::fault, lease, k * kRules + i);
    Draw repair = draw_of_machine(Purpose::repair, lease, k * kRules + i);
    add_failure(lease, {.machine = i, .rule = &rules[k], .repair = rules[k].repair.sample(repair)},
                rules[k].life.sample(life));
  }
}

/// R8.1, R8.5.
void Run::add_failure(Lease& lease, Failure failure, SimDuration life) {
  if (life == kForever) return;
  const SimTime up = lease.batches[lease.machines[failure.machine].batch].up;
  failure.due = {.at = up + std::max(life, kLeastLife), .round = round_, .order = orders_++};
  lease.failures.push_back(failure);
}

/// R8.2, R8.7, R8.10, R10.26: Phase 2: what was drawn comes true, unless the machine is leaving anyway.
void Run::fail(Lease& lease, const Failure& failure) {
  if (lease.machines[failure.machine].leaving) return;
  touch(lease.pool);
  if (failure.rule != nullptr) {
    note(is_held(lease.pool) ? "fault in a held pool" : "fault in a zone pool");
    if (is_held(lease.pool) && held_pool(lease.pool).scaling) note("fault in an elastic pool");
    if (is_held(lease.pool) && held_pool(lease.pool).booking) note("fault in a booked pool");
    reclaim_machine(lease, failure, failure.rule->notice);
    take_from_capacity(lease, failure);
  } else {
    const bool with_notice = lease.notice > SimDuration::zero();
    note(with_notice ? "lifetime over, with notice" : "lifetime over, without notice");
    reclaim_machine(lease, failure, lease.notice);
  }
}

/// R10.26: The machine alone, if the lease can do without it.
void Run::reclaim_machine(Lease& lease, const Failure& failure, SimDuration notice) {
  const bool breaks = failure.rule != nullptr;
  if (can_lose(lease, 1)) {
    note(breaks ? "partial: lost a machine by a fault" : "partial: lost a machine by its lifetime");
    lease.machines[failure.machine].leaving = true;
    lease.machines[failure.machine].broke = breaks;
    return set_loss(lease, notice);
  }
  lease.broke = breaks;
  lease.notice = notice;
  set_leaving(lease);
}

/// R8.8.
void Run::take_from_capacity(const Lease& lease, const Failure& failure) {
  const std::size_t p = lease.pool;
  const std::size_t source = source_of(p, lease.lease_class);
  if (!is_held(p) && source == kNone) return;
  std::int64_t gpus = lease.machines[failure.machine].part.gpus;
  if (is_held(p)) gpus = gpus_that_break(p);
  const SimTime repaired = later(now_ + failure.rule->notice, failure.repair);
  const std::int64_t before = capacity_of(p, source);
  pools_[p].broken.push_back({.source = source, .gpus = gpus, .repaired = set_for(repaired)});
  if (capacity_of(p, source) == before - gpus) note("fault takes capacity");
  if (source != kNone) capacity_changed(p, source, before);
}

/// R8.8, R8.15: With one machine of a held pool.
std::int64_t Run::gpus_that_break(std::size_t p) const {
  return held_pool(p).share ? 1 : held_pool(p).machine_gpus().count();
}

/// R8.15, R8.16.
void Run::review_idle_machines(std::size_t p) {
  if (!is_bought(p) || pool_of(p).faults.empty()) return;
  auto& idle = pools_[p].idle_machines;
  const std::int64_t free = is_over(p) ? 0 : std::max<std::int64_t>(0, room_in_held(p)) / gpus_that_break(p);
  while (std::ssize(idle) < free) idle.push_back(new_idle_machine(p));
  while (std::ssize(idle) > free) idle.pop_back();
}

/// R8.17.
IdleMachine Run::new_idle_machine(std::size_t p) {
  const std::uint64_t number = pools_[p].idle_ever++;
  IdleMachine machine;
  SimDuration least = kForever;
  for (std::size_t k = 0; k < pool_of(p).faults.size(); ++k) {
    const FaultRule& rule = pool_of(p).faults[k];
    Draw life = random_.draw(Purpose::idle_fault, p - world_.pools.size(), number * 256 + k);
    Draw repair = random_.draw(Purpose::idle_repair, p - world_.pools.size(), number * 256 + k);
    const SimDuration lives = std::max(rule.life.sample(life), kLeastLife);
    if (lives >= least) continue;
    least = lives;
    machine = {.rule = &rule, .repair = rule.repair.sample(repair), .fault = {}};
  }
  if (least != kForever) machine.fault = set_for(now_ + least);
  return machine;
}

/// R8.18.
void Run::idle_machine_breaks(std::size_t p, std::size_t machine) {
  note("an idle machine breaks");
  if (held_pool(p).scaling) note("an idle machine of an elastic pool breaks");
  auto& idle = pools_[p].idle_machines;
  const SimTime repaired = later(now_, idle[machine].repair);
  idle.erase(idle.begin() + static_cast<std::ptrdiff_t>(machine));
  pools_[p].broken.push_back({.gpus = gpus_that_break(p), .repaired = set_for(repaired)});
  touch(p);
}

/// R8.8, R8.10: Phase 2.
void Run::is_repaired(std::size_t p, Broken& broken) {
  note("repaired");
  const std::int64_t before = capacity_of(p, broken.source);
  broken.gpus = 0;
  touch(p);
  if (broken.source != kNone) capacity_changed(p, broken.source, before);
}

}  // namespace stockout::reference

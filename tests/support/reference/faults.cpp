#include <algorithm>
#include <utility>

#include "tests/support/reference/run.h"

// Machines that go of themselves: lifetimes, faults, repairs.
namespace stockout::reference {
namespace {

/// No machine lives shorter, whatever its law says.
constexpr SimDuration kLeastLife{1'000};

constexpr std::uint64_t kAttempts = std::uint64_t{1} << 32;  // numbers of draws between two attempts
constexpr std::uint64_t kRules = std::uint64_t{1} << 24;     // and between two rules

}  // namespace

Draw Run::draw_of_machine(Purpose purpose, const Lease& lease, std::uint64_t number) const {
  return dice_.draw(purpose, draw_entity(lease.job->job), lease.draws * kAttempts + number);
}

/// Of the machines of a lot. Those of a whole lease go together, with the first.
void Run::draw_lifetimes(Lease& lease, std::size_t lot) {
  const Law& law = leg_of(lease).policy.lifetime;
  if (is_held(lease.pool)) return;
  for (std::size_t i = 0; i < lease.machines.size(); ++i) {
    if (lease.machines[i].lot != lot) continue;
    Draw draw = draw_of_machine(Purpose::lifetime, lease, i);
    const SimDuration life = law.sample(draw);
    if (life < kLeastLife) note("a machine lives the least");
    add_failure({.lease = &lease, .machine = i}, life);
  }
  if (lease.machines.size() > 1 && law.is_random()) note("shortest life of several machines");
}

/// Of the machines of a lot, under each of the pool's rules. Of those at one instant the first in the order
/// of rules strikes a whole lease, and the first in the order of machines a partial one.
void Run::draw_faults(Lease& lease, std::size_t lot) {
  const auto& rules = pool_of(lease.pool).faults;
  std::vector<std::pair<std::size_t, std::size_t>> draws;  // rule, machine
  for (std::size_t k = 0; k < rules.size(); ++k) {
    for (std::size_t i = 0; i < lease.machines.size(); ++i) {
      if (lease.machines[i].lot == lot) draws.emplace_back(k, i);
    }
  }
  if (is_partial(lease)) std::ranges::stable_sort(draws, {}, [](const auto& draw) { return draw.second; });
  for (const auto& [k, i] : draws) {
    Draw life = draw_of_machine(Purpose::fault, lease, k * kRules + i);
    Draw repair = draw_of_machine(Purpose::repair, lease, k * kRules + i);
    const FaultRule& rule = rules[k];
    add_failure({.lease = &lease, .machine = i, .rule = &rule, .repair = rule.repair.sample(repair)},
                rule.life.sample(life));
  }
}

void Run::add_failure(Failure failure, SimDuration life) {
  if (life == kForever) return;
  const SimTime up = failure.lease->lots[failure.lease->machines[failure.machine].lot].up;
  failure.due = {.at = up + std::max(life, kLeastLife), .round = round_, .order = orders_++};
  failures_.push_back(failure);
}

/// Phase 2: what was drawn comes true, unless the machine is leaving anyway.
void Run::fail(Failure& failure) {
  const Lease& lease = *failure.lease;
  if (lease.machines[failure.machine].leaving) return;
  touch(lease.pool);
  if (failure.rule != nullptr) {
    note(is_held(lease.pool) ? "fault in a held pool" : "fault in a zone pool");
    if (is_held(lease.pool) && held_pool(lease.pool).scaling) note("fault in an elastic pool");
    if (is_held(lease.pool) && held_pool(lease.pool).booking) note("fault in a booked pool");
    reclaim_machine(failure, failure.rule->notice);
    take_from_capacity(failure);
  } else {
    const bool with_notice = lease.notice > SimDuration::zero();
    note(with_notice ? "lifetime over, with notice" : "lifetime over, without notice");
    reclaim_machine(failure, lease.notice);
  }
}

/// The machine alone, if the lease can do without it.
void Run::reclaim_machine(const Failure& failure, SimDuration notice) {
  Lease& lease = *failure.lease;
  const bool breaks = failure.rule != nullptr;
  if (can_lose(lease, 1)) {
    note(breaks ? "partial: lost a machine by a fault" : "partial: lost a machine by its lifetime");
    lease.machines[failure.machine].leaving = true;
    lease.machines[failure.machine].broke = breaks;
    set_loss(lease, notice);
    return;
  }
  lease.broke = breaks;
  lease.notice = notice;
  set_leaving(lease);
}

/// Until it is repaired the machine is gone from the capacity of its source, or of its held pool.
void Run::take_from_capacity(Failure& failure) {
  const Lease& lease = *failure.lease;
  const std::size_t source = source_of(lease.pool, lease.lease_class);
  if (!is_held(lease.pool) && source == kNone) return;
  const std::int64_t before = capacity_of(lease.pool, source);
  failure.out = true;
  failure.repaired = set_for(later(now_ + failure.rule->notice, failure.repair));
  if (capacity_of(lease.pool, source) == before - gpus_lost(failure)) note("fault takes capacity");
  if (source != kNone) capacity_changed(lease.pool, source, before);
}

/// Phase 2.
void Run::is_repaired(Failure& failure) {
  note("repaired");
  const Lease& lease = *failure.lease;
  const std::size_t source = source_of(lease.pool, lease.lease_class);
  const std::int64_t before = capacity_of(lease.pool, source);
  failure.out = false;
  touch(lease.pool);
  if (source != kNone) capacity_changed(lease.pool, source, before);
}

std::int64_t Run::gpus_lost(const Failure& failure) const {
  const std::size_t p = failure.lease->pool;
  if (!is_held(p)) return failure.lease->machines[failure.machine].part.gpus;
  return held_pool(p).share ? 1 : held_pool(p).machine_gpus().count();
}

}  // namespace stockout::reference

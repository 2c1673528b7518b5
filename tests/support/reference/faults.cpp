#include <algorithm>

#include "tests/support/reference/run.h"

// Machines that end a lease before its time, and tests that delay its work.
namespace stockout::reference {
namespace {

/// No machine lives shorter, whatever its law says.
constexpr SimDuration kLeastLife{1'000};

constexpr std::uint64_t kAttempts = std::uint64_t{1} << 32;  // numbers of draws between two attempts
constexpr std::uint64_t kRules = std::uint64_t{1} << 24;     // and between two rules

std::uint64_t machines_of(const Lease& lease) {
  return static_cast<std::uint64_t>(lease.candidate.parts[0].machines + lease.candidate.parts[1].machines);
}

}  // namespace

/// The lease lives as long as the first of its machines to be taken.
void Run::draw_lifetime(Lease& lease) {
  const JobState& job = jobs_[lease.job];
  const Law& law = leg_of(job, lease.leg).policy.lifetime;
  if (is_held(lease.pool)) return;
  SimDuration shortest = kForever;
  for (std::uint64_t machine = 0; machine < machines_of(lease); ++machine) {
    const std::uint64_t number = lease.draws * kAttempts + machine;
    Draw draw = dice_.draw(Purpose::lifetime, draw_entity(job.job), number);
    const SimDuration length = law.sample(draw);
    if (length < kLeastLife) note("a machine lives the least");
    shortest = std::min(shortest, std::max(length, kLeastLife));
  }
  if (shortest == kForever) return;
  if (machines_of(lease) > 1 && law.is_random()) note("shortest life of several machines");
  lease.life = {.at = lease.up + shortest, .round = round_, .order = orders_++};
}

/// The first of its machines to break, under any of the pool's rules.
void Run::draw_fault(Lease& lease) {
  const auto& rules = world_.pool(pool_id(lease.pool)).faults;
  const std::uint64_t entity = draw_entity(jobs_[lease.job].job);
  SimDuration shortest = kForever;
  for (std::size_t k = 0; k < rules.size(); ++k) {
    std::uint64_t machine = 0;
    for (const Part& part : lease.candidate.parts) {
      for (std::int32_t i = 0; i < part.machines; ++i) {
        const std::uint64_t number = lease.draws * kAttempts + k * kRules + machine++;
        Draw draw = dice_.draw(Purpose::fault, entity, number);
        const SimDuration life = std::max(rules[k].life.sample(draw), kLeastLife);
        if (life >= shortest) continue;
        shortest = life;
        Draw repair = dice_.draw(Purpose::repair, entity, number);
        lease.fault_notice = rules[k].notice;
        lease.repair = rules[k].repair.sample(repair);
        lease.broken_gpus = gpus_of_machine(lease, part);
      }
    }
  }
  if (shortest == kForever) return;
  lease.fault = {.at = lease.up + shortest, .round = round_, .order = orders_++};
}

/// The lives of a lot's machines, then their faults, each under the rule that is the first to strike.
void Run::draw_lives_of_lot(Lease& lease, std::size_t lot) {
  const JobState& job = jobs_[lease.job];
  const Law& law = leg_of(job, lease.leg).policy.lifetime;
  const auto& rules = world_.pools[lease.pool].faults;
  const auto due = [this](SimTime from, SimDuration life) {
    return life == kForever ? Due{} : Due{.at = from + life, .round = round_, .order = orders_++};
  };
  const auto number = [&](std::size_t i) { return lease.draws * kAttempts + i; };
  for (std::size_t i = 0; i < lease.machines.size(); ++i) {
    if (lease.machines[i].lot != lot) continue;
    Draw draw = dice_.draw(Purpose::lifetime, draw_entity(job.job), number(i));
    lease.machines[i].life = due(lease.machines[i].up, std::max(law.sample(draw), kLeastLife));
  }
  for (std::size_t i = 0; i < lease.machines.size(); ++i) {
    Machine& machine = lease.machines[i];
    if (machine.lot != lot) continue;
    SimDuration shortest = kForever;
    for (std::size_t k = 0; k < rules.size(); ++k) {
      Draw draw = dice_.draw(Purpose::fault, draw_entity(job.job), number(i) + k * kRules);
      const SimDuration life = std::max(rules[k].life.sample(draw), kLeastLife);
      if (life >= shortest) continue;
      shortest = life;
      Draw repair = dice_.draw(Purpose::repair, draw_entity(job.job), number(i) + k * kRules);
      machine.fault_notice = rules[k].notice;
      machine.repair = rules[k].repair.sample(repair);
    }
    machine.fault = due(machine.up, shortest);
  }
}

std::int64_t Run::gpus_of_machine(const Lease& lease, const Part& part) const {
  if (is_held(lease.pool)) return held_pool(lease.pool).share ? 1 : machine_gpus(lease.pool);
  return part.gpus;
}

/// The gang waits for the machine that needs the longest.
SimDuration Run::health_test(const Lease& lease) const {
  const HealthTest& test = leg_of(jobs_[lease.job], lease.leg).policy.health;
  SimDuration longest{};
  for (std::uint64_t machine = 0; machine < machines_of(lease); ++machine) {
    const std::uint64_t number = lease.draws * kAttempts + machine;
    Draw draw = dice_.draw(Purpose::health, draw_entity(jobs_[lease.job].job), number);
    SimDuration needs = test.takes;
    while (uniform01(draw) < test.fails_ppm / 1e6) needs += test.replace + test.takes;
    longest = std::max(longest, needs);
  }
  return longest;
}

/// Whole leases (machine kNone) and machines of partial ones, and what is to happen to them.
std::vector<Failing> Run::failing_ones() {
  std::vector<Failing> failing;
  for (std::size_t l = 0; l < leases_.size(); ++l) {
    Lease& lease = leases_[l];
    if (!lease.open || lease.leaving) continue;
    failing.push_back({.due = &lease.life, .lease = l});
    failing.push_back({.due = &lease.fault, .lease = l, .breaks = true});
    for (std::size_t i = 0; i < lease.machines.size(); ++i) {
      if (lease.machines[i].gone != kNever) continue;
      failing.push_back({.due = &lease.machines[i].life, .lease = l, .machine = i});
      failing.push_back({.due = &lease.machines[i].fault, .lease = l, .machine = i, .breaks = true});
    }
  }
  return failing;
}

/// Phase 2: what happens to single machines, in the order in which it was set.
void Run::lifetimes_and_faults() {
  while (true) {
    Failing first;
    for (const Failing& one : failing_ones()) {
      if (is_due(*one.due) && (first.due == nullptr || one.due->order < first.due->order)) first = one;
    }
    if (first.due == nullptr) return;
    *first.due = Due{};
    Lease& lease = leases_[first.lease];
    if (first.machine != kNone && lease.machines[first.machine].leaving) continue;
    touch(lease.pool);
    if (first.breaks) {
      machine_breaks(first);
    } else {
      lifetime_ends(first);
    }
  }
}

/// The machine alone, if the lease can do without it.
void Run::take_machine(const Failing& failing, SimDuration notice) {
  Lease& lease = leases_[failing.lease];
  if (failing.machine != kNone && can_lose(lease, 1)) {
    note(failing.breaks ? "partial: lost a machine by a fault" : "partial: lost a machine by its lifetime");
    lose_machine(failing.lease, failing.machine, failing.breaks);
    set_loss(lease, notice);
    return;
  }
  lease.broke = failing.breaks;
  lease.notice = notice;
  set_leaving(failing.lease);
}

void Run::lifetime_ends(const Failing& failing) {
  const SimDuration notice = leases_[failing.lease].notice;
  note(notice > SimDuration::zero() ? "lifetime over, with notice" : "lifetime over, without notice");
  take_machine(failing, notice);
}

void Run::machine_breaks(const Failing& failing) {
  Lease& lease = leases_[failing.lease];
  note(is_held(lease.pool) ? "fault in a held pool" : "fault in a zone pool");
  if (is_held(lease.pool) && held_pool(lease.pool).scaling) note("fault in an elastic pool");
  if (is_held(lease.pool) && held_pool(lease.pool).booking) note("fault in a booked pool");
  Machine of_lease{.fault_notice = lease.fault_notice, .repair = lease.repair};
  if (failing.machine != kNone) {
    of_lease = lease.machines[failing.machine];
    lease.broken_gpus = gpus_of_one(lease.asked);
  }
  take_machine(failing, of_lease.fault_notice);
  const std::size_t source = is_held(lease.pool) ? kNone : source_of(lease.pool, lease.lease_class);
  if (!is_held(lease.pool) && source == kNone) return;
  Broken broken{.source = source, .gpus = lease.broken_gpus, .repaired = from_now(of_lease.fault_notice)};
  broken.repaired.at = later(broken.repaired.at, of_lease.repair);
  const std::int64_t before = capacity_of(lease.pool, source);
  pools_[lease.pool].broken.push_back(broken);
  if (capacity_of(lease.pool, source) == before - broken.gpus) note("fault takes capacity");
  if (source != kNone) capacity_changed(lease.pool, source, before);
}

/// Phase 2: machines that are repaired now, in the order in which they broke.
void Run::repairs() {
  while (true) {
    std::size_t pool = kNone;
    std::size_t first = kNone;
    for (std::size_t p = 0; p < pools_.size(); ++p) {
      for (std::size_t i = 0; i < pools_[p].broken.size(); ++i) {
        const Due& due = pools_[p].broken[i].repaired;
        if (!is_due(due)) continue;
        if (first != kNone && due.order > pools_[pool].broken[first].repaired.order) continue;
        pool = p;
        first = i;
      }
    }
    if (first == kNone) return;
    note("repaired");
    Broken& broken = pools_[pool].broken[first];
    const std::int64_t before = capacity_of(pool, broken.source);
    broken.gpus = 0;
    broken.repaired = Due{};
    touch(pool);
    if (broken.source != kNone) capacity_changed(pool, broken.source, before);
  }
}

std::int64_t Run::broken_in(std::size_t p, std::size_t source) const {
  std::int64_t gpus = 0;
  for (const Broken& broken : pools_[p].broken) {
    if (broken.source == source) gpus += broken.gpus;
  }
  return gpus;
}

}  // namespace stockout::reference

// What machines do of themselves: they fail a test, live their time, break and are repaired.

#include <algorithm>

#include "models/simulation/run.h"
#include "models/workload/synthesis.h"

namespace stockout {
namespace {

// So that a job that is granted again and again still gets on in time.
constexpr SimDuration kShortestLife = std::chrono::seconds{1};

std::uint64_t machine_number(std::uint32_t attempt, std::uint64_t machine) {
  return std::uint64_t{attempt} << 32 | machine;
}

std::uint64_t fault_number(std::uint32_t attempt, std::uint64_t rule, std::uint64_t machine) {
  return machine_number(attempt, rule << 24 | machine);
}

}  // namespace

Draw Run::draw_of(const JobState& job, Purpose purpose, std::uint64_t number) {
  recorder_.note_draw();
  return dice_.draw(purpose, entity_of(job.job.source, job.job.row), number);
}

SimDuration Run::draw_law(const Law& law, const JobState& job, Purpose purpose, std::uint64_t number) {
  if (!law.is_random()) return law.constant();
  Draw draw = draw_of(job, purpose, number);
  return law.sample(draw);
}

// How long the tests of all machines of a gang take.
SimDuration Run::draw_health(const Lease& lease, std::int64_t machines) {
  const HealthTest& test = lease.leg->policy.health;
  if (test.fails_ppm == 0) return test.takes;
  const JobState& job = jobs_[lease.job];
  std::int64_t most = 0;
  for (std::int64_t i = 0; i < machines; ++i) {
    Draw draw = draw_of(job, Purpose::health, machine_number(lease.attempt, static_cast<std::uint64_t>(i)));
    std::int64_t failures = 0;
    while (uniform01(draw) * 1e6 < test.fails_ppm) ++failures;
    most = std::max(most, failures);
  }
  return test.takes + most * (test.replace + test.takes);
}

// How long one machine of a lease lives: until the provider takes it back.
SimDuration Run::machine_life(const Lease& lease, std::uint64_t machine) {
  const JobState& job = jobs_[lease.job];
  const Law& law = lease.leg->policy.lifetime;
  if (!law.is_random() && law.constant() == kForever) return kForever;
  return std::max(draw_law(law, job, Purpose::lifetime, machine_number(lease.attempt, machine)),
                  kShortestLife);
}

// How long one machine of a lease runs until it breaks by that rule of its pool.
SimDuration Run::time_to_fault(const Lease& lease, std::size_t rule, std::uint64_t machine) {
  const Law& law = world_.pool(lease.pool).faults[rule].life;
  if (!law.is_random() && law.constant() == kForever) return kForever;
  const JobState& job = jobs_[lease.job];
  return std::max(draw_law(law, job, Purpose::fault, fault_number(lease.attempt, rule, machine)),
                  kShortestLife);
}

// The lease lives as long as the first of its machines to be taken.
void Run::draw_lifetime(LeaseSlot slot) {
  Lease& lease = books_.leases()[slot];
  if (world_.is_held(lease.pool)) return;
  const Law& law = lease.leg->policy.lifetime;
  SimDuration life = law.is_random() ? kForever : law.constant();
  if (law.is_random()) {
    const JobState& job = jobs_[lease.job];
    const auto machines = static_cast<std::uint64_t>(lease.candidate->machines());
    for (std::uint64_t i = 0; i < machines; ++i) {
      Draw draw = draw_of(job, Purpose::lifetime, machine_number(lease.attempt, i));
      life = std::min(life, law.sample(draw));
    }
  }
  if (life == kForever) return;
  life = std::max(life, kShortestLife);
  lease.life_event = agenda_.at(lease.up + life, Phase::lifetimes, Event::of(EventKind::life_over, slot));
}

// The first fault of any of its machines, by any rule of its pool.
void Run::draw_fault(LeaseSlot slot) {
  Lease& lease = books_.leases()[slot];
  const std::vector<FaultRule>& rules = world_.pool(lease.pool).faults;
  if (rules.empty()) return;
  const auto machines = static_cast<std::uint64_t>(lease.candidate->machines());
  SimDuration first = kForever;
  for (std::size_t rule = 0; rule < rules.size(); ++rule) {
    for (std::uint64_t i = 0; i < machines; ++i) {
      const SimDuration life = time_to_fault(lease, rule, i);
      if (life >= first) continue;
      first = life;
      lease.fault_rule = static_cast<std::uint8_t>(rule);
      lease.fault_machine = static_cast<std::uint32_t>(i);
    }
  }
  if (first == kForever) return;
  lease.fault_event = agenda_.at(lease.up + first, Phase::lifetimes, Event::of(EventKind::fault, slot));
}

void Run::life_over(LeaseSlot slot) {
  const Lease& lease = books_.leases()[slot];
  if (lease.leaving) return;
  touch(lease.pool);
  take_back(slot, Interruption::preempted, lease.leg->policy.notice);
}

// A machine breaks: its lease ends after the notice, and its pool is without it until it is repaired.
void Run::machine_breaks(LeaseSlot slot) {
  const Lease lease = books_.leases()[slot];
  if (lease.leaving) return;
  touch(lease.pool);
  take_back(slot, Interruption::fault, world_.pool(lease.pool).faults[lease.fault_rule].notice);
  break_machine(lease, lease.fault_rule, lease.fault_machine);
}

// Until it is repaired, the machine is gone from its pool's capacity.
void Run::break_machine(const Lease& lease, std::uint8_t number, std::uint32_t machine) {
  const FaultRule& rule = world_.pool(lease.pool).faults[number];
  const JobState& job = jobs_[lease.job];
  const PoolState& pool = books_.pool(lease.pool);
  const std::int8_t source = pool.source_of[static_cast<std::size_t>(lease.lease_class)];
  if (source == PoolState::kUnlimited) return;
  const SimDuration repair =
      draw_law(rule.repair, job, Purpose::repair, fault_number(lease.attempt, number, machine));
  const GpuCount gpus = gpus_of_machine(lease, machine);
  books_.lose(lease.pool, static_cast<std::size_t>(source), gpus, now());
  agenda_.at_or_soon(
      now() + rule.notice + repair, Phase::repairs,
      {.kind = EventKind::repaired,
       .subject = static_cast<std::uint32_t>(lease.pool) << 8 | static_cast<std::uint32_t>(source),
       .detail = static_cast<std::uint32_t>(gpus.count())});
}

// GPUs that are gone when that machine of the lease breaks.
GpuCount Run::gpus_of_machine(const Lease& lease, std::uint32_t machine) const {
  if (world_.is_held(lease.pool)) {
    const HeldPool& held = world_.held_pool(lease.pool);
    return held.share ? GpuCount{1} : held.machine_gpus();
  }
  const auto& parts = lease.candidate->parts;
  const Part& part = machine < static_cast<std::uint32_t>(parts[0].machines) ? parts[0] : parts[1];
  return GpuCount{part.gpus};
}

void Run::repaired(Event event) {
  const PoolId id{static_cast<std::uint16_t>(event.subject >> 8)};
  const std::size_t source = event.subject & 0xff;
  books_.restore(id, source, GpuCount{event.detail}, now());
  start_ready(books_.pool(id), books_.pool(id).sources[source]);
  touch(id);
}

}  // namespace stockout

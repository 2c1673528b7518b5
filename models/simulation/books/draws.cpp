#include "models/simulation/books/draws.h"

#include <algorithm>

#include "models/workload/arrivals/synthesis.h"
#include "sim/core/fnv1a.h"
#include "sim/random/weighted.h"

namespace stockout {
namespace {

std::uint64_t machine_number(const LeaseRequest& asked, std::uint64_t machine) {
  return std::uint64_t{asked.attempt} << 32 | (asked.first_machine + machine);
}

std::uint64_t fault_number(const LeaseRequest& asked, std::uint64_t rule, std::uint64_t machine) {
  return std::uint64_t{asked.attempt} << 32 | rule << 24 | (asked.first_machine + machine);
}

}  // namespace

Draw Draws::of_job(const Job& job, Purpose purpose, std::uint64_t number) {
  recorder_.note_draw();
  return random_.draw(purpose, entity_of(job.source, job.row), number);
}

SimDuration Draws::sample(const Law& law, const Job& job, Purpose purpose, std::uint64_t number) {
  Draw draw = of_job(job, purpose, number);
  return law.sample(draw);
}

SimDuration Draws::longest_test(const Lease& lease, const Job& job, std::size_t first, std::size_t end) {
  const HealthTest& test = lease.asked.leg->policy.health;
  std::int64_t most = 0;
  for (std::size_t i = first; i < end; ++i) {
    Draw draw = of_job(job, Purpose::health, machine_number(lease.asked, i));
    std::int64_t failures = 0;
    while (uniform01(draw) * 1e6 < test.fails_ppm) ++failures;
    most = std::max(most, failures);
  }
  return test.takes + most * (test.replace + test.takes);
}

SimDuration Draws::machine_life(const Lease& lease, const Job& job, std::uint64_t machine) {
  const Law& law = lease.asked.leg->policy.lifetime;
  if (!law.is_random() && law.constant() == kForever) return kForever;
  return std::max(length(law, job, Purpose::lifetime, machine_number(lease.asked, machine)), kShortestLife);
}

Draw Draws::mass_reclaim(const Lease& lease, const Job& job, std::uint64_t machine) {
  return of_job(job, Purpose::mass_reclaimed, machine_number(lease.asked, machine));
}

// By name, so that other pools of the file have no part in it.
SimDuration Draws::until_mass_reclaim(const Pool& pool, std::uint64_t number) {
  const Law& every = pool.mass_reclaim->every;
  if (every.is_random()) recorder_.note_draw();
  Draw draw = random_.draw(Purpose::mass_reclaim, fnv1a(kFnv1aBegin, pool.name), number);
  return std::max(every.sample(draw), kShortestLife);
}

SimDuration Draws::time_to_fault(const Lease& lease, const Job& job, const FaultRule& rule,
                                 std::size_t number, std::uint64_t machine) {
  return std::max(length(rule.life, job, Purpose::fault, fault_number(lease.asked, number, machine)),
                  kShortestLife);
}

SimDuration Draws::repair(const Lease& lease, const Job& job, const FaultRule& rule, std::size_t number,
                          std::uint64_t machine) {
  return length(rule.repair, job, Purpose::repair, fault_number(lease.asked, number, machine));
}

SimDuration Draws::idle_until_fault(const FaultRule& rule, std::size_t number, std::size_t held,
                                    std::uint64_t machine) {
  return std::max(of_held(rule.life, Purpose::idle_fault, held, machine << 8 | number), kShortestLife);
}

SimDuration Draws::idle_repair(const FaultRule& rule, std::size_t number, std::size_t held,
                               std::uint64_t machine) {
  return of_held(rule.repair, Purpose::idle_repair, held, machine << 8 | number);
}

Draw Draws::worker(const Lease& lease, const Job& job, std::uint64_t machine, bool is_random) {
  if (is_random) recorder_.note_draw();
  return random_.draw(Purpose::worker_exit, entity_of(job.source, job.row),
                      machine_number(lease.asked, machine));
}

std::uint64_t Draws::victim_word(const Lease& lease, const Job& job) {
  return of_job(job, Purpose::victim, lease.asked.attempt)();
}

std::uint32_t Draws::tenant(const Source& source, const Job& job) const {
  Draw draw = random_.draw(Purpose::strategy, entity_of(job.source, job.row));
  return static_cast<std::uint32_t>(draw_weighted(source.tenant_weights, draw));
}

SimDuration Draws::of_held(const Law& law, Purpose purpose, std::size_t held, std::uint64_t number) {
  if (!law.is_random()) return law.constant();
  recorder_.note_draw();
  Draw draw = random_.draw(purpose, held, number);
  return law.sample(draw);
}

SimDuration Draws::cold_start(const Law& law, std::size_t held, std::uint64_t machine) {
  return of_held(law, Purpose::cold_start, held, machine);
}

bool Draws::accepts(const Booking& booking, std::size_t held) {
  if (booking.accept_ppm == 0) return false;
  if (booking.accept_ppm >= 1'000'000) return true;
  recorder_.note_draw();
  Draw draw = random_.draw(Purpose::acceptance, held);
  return uniform01(draw) * 1e6 < booking.accept_ppm;
}

}  // namespace stockout

#pragma once

#include <cstdint>

#include "models/consumption/policy.h"
#include "models/simulation/books/recorder.h"
#include "models/simulation/ground/run_state.h"
#include "models/supply/pool.h"
#include "sim/random/draw.h"

namespace stockout {

/// No machine lives shorter, so that a job that is granted again and again still gets on in time.
inline constexpr SimDuration kShortestLife = std::chrono::seconds{1};

/// The random numbers of a run: every random number that a simulation draws once it is under way, each by a
/// key of its own (the contract, R1.10), so that none depends on what else was drawn. Notes in the record
/// that one mattered.
class Draws {
 public:
  Draws(RandomStreams random, Recorder& recorder) : random_{random}, recorder_{recorder} {}

  [[nodiscard]] const RandomStreams& random() const { return random_; }

  /// Of a law that belongs to a job, by `number` where a job draws several of a purpose.
  [[nodiscard]] SimDuration length(const Law& law, const Job& job, Purpose purpose, std::uint64_t number) {
    if (!law.is_random()) return law.constant();
    return sample(law, job, purpose, number);
  }
  /// How long the tests of machines of the lease's gang take: those from number `first` to before `end`.
  [[nodiscard]] SimDuration health_tests(const Lease& lease, const Job& job, std::size_t first,
                                         std::size_t end) {
    const HealthTest& test = lease.asked.leg->policy.health;
    if (first == end) return SimDuration::zero();
    return test.fails_ppm == 0 ? test.takes : longest_test(lease, job, first, end);
  }
  /// How long machine `machine` of the lease lives until the provider reclaims it; kForever without a law.
  [[nodiscard]] SimDuration machine_life(const Lease& lease, const Job& job, std::uint64_t machine);
  /// Which of the mass reclaims of its pool take the machine along, and how soon.
  [[nodiscard]] Draw mass_reclaim(const Lease& lease, const Job& job, std::uint64_t machine);
  /// Time from one of those of the pool, which has them, to the next, of that number.
  [[nodiscard]] SimDuration until_mass_reclaim(const Pool& pool, std::uint64_t number);
  /// How long it runs until it breaks by the rule of that number of its pool.
  [[nodiscard]] SimDuration time_to_fault(const Lease& lease, const Job& job, const FaultRule& rule,
                                          std::size_t number, std::uint64_t machine);
  /// How long its repair takes then.
  [[nodiscard]] SimDuration repair(const Lease& lease, const Job& job, const FaultRule& rule,
                                   std::size_t number, std::uint64_t machine);
  /// How long machine `machine` of held pool `held` runs without a job until it breaks by the rule.
  [[nodiscard]] SimDuration idle_until_fault(const FaultRule& rule, std::size_t number, std::size_t held,
                                             std::uint64_t machine);
  /// How long its repair takes then.
  [[nodiscard]] SimDuration idle_repair(const FaultRule& rule, std::size_t number, std::size_t held,
                                        std::uint64_t machine);
  /// Of all exits of the worker on machine `machine` of the lease. `is_random`: it matters.
  [[nodiscard]] Draw worker(const Lease& lease, const Job& job, std::uint64_t machine, bool is_random);
  /// Rank of the lease among others where victims are drawn.
  [[nodiscard]] std::uint64_t victim_word(const Lease& lease, const Job& job);
  /// Which of a source's strategies a tenant's job follows.
  [[nodiscard]] std::uint32_t tenant(const Source& source, const Job& job) const;
  /// Until a machine of an elastic pool is there: machine `machine` of held pool `held`.
  [[nodiscard]] SimDuration cold_start(const Law& law, std::size_t held, std::uint64_t machine);
  /// Whether the provider's luck lets a booking of held pool `held` pass.
  [[nodiscard]] bool accepts(const Booking& booking, std::size_t held);

 private:
  [[nodiscard]] SimDuration longest_test(const Lease& lease, const Job& job, std::size_t first,
                                         std::size_t end);
  [[nodiscard]] SimDuration of_held(const Law& law, Purpose purpose, std::size_t held, std::uint64_t number);
  [[nodiscard]] Draw of_job(const Job& job, Purpose purpose, std::uint64_t number);
  [[nodiscard]] SimDuration sample(const Law& law, const Job& job, Purpose purpose, std::uint64_t number);

  RandomStreams random_;
  Recorder& recorder_;
};

}  // namespace stockout

#include "tests/support/runs/agreement.h"

#include <algorithm>
#include <exception>
#include <set>
#include <tuple>

#include <fmt/format.h>

namespace stockout::test {
namespace {

using reference::ReferenceLease;
using reference::ReferenceUsage;

std::string ms(SimTime at) { return at == kNever ? "never" : std::to_string((at - kStart).count()); }

std::string text(const WaitTimes& times) {
  std::string out;
  for (std::size_t i = 0; i < kWaitCauses; ++i) {
    const auto cause = static_cast<WaitCause>(i);
    if (times[cause] != SimDuration::zero())
      out += fmt::format(", {} {}", name_of(cause), times[cause].count());
  }
  return out;
}

std::string text(const JobOutcome& job) {
  return fmt::format(
      "{} in leg {}, released {}, granted {}, finished {}, start delay {}, leased {}, lost {}, preempted {}, "
      "exits {}, quota wait {}, refusals {}, Kueue wait {}, evictions {}, reduced to {}, ended by Slurm {}{}; again{}",
      kFinalStateNames[static_cast<std::size_t>(job.state)], job.leg, ms(job.released), ms(job.first_grant),
      ms(job.finished), job.start_delay.count(), job.leased.count(), job.lost.count(), job.preemptions,
      job.exits, job.quota.wait.count(), job.quota.refusals, job.kueue.wait.count(), job.kueue.evictions,
      job.kueue.reduced.count(), static_cast<int>(job.slurm_end), text(job.pending_for),
      text(job.pending_again));
}

std::string text(const ReferenceLease& lease) {
  return fmt::format("job {} attempt {} leg {} pool {}: {} GPUs granted {}, running {}, ended {}, lost {}{}",
                     lease.job, lease.attempt, lease.leg, lease.pool, lease.gpus, ms(lease.granted),
                     ms(lease.running), ms(lease.ended), lease.lost.count(),
                     lease.preempted ? ", preempted"
                     : lease.expired ? ", expired"
                                     : "");
}

std::string text(const ReferenceUsage& usage) {
  std::string hours;
  for (const auto& [hour, cell] : usage.hours)
    hours += fmt::format(" [{}: {} {}]", hour, cell.used.count(), cell.billed.count());
  const TimeSplit& split = usage.split;
  return fmt::format("useful {} redone {} overhead {} unused {} idle {}, machine-ms [hour: used billed]{}",
                     split.useful.count(), split.redone.count(), split.overhead.count(), split.unused.count(),
                     split.idle.count(), hours);
}

ReferenceLease as_reference(const LeaseRow& lease) {
  return {.job = lease.job,
          .attempt = lease.attempt,
          .leg = lease.leg,
          .pool = index(lease.pool),
          .gpus = lease.gpus.count(),
          .granted = lease.granted,
          .running = lease.running,
          .ended = lease.ended,
          .lost = lease.lost,
          .preempted = lease.preempted,
          .expired = lease.expired};
}

std::string text(const PoolTotals& pool) {
  std::string out = fmt::format("capacity {} leased {} shortage {} phantom {} {} hosts {} {} {}",
                                pool.capacity.count(), pool.leased.count(), pool.shortage.count(),
                                pool.phantom_waiting.count(), pool.phantom_leased.count(),
                                pool.host_free.count(), pool.host_stranded.count(), pool.misfits);
  for (std::size_t c = 0; c < kLeaseClasses; ++c) {
    const ClassTotals& totals = pool.classes[c];
    out += fmt::format(
        " [{}: requests {} grants {} refusals {} withdrawn {} preemptions {} faults {} leased {} by tenants "
        "{}]",
        kLeaseClassNames[c], totals.requests, totals.grants, totals.refusals, totals.withdrawn,
        totals.preemptions, totals.faults, totals.leased.count(), totals.leased_by_tenants.count());
  }
  return out;
}

ReferenceUsage as_reference(const UsageLedger& ledger, UsageKey key) {
  ReferenceUsage usage{.hours = {}, .split = ledger.split(key)};
  for (const UsageHour& hour : ledger.hours(key)) usage.hours[hour.hour] = hour;
  return usage;
}

const JobOutcome& fields(const JobOutcome& job) { return job; }

auto fields(const PoolTotals& pool) {
  return std::tuple{pool.capacity,        pool.leased,         pool.shortage,
                    pool.phantom_waiting, pool.phantom_leased, pool.host_free,
                    pool.host_stranded,   pool.misfits,        pool.classes};
}

auto fields(const ReferenceLease& lease) { return lease; }

/// Hours in which nothing was are no hours.
auto fields(const ReferenceUsage& usage) {
  std::vector<std::tuple<std::int64_t, MachineTime, MachineTime>> hours;
  for (const auto& [hour, cell] : usage.hours) {
    if (cell.billed > MachineTime{}) hours.emplace_back(hour, cell.used, cell.billed);
  }
  const TimeSplit& split = usage.split;
  return std::tuple{split.useful, split.redone, split.overhead, split.unused, split.idle, hours};
}

template <typename Value>
void compare(std::string& differences, const std::string& what, const Value& simulated,
             const Value& expected) {
  if (fields(simulated) == fields(expected)) return;
  differences +=
      fmt::format("{}\n  simulate():  {}\n  reference:   {}\n", what, text(simulated), text(expected));
}

void compare_times(std::string& differences, const char* what, SimTime simulated, SimTime expected) {
  if (simulated == expected) return;
  differences += fmt::format("{}: simulate() {}, reference {}\n", what, ms(simulated), ms(expected));
}

void compare_leases(std::string& differences, const BothRuns& runs) {
  std::vector<ReferenceLease> simulated;
  for (const LeaseRow& lease : runs.leases) simulated.push_back(as_reference(lease));
  std::sort(simulated.begin(), simulated.end());
  const std::vector<ReferenceLease>& expected = runs.reference.leases;
  if (simulated.size() != expected.size()) {
    differences += fmt::format("leases: simulate() {}, reference {}\n", simulated.size(), expected.size());
  }
  for (std::size_t i = 0; i < std::min(simulated.size(), expected.size()); ++i) {
    compare(differences, fmt::format("lease {}", i), simulated[i], expected[i]);
  }
}

void compare_usage(std::string& differences, const BothRuns& runs) {
  std::set<UsageKey> keys;
  for (const UsageKey key : runs.record.usage.keys()) keys.insert(key);
  for (const auto& [key, usage] : runs.reference.usage) keys.insert(key);
  for (const UsageKey key : keys) {
    const auto known = runs.reference.usage.find(key);
    const ReferenceUsage expected = known == runs.reference.usage.end() ? ReferenceUsage{} : known->second;
    compare(differences,
            fmt::format("usage of line {}, user {}, class {}", index(key.line), index(key.user),
                        index(key.job_class)),
            as_reference(runs.record.usage, key), expected);
  }
}

std::string differences_of(const BothRuns& runs) {
  std::string differences;
  const auto& jobs = runs.reference.jobs;
  if (runs.record.jobs.size() != jobs.size()) {
    differences += fmt::format("jobs: simulate() {}, reference {}\n", runs.record.jobs.size(), jobs.size());
  }
  for (std::size_t i = 0; i < std::min<std::size_t>(runs.record.jobs.size(), jobs.size()); ++i) {
    compare(differences, fmt::format("job {}", i), runs.record.jobs.at(i), jobs[i]);
  }
  compare_times(differences, "end of the run", runs.record.end, runs.reference.end);
  if (!(runs.record.sets == runs.reference.sets))
    differences += fmt::format("sets: simulate() {} restarts, {} given back, reference {}, {}\n",
                               runs.record.sets.restarts, runs.record.sets.given_back,
                               runs.reference.sets.restarts, runs.reference.sets.given_back);
  compare_times(differences, "end of holding", runs.record.hold_end, runs.reference.hold_end);
  if (runs.record.evictions != runs.reference.evictions) differences += "evictions by Kueue or Slurm\n";
  if (runs.record.gave_way != runs.reference.gave_way) differences += "who gave way to whom\n";
  if (runs.record.kueue_queues != runs.reference.kueue_queues) differences += "what Kueue's queues gave\n";
  compare_leases(differences, runs);
  compare_usage(differences, runs);
  for (std::size_t p = 0; p < runs.reference.pools.size(); ++p) {
    compare(differences, fmt::format("pool {}", p), runs.record.pools.at(p), runs.reference.pools[p]);
  }
  return differences;
}

/// Without logs, plain jobs take the short way (models/simulation/lives/flights.h): nothing may come out
/// otherwise.
void compare_ways(std::string& differences, const RunRecord& plain, const RunRecord& logged) {
  const auto check = [&](const std::string& what, bool is_equal) {
    if (!is_equal) differences += fmt::format("{} of simulate() differs with and without logs\n", what);
  };
  check("the fingerprint", plain.fingerprint == logged.fingerprint);
  check("the number of events", plain.events == logged.events && plain.arrivals == logged.arrivals);
  check("the end", plain.end == logged.end && plain.hold_end == logged.hold_end);
  check("the number of jobs", plain.jobs.size() == logged.jobs.size());
  for (std::uint64_t i = 0; i < std::min(plain.jobs.size(), logged.jobs.size()); ++i) {
    check(fmt::format("job {}", i), plain.jobs.at(i) == logged.jobs.at(i));
  }
  for (std::size_t p = 0; p < logged.pools.size(); ++p) {
    check(fmt::format("pool {}", p), plain.pools.at(p) == logged.pools[p]);
  }
  check("the keys of usage", plain.usage.keys() == logged.usage.keys());
  for (const UsageKey key : logged.usage.keys()) {
    check(fmt::format("usage of line {}, user {}, class {}", index(key.line), index(key.user),
                      index(key.job_class)),
          fields(as_reference(plain.usage, key)) == fields(as_reference(logged.usage, key)) &&
              plain.usage.split(key).completed == logged.usage.split(key).completed);
  }
}

void simulate_into(BothRuns& runs, const World& world, std::size_t strategy, std::uint64_t replication) {
  const Logs logs{.on_lease = [&runs](const LeaseRow& lease) { runs.leases.push_back(lease); }};
  runs.record = simulate(world, strategy, replication, logs);
  std::stable_sort(runs.leases.begin(), runs.leases.end(), [](const LeaseRow& a, const LeaseRow& b) {
    return std::pair{a.job, a.granted} < std::pair{b.job, b.granted};
  });
}

}  // namespace

BothRuns run_both(const World& world, std::size_t strategy, std::uint64_t replication) {
  BothRuns runs;
  try {
    runs.reference = reference::reference_simulate(world, strategy, replication);
  } catch (const std::exception& error) {
    runs.disagreement = fmt::format("the reference threw: {}\n", error.what());
    return runs;
  }
  try {
    simulate_into(runs, world, strategy, replication);
  } catch (const std::exception& error) {
    runs.disagreement = fmt::format("simulate() threw: {}\n", error.what());
    return runs;
  }
  runs.disagreement = differences_of(runs);
  compare_ways(runs.disagreement, simulate(world, strategy, replication), runs.record);
  return runs;
}

std::string disagreement(const World& world) {
  return run_both(world, world.strategies.size() - 1, world.seed % 3).disagreement;
}

}  // namespace stockout::test

#include "tests/support/agreement.h"

#include <algorithm>
#include <exception>
#include <set>

#include <fmt/format.h>

namespace stockout::test {
namespace {

using reference::ReferenceClassTotals;
using reference::ReferenceHour;
using reference::ReferenceJob;
using reference::ReferenceLease;
using reference::ReferencePool;
using reference::ReferenceUsage;

std::string ms(SimTime at) { return at == kNever ? "never" : std::to_string((at - kStart).count()); }

std::string text(const ReferenceJob& job) {
  return fmt::format(
      "{} in leg {}, released {}, granted {}, finished {}, start delay {}, leased {}, lost {}, preempted {}",
      kFinalStateNames[static_cast<std::size_t>(job.state)], job.leg, ms(job.released), ms(job.first_grant),
      ms(job.finished), job.start_delay.count(), job.leased.count(), job.lost.count(), job.preemptions);
}

std::string text(const ReferenceLease& lease) {
  return fmt::format("job {} attempt {} leg {} pool {}: {} GPUs granted {}, running {}, ended {}, lost {}{}",
                     lease.job, lease.attempt, lease.leg, lease.pool, lease.gpus, ms(lease.granted),
                     ms(lease.running), ms(lease.ended), lease.lost.count(),
                     lease.preempted ? ", preempted" : "");
}

std::string text(const ReferenceUsage& usage) {
  std::string hours;
  for (const auto& [hour, cell] : usage.hours)
    hours += fmt::format(" [{}: {} {}]", hour, cell.used, cell.billed);
  return fmt::format("useful {} redone {} overhead {} unused {} idle {}, machine-ms [hour: used billed]{}",
                     usage.useful, usage.redone, usage.overhead, usage.unused, usage.idle, hours);
}

ReferenceJob as_reference(const JobOutcome& job) {
  return {.state = job.state,
          .leg = job.leg,
          .released = job.released,
          .first_grant = job.first_grant,
          .finished = job.finished,
          .start_delay = job.start_delay,
          .leased = job.leased,
          .lost = job.lost,
          .preemptions = job.preemptions};
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
          .preempted = lease.preempted};
}

std::string text(const ReferencePool& pool) {
  std::string out = fmt::format("capacity {} leased {} shortage {} phantom {} {} hosts {} {} {}",
                                pool.capacity, pool.leased, pool.shortage, pool.phantom_waiting,
                                pool.phantom_leased, pool.host_free, pool.host_stranded, pool.misfits);
  for (std::size_t c = 0; c < kLeaseClasses; ++c) {
    const ReferenceClassTotals& totals = pool.classes[c];
    if (totals == ReferenceClassTotals{}) continue;
    out += fmt::format(
        " [{}: requests {} grants {} refusals {} withdrawn {} preemptions {} faults {} leased {} by tenants "
        "{}]",
        kLeaseClassNames[c], totals.requests, totals.grants, totals.refusals, totals.withdrawn,
        totals.preemptions, totals.faults, totals.leased, totals.leased_by_tenants);
  }
  return out;
}

ReferencePool as_reference(const PoolTotals& pool) {
  ReferencePool out{.capacity = pool.capacity.count(),
                    .leased = pool.leased.count(),
                    .shortage = pool.shortage.count(),
                    .phantom_waiting = pool.phantom_waiting.count(),
                    .phantom_leased = pool.phantom_leased.count(),
                    .host_free = pool.host_free.count(),
                    .host_stranded = pool.host_stranded.count(),
                    .misfits = static_cast<std::int64_t>(pool.misfits),
                    .classes = {}};
  for (std::size_t c = 0; c < kLeaseClasses; ++c) {
    const ClassTotals& totals = pool.classes[c];
    out.classes[c] = {.requests = static_cast<std::int64_t>(totals.requests),
                      .grants = static_cast<std::int64_t>(totals.grants),
                      .refusals = static_cast<std::int64_t>(totals.refusals),
                      .withdrawn = static_cast<std::int64_t>(totals.withdrawn),
                      .preemptions = static_cast<std::int64_t>(totals.preemptions),
                      .faults = static_cast<std::int64_t>(totals.faults),
                      .leased = totals.leased.count(),
                      .leased_by_tenants = totals.leased_by_tenants.count()};
  }
  return out;
}

ReferenceUsage as_reference(const UsageLedger& ledger, UsageKey key) {
  ReferenceUsage usage;
  for (const UsageHour& hour : ledger.hours(key)) {
    usage.hours[hour.hour] = {.used = hour.used.count(), .billed = hour.billed.count()};
  }
  const TimeSplit split = ledger.split(key);
  usage.useful = split.useful.count();
  usage.redone = split.redone.count();
  usage.overhead = split.overhead.count();
  usage.unused = split.unused.count();
  usage.idle = split.idle.count();
  return usage;
}

/// Without hours in which nothing was.
ReferenceUsage tidy(ReferenceUsage usage) {
  std::erase_if(usage.hours, [](const auto& hour) { return hour.second == ReferenceHour{}; });
  return usage;
}

template <typename Value>
void compare(std::string& differences, const std::string& what, const Value& simulated,
             const Value& expected) {
  if (simulated == expected) return;
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
            tidy(as_reference(runs.record.usage, key)), tidy(expected));
  }
}

std::string differences_of(const BothRuns& runs) {
  std::string differences;
  const auto& jobs = runs.reference.jobs;
  if (runs.record.jobs.size() != jobs.size()) {
    differences += fmt::format("jobs: simulate() {}, reference {}\n", runs.record.jobs.size(), jobs.size());
  }
  for (std::size_t i = 0; i < std::min<std::size_t>(runs.record.jobs.size(), jobs.size()); ++i) {
    compare(differences, fmt::format("job {}", i), as_reference(runs.record.jobs.at(i)), jobs[i]);
  }
  compare_times(differences, "end of the run", runs.record.end, runs.reference.end);
  compare_times(differences, "end of holding", runs.record.hold_end, runs.reference.hold_end);
  compare_leases(differences, runs);
  compare_usage(differences, runs);
  for (std::size_t p = 0; p < runs.reference.pools.size(); ++p) {
    compare(differences, fmt::format("pool {}", p), as_reference(runs.record.pools.at(p)),
            runs.reference.pools[p]);
  }
  return differences;
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
  return runs;
}

std::string disagreement(const World& world) {
  return run_both(world, world.strategies.size() - 1, world.seed % 3).disagreement;
}

}  // namespace stockout::test

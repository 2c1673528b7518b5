// Pools over time: exact against the record's totals, and by hand.

#include <algorithm>
#include <numeric>

#include <catch2/catch.hpp>

#include "models/history/run_history.h"
#include "models/scenario/scenario.h"
#include "tests/support/random_world.h"
#include "tests/support/world_builder.h"

using namespace stockout;
using namespace stockout::test;
using namespace std::chrono_literals;

namespace {

std::uint64_t sum(const std::vector<std::uint64_t>& counts) {
  return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}

std::uint64_t sum(const EventHistory& events) { return sum(events.own) + sum(events.tenants); }

bool has_bins(const LevelHistory& level, std::size_t bins) {
  return level.is_zero() || (level.mean.size() == bins && level.highest.size() == bins);
}

std::int64_t highest(const LevelHistory& level) {
  return level.is_zero() ? 0 : *std::ranges::max_element(level.highest);
}

void check_columns(const RunHistory& history, const PoolHistory& pool) {
  for (const LevelHistory* level :
       {&pool.by_jobs, &pool.by_held, &pool.by_tenants, &pool.free, &pool.waiting_requests,
        &pool.waiting_gpus, &pool.own_waiting_requests, &pool.own_waiting_gpus}) {
    CHECK(has_bins(*level, history.bins));
    for (std::size_t bin = 0; bin < level->mean.size(); ++bin) {
      CHECK(level->mean[bin] <= static_cast<double>(level->highest[bin]));
      CHECK(level->mean[bin] >= 0);
    }
  }
}

// Every number that the record has of a pool, too.
void check_pool(const PoolHistory& pool, const PoolTotals& totals) {
  CHECK((pool.capacity.empty() ? WideArea{0} : pool.capacity.front().area) == totals.capacity.count());
  CHECK(pool.by_jobs.area + pool.by_held.area + pool.by_tenants.area == totals.leased.count());
  WideArea by_tenants = 0;
  std::uint64_t preemptions = 0;
  std::uint64_t refusals = 0;
  std::uint64_t faults = 0;
  std::uint64_t withdrawn = 0;
  for (const ClassTotals& of_class : totals.classes) {
    by_tenants += of_class.leased_by_tenants.count();
    preemptions += of_class.preemptions;
    refusals += of_class.refusals;
    faults += of_class.faults;
    withdrawn += of_class.withdrawn;
  }
  CHECK(pool.by_tenants.area == by_tenants);
  CHECK(sum(pool.preempted) == preemptions);
  CHECK(sum(pool.refused) == refusals);
  CHECK(sum(pool.faults) == faults);
  CHECK(sum(pool.expired) <= withdrawn);
  CHECK(static_cast<std::uint64_t>(highest(pool.waiting_requests)) <= totals.peak_waiting);
  CHECK(pool.own_waiting_gpus.area <= pool.waiting_gpus.area);
}

// Of all recorded jobs, from release to the end and with a lease.
void check_jobs(const RunHistory& history, const RunRecord& record) {
  WideArea in_system = 0;
  WideArea leased = 0;
  for (std::uint64_t job = 0; job < record.jobs.size(); ++job) {
    const JobOutcome outcome = record.jobs.at(job);
    in_system += (outcome.finished - outcome.released).count();
    leased += outcome.leased.count();
  }
  CHECK(history.jobs_leasing.area == leased);
  CHECK(history.jobs_waiting.area == in_system - leased);
}

void check_history(const World& world, std::size_t strategy, std::uint64_t replication, std::size_t most) {
  const RunRecord record = simulate(world, strategy, replication);
  const RunHistory history = history_of(world, strategy, replication, most);
  CHECK(history.fingerprint == record.fingerprint);  // logs change nothing
  CHECK(history.end == record.end);
  CHECK(history.bins <= most);
  CHECK(kStart + history.bin * static_cast<std::int64_t>(history.bins) >= record.end);
  CHECK(kStart + history.bin * static_cast<std::int64_t>(history.bins - 1) <= record.end);
  REQUIRE(history.pools.size() == record.pools.size());
  for (std::size_t i = 0; i < record.pools.size(); ++i) {
    CHECK(index(history.pools[i].pool) == i);
    check_columns(history, history.pools[i]);
    check_pool(history.pools[i], record.pools[i]);
  }
  check_jobs(history, record);
}

}  // namespace

TEST_CASE("What a history adds up to is what the record has, in any world", "[history]") {
  for (std::uint64_t seed = 0; seed < 2'000; ++seed) {
    const World world = random_world(seed);
    CAPTURE(seed);
    check_history(world, world.strategies.size() - 1, seed % 3, seed % 7 == 0 ? 1 : 1 + seed % 60);
  }
}

TEST_CASE("What a history adds up to is what the record has, in shipped scenarios", "[history]") {
  for (const char* name :
       {"calendar", "fragmentation", "held-capacity", "partial-gangs", "quickstart", "spot-lifetimes"}) {
    CAPTURE(name);
    const Scenario scenario = load_scenario(std::string{STOCKOUT_SCENARIOS_DIR} + "/" + name + ".json");
    for (std::size_t s = 0; s < scenario.world.strategies.size(); ++s) {
      check_history(scenario.world, s, 1, kMostBins);
    }
  }
}

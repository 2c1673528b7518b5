// Pools over time: exact against the record's totals, and by hand.

#include <algorithm>
#include <numeric>

#include <catch2/catch.hpp>

#include "models/history/run_history.h"
#include "models/scenario/scenario.h"
#include "tests/support/runs/history_of.h"
#include "tests/support/worlds/random_world.h"
#include "tests/support/worlds/world_builder.h"

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

// A pool of 4 GPUs; two jobs of 3 GPUs and 90 min, both at 30 min: the second waits for the first.
TEST_CASE("A history by hand", "[history]") {
  WorldBuilder make;
  const PoolId pool = make.pool(4);
  make.leg({.policy = flex(), .places = {pool}});
  make.job({.at = 30min, .work = 90min, .gpus = 3});
  make.job({.at = 30min, .work = 90min, .gpus = 3});
  make.job({.at = 45min, .work = 1h, .gpus = 3, .max_wait = 30min});
  World world = make.build();
  world.window_end = kStart + 10h;
  const RunHistory history = history_of(world, 0, 0, 10);
  CHECK(history.bin == 1h);
  CHECK(history.bins == 10);
  const PoolHistory& of_pool = history.pools.at(0);
  const auto first = [](const auto& column, std::size_t count) {
    return std::vector<double>(column.begin(), column.begin() + static_cast<std::ptrdiff_t>(count));
  };
  CHECK(first(of_pool.capacity.at(0).mean, 2) == std::vector<double>{4, 4});
  CHECK(first(of_pool.by_jobs.mean, 5) == std::vector<double>{1.5, 3, 3, 1.5, 0});
  CHECK(first(of_pool.by_jobs.highest, 5) == std::vector<double>{3, 3, 3, 3, 0});
  CHECK(first(of_pool.free.mean, 5) == std::vector<double>{2.5, 1, 1, 2.5, 4});
  CHECK(first(of_pool.free.highest, 5) == std::vector<double>{4, 1, 1, 4, 4});
  CHECK(first(of_pool.waiting_requests.mean, 3) == std::vector<double>{0.75, 1.25, 0});
  CHECK(first(of_pool.waiting_requests.highest, 3) == std::vector<double>{2, 2, 0});
  CHECK(first(of_pool.waiting_gpus.mean, 3) == std::vector<double>{2.25, 3.75, 0});
  CHECK(of_pool.expired.own == std::vector<std::uint64_t>{0, 1, 0, 0, 0, 0, 0, 0, 0, 0});
  CHECK(of_pool.refused.own.empty());
  CHECK(first(history.jobs_waiting.mean, 3) == std::vector<double>{0.75, 1.25, 0});
  CHECK(first(history.jobs_leasing.mean, 3) == std::vector<double>{0.5, 1, 1});
}

// Taken back, refused and broken: each where it happened, to whom it happened.
TEST_CASE("Events are counted where and when they happened", "[history]") {
  WorldBuilder make;
  const PoolId pool = make.pool(2);
  make.step(pool, 10min, 0);
  make.step(pool, 70min, 2);
  make.leg({.policy = spot(), .places = {pool}});
  make.tenant_leg({.policy = spot(), .places = {pool}});
  make.job({.at = 0s, .work = 1h});
  make.job({.at = 20min, .work = 1h});
  make.tenant({.at = 0s, .work = 1h});
  World world = make.build();
  world.window_end = kStart + 2h;
  const RunHistory history = history_of(world, 0, 0, 2);
  const RunRecord record = simulate(world, 0, 0);
  check_history(world, 0, 0, 2);
  const PoolHistory& of_pool = history.pools.at(0);
  CHECK(sum(of_pool.preempted.own) == 1);
  CHECK(sum(of_pool.preempted.tenants) == 1);
  CHECK(of_pool.preempted.own.at(0) == 1);
  CHECK(of_pool.refused.own.at(0) >= 1);
  CHECK(of_pool.capacity.at(0).highest == std::vector<std::int64_t>{2, 2});
  CHECK(of_pool.capacity.at(0).mean.at(0) == Approx(2.0 / 6).epsilon(1e-15));
}

// Against a level kept by the second.
TEST_CASE("A level over bins that are joined is the level by the second", "[history]") {
  for (const std::size_t most : {1U, 2U, 7U, 60U, 400U}) {
    Bins bins{most, kStart + 10s};
    Level level;
    std::vector<std::int64_t> by_second;
    std::int64_t now = 5;
    level.change(now, kStart - 1h, bins);
    for (int second = 0; second < 5'000; ++second) {
      if (second * 7919 % 13 == 0) {
        const std::int64_t to = second * 31 % 17;
        const std::size_t joined = bins.reach(kStart + std::chrono::seconds{second} - 1ms);
        level.join(joined);
        level.change(to - now, kStart + std::chrono::seconds{second}, bins);
        now = to;
      }
      by_second.push_back(now);
    }
    const SimTime end = kStart + 5'000s;
    level.join(bins.reach(end - 1ms));
    const std::size_t count = bins.of(end - 1ms) + 1;
    CHECK(count <= most);
    const LevelHistory history = level.finish(end, bins, count);
    const auto seconds = static_cast<std::size_t>(bins.length() / 1s);
    REQUIRE(history.mean.size() == count);
    for (std::size_t bin = 0; bin < count; ++bin) {
      const auto begin = by_second.begin() + static_cast<std::ptrdiff_t>(bin * seconds);
      const auto rest = static_cast<std::size_t>(by_second.end() - begin);
      const auto last = begin + static_cast<std::ptrdiff_t>(std::min(seconds, rest));
      const auto total = std::accumulate(begin, last, std::int64_t{0});
      CHECK(history.mean[bin] == static_cast<double>(total) / static_cast<double>(last - begin));
      CHECK(history.highest[bin] == *std::max_element(begin, last));
    }
  }
}

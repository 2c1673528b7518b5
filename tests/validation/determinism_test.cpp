// Same inputs, same bits; and what one thing draws depends on nothing else. Source: design.md sections 1
// and 4.

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "models/simulation/simulate.h"
#include "models/world/world.h"
#include "tests/validation/pool_world.h"

using namespace stockout;
using namespace std::chrono_literals;

namespace {

constexpr SimDuration kWindow = 20 * 24h;

Source poisson_source(World& world, double per_hour, bool background) {
  SyntheticDemand demand;
  demand.arrivals = PoissonArrivals{.peak_per_hour = per_hour, .intensity = {}};
  demand.from = background ? world.begin : kStart;
  if (!background) demand.until = world.window_end;
  demand.shapes = {{.weight = 3, .shape = test::gang(world, 1)},
                   {.weight = 1, .shape = test::gang(world, 4)}};
  demand.work = {.kind = Law::Kind::lognormal, .a = 3h, .b = {}, .sigma = 1.0};
  Source source = test::make_source(background ? "tenants" : "jobs", demand);
  source.background = background;
  return source;
}

Policy with_start_up(Policy policy) {
  policy.start_up = {.kind = Law::Kind::exponential, .a = 5min};
  return policy;
}

/// Recorded jobs at 2 an hour and tenants at 3 an hour on one crowded pool of 40 GPUs. Strategy 0 refuses and
/// tries again, strategy 1 waits in the queue: their events come in different orders.
World crowded_world() {
  World world = test::generic_world();
  world.seed = 7;
  world.begin = kStart - 48h;
  world.window_end = kStart + kWindow;
  world.utc_offsets = {{.at = world.begin, .offset = {}}};
  world.sources.push_back(poisson_source(world, 2, false));
  world.sources.push_back(poisson_source(world, 3, true));
  const PoolId pool = test::add_zone_pool(world, 40, LeaseClass::flex, Discipline::first_fit);
  world.pools[0].capacity[0].classes = {false, true, true, true};
  world.pools[0].capacity[0].steps[0].at = world.begin;
  const PriceLineId line = test::add_price(world, pool, Charge::direct, {});
  world.price_lines[0].steps[0].from = world.begin;
  Policy retry = with_start_up(test::loss_policy());
  retry.retries = kUnlimited;
  retry.retry_interval = 20min;
  const Leg at_once = test::one_pool_leg(world, retry, pool, line);
  const Leg queue = test::one_pool_leg(world, with_start_up(test::queue_policy()), pool, line);
  world.sources[1].tenants = {test::make_strategy("at once", {at_once}),
                              test::make_strategy("queue", {queue})};
  world.sources[1].tenant_weights = {0.7, 0.3};
  world.strategies = {test::make_strategy("retry", {at_once}), test::make_strategy("queue", {queue})};
  return world;
}

/// Adds a second zone with its own jobs, which buy only there.
void add_zone(World& world) {
  const PoolId pool = test::add_zone_pool(world, 10, LeaseClass::flex, Discipline::first_fit);
  world.pools.back().capacity[0].steps[0].at = world.begin;
  const PriceLineId line = test::add_price(world, pool, Charge::direct, {});
  world.price_lines.back().steps[0].from = world.begin;
  Source tenants = poisson_source(world, 1, true);
  tenants.tenants = {
      test::make_strategy("queue", {test::one_pool_leg(world, test::queue_policy(), pool, line)})};
  tenants.tenant_weights = {1.0};
  world.sources.push_back(std::move(tenants));
}

struct Run {
  RunRecord record;
  std::vector<LeaseRow> leases;
};

Run run(const World& world, std::size_t strategy, std::uint64_t replication) {
  Run result;
  const Logs logs{.on_lease = [&](const LeaseRow& row) { result.leases.push_back(row); }};
  result.record = simulate(world, strategy, replication, logs);
  return result;
}

bool same(const JobOutcome& a, const JobOutcome& b) {
  return a.state == b.state && a.leg == b.leg && a.released == b.released && a.first_grant == b.first_grant &&
         a.finished == b.finished && a.start_delay == b.start_delay && a.leased == b.leased &&
         a.lost == b.lost && a.preemptions == b.preemptions;
}

/// Whether the first `count` jobs ended in the same way.
bool same_jobs(const JobRecord& a, const JobRecord& b, std::uint64_t count) {
  for (std::uint64_t job = 0; job < count; ++job) {
    if (!same(a.at(job), b.at(job))) return false;
  }
  return true;
}

bool same_usage(const UsageLedger& a, const UsageLedger& b) {
  if (a.keys() != b.keys()) return false;
  for (const UsageKey key : a.keys()) {
    const auto left = a.hours(key);
    const auto right = b.hours(key);
    const auto equal = [](const UsageHour& x, const UsageHour& y) {
      return x.hour == y.hour && x.used == y.used && x.billed == y.billed;
    };
    if (!std::ranges::equal(left, right, equal)) return false;
  }
  return true;
}

/// Start-up of each job's first lease, by number.
std::map<std::uint64_t, SimDuration> start_ups(const Run& run) {
  std::map<std::uint64_t, SimDuration> result;
  for (const LeaseRow& row : run.leases) {
    if (row.attempt == 1) result[row.job] = row.running - row.granted;
  }
  return result;
}

/// Recorded jobs out of a list, so that one can be appended.
World listed_world(std::size_t jobs) {
  World world = crowded_world();
  JobColumns columns;
  for (std::size_t i = 0; i < jobs; ++i) {
    columns.submit.push_back(kStart + static_cast<std::int64_t>(i) * 40min);
    columns.work.push_back(static_cast<std::int64_t>(1 + i % 7) * 1h);
    columns.shape.push_back(ShapeId{static_cast<std::uint32_t>(i % 2)});
  }
  columns.job_class.assign(jobs, ClassId{0});
  columns.user.assign(jobs, UserId{0});
  world.sources[0].demand = TraceDemand{std::make_shared<const JobColumns>(std::move(columns))};
  return world;
}

}  // namespace

TEST_CASE("The same seed gives the same record, bit for bit, and another replication another one",
          "[determinism]") {
  const World world = crowded_world();
  for (const std::size_t strategy : {std::size_t{0}, std::size_t{1}}) {
    const Run once = run(world, strategy, 3);
    const Run again = run(world, strategy, 3);
    CHECK(once.record.fingerprint == again.record.fingerprint);
    CHECK(once.record.jobs.size() == again.record.jobs.size());
    CHECK(same_jobs(once.record.jobs, again.record.jobs, once.record.jobs.size()));
    CHECK(same_usage(once.record.usage, again.record.usage));
    CHECK(once.record.events == again.record.events);
    CHECK(once.record.drew);
    CHECK(run(world, strategy, 4).record.fingerprint != once.record.fingerprint);
  }
}

TEST_CASE("A job draws the same under strategies whose events come in different orders", "[determinism]") {
  const World world = crowded_world();
  Run retry = run(world, 0, 0);
  const Run queue = run(world, 1, 0);
  REQUIRE(retry.record.jobs.size() == queue.record.jobs.size());
  REQUIRE(retry.record.fingerprint != queue.record.fingerprint);
  // Under the queue a job is granted in its first attempt. Under retries it may need several, whose draws are
  // others: compare the jobs that got in at once.
  const auto expected = start_ups(queue);
  std::size_t compared = 0;
  for (const auto& [job, start_up] : start_ups(retry)) {
    if (!expected.contains(job)) continue;
    CHECK(start_up == expected.at(job));
    ++compared;
  }
  CHECK(compared > retry.record.jobs.size() / 10);
  // Submission and work are drawn alike for every job.
  for (std::uint64_t job = 0; job < retry.record.jobs.size(); ++job) {
    REQUIRE(retry.record.jobs.at(job).released == queue.record.jobs.at(job).released);
  }
}

TEST_CASE("Appending a job changes no earlier draw", "[determinism]") {
  // The job is appended behind all others: until it comes, both runs must be the same, tenants included. Jobs
  // granted later compete with it, and are left out.
  constexpr std::size_t kJobs = 300;
  const World world = listed_world(kJobs);
  const World longer = listed_world(kJobs + 1);
  const SimTime appended = kStart + static_cast<std::int64_t>(kJobs) * 40min;
  const Run before = run(world, 0, 0);
  const Run after = run(longer, 0, 0);
  REQUIRE(after.record.jobs.size() == kJobs + 1);
  std::size_t compared = 0;
  for (std::uint64_t job = 0; job < kJobs; ++job) {
    if (before.record.jobs.at(job).first_grant >= appended) continue;
    CHECK(same(before.record.jobs.at(job), after.record.jobs.at(job)));
    ++compared;
  }
  CHECK(compared > kJobs / 2);
}

TEST_CASE("Adding a zone with its own tenants changes no other zone's path", "[determinism]") {
  const World world = crowded_world();
  World wider = crowded_world();
  add_zone(wider);
  for (const std::size_t strategy : {std::size_t{0}, std::size_t{1}}) {
    const Run before = run(world, strategy, 0);
    const Run after = run(wider, strategy, 0);
    REQUIRE(before.record.jobs.size() == after.record.jobs.size());
    CHECK(same_jobs(before.record.jobs, after.record.jobs, before.record.jobs.size()));
    CHECK(after.record.pools[1].leased > GpuTime{});
    const auto& left = before.record.pools[0];
    const auto& right = after.record.pools[0];
    for (std::size_t lease_class = 0; lease_class < kLeaseClasses; ++lease_class) {
      CHECK(left.classes[lease_class].requests == right.classes[lease_class].requests);
      CHECK(left.classes[lease_class].refusals == right.classes[lease_class].refusals);
    }
  }
}

// The bound with perfect foresight: worked by hand, and against all schedules of tiny worlds on a grid of
// hours.

#include <algorithm>
#include <cstdint>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "models/bound/bound_book.h"
#include "models/bound/flow_network.h"
#include "models/measures/measures.h"
#include "models/simulation/simulate.h"
#include "tests/support/random_choice.h"
#include "tests/support/worlds/world_builder.h"
#include "tools/stockout/cli.h"

using namespace stockout;
using namespace stockout::test;
using namespace std::chrono_literals;

namespace {

MachineHourPrice cents(std::int64_t count) { return MachineHourPrice{count * 10'000'000}; }

/// The price of every line of a pool, from the beginning.
void set_price(World& world, PoolId pool, MachineHourPrice price) {
  for (PriceLine& line : world.price_lines) {
    if (line.pool != pool) continue;
    line.steps = {{.from = kStart - 10'000h, .list = price, .contracted = price}};
  }
}

void add_price_step(World& world, PoolId pool, SimDuration at, MachineHourPrice price) {
  for (PriceLine& line : world.price_lines) {
    if (line.pool == pool) line.steps.push_back({.from = kStart + at, .list = price, .contracted = price});
  }
}

/// With a machine type, as measures need one.
World built(const WorldBuilder& make) {
  World world = make.build();
  world.gpu_types = {"any"};
  world.machines.resize(1);
  world.machines[0].gpus = GpuCount{1};
  return world;
}

/// Within one part in a million, and never above.
void check_is(double bound, double usd) {
  CAPTURE(bound, usd);
  CHECK(bound <= usd);
  CHECK(bound >= usd * (1 - 1e-6));
}

}  // namespace

TEST_CASE("A flow takes the cheap arc while it holds", "[bound]") {
  FlowNetwork network{4};
  network.add_arc(0, 2, 10, 0);
  network.add_arc(2, 3, 4, 1);
  network.add_arc(2, 1, 100, 5);
  network.add_arc(3, 1, 3, 1);
  CHECK(network.least_cost(3) == 6);
  CHECK(network.least_cost(10) == 6 + 7 * 5);
  CHECK_FALSE(network.least_cost(11));
  CHECK(network.least_cost(0) == 0);
}

TEST_CASE("A source has what it had at any time of the notice before", "[bound]") {
  World world;
  world.window_end = kStart + 10h;
  CapacitySource source;
  source.steps = {{.at = kStart, .gpus = GpuCount{5}},
                  {.at = kStart + 1h, .gpus = GpuCount{1}},
                  {.at = kStart + 2h, .gpus = GpuCount{3}},
                  {.at = kStart + 3h, .gpus = GpuCount{0}}};
  const Resource plain = Resource::of_source(world, source, 0, 0ms);
  CHECK(plain.area(kStart, kStart + 4h) == 9 * 3.6e6);
  CHECK(plain.most(kStart + 1h, kStart + 2h) == 1);
  CHECK(plain.least_if_any() == 1);
  // 5 to 2:30, 3 to 4:30, then nothing.
  const Resource noticed = Resource::of_source(world, source, 0, 90min);
  CHECK(noticed.area(kStart, kStart + 10h) == (5 * 2.5 + 3 * 2) * 3.6e6);
  CHECK(noticed.most(kStart + 4h + 29min, kStart + 5h) == 3);
  CHECK(noticed.most(kStart + 4h + 30min, kStart + 5h) == 0);
}

TEST_CASE("The bound of two jobs and one Spot machine, by hand", "[bound]") {
  WorldBuilder make;
  const PoolId cheap = make.pool(1);
  make.step(cheap, 2h, 0);
  const PoolId dear = make.pool(10);
  make.leg({.policy = spot(), .places = {cheap}});
  make.leg({.policy = on_demand(), .places = {dear}});
  make.job({.at = 0h, .work = 2h, .deadline = 2h});
  make.job({.at = 0h, .work = 1h, .deadline = 6h});
  World world = built(make);
  set_price(world, cheap, cents(100));
  set_price(world, dear, cents(400));

  // Two hours on Spot, whoever has them; one on demand.
  check_is(*bounds_of_all_jobs(world, nullptr, 0).any.with, 2 * 1 + 4);
  // What cannot be waited for is not cheaper for being cheap later; without deadlines it is.
  add_price_step(world, dear, 7h, cents(50));
  check_is(*bounds_of_all_jobs(world, nullptr, 0).any.with, 2 * 1 + 4);
  check_is(*bounds_of_all_jobs(world, nullptr, 0).any.without, 3 * 0.5);
  // A deadline that nobody can keep counts as none.
  world.price_lines[index(dear)].steps.pop_back();
  for (Leg& leg : world.strategies[0].legs)
    for (auto& candidates : leg.candidates) candidates[0].rate_ppm = 800'000;
  const AllJobsBounds slow = bounds_of_all_jobs(world, nullptr, 0);
  CHECK(slow.impossible == 1);
  check_is(*slow.any.with, (3 / 0.8 - 2) * 4 + 2);
  // With nothing but Spot there is not enough for all.
  world.strategies[0].legs.pop_back();
  add_price_step(world, cheap, 1h, cents(90));
  CHECK_FALSE(bounds_of_all_jobs(world, nullptr, 0).any.without);
}

TEST_CASE("Held capacity is paid as a whole by who holds it, and by the hour in any way of buying",
          "[bound]") {
  WorldBuilder make;
  const PoolId zone = make.pool(10);
  const PoolId held = make.held(zone, 1);
  make.leg({.policy = reservation(), .places = {held}, .limit = 0ms});
  make.leg({.policy = on_demand(), .places = {zone}});
  make.job({.at = 0min, .work = 3h});
  make.job({.at = 30min, .work = 1h});
  World world = built(make);
  set_price(world, zone, cents(400));
  set_price(world, held, cents(100));
  const RunRecord record = simulate(world, 0, 0);
  REQUIRE(record.end == kStart + 3h);
  const double cost = measure(world, 0, 0, record).total[Measure::cost].value;
  CHECK(cost == 3 * 1 + 4);
  const RunBounds bounds = bounds_of_run(world, nullptr, 0, 0, record, cost);
  CHECK(bounds.jobs == 2);
  check_is(bounds.own.without, 3 * 1 + 4);
  check_is(bounds.any.without, 4 * 1);
  check_is(*bounds_of_all_jobs(world, nullptr, 0).any.without, 4 * 1);
}

TEST_CASE("A job pays for its start, and what a commitment covers is free", "[bound]") {
  WorldBuilder make;
  const PoolId zone = make.pool(10);
  Policy policy = on_demand();
  policy.start_up = {.kind = Law::Kind::uniform, .a = 6min, .b = 10min};
  make.leg({.policy = policy, .places = {zone}});
  make.job({.work = 2h});
  World world = built(make);
  set_price(world, zone, cents(100));
  check_is(*bounds_of_all_jobs(world, nullptr, 0).any.without, 2.1);

  BillTerms terms;
  terms.commitments.emplace_back();
  terms.commitments[0].machines = MachineCount{1};
  terms.commitments[0].end = kStart + 90min;
  terms.commitments[0].contracted = cents(10);
  terms.coverage.push_back({.commitments = {0}, .lines = {PriceLineId{0}}});
  terms.other.emplace_back();
  terms.other[0].unit = CostUnit::gpu_hour;
  terms.other[0].price = cents(1000);
  world.end = RunEnd::time;
  world.window_end = kStart + 3h;
  // An hour and a half is covered and paid; half an hour is not; the fee is for all of it, the start too.
  const double sunk = 0.15;
  check_is(*bounds_of_all_jobs(world, &terms, 0).any.without, sunk + 0.5 + 10 * 2.1);
}

namespace {

constexpr std::size_t kHours = 4;

struct TinyJob {
  std::size_t submit = 0;
  std::size_t due = kHours;
  std::size_t work = 1;
  std::int64_t gpus = 1;
};

struct TinyWorld {
  std::vector<TinyJob> jobs;
  std::vector<std::int64_t> spot_gpus;   // by hour
  std::vector<std::int64_t> spot_cents;  // by hour
  std::int64_t on_demand_cents = 0;
};

TinyWorld random_tiny(Choice& choice, std::int64_t most_gpus) {
  TinyWorld tiny;
  for (std::int64_t jobs = choice.number(1, 3); jobs > 0; --jobs) {
    TinyJob job{.submit = static_cast<std::size_t>(choice.number(0, 3))};
    job.work = static_cast<std::size_t>(choice.number(1, static_cast<std::int64_t>(kHours - job.submit)));
    job.due =
        static_cast<std::size_t>(choice.number(static_cast<std::int64_t>(job.submit + job.work), kHours));
    job.gpus = choice.number(1, most_gpus);
    tiny.jobs.push_back(job);
  }
  for (std::size_t hour = 0; hour < kHours; ++hour) {
    tiny.spot_gpus.push_back(choice.number(0, 2));
    tiny.spot_cents.push_back(choice.number(1, 4) * 50);
  }
  tiny.on_demand_cents = choice.number(1, 4) * 75;
  return tiny;
}

World world_of(const TinyWorld& tiny) {
  WorldBuilder make;
  const PoolId cheap = make.pool(0);
  for (std::size_t hour = 0; hour < kHours; ++hour)
    make.step(cheap, static_cast<std::int64_t>(hour) * 1h, tiny.spot_gpus[hour]);
  const PoolId dear = make.pool(100);
  make.leg({.policy = spot(), .places = {cheap}});
  make.leg({.policy = on_demand(), .places = {dear}});
  const auto hours = [](std::size_t count) { return static_cast<std::int64_t>(count) * SimDuration{1h}; };
  for (const TinyJob& job : tiny.jobs)
    make.job({.at = hours(job.submit),
              .work = hours(job.work),
              .gpus = job.gpus,
              .deadline = hours(job.due - job.submit)});
  World world = built(make);
  world.window_end = kStart + hours(kHours);
  world.end = RunEnd::time;
  set_price(world, dear, cents(tiny.on_demand_cents));
  for (std::size_t hour = 0; hour < kHours; ++hour)
    add_price_step(world, cheap, hours(hour), cents(tiny.spot_cents[hour]));
  return world;
}

/// All ways to place the jobs from `next` on, hour by hour on Spot or on demand: the least cost in cents.
std::int64_t cheapest_schedule(const TinyWorld& tiny, std::size_t next, std::vector<std::int64_t> spot_left) {
  if (next == tiny.jobs.size()) return 0;
  const TinyJob& job = tiny.jobs[next];
  std::int64_t best = std::numeric_limits<std::int64_t>::max();
  for (int plan = 0; plan < 81; ++plan) {  // a digit of base 3 for each hour: idle, Spot, on demand
    std::vector<std::int64_t> left = spot_left;
    std::int64_t cost = 0;
    std::size_t worked = 0;
    bool valid = true;
    for (std::size_t hour = 0, rest = static_cast<std::size_t>(plan); hour < kHours; ++hour, rest /= 3) {
      if (rest % 3 == 0) continue;
      ++worked;
      valid = valid && hour >= job.submit && hour < job.due;
      if (rest % 3 == 1) left[hour] -= job.gpus;
      valid = valid && left[hour] >= 0;
      cost += job.gpus * (rest % 3 == 1 ? tiny.spot_cents[hour] : tiny.on_demand_cents);
    }
    if (!valid || worked != job.work) continue;
    best = std::min(best, cost + cheapest_schedule(tiny, next + 1, left));
  }
  return best;
}

}  // namespace

TEST_CASE("The bound is the least cost of all schedules where jobs of one GPU may stop and go on",
          "[bound]") {
  Choice choice{1};
  for (int i = 0; i < 300; ++i) {
    const TinyWorld tiny = random_tiny(choice, 1);
    CAPTURE(i);
    const AllJobsBounds bounds = bounds_of_all_jobs(world_of(tiny), nullptr, 0);
    REQUIRE(bounds.any.with);
    CHECK(bounds.impossible == 0);
    check_is(*bounds.any.with, static_cast<double>(cheapest_schedule(tiny, 0, tiny.spot_gpus)) / 100);
  }
}

TEST_CASE("The bound is never above the least cost of all schedules of gangs", "[bound]") {
  Choice choice{2};
  int tight = 0;
  for (int i = 0; i < 300; ++i) {
    const TinyWorld tiny = random_tiny(choice, 3);
    const double best = static_cast<double>(cheapest_schedule(tiny, 0, tiny.spot_gpus)) / 100;
    const AllJobsBounds bounds = bounds_of_all_jobs(world_of(tiny), nullptr, 0);
    CAPTURE(i, best);
    REQUIRE(bounds.any.with);
    CHECK(*bounds.any.with <= best);
    CHECK(*bounds.any.with >= 0.5 * best);
    if (*bounds.any.with > best * (1 - 1e-6)) ++tight;
  }
  CHECK(tight >= 150);
}

TEST_CASE("A bound over long cells stays below one over exact ones", "[bound]") {
  // Jobs of an hour, one every 20 minutes, due an hour and a half later: half of Spot comes too late for
  // them.
  const auto bound_of = [](std::int64_t jobs) {
    WorldBuilder make;
    const PoolId cheap = make.pool(0);
    for (std::int64_t hour = 0; hour < jobs / 3 + 2; ++hour)
      make.step(cheap, hour * 1h, hour % 6 < 3 ? 0 : 6);
    const PoolId dear = make.pool(1'000);
    make.leg({.policy = spot(), .places = {cheap}});
    make.leg({.policy = on_demand(), .places = {dear}});
    for (std::int64_t i = 0; i < jobs; ++i)
      make.job({.at = i * 20min, .work = 1h + i % 60 * 1s, .deadline = 3h});
    World world = built(make);
    world.window_end = kStart + jobs * 20min;
    set_price(world, cheap, cents(100));
    set_price(world, dear, cents(400));
    return bounds_of_all_jobs(world, nullptr, 0);
  };
  const AllJobsBounds few = bound_of(60);
  const AllJobsBounds many = bound_of(6'000);
  CHECK(few.cell == SimDuration::zero());
  CHECK(many.cell >= 1h);
  CHECK(*few.any.without < *few.any.with);
  CHECK(*many.any.with / 6'000 < *few.any.with / 60);
  CHECK(*many.any.with >= *many.any.without);
}

TEST_CASE("compare --lower-bound says it in every format, and nothing without it", "[bound]") {
  const std::string file = std::string{STOCKOUT_SCENARIOS_DIR} + "/deadline.json";
  const auto says = [&](std::vector<std::string> more) {
    std::vector<std::string> arguments{"compare", file, "--replications", "1", "--set", "/window=4d"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    std::ostringstream out;
    std::ostringstream err;
    Console console{.out = out, .err = err, .err_is_terminal = false};
    REQUIRE(run_cli(arguments, console) == ExitCode::done);
    return out.str();
  };
  CHECK_THAT(says({"--lower-bound"}), Catch::Contains("Unreachable bound: perfect foresight") &&
                                          Catch::Contains("Even with perfect foresight, the "));
  CHECK_THAT(says({"--lower-bound", "--format", "markdown"}), Catch::Contains("| all jobs | "));
  CHECK_THAT(says({}), !Catch::Contains("Unreachable"));
  CHECK_THAT(says({"--format", "csv"}), !Catch::Contains("bound_usd"));
  const std::string csv = says({"--lower-bound", "--by", "class", "--format", "csv"});
  const auto commas = [](const std::string& line) { return std::ranges::count(line, ','); };
  std::istringstream lines{csv};
  std::string header;
  std::getline(lines, header);
  CHECK_THAT(header, Catch::EndsWith(
                         ",bound_usd,bound_deadlines_usd,bound_own_ways_usd,"
                         "bound_own_ways_deadlines_usd,bound_all_usd,bound_all_deadlines_usd,fingerprint"));
  std::string line;
  while (std::getline(lines, line)) {
    if (line.find('"') == std::string::npos) CHECK(commas(line) == commas(header));
  }

  CHECK_FALSE(nlohmann::json::parse(says({"--format", "json"})).contains("lower_bound"));
  const auto json = nlohmann::json::parse(says({"--lower-bound", "--format", "json"}));
  const auto& bound = json.at("lower_bound");
  REQUIRE(bound.at("strategies").size() == 4);
  for (const auto& row : bound.at("strategies")) {
    const auto mean = [&](const char* name) { return row.at(name).at("mean").get<double>(); };
    CHECK(row.at("replications") == 1);
    CHECK(mean("any_way_usd") <= mean("any_way_deadlines_usd"));
    CHECK(mean("any_way_deadlines_usd") <= mean("own_ways_deadlines_usd") * (1 + 1e-6));
    CHECK(mean("own_ways_usd") <= mean("own_ways_deadlines_usd"));
    CHECK(mean("own_ways_deadlines_usd") <= mean("cost_usd"));
  }
  CHECK(bound.at("all_jobs").at("any_way_usd").at("mean").get<double>() > 0);
}

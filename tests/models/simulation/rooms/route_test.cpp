// Where a job may ask, and in which order.

#include <vector>

#include <catch2/catch.hpp>

#include "models/simulation/books/route.h"
#include "tests/models/simulation/rooms/floors.h"

using namespace stockout;
using namespace stockout::test;
using namespace std::chrono_literals;

namespace {

void set_price(World& world, PoolId pool, std::int64_t price) {
  world.price_lines[index(pool)].steps[0].contracted = MachineHourPrice{price};
}

// Pools of 8 GPUs at these prices, and jobs of one GPU that look at prices.
WorldBuilder priced(const std::vector<std::int64_t>& prices) {
  WorldBuilder make;
  for (const std::int64_t price : prices) set_price(make.world, make.pool(8), price);
  make.shape(1);
  make.world.strategies[0].cheapest_first = true;
  return make;
}

// The pools of a job's candidates in its first leg.
std::vector<PoolId> places(UpToBooks& floors, JobSlot job) {
  std::vector<PoolId> pools;
  for (const Candidate* candidate : floors.known.route.usable(floors.job(job), 0)) {
    pools.push_back(candidate->pool);
  }
  return pools;
}

}  // namespace

TEST_CASE("Places that could never hold a job are left out", "[rooms]") {
  WorldBuilder make;
  const PoolId small = make.pool(4);
  const PoolId grows = make.pool(4);
  const PoolId large = make.pool(8);
  const PoolId hosts = make.host_pool(4, 2);
  make.step(grows, 1h, 8);
  make.shape(6);
  make.leg({.policy = on_demand(), .places = {small, grows, large, hosts}, .machine_gpus = 6});
  UpToBooks floors{make.build()};
  const JobSlot job = floors.add_job({.gpus = 6});
  CHECK(places(floors, job) == std::vector{grows, large});
  CHECK(floors.known.route.is_possible(floors.job(job)));
}

TEST_CASE("A model's bound on machines leaves places out, too", "[rooms]") {
  WorldBuilder make;
  const PoolId pool = make.pool(8);
  make.shape(4);
  Policy bounded = on_demand();
  bounded.machines_max = GENERATE(3, 4);
  make.leg({.policy = bounded, .places = {pool}});
  UpToBooks floors{make.build()};
  const JobSlot job = floors.add_job({.gpus = 4});
  CHECK(floors.known.route.is_possible(floors.job(job)) == (bounded.machines_max == 4));
}

TEST_CASE("A held pool that is not in the run serves nobody", "[rooms]") {
  WorldBuilder make;
  const PoolId held = make.held(make.pool(8), 4);
  make.shape(1);
  make.leg({.policy = reservation(), .places = {held}});
  World world = make.build();
  const bool is_in_run = GENERATE(true, false);
  if (!is_in_run) world.strategies[0].held.clear();
  UpToBooks floors{world};
  const JobSlot job = floors.add_job({});
  CHECK(floors.known.route.is_usable(floors.job(job), 0) == is_in_run);
}

TEST_CASE("A held pool is over from its end on, or once it is closed", "[rooms]") {
  WorldBuilder make;
  const PoolId zone = make.pool(8);
  const PoolId held = make.held(zone, 4);
  make.shape(1);
  make.world.held[0].until = kStart + 10s;
  make.leg({.policy = reservation(), .places = {held}});
  UpToBooks floors{make.build()};
  Route& route = floors.known.route;
  const JobSlot job = floors.add_job({});
  CHECK_FALSE(route.is_over(zone));
  CHECK_FALSE(route.is_over(held));
  SECTION("by its end") { floors.go_to(10s); }
  SECTION("by being closed") { route.close(held); }
  CHECK(route.is_over(held));
  CHECK_FALSE(route.is_usable(floors.job(job), 0));
  CHECK_FALSE(route.is_over(zone));
}

TEST_CASE("Legs that are not open to a job's class are passed over", "[rooms]") {
  WorldBuilder make;
  const PoolId pool = make.pool(8);
  make.shape(1);
  make.world.classes.resize(2);
  for (const bool is_open : {false, true, false, true}) {
    make.leg({.policy = on_demand(), .places = {pool}, .classes = {true, is_open}});
  }
  UpToBooks floors{make.build()};
  JobState& job = floors.job(floors.add_job({.job_class = 1}));
  CHECK(floors.known.route.first_leg(job) == 1);
  job.asks.leg = 1;
  CHECK(floors.known.route.leg_after(job) == 3);
  job.asks.leg = 3;
  CHECK(floors.known.route.leg_after(job) == 4);
}

TEST_CASE("Where prices count, legs go by the cheapest of their places that serve", "[rooms]") {
  WorldBuilder make = priced({5, 3, 4, 1});
  make.leg({.policy = on_demand(), .places = {PoolId{0}}});
  make.leg({.policy = on_demand(), .places = {PoolId{1}, PoolId{0}}});
  make.leg({.policy = on_demand(), .places = {PoolId{2}}});
  make.leg({.policy = on_demand(), .places = {PoolId{3}}, .classes = {false}});
  UpToBooks floors{make.build()};
  JobState& job = floors.job(floors.add_job({}));
  floors.known.route.order_legs(job);
  std::vector<std::size_t> order;
  for (std::size_t leg = floors.known.route.first_leg(job); leg < 4;
       leg = floors.known.route.leg_after(job)) {
    order.push_back(leg);
    job.asks.leg = static_cast<std::uint8_t>(leg);
  }
  CHECK(order == std::vector<std::size_t>{1, 2, 0});
}

TEST_CASE("A price is that of the work: a faster place may be the cheaper", "[rooms]") {
  WorldBuilder make = priced({3, 5});
  make.leg({.policy = on_demand(), .places = {PoolId{0}}});
  make.leg({.policy = on_demand(), .places = {PoolId{1}}, .rate_ppm = 2 * kReferenceRate});
  UpToBooks floors{make.build()};
  JobState& job = floors.job(floors.add_job({}));
  floors.known.route.order_legs(job);
  CHECK(floors.known.route.first_leg(job) == 1);
}

TEST_CASE("Prices are those of now", "[rooms]") {
  WorldBuilder make = priced({3, 5});
  make.world.price_lines[0].steps.push_back({.from = kStart + 1h, .contracted = MachineHourPrice{9}});
  make.leg({.policy = on_demand(), .places = {PoolId{0}}});
  make.leg({.policy = on_demand(), .places = {PoolId{1}}});
  UpToBooks floors{make.build()};
  JobState& job = floors.job(floors.add_job({}));
  const bool is_late = GENERATE(false, true);
  if (is_late) floors.go_to(1h);
  floors.known.route.order_legs(job);
  CHECK(floors.known.route.first_leg(job) == (is_late ? 1 : 0));
}

TEST_CASE("Places are asked in their order, or where prices count the cheapest first", "[rooms]") {
  WorldBuilder make = priced({5, 3, 9, 3});
  make.leg({.policy = on_demand(), .places = {PoolId{0}, PoolId{1}, PoolId{2}, PoolId{3}}});
  const bool by_price = GENERATE(true, false);
  make.world.strategies[0].cheapest_first = by_price;
  UpToBooks floors{make.build()};
  JobState& job = floors.job(floors.add_job({}));
  std::vector<std::size_t> order;
  for (std::size_t place = floors.known.route.first_place(job); place < 4;) {
    order.push_back(place);
    job.asks.place = static_cast<std::uint16_t>(place);
    place = floors.known.route.place_after(job);
  }
  CHECK(order == (by_price ? std::vector<std::size_t>{1, 3, 0, 2} : std::vector<std::size_t>{0, 1, 2, 3}));
}

TEST_CASE("Tenants have strategies of their own", "[rooms]") {
  WorldBuilder make;
  const PoolId small = make.pool(1);
  const PoolId large = make.pool(8);
  make.leg({.policy = on_demand(), .places = {small}});
  make.tenant_leg({.policy = on_demand(), .places = {large}});
  make.tenant_leg({.policy = on_demand(), .places = {large}});
  make.tenant({.gpus = 8});
  UpToBooks floors{make.build()};
  JobState& job = floors.job(floors.add_job({.gpus = 8}));
  CHECK_FALSE(floors.known.route.is_possible(job));
  const std::uint32_t strategy = floors.known.route.first_of(SourceId{1});
  floors.known.route.assign(job, strategy);
  CHECK(job.route.strategy == &floors.world.sources[1].tenants[0]);
  CHECK(floors.known.route.is_possible(job));
  CHECK(floors.known.route.most_places() == 2);
}

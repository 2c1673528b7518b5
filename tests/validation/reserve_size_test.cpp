// How many machines to reserve, through the whole engine: what each number costs against Erlang's loss
// formula, and which is cheapest. Seeds were fixed before the first look.

#include <algorithm>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "models/simulation/simulate.h"
#include "models/theory/reserve_size.h"
#include "tests/validation/estimate.h"
#include "tests/validation/poisson_world.h"

using namespace stockout;
using namespace std::chrono_literals;

namespace {

constexpr std::size_t kReplications = 20;
constexpr double kJobs = 40'000;
constexpr double kWarmUp = 50;  // mean service times

// Jobs run wholly on the reservation if a machine is free when they come, else wholly on demand.
World reserved_world(double load, std::int64_t reserved) {
  World world =
      test::poisson_world({.load = load, .policy = test::loss_policy(), .jobs = kJobs, .warm_up = kWarmUp});
  world.pools[0].capacity.clear();
  if (reserved == 0) return world;
  const PoolId held = test::add_held_pool(world, PoolId{0}, reserved, Discipline::fifo);
  world.held[0].line = test::add_price(world, held, Charge::held, {});
  world.held[0].sublet = test::add_price(world, held, Charge::sublet, {});
  Policy policy = test::queue_policy();
  policy.held = true;
  policy.lease_class = LeaseClass::reserved;
  Strategy& strategy = world.strategies[0];
  strategy.held = {held};
  strategy.legs.insert(strategy.legs.begin(), test::one_pool_leg(world, policy, held, world.held[0].sublet));
  strategy.legs.front().limit = 0ms;
  return world;
}

// Mean number of machines on demand at a time, over jobs that come after the warm-up.
double on_demand(const World& world, std::uint64_t replication) {
  const JobRecord jobs = simulate(world, 0, replication).jobs;
  const SimDuration warm_up = std::chrono::duration_cast<SimDuration>(kWarmUp * test::kMeanService);
  const auto last_leg = world.strategies[0].legs.size() - 1;
  double run_ms = 0;
  for (std::uint64_t job = 0; job < jobs.size(); ++job) {
    const JobOutcome outcome = jobs.at(job);
    if (outcome.released - kStart < warm_up || outcome.leg != last_leg) continue;
    run_ms += static_cast<double>(outcome.leased.count());
  }
  return run_ms / static_cast<double>((world.window_end - kStart - warm_up).count());
}

}  // namespace

TEST_CASE("What each size of a reservation costs is Erlang's, and the cheapest is Moe's", "[validation]") {
  struct Case {
    double load;
    double reserved;
    std::vector<int> sizes;
  };
  std::vector<test::AgainstTheory> table;
  for (const Case& row :
       {Case{5, 0.4, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}}, {20, 0.6, {0, 5, 10, 14, 16, 18, 20, 24}}}) {
    const ReserveChoice choice{.load = row.load, .reserved = row.reserved, .on_demand = 1};
    int cheapest = 0;
    double least = row.load;
    for (const int size : row.sizes) {
      const World world = reserved_world(row.load, size);
      std::vector<double> costs;
      double mean = 0;
      for (std::uint64_t replication = 0; replication < kReplications; ++replication) {
        costs.push_back(row.reserved * size + on_demand(world, replication));
        mean += costs.back() / static_cast<double>(kReplications);
      }
      if (mean < least) {
        least = mean;
        cheapest = size;
      }
      table.push_back({"reserved " + std::to_string(size) + " at load " + std::to_string(row.load),
                       cost_of_kept_places(size, choice), costs});
    }
    INFO("load " << row.load);
    CHECK(cheapest == reserve_of_kept_places(choice));
    CHECK(std::abs(reserve_of_moved_places(choice) - cheapest) <= 1);
    CHECK(cost_of_moved_places(cheapest, choice) <= least);
  }
  test::check_jointly(table, 0.01);
}

// Mass reclaim against theory: shocks in common (Marshall and Olkin, J. Am. Stat. Assoc. 62, 1967). A gang of
// n machines, each of which goes with a shock with probability p, is hit by a share 1 - (1 - p)^n of the
// shocks. Machines that were taken one by one would hit it n p times as often as one machine.

#include <cmath>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "models/simulation/simulate.h"
#include "tests/validation/estimate.h"
#include "tests/validation/pool_world.h"

using namespace stockout;
using namespace std::chrono_literals;

namespace {

constexpr std::size_t kReplications = 20;
constexpr std::int64_t kShocks = 4'000;  // expected in each
const std::vector<std::int32_t> kGangs{1, 2, 4, 8};

// One gang of each size runs all the time, and starts again whenever it is reclaimed.
World shocked_world(double share) {
  World world = test::generic_world();
  world.seed = 20'261'122;
  world.window_end = kStart + kShocks * 1h;
  world.end = RunEnd::time;
  world.drain_limit = {};
  const PoolId zone = test::add_zone_pool(world, 15, LeaseClass::spot, Discipline::fifo);
  world.pools[0].mass_reclaim = MassReclaim{.every = {.kind = Law::Kind::exponential, .a = 1h},
                                            .share_ppm = static_cast<std::int32_t>(std::lround(share * 1e6))};
  JobColumns jobs;
  for (const std::int32_t gpus : kGangs) {
    jobs.submit.push_back(kStart);
    jobs.work.push_back(2 * kShocks * 1h);
    jobs.shape.push_back(test::gang(world, gpus));
    jobs.job_class.push_back(ClassId{0});
    jobs.user.push_back(UserId{0});
  }
  test::add_jobs(world, std::move(jobs));
  Policy policy = test::loss_policy();
  policy.lease_class = LeaseClass::spot;
  policy.restarts = kUnlimited;
  const PriceLineId line = test::add_price(world, zone, Charge::direct, {});
  world.strategies = {test::make_strategy("spot", {test::one_pool_leg(world, policy, zone, line)})};
  return world;
}

}  // namespace

TEST_CASE("Gangs are taken together as often as shocks in common say", "[validation]") {
  std::vector<test::AgainstTheory> table;
  for (const double share : {0.92, 0.3}) {
    const World world = shocked_world(share);
    std::vector<std::vector<double>> hits(kGangs.size());
    for (std::uint64_t replication = 0; replication < kReplications; ++replication) {
      const JobRecord jobs = simulate(world, 0, replication).jobs;
      for (std::size_t i = 0; i < kGangs.size(); ++i)
        hits[i].push_back(static_cast<double>(jobs.at(i).preemptions) / static_cast<double>(kShocks));
    }
    for (std::size_t i = 0; i < kGangs.size(); ++i) {
      table.push_back({"share " + std::to_string(share) + ", a gang of " + std::to_string(kGangs[i]),
                       1 - std::pow(1 - share, kGangs[i]), hits[i]});
    }
  }
  test::check_jointly(table, 0.04);
}

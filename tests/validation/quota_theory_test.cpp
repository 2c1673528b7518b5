// Quotas against queueing theory: a quota of c GPUs on a pool without bounds is a pool of c GPUs. If jobs are
// refused for want of it, Erlang's loss system; if they wait for it, M/M/c. Seeds were fixed before the first
// look; the table is judged as one (estimate.h), with the largest standard error of queueing_theory_test.cpp.

#include <cmath>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "models/theory/queues.h"
#include "tests/validation/estimate.h"
#include "tests/validation/poisson_world.h"

using namespace stockout;
using test::AgainstTheory;
using test::PoissonPool;

namespace {

constexpr std::size_t kReplications = 20;
constexpr double kStandardErrorMax = 0.04;

/// A world of Poisson jobs with a quota, and all the capacity that they want.
World quota_world(PoissonPool pool, WhenShort when_short, QuotaTaken taken_at) {
  const std::int32_t quota = pool.gpus;
  pool.gpus = 1'000'000;
  World world = test::poisson_world(pool);
  QuotaBucket& bucket = world.quotas.emplace_back();
  bucket.name = "quota";
  bucket.pools.fill({true});
  bucket.units.assign(world.machines.size(), 1);
  bucket.steps = {{.at = world.begin, .limit = quota}};
  world.strategies[0].quota = {.when_short = when_short, .taken_at = taken_at};
  return world;
}

double quota_wait(const JobOutcome& outcome) {
  return static_cast<double>(outcome.quota.wait.count()) / static_cast<double>(test::kMeanService.count());
}

}  // namespace

TEST_CASE("A quota that refuses loses as Erlang B says, one for which jobs wait holds them as Erlang C says",
          "[validation]") {
  std::vector<AgainstTheory> table;
  for (const auto& [servers, load] : {std::pair{3, 2.0}, {10, 6.0}, {10, 8.0}}) {
    const std::string name = " at load " + std::to_string(load) + " on " + std::to_string(servers);
    PoissonPool pool{.gpus = servers, .load = load, .policy = test::loss_policy()};
    pool.jobs = 30'000;
    pool.warm_up = 200;
    const World refusing = quota_world(pool, WhenShort::refuse, QuotaTaken::request);
    table.push_back({"lost" + name, erlang_b(servers, load),
                     test::replicate(refusing, pool.warm_up, kReplications, {{test::is_lost}})[0]});
    for (const QuotaTaken taken_at : {QuotaTaken::request, QuotaTaken::start}) {
      pool.policy = test::queue_policy();
      pool.jobs = 50'000;
      const World waiting = quota_world(pool, WhenShort::wait, taken_at);
      const auto results = test::replicate(waiting, pool.warm_up, kReplications,
                                           {{test::had_to_wait}, {test::wait}, {quota_wait}});
      table.push_back({"has to wait" + name, erlang_c(servers, load), results[0]});
      table.push_back({"waits" + name, mean_wait_mmc(servers, load), results[1]});
      table.push_back({"waits for quota" + name, mean_wait_mmc(servers, load), results[2]});
    }
  }
  REQUIRE(table.size() == 21);
  test::check_jointly(table, kStandardErrorMax);
}

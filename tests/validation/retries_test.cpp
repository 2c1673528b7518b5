// Refused jobs that ask again after a fixed time have no closed form, but bounds that hold for any number of
// tries and any pause; models/theory/README.md proves them. Seeds were fixed before the first look.

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "models/theory/queues.h"
#include "tests/validation/estimate.h"
#include "tests/validation/poisson_world.h"

using namespace stockout;
using test::Between;
using test::PoissonPool;

namespace {

struct Row {
  int servers;
  double load;
  Tries retries;
  double pause;  // in mean service times
  double jobs;
};

World retrying_world(const Row& row, double warm_up) {
  PoissonPool pool{.gpus = row.servers, .load = row.load, .policy = test::loss_policy()};
  pool.policy.retries = row.retries;
  pool.policy.retry_interval =
      SimDuration{std::llround(row.pause * static_cast<double>(test::kMeanService.count()))};
  pool.jobs = row.jobs;
  pool.warm_up = warm_up;
  return test::poisson_world(pool);
}

std::string name_of(const std::string& what, const Row& row) {
  return what + " at load " + std::to_string(row.load) + " on " + std::to_string(row.servers) + ", pause " +
         std::to_string(row.pause);
}

// One server that rests for the pause after every service.
double mean_wait_with_rests(double load, double pause) {
  const double service = 1 + pause;
  return service * mean_wait_mg1(load * service, 1 / (service * service));
}

constexpr double kWarmUp = 200;
constexpr std::size_t kReplications = 20;

}  // namespace

TEST_CASE("Jobs that ask again for ever wait longer than in a queue, and are refused at first no more often",
          "[validation]") {
  std::vector<Between> table;
  for (const Row& row : {Row{1, 0.5, kUnlimited, 0.5, 40'000},
                         {1, 0.5, kUnlimited, 0.1, 40'000},
                         {1, 0.7, kUnlimited, 0.05, 40'000},
                         {10, 8, kUnlimited, 1, 40'000},
                         {10, 8, kUnlimited, 0.05, 40'000}}) {
    const auto results = test::replicate(retrying_world(row, kWarmUp), kWarmUp, kReplications,
                                         {{test::had_to_wait}, {test::wait}});
    table.push_back({name_of("refused at first", row), erlang_b(row.servers, row.load),
                     erlang_c(row.servers, row.load), results[0]});
    const double most = row.servers == 1 ? mean_wait_with_rests(row.load, row.pause)
                                         : std::numeric_limits<double>::infinity();
    table.push_back({name_of("mean wait", row), mean_wait_mmc(row.servers, row.load), most, results[1]});
  }
  test::check_between_jointly(table, 0.04);
}

TEST_CASE("Jobs that ask a few times more are lost less often than without, and no fewer than must be",
          "[validation]") {
  std::vector<Between> table;
  for (const Row& row : {Row{10, 8, 1, 0.5, 60'000},
                         {10, 10, 3, 0.5, 60'000},
                         {10, 14, 5, 0.2, 60'000},
                         {10, 14, 5, 5, 60'000},
                         {3, 2, 2, 0.01, 60'000}}) {
    const auto results = test::replicate(retrying_world(row, kWarmUp), kWarmUp, kReplications,
                                         {{test::is_lost}, {test::had_to_wait}});
    const double blocked = erlang_b(row.servers, row.load);
    const double too_much = std::max(0.0, 1 - row.servers / row.load);
    table.push_back({name_of("lost", row), too_much, blocked, results[0]});
    const double most = row.load < row.servers ? erlang_c(row.servers, row.load) : 1;
    table.push_back({name_of("refused at first", row), blocked, most, results[1]});
  }
  test::check_between_jointly(table, 0.04);
}

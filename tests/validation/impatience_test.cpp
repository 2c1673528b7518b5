// Jobs whose own patience is exponential, through the whole engine, against Palm's queue (Erlang A): how many
// find no machine, how many give up, and how long all of them wait. Seeds were fixed before the first look.

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

struct Row {
  int servers;
  double load;
  double patience;  // the mean, in mean service times
  double jobs;
};

// From submission to the grant or to giving up, in mean service times.
double time_in_queue(const JobOutcome& outcome) {
  const SimTime end = outcome.first_grant == kNever ? outcome.finished : outcome.first_grant;
  return static_cast<double>((end - outcome.released).count()) /
         static_cast<double>(test::kMeanService.count());
}

World impatient_world(const PoissonPool& pool, double patience) {
  World world = test::poisson_world(pool);
  const double mean_ms = patience * static_cast<double>(test::kMeanService.count());
  std::get<SyntheticDemand>(world.sources[0].demand).max_wait = {.kind = Law::Kind::exponential,
                                                                 .a = SimDuration{std::llround(mean_ms)}};
  return world;
}

}  // namespace

TEST_CASE("Jobs of exponential patience wait and give up as in Palm's queue", "[validation]") {
  const std::vector<Row> rows{
      {1, 0.8, 0.5, 60'000}, {1, 2, 3, 60'000},    {10, 9, 1, 60'000},      {10, 9, 10, 120'000},
      {10, 12, 2, 60'000},   {64, 60, 1, 200'000}, {64, 80, 0.25, 100'000},
  };
  std::vector<AgainstTheory> table;
  for (const Row& row : rows) {
    PoissonPool pool{.gpus = row.servers, .load = row.load, .policy = test::queue_policy()};
    pool.jobs = row.jobs;
    pool.warm_up = 100;
    const auto results = test::replicate(impatient_world(pool, row.patience), pool.warm_up, 20,
                                         {{test::had_to_wait}, {test::is_lost}, {time_in_queue}});
    const ImpatientQueue queue = erlang_a(row.servers, row.load, row.patience);
    const std::string where = " at load " + std::to_string(row.load) + " on " + std::to_string(row.servers);
    table.push_back({"has to wait" + where, queue.has_to_wait, results[0]});
    table.push_back({"gives up" + where, queue.gives_up, results[1]});
    table.push_back({"mean wait" + where, queue.mean_wait, results[2]});
  }
  test::check_jointly(table, 0.04);
}

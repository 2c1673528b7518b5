// What is selected among the points of a sweep, against every candidate run often.

#include <algorithm>
#include <limits>
#include <numeric>

#include <catch2/catch.hpp>

#include "models/catalog/catalog.h"
#include "models/recommend/point_runs.h"
#include "tests/support/scratch_folder.h"

using namespace stockout;

namespace {

// One to four reserved machines, or on-demand ones in a zone that others nearly fill.
constexpr const char* kScenario = R"({
  "name": "how many to reserve", "start": "2026-08-03", "window": "7d", "seed": 5, "end": "drain",
  "prices_as_of": "2026-07-30", "replications": 1,
  "pools": [{"name": "zone", "family": "a3-highgpu", "place": "us-central1-a", "hosts": 10,
             "tenants": {"load": 0.7}}],
  "goal": {"wait_p": 90, "at_most": "4h"},
  "workload": [{"name": "training", "machine": "a3-highgpu-8g", "poisson": {"per_day": 8},
                "work": {"exponential": "5h"}}],
  "reservations": [{"name": "team", "machine": "a3-highgpu-8g", "place": "us-central1-a", "count": 2}],
  "strategies": [
    {"name": "reserved", "legs": [{"model": "reservation", "reservation": "team"}]},
    {"name": "on-demand", "legs": [{"model": "on_demand", "places": ["us-central1-a"]}]}]
})";

constexpr const char* kSweep = R"({"name": "counts", "scenario": "scenario.json",
  "vary": {"grid": [{"at": "/reservations/0/count", "name": "machines", "values": [1, 2, 3, 4]}]}})";

struct Mean {
  double cost = 0;
  double goal_met = 0;
  double work_done = 0;
};

std::vector<Mean> means_of(PointRuns& runs, std::size_t replications) {
  std::vector<std::size_t> all(runs.candidates().size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  std::vector<Mean> means;
  for (const auto& row : runs.observe(all, 0, replications, 0)) {
    Mean& mean = means.emplace_back();
    const auto count = static_cast<double>(row.size());
    for (const Observation& one : row) {
      mean.cost += one.cost / count;
      mean.goal_met += *one.met[kWaitGoal] / count;
      mean.work_done += *one.met[kSameWorkGoal] / count;
    }
  }
  return means;
}

}  // namespace

TEST_CASE("The purchase selected is the cheapest of those that meet the goal when all are run often",
          "[recommend]") {
  const test::ScratchFolder folder;
  static_cast<void>(folder.file("scenario.json", kScenario));
  const Sweep sweep = read_sweep(folder.file("sweep.json", kSweep));
  const Catalog catalog = Catalog::embedded();
  ScenarioCache cache;
  PointRuns often{sweep, catalog, cache};
  const std::vector<Mean> truth = means_of(often, 400);
  const double most_work = std::ranges::max(truth, {}, &Mean::work_done).work_done;
  double least = std::numeric_limits<double>::infinity();
  for (const Mean& mean : truth) {
    if (mean.goal_met >= 0.9 && mean.work_done >= 0.99 * most_work) least = std::min(least, mean.cost);
  }
  const PurchaseRules rules{.indifference = 500};
  PointRuns runs{sweep, catalog, cache};
  const Selection selection = select_purchase(runs, rules);
  REQUIRE(selection.chosen);
  CHECK(truth[*selection.chosen].cost <= least + rules.indifference);
  CHECK(truth[*selection.chosen].goal_met >= 0.9 - rules.goal_tolerance);
  const std::size_t longest = selection.standings[*selection.chosen].replications;
  CHECK(3 * runs.simulated() < truth.size() * longest);  // as many of each

  PurchaseRules alone = rules;
  alone.threads = 1;
  PointRuns again{sweep, catalog, cache};
  const Selection same = select_purchase(again, alone);
  CHECK(same.chosen == selection.chosen);
  for (std::size_t i = 0; i < same.standings.size(); ++i)
    CHECK(same.standings[i].replications == selection.standings[i].replications);
}

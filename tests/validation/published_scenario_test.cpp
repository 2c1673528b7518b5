// Published figures by the user's own way: a scenario file, the reader, the run, the measures.
// Source: figures.md F1, F9 and F13; the rules behind them stand in reserved_on_demand_test.cpp,
// fcfs_replay_test.cpp and agreed_policies_test.cpp, which replay the same traces without a file.

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "models/measures/measures.h"
#include "models/scenario/scenario.h"
#include "models/simulation/simulate.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/shared_data.h"

using namespace stockout;
using nlohmann::json;

namespace {

json trace_of(const std::string& path, const std::string& format) {
  return {{"file", std::filesystem::absolute(path).string()}, {"format", format}};
}

/// One pool of generic one-GPU machines and a queue without end.
json queue_scenario(const json& trace, int gpus, const std::string& discipline) {
  const json leg = {{"model", "flex_start"}, {"max_wait", "forever"}, {"run_max", "forever"}};
  return {
      {"name", "replay"},
      {"start", "2026-08-03"},
      {"prices_as_of", "2026-07-30"},
      {"drain_limit", "5000d"},
      {"replications", 1},
      {"prices", {{{"machine", "generic"}, {"usd_per_hour", 1}}}},
      {"workload", {{{"name", "jobs"}, {"machine", "generic"}, {"trace", trace}}}},
      {"pools", {{{"family", "generic"}, {"place", "generic"}, {"gpus", gpus}, {"discipline", discipline}}}},
      {"strategies", {{{"name", "queue"}, {"legs", {leg}}}}}};
}

/// A week in which a job starts at once on one of `reserved` machines, or else on demand.
json start_at_once_scenario(const json& trace, int reserved) {
  json scenario = queue_scenario(trace, 0, "fifo");
  scenario["grid"] = "5s";
  scenario["ties"] = "starts_first";
  scenario["hold_end"] = "last_start";
  scenario["billing"] = {{"step", "1ms"}, {"least", "0s"}};
  scenario["prices"] = {{{"machine", "generic"}, {"model", "on_demand"}, {"usd_per_hour", 0.0624}},
                        {{"machine", "generic"}, {"model", "spot"}, {"usd_per_hour", 0.01248}},
                        {{"machine", "generic"}, {"model", "cud_1y"}, {"usd_per_hour", 0.02496}}};
  scenario["pools"] = {{{"family", "generic"}, {"place", "generic"}, {"unlimited", true}}};
  json legs = {{{"model", "on_demand"}}};
  if (reserved > 0) {
    scenario["reservations"] = {{{"name", "base"},
                                 {"machine", "generic"},
                                 {"place", "generic"},
                                 {"count", reserved},
                                 {"commitment", "1y"},
                                 {"added_supply", true}}};
    legs.insert(legs.begin(), json({{"model", "reservation"}, {"reservation", "base"}, {"limit", "0s"}}));
  }
  scenario["strategies"] = {{{"name", "start at once"}, {"legs", legs}}};
  return scenario;
}

Values run(const json& scenario) {
  const test::ScratchFolder folder;
  const World world = load_scenario(folder.file("scenario.json", scenario.dump(1))).world;
  return measure(world, 0, 0, simulate(world, 0, 0)).total;
}

double seconds(const Values& values, Measure measure) {
  REQUIRE(values[measure].known == Value::Known::exact);
  return values[measure].value * 3600;
}

}  // namespace

TEST_CASE("A scenario file replays a Philly cluster first come first served to the printed digits",
          "[validation]") {
  const auto path = test::shared_path("traces/workloads/philly/philly_dev_vcs.csv.gz");
  if (!path) return;
  json trace = trace_of(*path, "philly");
  trace["only_users"] = {"b436b2"};
  const Values values = run(queue_scenario(trace, 128, "fifo"));
  CHECK(values[Measure::jobs].value == 7'423);
  CHECK(values[Measure::completed].value == 7'423);
  CHECK(std::abs(seconds(values, Measure::wait_mean) - 15'580.19) <= 0.005);
  CHECK(std::abs(seconds(values, Measure::wait_max) - 1'066'454) <= 1e-3);
}

TEST_CASE("A scenario file replays an SWF log first come first served to the printed digits",
          "[validation]") {
  const auto path = test::shared_path("traces/workloads/swf/hpc2n.swf");
  if (!path) return;
  const Values values = run(queue_scenario(trace_of(*path, "swf"), 240, "fifo"));
  CHECK(values[Measure::completed].value == 3'145);
  CHECK(std::abs(seconds(values, Measure::wait_mean) - 5'627.88) <= 0.005);
  CHECK(std::abs(seconds(values, Measure::wait_max) - 78'517) <= 1e-3);
}

TEST_CASE("A scenario file gives the waits that published simulators agree on", "[validation]") {
  struct Row {
    std::string discipline;
    double mean_wait_s;
    double half_digit;
  };
  const auto path = test::shared_path("traces/workloads/gaia/pai-100k.csv.gz");
  if (!path) return;
  json trace = trace_of(*path, "gaia_hours");
  trace["resolution"] = "1s";
  trace["first"] = 2'000;
  trace["clip_gpus"] = 128;
  for (const Row& row :
       {Row{"fifo", 106'882.2695, 0.5e-4}, Row{"first_fit", 1'798.0340, 0.5e-4},
        Row{"shortest_first_fit", 1'635.0740, 0.5e-4}, Row{"shortest", 28'224.042, 0.5e-3}}) {
    CAPTURE(row.discipline);
    const Values values = run(queue_scenario(trace, 128, row.discipline));
    CHECK(values[Measure::completed].value == 2'000);
    CHECK(std::abs(seconds(values, Measure::wait_mean) - row.mean_wait_s) <= row.half_digit + 1e-9);
  }
}

TEST_CASE("The shipped GAIA scenario costs and waits what was published and computed", "[validation]") {
  struct Row {
    std::string strategy;
    double cost_usd;
    double wait_h;
    double half_digit_usd = 0.5e-4;
    double half_digit_h = 0.5e-4;
  };
  const auto path = test::shared_path("traces/workloads/gaia/pai_1k.csv");
  if (!path) return;
  const World world = load_scenario(STOCKOUT_SCENARIOS_DIR "/gaia-reserved.json",
                                    {.overrides = {{"/workload/0/trace/file", *path}},
                                     .catalog_dir = {},
                                     .seed = {},
                                     .replications = {}})
                          .world;
  const std::vector<Row> rows{{"on-demand", 199.175860, 0, 1e-6},
                              {"up to 2 h on spot", 171.0886, 0},
                              {"3 reserved, else on-demand", 183.1644, 0},
                              {"6 reserved, else on-demand", 168.0979, 0},
                              {"9 reserved, else on-demand", 154.4162, 0},
                              {"12 reserved, else on-demand", 141.8876, 0},
                              {"wait for 3 reserved, else on-demand", 175.5111, 10.8279},
                              {"wait for 6 reserved, else on-demand", 154.1626, 10.2330},
                              {"wait for 9 reserved, else on-demand", 129.876, 9.0115, 0.5e-3},
                              {"wait for 12 reserved, else on-demand", 113.5957, 6.0973}};
  REQUIRE(world.strategies.size() == rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    CAPTURE(rows[i].strategy);
    CHECK(world.strategies[i].name == rows[i].strategy);
    const Values values = measure(world, i, 0, simulate(world, i, 0)).total;
    CHECK(std::abs(values[Measure::cost].value - rows[i].cost_usd) <= rows[i].half_digit_usd + 1e-9);
    CHECK(std::abs(values[Measure::wait_mean].value - rows[i].wait_h) <= rows[i].half_digit_h + 1e-9);
  }
}

TEST_CASE("A scenario file gives the published costs of reserved, on-demand and spot machines",
          "[validation]") {
  const auto path = test::shared_path("traces/workloads/gaia/pai_1k.csv");
  if (!path) return;
  const json trace = trace_of(*path, "gaia_seconds");
  const Values on_demand = run(start_at_once_scenario(trace, 0));
  CHECK(std::abs(on_demand[Measure::cost].value - 199.175860) <= 1e-6);
  struct Row {
    int reserved;
    double cost_usd;
  };
  for (const Row& row : {Row{3, 183.1644}, Row{6, 168.0979}, Row{9, 154.4162}, Row{12, 141.8876}}) {
    CAPTURE(row.reserved);
    const Values values = run(start_at_once_scenario(trace, row.reserved));
    CHECK(std::abs(values[Measure::cost].value - row.cost_usd) <= 0.5e-4 + 1e-9);
  }

  json by_length = trace;
  by_length["class_by_length"] = {{{"name", "short"}, {"up_to", "2h"}}, {{"name", "long"}}};
  json scenario = start_at_once_scenario(by_length, 0);
  scenario["strategies"][0]["legs"] = {{{"model", "spot"}, {"classes", {"short"}}},
                                       {{"model", "on_demand"}, {"classes", {"long"}}}};
  CHECK(std::abs(run(scenario)[Measure::cost].value - 171.0886) <= 0.5e-4 + 1e-9);
}

// Whose rules a report goes by, where its reader looks first.

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/support/answer.h"
#include "tests/support/scenarios/small_scenario.h"

using namespace stockout;
using Catch::Contains;

namespace {

constexpr const char* kUnnamed =
    "No orchestrator is named: retries, restarts and waits follow the rules of Vertex AI.";

}  // namespace

TEST_CASE("Without an orchestrator the first lines of a report name whose rules were used",
          "[cli][orchestrators]") {
  const test::ScratchFolder folder;
  const std::string file = folder.file("s.json", test::kSmallScenario);
  const std::string page = folder.path("page.html");
  const std::string said = test::stockout_says({"compare", file, "--full", "--report", page}).out;
  REQUIRE(said.find(kUnnamed) != std::string::npos);
  CHECK(said.find(kUnnamed) < said.find("Jobs, mean"));
  CHECK_THAT(said, Contains("rules of Vertex AI (`stockout catalog --orchestrators`)"));
  std::ifstream in{page};
  CHECK_THAT((std::string{std::istreambuf_iterator<char>{in}, {}}),
             Contains(std::string{"<p class=\"caution\">"} + kUnnamed));
  const auto json = nlohmann::json::parse(test::stockout_says({"compare", file, "--format", "json"}).out);
  CHECK(json["no_orchestrator"] == kUnnamed);
  CHECK(json["strategies"][0]["orchestrators"] == nlohmann::json::parse("[null]"));
  CHECK_THAT(test::stockout_says({"compare", file, "--format", "markdown"}).out, Contains(kUnnamed));
  CHECK_THAT(test::stockout_says({"validate", file}).out, Contains(kUnnamed));
}

TEST_CASE("With orchestrators a report lists them, and those strategies that name none are counted",
          "[cli][orchestrators]") {
  const test::ScratchFolder folder;
  const std::string file = folder.file("s.json", test::kSmallScenario);
  const auto json_of = [&](const std::string& strategies) {
    return nlohmann::json::parse(
        test::stockout_says({"compare", file, "--set", "/strategies=" + strategies, "--format", "json"}).out);
  };
  const std::string gke =
      R"({"name": "a", "orchestrator": "gke", "legs": [{"model": "spot"}, {"model": "on_demand", "orchestrator": "slurm"}]})";
  const auto named = json_of("[" + gke + "]");
  CHECK(named["no_orchestrator"] == "");
  CHECK(named["strategies"][0]["orchestrators"] == nlohmann::json::parse(R"(["gke", "slurm"])"));
  CHECK(json_of("[" + gke + R"(, {"name": "b", "legs": [{"model": "spot"}]}])")["no_orchestrator"] ==
        "No orchestrator is named in 1 of 2 strategies: retries, restarts and waits follow the rules of "
        "Vertex AI.");
  const std::string said =
      test::stockout_says({"compare", file, "--full", "--set", "/strategies=[" + gke + "]"}).out;
  CHECK_THAT(said, Contains("rules of GKE, Slurm") && !Contains("No orchestrator"));
}

TEST_CASE("A report says who gave way to whom in each scheduler, also of one strategy of several",
          "[cli][orchestrators]") {
  const std::string file = STOCKOUT_SCENARIOS_DIR "/slurm-flex.json";
  const std::vector<std::string> short_run{"--set", "/window=7d", "--set", "/warm_up=0d"};
  const auto json_of = [&](std::vector<std::string> command) {
    command.insert(command.end(), short_run.begin(), short_run.end());
    command.insert(command.end(), {"--format", "json"});
    return nlohmann::json::parse(test::stockout_says(command).out);
  };
  const auto compared = json_of({"compare", file, "--set", "/replications=2"});
  for (const char* strategy : {"Slurm, flex nodes behind them", "Kueue, DWS behind them"}) {
    CAPTURE(strategy);
    const bool by_slurm = std::string{strategy}.starts_with("Slurm");
    const auto alone = json_of({"run", file, "--strategy", strategy});
    const auto& all = compared["strategies"];
    const auto among =
        std::find_if(all.begin(), all.end(), [&](const auto& one) { return one["name"] == strategy; });
    for (const auto& told : {alone["strategies"][0], *among}) {
      const auto rows =
          told.value(by_slurm ? "slurm_preemptions" : "kueue_evictions", nlohmann::json::array());
      REQUIRE_FALSE(rows.empty());
      CHECK_FALSE(told.contains(by_slurm ? "kueue_evictions" : "slurm_preemptions"));
      CHECK(rows[0][by_slurm ? "partition" : "queue"] == "research");
      CHECK(rows[0]["by"] == "product");
      CHECK(rows[0]["times"] > 0);
    }
  }
  CHECK(compared["slurm_preemptions"].size() == 2);
  CHECK(compared["slurm_preemptions"][0]["mode"] == "REQUEUE");
}

TEST_CASE("A report shows exits of workers, and what is random and assumed about them",
          "[cli][orchestrators]") {
  const test::ScratchFolder folder;
  const std::string file = folder.file("s.json", test::kSmallScenario);
  const auto said = [&](const std::string& exits) {
    return test::stockout_says({"compare", file, "--full", "--set", "/workload/0/exits=" + exits}).out;
  };
  const std::string random = said(R"({"after": {"exponential": "30min"}})");
  CHECK_THAT(random, Contains("worker") && Contains("exits of workers of: jobs") &&
                         Contains("class jobs: when a worker exits"));
  CHECK_THAT(said(R"({"after": "30min", "permanent": 1})"), !Contains("exits of workers of"));
  CHECK_THAT(test::stockout_says({"compare", file, "--full"}).out, !Contains("worker"));
}

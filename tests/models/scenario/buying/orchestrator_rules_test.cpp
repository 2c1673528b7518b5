// The rules that an orchestrator gives to a leg, what a scenario may make of them, and what it is told.

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include "models/catalog/orchestrators.h"
#include "models/consumption/orchestrator_rules.h"
#include "tests/support/scenarios/small_scenario.h"

using namespace stockout;
using namespace std::chrono_literals;
using Catch::Contains;

namespace {

const Catalog& embedded() {
  static const Catalog catalog = Catalog::embedded();
  return catalog;
}

// The small scenario's one strategy with this text; each reservation holds by its model.
Scenario scenario_with(const std::string& strategy,
                       const std::string& models = R"({"all": {"start_up": "1min"}})",
                       const std::string& held = "reservation") {
  const test::ScenarioLoader loader;
  std::string capacity = fmt::format(
      R"({{"name": "held", "machine": "generic", "place": "generic", "count": 2, "model": "{}")", held);
  if (held == "persistent_resource") capacity += R"(, "least": 1)";
  if (held == "future_reservation") capacity += R"(, "from": "2026-08-03", "until": "2027-09-03")";
  return loader.small(
      {{"/models", models}, {"/reservations/0", capacity + "}"}, {"/strategies/0", strategy}});
}

std::string strategy_of(std::string_view orchestrator, std::string_view model, const std::string& more = "") {
  const bool is_held = find_policy(model)->held;
  return fmt::format(R"({{"name": "s", "orchestrator": "{}", "legs": [{{"model": "{}"{}{}}}]}})",
                     orchestrator, model, is_held ? R"(, "reservation": "held")" : "", more);
}

Leg leg_of(std::string_view orchestrator, std::string_view model, const std::string& more = "") {
  const bool is_held = find_policy(model)->held;
  return scenario_with(strategy_of(orchestrator, model, more), R"({"all": {"start_up": "1min"}})",
                       is_held ? std::string{model} : "reservation")
      .world.strategies[0]
      .legs[0];
}

std::string error_of(const std::string& strategy, const std::string& models = "{}") {
  return test::error_in([&] { static_cast<void>(scenario_with(strategy, models)); });
}

std::string warnings_of(const std::string& strategy) {
  return fmt::format("{}", fmt::join(scenario_with(strategy).warnings, "\n"));
}

}  // namespace

TEST_CASE("Each rule of an orchestrator is the default of its legs", "[orchestrators]") {
  for (const OrchestratorRule& rule : orchestrator_rules()) {
    const std::string_view name = kOrchestratorNames[static_cast<std::size_t>(rule.orchestrator)];
    CAPTURE(name, rule.model, rule.sets.key);
    const Leg leg = leg_of(name, rule.model.empty() ? "on_demand" : rule.model);
    CHECK(leg.orchestrator == rule.orchestrator);
    CHECK(std::visit([&](const auto& sets) { return leg.policy.*(sets.field) == sets.value; },
                     rule.sets.field));
  }
}

TEST_CASE("The rules in numbers", "[orchestrators]") {
  const auto [orchestrator, model, retries, pause, restarts, run_max] =
      GENERATE(table<std::string, std::string, Tries, SimDuration, Tries, SimDuration>({
          {"vertex", "on_demand", 3, 5min, kUnlimited, 168h},
          {"vertex", "spot", 3, 5min, 6, 168h},
          {"compute_engine", "on_demand", 0, 5min, kUnlimited, kForever},
          {"compute_engine", "spot", 0, 5min, 0, kForever},
          {"gke", "on_demand", kUnlimited, 5min, kUnlimited, kForever},
          {"gke", "spot", kUnlimited, 5min, 6, kForever},
          {"slurm", "on_demand", kUnlimited, 121s, kUnlimited, kForever},
          {"slurm", "spot", kUnlimited, 121s, kUnlimited, kForever},
      }));
  CAPTURE(orchestrator, model);
  const Policy policy = leg_of(orchestrator, model).policy;
  CHECK(policy.retries == retries);
  CHECK(policy.retry_interval == pause);
  CHECK(policy.restarts == restarts);
  CHECK(policy.run_max == run_max);
}

TEST_CASE("Flex Start waits as long as its orchestrator lets it", "[orchestrators]") {
  CHECK(leg_of("vertex", "flex_start").policy.max_wait == 24h);
  CHECK(leg_of("vertex", "flex_start", R"(, "max_wait": "0s")").policy.max_wait == kForever);
  CHECK(leg_of("compute_engine", "flex_start_vm").policy.max_wait == 2h);
  CHECK(leg_of("gke", "flex_start_mig").policy.max_wait == kForever);
  CHECK(leg_of("slurm", "flex_start_slurm").policy.max_wait == 65'535s);
}

TEST_CASE("Without an orchestrator a leg has the model's own row", "[orchestrators]") {
  for (const char* model : {"on_demand", "spot", "flex_start", "flex_start_mig"}) {
    const Leg leg = scenario_with(fmt::format(R"({{"name": "s", "legs": [{{"model": "{}"}}]}})", model), "{}")
                        .world.strategies[0]
                        .legs[0];
    CAPTURE(model);
    CHECK_FALSE(leg.orchestrator);
    CHECK(leg.policy.retries == find_policy(model)->retries);
    CHECK(leg.policy.restarts == find_policy(model)->restarts);
    CHECK(leg.policy.max_wait == find_policy(model)->max_wait);
    CHECK(leg.policy.run_max == find_policy(model)->run_max);
  }
}

TEST_CASE("A key of the scenario wins over the orchestrator", "[orchestrators]") {
  CHECK(leg_of("gke", "spot", R"(, "retries": 2, "run_max": "1d")").policy.retries == 2);
  CHECK(leg_of("gke", "spot", R"(, "retries": 2, "run_max": "1d")").policy.run_max == 24h);
  const Scenario scenario =
      scenario_with(strategy_of("compute_engine", "spot"), R"({"spot": {"restarts": 9}})");
  CHECK(scenario.world.strategies[0].legs[0].policy.restarts == 9);
  CHECK(scenario.world.strategies[0].legs[0].policy.retries == 0);
}

TEST_CASE("A leg's orchestrator goes before that of its strategy", "[orchestrators]") {
  const Strategy strategy = scenario_with(R"({"name": "s", "orchestrator": "vertex", "legs": [
      {"model": "spot"}, {"model": "flex_start_mig", "orchestrator": "compute_engine"},
      {"model": "on_demand", "orchestrator": "gke"}]})")
                                .world.strategies[0];
  CHECK(strategy.legs[0].policy.restarts == 6);
  CHECK(strategy.legs[1].orchestrator == OrchestratorName::compute_engine);
  CHECK(strategy.legs[2].policy.retries == kUnlimited);
  CHECK_THAT(error_of(R"({"name": "s", "orchestrator": "gke", "legs": [
      {"model": "flex_start_mig"}, {"model": "flex_start", "orchestrator": "slurm"}]})"),
             Contains("/strategies/0/legs/1/model: slurm never takes flex_start"));
  // A pair that Vertex AI does not take for one job is none if two orchestrators have one each.
  CHECK(error_of(R"({"name": "s", "orchestrator": "vertex", "legs": [
      {"model": "reservation", "reservation": "held", "orchestrator": "compute_engine", "limit": "0s"},
      {"model": "flex_start"}]})")
            .empty());
}

TEST_CASE("Who tries for ever does so in the last leg of a job, else no job would come to the next",
          "[orchestrators]") {
  const auto retries_of = [](const std::string& legs, const std::string& models = "{}") {
    const Scenario scenario =
        scenario_with(R"({"name": "s", "orchestrator": "gke", "legs": [)" + legs + "]}", models);
    std::vector<Tries> retries;
    for (const Leg& leg : scenario.world.strategies[0].legs) retries.push_back(leg.policy.retries);
    return retries;
  };
  CHECK(retries_of(R"({"model": "spot"}, {"model": "on_demand"})") == std::vector<Tries>{0, kUnlimited});
  CHECK(retries_of(R"({"model": "spot", "retries": 4}, {"model": "on_demand"})") ==
        std::vector<Tries>{4, kUnlimited});
  CHECK(retries_of(R"({"model": "spot"}, {"model": "on_demand"})", R"({"spot": {"retries": "unlimited"}})") ==
        std::vector<Tries>{kUnlimited, kUnlimited});
}

TEST_CASE("A bound that the provider enforces is an error with the bound and its source", "[orchestrators]") {
  CHECK_THAT(
      error_of(strategy_of("vertex", "flex_start", R"(, "run_max": "8d")")),
      Contains("/strategies/0/legs/0/run_max: Flex Start runs for 10min to 7d, not 8d (Vertex AI training "
               "documentation of 2026-08"));
  CHECK_THAT(error_of(strategy_of("vertex", "flex_start"), R"({"flex_start": {"run_max": "20d"}})"),
             Contains("/models/flex_start/run_max: Flex Start runs for 10min to 7d, not 20d"));
  CHECK_THAT(error_of(strategy_of("slurm", "flex_start_slurm", R"(, "max_wait": "19h")")),
             Contains("/legs/0/max_wait: Slurm's longest resume time is 65535s, not 19h") &&
                 Contains("cluster-toolkit"));
  CHECK_THAT(error_of(strategy_of("gke", "flex_start_mig", R"(, "machines_max": 1001)")),
             Contains("/legs/0/machines_max: one request of flex_start_mig is for at most 1000 VMs (GKE"));
}

TEST_CASE("An assumed bound is a warning", "[orchestrators]") {
  CHECK_THAT(warnings_of(strategy_of("vertex", "flex_start", R"(, "run_max": "5min")")),
             Contains("flex_start runs for at most 5min; Flex Start runs for 10min to 7d"));
  CHECK_THAT(warnings_of(R"({"name": "s", "legs": [{"model": "flex_start", "run_max": "8d"}]})"),
             Contains("flex_start runs for at most 8d; Flex Start runs for 10min to 7d"));
  CHECK_THAT(warnings_of(strategy_of("vertex", "on_demand", R"(, "run_max": "8d")")), !Contains("8d"));
}

TEST_CASE("More tries than an orchestrator makes of itself are a warning", "[orchestrators]") {
  CHECK_THAT(warnings_of(strategy_of("vertex", "on_demand", R"(, "retries": "unlimited")")),
             Contains("strategy \"s\", on_demand: \"retries\" is more than Vertex AI's own, 3"));
  CHECK_THAT(warnings_of(strategy_of("compute_engine", "spot", R"(, "restarts": 1)")),
             Contains("\"restarts\" is more than Compute Engine's own, 0"));
  CHECK_THAT(warnings_of(strategy_of("vertex", "on_demand", R"(, "retries": 2)")), !Contains("retries"));
  CHECK_THAT(warnings_of(strategy_of("slurm", "spot", R"(, "restarts": 9)")), !Contains("restarts"));
  CHECK_THAT(warnings_of(R"({"name": "s", "legs": [{"model": "on_demand", "retries": 9}]})"),
             !Contains("retries"));
}

TEST_CASE("Vertex AI tries what a reservation cannot hold in its zone only", "[orchestrators]") {
  const auto warnings = [](const std::string& orchestrator) {
    const test::ScenarioLoader loader;
    const std::string strategy = R"({"name": "s", "orchestrator": ")" + orchestrator + R"(", "legs": [
        {"model": "reservation", "reservation": "team", "limit": "0s"}, {"model": "on_demand"}]})";
    return fmt::format(
        "{}",
        fmt::join(loader
                      .small({{"/pools", R"([{"family": "a3-highgpu", "place": "us-central1-a", "hosts": 4},
                                             {"family": "a3-highgpu", "place": "us-east4-b", "hosts": 4}])"},
                              {"/workload/0/machine", R"("a3-highgpu-8g")"},
                              {"/reservations", R"([{"name": "team", "machine": "a3-highgpu-8g",
                                                     "place": "us-central1-a", "count": 2}])"},
                              {"/strategies/0", strategy}})
                      .warnings,
                  "\n"));
  };
  CHECK_THAT(warnings("vertex"),
             Contains("in its zone, us-central1-a, and nowhere else; on_demand asks elsewhere"));
  CHECK_THAT(warnings("gke"), !Contains("nowhere else"));
}

TEST_CASE("Orchestrators that differ about quota need a word on it", "[orchestrators]") {
  const auto error = [](const std::string& more) {
    const test::ScenarioLoader loader;
    const std::string strategy =
        R"({"name": "s", "orchestrator": "vertex", "legs": [{"model": "spot"},
            {"model": "on_demand", "orchestrator": "gke"}])" +
        more + "}";
    return test::error_in([&] {
      static_cast<void>(
          loader.small({{"/quota", R"({"limits": [{"limit": 4}]})"}, {"/strategies/0", strategy}}));
    });
  };
  CHECK_THAT(error(""), Contains("/strategies/0/legs: the orchestrators of the legs differ"));
  CHECK(error(R"(, "quota": {"when_short": "wait"})").empty());
}

TEST_CASE("Stock-outs, preemptions, internal errors and exits of workers have bounds of their own",
          "[orchestrators]") {
  const Policy vertex = leg_of("vertex", "spot").policy;
  CHECK(vertex.retries == 3);
  CHECK(vertex.restarts == 6);
  CHECK(vertex.fault_restarts == 2);
  CHECK(vertex.worker_restarts == 5);
  CHECK(vertex.exit_restarts == 3);
  const Policy slurm = leg_of("slurm", "spot").policy;
  CHECK_FALSE(slurm.fault_restarts.has_value());
  CHECK(slurm.worker_restarts == 0);
  CHECK(slurm.exit_restarts == 0);
  const Policy own = leg_of("vertex", "on_demand",
                            R"(, "fault_restarts": "unlimited", "worker_restarts": 0, "exit_restarts": 1)")
                         .policy;
  CHECK(own.fault_restarts == kUnlimited);
  CHECK(own.worker_restarts == 0);
  CHECK(own.exit_restarts == 1);
  CHECK_THAT(warnings_of(strategy_of("vertex", "on_demand", R"(, "fault_restarts": 4, "exit_restarts": 4)")),
             Contains("\"fault_restarts\" is more than Vertex AI's own, 2") &&
                 Contains("\"exit_restarts\" is more than Vertex AI's own, 3"));
}

TEST_CASE("Every rule is about a model that its orchestrator takes, and has a source", "[orchestrators]") {
  for (const OrchestratorRule& rule : orchestrator_rules()) {
    CAPTURE(rule.model, rule.sets.key, rule.from.source);
    CHECK(embedded().sources().contains(rule.from.source));
    if (rule.model.empty()) continue;  // of all models
    REQUIRE(find_policy(rule.model) != nullptr);
    CHECK(why_not(embedded(), rule.orchestrator, rule.model, *parse_date("2026-08-03")).empty());
    CHECK((rule.from.confidence == "documented" || rule.from.confidence == "secondary" ||
           !rule.from.note.empty()));
  }
  for (const Policy& row : policy_table()) {
    CAPTURE(row.name);
    CHECK((row.bounds.product.empty() || embedded().sources().contains(row.bounds.source)));
  }
}

TEST_CASE("On Vertex AI a Flex Start job has machines of one size", "[orchestrators]") {
  const test::ScratchFolder folder;
  const std::string trace = folder.file("jobs.csv", "submit,duration,gpus\n2026-08-03 12:00:00,3600,11\n");
  const auto candidate = [&](std::string_view orchestrator, std::string_view model) {
    const Scenario scenario = test::ScenarioLoader{}.small(
        {{"/prices", "[]"},
         {"/reservations", "[]"},
         {"/pools/0", R"({"family": "a3-highgpu", "place": "us-central1-a", "gpus": 64})"},
         {"/workload/0", R"({"name": "jobs", "gpu": "H100-80GB",
                             "trace": {"format": "csv", "gpus_per_node": 8, "file": ")" +
                             trace + R"("}})"},
         {"/strategies/0", strategy_of(orchestrator, model)}});
    return scenario.world.strategies[0].legs[0].candidates.at(0).at(0);
  };
  const Candidate alike = candidate("vertex", "flex_start");
  CHECK(alike.parts[0].machines == 2);
  CHECK(alike.parts[1].machines == 0);
  CHECK(alike.gpus == GpuCount{16});
  CHECK(alike.unused == GpuCount{5});
  const Candidate smaller = candidate("compute_engine", "flex_start_mig");
  CHECK(smaller.parts[0].machines == 1);
  CHECK(smaller.parts[1].machines == 1);
  CHECK(smaller.gpus == GpuCount{12});  // the last on a machine of four
  CHECK(candidate("vertex", "spot").gpus == GpuCount{12});
}

// Slurm of a scenario file: parts of node sets, nodes that stay on, and what has no effect.

#include <algorithm>
#include <string>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include "tests/support/scenarios/small_scenario.h"

using namespace stockout;
using namespace std::chrono_literals;
using Catch::Contains;

namespace {

const std::string kLeg =
    R"({"name": "s", "orchestrator": "slurm",
        "legs": [{"model": "reservation", "reservation": "held", "partition": "p"}]})";
const std::string kNodes =
    R"({"name": "nodes", "model": "slurm_nodes", "machine": "generic", "place": "generic", "count": 3})";

std::string slurm_with(const std::string& set, const std::string& partition = "") {
  return R"({"node_sets": [{"name": "set", )" + set + R"(}],
             "partitions": [{"name": "p", "node_set": "set")" +
         partition + "}]}";
}

Scenario on_held(const std::string& partition, std::vector<Override> more = {}) {
  more.push_back({"/slurm", slurm_with(R"("reservation": "held")", partition)});
  more.push_back({"/strategies/0", kLeg});
  return test::ScenarioLoader{}.small(std::move(more));
}

Scenario on_slurm_nodes(const std::string& set, const std::string& node_pool = kNodes) {
  return test::ScenarioLoader{}.small({{"/reservations/0", node_pool},
                                       {"/slurm", slurm_with(R"("reservation": "nodes")" + set)},
                                       {"/strategies/0", R"({"name": "s", "orchestrator": "slurm",
           "legs": [{"model": "slurm_nodes", "reservation": "nodes", "partition": "p"}]})"}});
}

std::vector<slurm::NodeIndex> nodes_of(const Scenario& scenario) {
  return scenario.world.slurm->configuration.partitions[0].nodes;
}

}  // namespace

TEST_CASE("A partition has nodes of its set in a row", "[scenario]") {
  using Nodes = std::vector<slurm::NodeIndex>;
  CHECK(nodes_of(on_held("")) == Nodes{0, 1});
  CHECK(nodes_of(on_held(R"(, "nodes": 1)")) == Nodes{0});
  CHECK(nodes_of(on_held(R"(, "first_node": 2)")) == Nodes{1});
  CHECK_THAT(test::error_in([] { static_cast<void>(on_held(R"(, "first_node": 3)")); }),
             Contains("/slurm/partitions/0/first_node: goes beyond the 2 nodes of \"set\""));
  CHECK_THAT(test::error_in([] { static_cast<void>(on_held(R"(, "first_node": 2, "nodes": 2)")); }),
             Contains("/slurm/partitions/0/nodes: goes beyond the 2 nodes of \"set\""));
}

TEST_CASE("Nodes of slurm_nodes are off until a job has them, and stay on for SuspendTime", "[scenario]") {
  const Scenario scenario = on_slurm_nodes(R"(, "suspend_timeout": "40s")");
  const slurm::Configuration& cluster = scenario.world.slurm->configuration;
  REQUIRE(cluster.nodes.size() == 3);
  CHECK(cluster.nodes[2].cloud);
  const slurm::Partition& partition = cluster.partitions[0];
  CHECK_FALSE(partition.power_down_on_idle);
  CHECK(partition.exclusive);
  REQUIRE(partition.power);
  CHECK(partition.power->suspend_time == 5min);
  CHECK(partition.power->suspend_timeout == 40s);
  CHECK(partition.power->resume_timeout == 20min);
  const HeldPool& held = scenario.world.held[0];
  CHECK(held.scaling->idle_after == 5min);
  CHECK(held.scaling->least == MachineCount{0});
  CHECK(held.scaling->after_add == 0s);
}

TEST_CASE("Slurm switches its own nodes on and off, and no others", "[scenario][bad]") {
  CHECK_THAT(
      test::error_in([] {
        static_cast<void>(test::ScenarioLoader{}.small(
            {{"/slurm", slurm_with(R"("reservation": "held", "resume_timeout": "1min")")},
             {"/strategies/0", kLeg}}));
      }),
      Contains("/slurm/node_sets/0/resume_timeout: has no effect: nodes of a reservation are always on"));
  std::string other = kNodes;
  other.replace(other.find("slurm_nodes"), 11, "node_pool");
  CHECK_THAT(test::error_in([&] { static_cast<void>(on_slurm_nodes("", other)); }),
             Contains("is no plain reservation"));
}

TEST_CASE("A node set has the machines of a reservation, or some of a type", "[scenario][bad]") {
  const auto error = [](const std::string& set) {
    return test::error_in([&] {
      static_cast<void>(test::ScenarioLoader{}.small({{"/slurm", slurm_with(set)}, {"/strategies/0", kLeg}}));
    });
  };
  CHECK_THAT(error(R"("suspend_timeout": "1min")"),
             Contains("/slurm/node_sets/0: one of \"reservation\", \"machine\" is missing: whose machines"));
  CHECK_THAT(error(R"("machine": "generic")"), Contains("\"nodes\" is missing, which \"machine\" requires"));
  CHECK_THAT(error(R"("reservation": "held", "machine": "generic", "nodes": 1)"),
             Contains("\"reservation\" and \"machine\" cannot go together"));
  CHECK_THAT(error(R"("reservation": "held", "nodes": 1)"),
             Contains("/node_sets/0/nodes: cannot be combined with \"reservation\": all its machines"));
}

TEST_CASE("A leg before Slurm says only what Slurm's jobs can do", "[scenario][bad]") {
  const auto error = [](const std::string& leg, const std::string& more = "") {
    return test::error_in([&] {
      static_cast<void>(test::ScenarioLoader{}.small(
          {{"/slurm", slurm_with(R"("machine": "generic", "nodes": 2)")},
           {"/strategies/0", R"({"name": "s", "orchestrator": "slurm", "legs": [{"partition": "p", )" + leg +
                                 "}]" + more + "}"}}));
    });
  };
  CHECK_THAT(error(R"("model": "spot", "retries": 1)"),
             Contains("/retries: cannot be combined with \"partition\": Slurm requeues"));
  CHECK_THAT(error(R"("model": "spot", "partial": {"least": 1})"), Contains("/partial: cannot be combined"));
  CHECK_THAT(error(R"("model": "flex_start_slurm", "limit": "1h")"),
             Contains("/limit: cannot be combined with \"partition\": \"resume_timeout\""));
  CHECK_THAT(error(R"("model": "flex_start_slurm", "keep": true)"), Contains("/keep: cannot be combined"));
  CHECK_THAT(error(R"("model": "flex_start_slurm", "race": "first_boot")"),
             Contains("/partition: cannot be combined with race \"first_boot\": a node is one machine"));
  CHECK_THAT(error(R"("model": "spot", "flavor": "f")"),
             Contains("/partition: cannot be combined with \"flavor\": a job waits for Kueue or for Slurm"));
  CHECK_THAT(error(R"("model": "spot")", R"(, "resubmit": {"after": "1h"})"),
             Contains("/resubmit: cannot be combined with \"partition\" of \"legs\": jobs wait for Slurm"));
}

TEST_CASE("Nodes that Slurm gives up before they are up are warned of", "[scenario]") {
  const auto late = [](const std::string& set) {
    const auto lines = on_slurm_nodes(set).warnings;
    return std::ranges::any_of(lines, [](const std::string& line) {
      return line ==
             "strategy \"s\": nodes of partition \"p\" are up after 9min on average, and Slurm gives them up "
             "after 8min, again and again: let their node set have a longer \"resume_timeout\"";
    });
  };
  CHECK(late(R"(, "resume_timeout": "8min")"));  // 5 to 10min, and 1min
  CHECK_FALSE(late(R"(, "resume_timeout": "9min")"));
}

TEST_CASE("Retries of models are said to have no effect under Slurm", "[scenario]") {
  const std::string elastic = slurm_with(R"("machine": "generic", "nodes": 2)");
  const std::string leg =
      R"({"name": "s", "orchestrator": "slurm", "legs": [{"model": "on_demand", "partition": "p"}]})";
  const auto warnings = [&](const std::string& models) {
    std::string all;
    const Scenario scenario =
        test::ScenarioLoader{}.small({{"/slurm", elastic}, {"/strategies/0", leg}, {"/models", models}});
    for (const std::string& line : scenario.warnings) all += line + '\n';
    return all;
  };
  CHECK_THAT(warnings(R"({"on_demand": {"retries": 3}})"),
             Contains("/models/on_demand/retries: has no effect on legs with a \"partition\""));
  CHECK_THAT(warnings(R"({"all": {"retries": 3}})"), Contains("/models/all/retries: has no effect"));
  CHECK_THAT(warnings(R"({"all": {"retries": 0}, "spot": {"retries": 3}})"), !Contains("retries"));
}

TEST_CASE("Links of a trace's jobs reach Slurm, and a warning says where they do not", "[scenario]") {
  const test::ScenarioLoader loader;
  const auto file = loader.folder().file("jobs.csv",
                                         "id,submit,duration,gpus,dependency\n"
                                         "a,0,3600,1,\nb,0,3600,1,afterok:a\n");
  const std::vector<Override> trace{
      {"/workload/0",
       fmt::format(R"({{"name": "jobs", "trace": {{"file": "{}", "format": "csv"}}}})", file)}};
  const auto warns = [](const Scenario& scenario, const std::string& of) {
    return std::ranges::any_of(scenario.warnings,
                               [&](const std::string& each) { return each.find(of) != std::string::npos; });
  };
  const std::string no_slurm = "dependencies and limits of arrays have no effect without Slurm";
  CHECK(warns(loader.small(trace), no_slurm));
  std::vector<Override> under_slurm = trace;
  under_slurm.push_back({"/slurm", slurm_with(R"("reservation": "held")")});
  under_slurm.push_back({"/strategies/0", kLeg});
  const Scenario scenario = loader.small(under_slurm);
  CHECK_FALSE(warns(scenario, no_slurm));
  const auto& demand = std::get<TraceDemand>(scenario.world.sources[0].demand);
  CHECK(demand.jobs->links == std::vector<JobLink>{{.row = 1, .on = 0, .kind = JobLink::Kind::after_ok}});
  under_slurm.push_back({"/workload/0/trace/resample", R"({"block": "6h", "step": "2h"})"});
  CHECK(warns(loader.small(under_slurm), "resampled jobs have no dependencies and are in no array"));
}

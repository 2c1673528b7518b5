// Quotas of CPUs and memory of a scenario file, and what pods ask for.

#include <algorithm>
#include <string>

#include <catch2/catch.hpp>

#include "tests/support/scenarios/small_scenario.h"

using namespace stockout;
using Catch::Contains;

namespace {

/// One queue with a flavor for all legs. `resources`: of its quota; `requests`: those of pods.
Scenario scenario_with(const std::string& resources, const std::string& requests,
                       const std::string& more = "") {
  const test::ScenarioLoader loader;
  return loader.small(
      {{"/kueue",
        R"({"flavors": ["gpu"], "local_queues": [{"name": "jobs", "cluster_queue": "team"}],
            "cluster_queues": [{"name": "team", "flavors": [{"flavor": "gpu", "nominal_quota": 64, "resources": [)" +
            resources + "]}]" + more + R"(}], "pod_requests": [)" + requests + "]}"},
       {"/strategies/0", R"({"name": "s", "legs": [{"model": "on_demand", "flavor": "gpu"}]})"}});
}

std::string error_of(const std::string& resources, const std::string& requests) {
  return test::error_in([&] { static_cast<void>(scenario_with(resources, requests)); });
}

const std::string kCpu = R"({"resource": "cpu", "nominal_quota": 96.5})";
const std::string kMemory = R"({"resource": "memory", "nominal_quota": 2})";
const std::string kAskCpu = R"({"resource": "cpu", "per_gpu": 0.25})";
const std::string kAskMemory = R"({"resource": "memory", "per_gpu": 0.5, "classes": ["jobs"]})";

}  // namespace

TEST_CASE("Quotas of CPUs are in thousandths and those of memory in bytes, as Kueue has them", "[scenario]") {
  const KueueCluster cluster = *scenario_with(kCpu + ", " + kMemory, kAskCpu + ", " + kAskMemory).world.kueue;
  const kueue::FlavorQuotas& quotas = cluster.objects.cluster_queues.at("team").groups.at(0).flavors.at(0);
  CHECK(quotas.quotas.at(kKueueResource).nominal == kueue::Amount{64});
  CHECK(quotas.quotas.at("cpu").nominal == kueue::Amount{96'500});
  CHECK(quotas.quotas.at("memory").nominal == kueue::Amount{std::int64_t{2} << 30});
  CHECK(cluster.requests_of(8, ClassId{0}, UserId{0}) ==
        kueue::Requests{{kKueueResource, kueue::Amount{8}},
                        {"cpu", kueue::Amount{2'000}},
                        {"memory", kueue::Amount{std::int64_t{4} << 30}}});
}

// 96.5 CPUs beside 64 GPUs.
TEST_CASE("A quota without requests holds back nobody, which is said", "[scenario]") {
  const Scenario scenario = scenario_with(kCpu, "");
  CHECK(scenario.world.kueue->requests_of(8, ClassId{0}, UserId{0}) ==
        kueue::Requests{{kKueueResource, kueue::Amount{8}}});
  const auto is_said = [](const std::string& warning) {
    return warning.ends_with(
        ": quotas of cpu hold back nobody, as nothing says how much of it jobs ask for. They would bind before "
        "those of GPUs from 1.508 vCPUs per GPU on. Add \"pod_requests\": [{\"resource\": \"cpu\", \"per_gpu\": "
        "NUMBER}]");
  };
  CHECK(std::ranges::count_if(scenario.warnings, is_said) == 1);
}

TEST_CASE("Requests without a quota are refused, and other mistakes in quotas", "[scenario]") {
  CHECK_THAT(error_of(kCpu, kAskCpu + ", " + kAskMemory), Contains("no cluster queue has a quota of memory"));
  CHECK_THAT(error_of(kCpu + ", " + kCpu, kAskCpu), Contains("has a quota in this flavor already"));
  CHECK_THAT(error_of(R"({"resource": "nvidia.com/gpu", "nominal_quota": 1})", ""),
             Contains("must be another resource than GPUs"));
  CHECK_THAT(error_of(R"({"resource": "cpu", "nominal_quota": 1, "borrowing_limit": 1})", kAskCpu),
             Contains("nobody to share with"));
}

TEST_CASE("Pods are counted whole, and by Kueue", "[scenario]") {
  const std::string pods = R"({"resource": "pods", "nominal_quota": 5})";
  const Scenario scenario = scenario_with(pods, "");
  CHECK(scenario.world.kueue->objects.cluster_queues.at("team")
            .groups.at(0)
            .flavors.at(0)
            .quotas.at("pods")
            .nominal == kueue::Amount{5});
  for (const std::string& warning : scenario.warnings) CHECK_THAT(warning, !Contains("pods"));
  CHECK_THAT(error_of(R"({"resource": "pods", "nominal_quota": 0.5})", ""),
             Contains("/nominal_quota: must be a whole number of pods"));
  CHECK_THAT(error_of(pods, R"({"resource": "pods", "per_gpu": 1})"),
             Contains("needs no request: Kueue counts one for each pod"));
  CHECK_THAT(scenario_with(R"({"resource": "pods", "nominal_quota": 0})", "").warnings.back(),
             Contains("ask for 1 pods, and Kueue's quota never lets in more than 0 pods"));
}

TEST_CASE("Jobs that ask for more CPUs than a queue ever has are warned of", "[scenario]") {
  const auto warnings = [](const std::string& quota) {
    const std::string request = R"({"resource": "cpu", "per_gpu": 26})";
    std::string all;
    for (const std::string& each :
         scenario_with(R"({"resource": "cpu", "nominal_quota": )" + quota + "}", request).warnings)
      all += each + "\n";
    return all;
  };
  CHECK_THAT(warnings("20"), Contains("vCPUs, and Kueue's quota never lets in more than 20 vCPUs"));
  CHECK_THAT(warnings("1000000"), !Contains("vCPUs"));
}

namespace {

/// A queue of 64 GPUs with these resource groups beside.
std::string kueue_with(const std::string& groups, const std::string& flavors = R"("x", "y")") {
  return R"({"flavors": ["gpu"], "other_flavors": [)" + flavors +
         R"(], "local_queues": [{"name": "jobs", "cluster_queue": "team"}],
             "cluster_queues": [{"name": "team", "flavors": [{"flavor": "gpu", "nominal_quota": 64}],
                                 "other_groups": [)" +
         groups + R"(]}], "pod_requests": [{"resource": "cpu", "per_gpu": 26}]})";
}

std::string cpu_group(const std::string& flavor, int cpus) {
  return R"({"flavors": [{"flavor": ")" + flavor +
         R"(", "resources": [{"resource": "cpu", "nominal_quota": )" + std::to_string(cpus) + "}]}]}";
}

Scenario scenario_of(const std::string& kueue) {
  return test::ScenarioLoader{}.small(
      {{"/kueue", kueue},
       {"/strategies/0", R"({"name": "s", "legs": [{"model": "on_demand", "flavor": "gpu"}]})"}});
}

}  // namespace

TEST_CASE("Other resource groups have flavors that no leg names", "[scenario]") {
  const Scenario scenario = scenario_of(kueue_with(cpu_group("x", 96)));
  const auto& groups = scenario.world.kueue->objects.cluster_queues.at("team").groups;
  REQUIRE(groups.size() == 2);
  CHECK(groups[1].flavors[0].flavor == "x");
  CHECK(groups[1].flavors[0].quotas.at("cpu").nominal == kueue::Amount{96'000});
  CHECK(scenario.world.kueue->objects.flavors.at("x").labels.empty());
}

TEST_CASE("Mistakes in other resource groups are refused", "[scenario][bad]") {
  const auto error = [](const std::string& kueue) {
    return test::error_in([&] { static_cast<void>(scenario_of(kueue)); });
  };
  CHECK_THAT(error(kueue_with(cpu_group("z", 96))),
             Contains("/other_groups/0/flavors/0/flavor: there is no flavor without GPUs \"z\""));
  CHECK_THAT(error(kueue_with(cpu_group("gpu", 96))), Contains("there is no flavor without GPUs \"gpu\""));
  CHECK_THAT(error(kueue_with(cpu_group("x", 96) + ", " + cpu_group("x", 96))),
             Contains("/other_groups/1/flavors/0/flavor: has a quota here already"));
  CHECK_THAT(error(kueue_with(cpu_group("x", 96) + ", " + cpu_group("y", 96))),
             Contains("/other_groups/1: cpu has a quota in another group already"));
  CHECK_THAT(error(kueue_with(cpu_group("x", 96), R"("gpu", "x")")),
             Contains("/other_flavors/0: there is a flavor \"gpu\" already"));
  CHECK_THAT(error(R"({"flavors": ["gpu"], "local_queues": [{"name": "jobs", "cluster_queue": "team"}],
      "cluster_queues": [{"name": "team", "flavors": [{"flavor": "gpu", "nominal_quota": 64}],
                          "other_groups": [)" +
                   cpu_group("x", 96) + "]}]}"),
             Contains("is allowed only with \"other_flavors\""));
}

TEST_CASE("Jobs that ask for more CPUs than any flavor of a group has are warned of", "[scenario]") {
  const auto warnings = [](int cpus) {
    std::string all;
    for (const std::string& each : scenario_of(kueue_with(cpu_group("x", cpus))).warnings) all += each + "\n";
    return all;
  };
  CHECK_THAT(warnings(20), Contains("vCPUs, and Kueue's quota never lets in more than 20 vCPUs"));
  CHECK_THAT(warnings(1'000'000), !Contains("vCPUs"));
}

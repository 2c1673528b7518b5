// The objects of a cluster as YAML, and as the key of a scenario.

#include <algorithm>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "sim/core/error.h"
#include "tools/kueue/cluster_import.h"
#include "tools/kueue/manifests.h"
#include "tools/kueue/scenario_part.h"

using namespace stockout;
using Catch::Contains;
using Json = nlohmann::json;

namespace {

std::string error_of(const std::string& text) {
  try {
    static_cast<void>(kueue::parse_manifests(text, "queues.yaml"));
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

kueue::ScenarioPart part_of(const std::string& text) {
  std::vector<kueue::Manifest> manifests;
  for (JsonValue& root : kueue::parse_manifests(text, "queues.yaml"))
    manifests.push_back({"queues.yaml", std::move(root)});
  const kueue::ImportedCluster cluster = kueue::read_cluster(manifests);
  return kueue::scenario_part(cluster);
}

bool tells(const kueue::ScenarioPart& part, const std::string& what) {
  return std::any_of(part.left_out.begin(), part.left_out.end(),
                     [&](const std::string& line) { return line.find(what) != std::string::npos; });
}

const std::string kQueue = R"(apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata:
  name: research
spec:
  cohortName: company
  queueingStrategy: StrictFIFO
  preemption:
    reclaimWithinCohort: Any
    borrowWithinCohort:
      policy: LowerPriority
      maxPriorityThreshold: 7
  flavorFungibility:
    whenCanPreempt: MayStopSearch
  resourceGroups:
  - coveredResources: [nvidia.com/gpu, cpu]
    flavors:
    - name: reserved
      resources:
      - {name: nvidia.com/gpu, nominalQuota: "32", borrowingLimit: 8}
      - {name: cpu, nominalQuota: 1500m}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: LocalQueue
metadata: {name: lab, namespace: a}
spec: {clusterQueue: research}
---
apiVersion: v1
kind: Pod
metadata: {name: p}
)";

}  // namespace

TEST_CASE("Plain scalars of YAML are what they look like, others are texts", "[kueue][import]") {
  const JsonValue root =
      kueue::parse_manifests("{a: 12, b: \"12\", c: true, d: ~, e: 1.5, f: 500m, g: , h: .inf}", "f").at(0);
  CHECK(*root.find("a")->get<std::int64_t>() == 12);
  CHECK(*root.find("b")->get<std::string>() == "12");
  CHECK(*root.find("c")->get<bool>());
  CHECK(root.find("d")->get<JsonValue::Null>() != nullptr);
  CHECK(*root.find("e")->get<double>() == 1.5);
  CHECK(*root.find("f")->get<std::string>() == "500m");
  CHECK(root.find("g")->get<JsonValue::Null>() != nullptr);
  CHECK(*root.find("h")->get<std::string>() == ".inf");
}

TEST_CASE("Hostile YAML gives an error with file and line", "[kueue][import][bad]") {
  CHECK_THAT(error_of("a: 1\nb: [1, 2\n"), Contains("queues.yaml:3: is neither JSON nor YAML"));
  CHECK_THAT(error_of("a: 1\na: 2\n"), Contains("queues.yaml:2: has the key \"a\" twice"));
  CHECK_THAT(error_of("a: 1\n? [b]\n: 2\n"), Contains("queues.yaml:2: a key must be a text"));
  CHECK_THAT(error_of("a: *b\n"), Contains("queues.yaml:1: is neither JSON nor YAML"));
  CHECK_THAT(error_of(""), Contains("queues.yaml: has no objects"));
  CHECK_THAT(error_of(std::string(200, '[') + std::string(200, ']')), Contains("deeper than 100 levels"));
  CHECK_THAT(error_of(std::string(100'000, '[')), Contains("is neither JSON nor YAML"));
  std::string bomb = "a: &a [x, x, x, x, x, x, x, x, x, x]\n";
  for (char name = 'b'; name < 'j'; ++name) {
    const std::string last(1, static_cast<char>(name - 1));
    bomb += std::string(1, name) + ": &" + name + " [";
    for (int i = 0; i < 10; ++i) bomb += (i == 0 ? "*" : ", *") + last;
    bomb += "]\n";
  }
  CHECK_THAT(error_of(bomb), Contains("comes to more than 2000000 values"));
}

TEST_CASE("A cluster's queues become the key of a scenario, and it is said what does not",
          "[kueue][import]") {
  const kueue::ScenarioPart part = part_of(kQueue);
  CHECK(part.json == R"({
  "kueue": {
    "flavors": [
      "reserved"
    ],
    "cluster_queues": [
      {
        "name": "research",
        "cohort": "company",
        "queueing_strategy": "strict_fifo",
        "flavors": [
          {
            "flavor": "reserved",
            "nominal_quota": 32,
            "borrowing_limit": 8,
            "resources": [
              {
                "resource": "cpu",
                "nominal_quota": 1.5
              }
            ]
          }
        ],
        "preemption": {
          "reclaim_within_cohort": "any",
          "borrow_within_cohort": "lower_priority",
          "max_priority_threshold": 7
        },
        "flavor_fungibility": {
          "when_can_preempt": "may_stop_search"
        }
      }
    ],
    "local_queues": [
      {
        "name": "a/lab",
        "cluster_queue": "research"
      }
    ]
  }
}
)");
  CHECK(tells(part, "what jobs ask for of cpu: say it in \"pod_requests\""));
  CHECK(tells(part, "flavor reserved: there is no such object"));
  CHECK(tells(part, "Kueue's own configuration"));
  CHECK_FALSE(tells(part, "which jobs go"));
}

TEST_CASE("Resource groups without GPUs become groups of their own, with their flavors", "[kueue][import]") {
  std::string text = kQueue;
  text.replace(text.find(", cpu]"), 6, "]");
  text.replace(text.find("      - {name: cpu, nominalQuota: 1500m}\n"), 41,
               "  - coveredResources: [cpu, memory]\n    flavors:\n    - name: default\n      resources:\n"
               "      - {name: cpu, nominalQuota: 96}\n      - {name: memory, nominalQuota: 1Ti}\n");
  const kueue::ScenarioPart part = part_of(text);
  const Json kueue = Json::parse(part.json)["kueue"];
  CHECK(kueue["other_flavors"] == Json::parse(R"(["default"])"));
  CHECK(kueue["cluster_queues"][0]["other_groups"] == Json::parse(R"([{"flavors": [{"flavor": "default",
      "resources": [{"resource": "cpu", "nominal_quota": 96.0}, {"resource": "memory", "nominal_quota": 1024.0}]}]}])"));
  CHECK(tells(part, "flavor default: there is no such object"));
  CHECK(tells(part, "what jobs ask for of memory: say it in \"pod_requests\""));
}

TEST_CASE("A flavor with GPUs here and without there has no place in a group without", "[kueue][import]") {
  std::string text = kQueue;
  text.replace(text.find(", cpu]"), 6, "]");
  text.replace(text.find("      - {name: cpu, nominalQuota: 1500m}\n"), 41,
               "  - coveredResources: [cpu]\n    flavors:\n    - name: other\n      resources:\n"
               "      - {name: cpu, nominalQuota: 96}\n");
  std::string second = text;
  second.replace(second.find("research"), 8, "teaching");
  second.replace(second.find("name: lab"), 9, "name: hall");
  second.replace(second.find("name: reserved"), 14, "name: other");
  second.replace(second.rfind("name: other"), 11, "name: third");
  const kueue::ScenarioPart part = part_of(text + "---\n" + second);
  CHECK(tells(part, "cluster queue research: NOT MODELLED: flavor other in a resource group without"));
  CHECK(Json::parse(part.json)["kueue"]["other_flavors"] == Json::parse(R"(["third"])"));
}

TEST_CASE("A queue without GPUs is left out, with the local queues that lead to it", "[kueue][import]") {
  std::string text = kQueue;
  for (int i = 0; i < 2; ++i) text.replace(text.find("nvidia.com/gpu"), 14, "nvidia.com/tpu");
  const kueue::ScenarioPart part = part_of(text);
  CHECK(tells(part, "cluster queue research: it has no quota of nvidia.com/gpu"));
  CHECK(tells(part, "local queue a/lab: its cluster queue research is not there"));
}

TEST_CASE("Huge quotas are cut, and stop policies and checks are told", "[kueue][import]") {
  std::string text = kQueue;
  text.replace(text.find("\"32\""), 4, "\"7Ei\"");
  text.insert(text.find("  resourceGroups"), "  stopPolicy: Hold\n  admissionChecks: [dws]\n");
  const kueue::ScenarioPart part = part_of(text);
  CHECK_THAT(part.json, Contains("\"nominal_quota\": 4000000") && Contains("\"admission_checks\""));
  CHECK(tells(part, "more than 4000000 GPUs"));
  CHECK(tells(part, "its stop policy"));
  CHECK(tells(part, "admission check dws: it is taken for a request for capacity"));
}

TEST_CASE("A check is tried again as its configuration says", "[kueue][import]") {
  std::string text = kQueue;
  text.insert(text.find("  resourceGroups"), "  admissionChecks: [dws, own]\n");
  text += R"(---
apiVersion: kueue.x-k8s.io/v1beta1
kind: AdmissionCheck
metadata: {name: dws}
spec:
  controllerName: kueue.x-k8s.io/provisioning-request
  parameters: {apiGroup: kueue.x-k8s.io, kind: ProvisioningRequestConfig, name: queued}
---
apiVersion: kueue.x-k8s.io/v1beta1
kind: AdmissionCheck
metadata: {name: own}
spec: {controllerName: example.com/budget}
---
apiVersion: kueue.x-k8s.io/v1beta1
kind: ProvisioningRequestConfig
metadata: {name: queued}
spec:
  provisioningClassName: queued-provisioning.gke.io
  retryStrategy: {backoffLimitCount: 7, backoffBaseSeconds: 90}
)";
  const kueue::ScenarioPart part = part_of(text);
  const Json checks = Json::parse(part.json).at("kueue").at("admission_checks");
  CHECK(checks.at(0) ==
        Json{{"name", "dws"}, {"backoff_limit", 7}, {"backoff_base", "1min 30s"}, {"backoff_max", "30min"}});
  CHECK(checks.at(1) == Json{{"name", "own"}});
  CHECK_FALSE(tells(part, "admission check dws"));
  CHECK(tells(part, "admission check own: its controller \"example.com/budget\" is not known"));
}

TEST_CASE("A check on flavors without GPUs is not in the scenario, nor weights, which require fair sharing",
          "[kueue][import]") {
  const kueue::ScenarioPart part = part_of(R"(kind: ClusterQueue
metadata: {name: q}
spec:
  fairSharing: {weight: 3e9}
  admissionChecksStrategy: {admissionChecks: [{name: a, onFlavors: [f, plain]}, {name: b, onFlavors: [plain]}]}
  resourceGroups:
  - flavors: [{name: f, resources: [{name: nvidia.com/gpu, nominalQuota: 4}]}]
  - flavors: [{name: plain, resources: [{name: cpu, nominalQuota: 4}]}]
)");
  const JsonValue root = kueue::parse_manifests(part.json, "kueue.json").at(0);
  const JsonValue& queue = root.find("kueue")->find("cluster_queues")->get<JsonValue::List>()->at(0);
  REQUIRE(queue.find("admission_checks")->get<JsonValue::List>()->size() == 1);
  CHECK(queue.find("admission_checks")
            ->get<JsonValue::List>()
            ->at(0)
            .find("on_flavors")
            ->get<JsonValue::List>()
            ->size() == 1);
  CHECK(tells(part, "cluster queue q: check b on flavors without quota"));
  CHECK(tells(part, "cluster queue q: \"fair_weight\": 3e+09 requires fair_sharing"));
  CHECK_FALSE(part.is_usable);  // no local queue
}

TEST_CASE("Workloads say by priority class with how few pods they may be admitted", "[kueue][import]") {
  const auto workload = [](const std::string& job_class, const std::string& sets) {
    return "---\napiVersion: kueue.x-k8s.io/v1beta2\nkind: Workload\nmetadata: {name: w}\nspec:\n  " +
           (job_class.empty() ? "" : "priorityClassRef: {name: " + job_class + "}\n  ") + "podSets: [" +
           sets + "]\n";
  };
  const std::string driver =
      "{name: driver, count: 1, template: {spec: {containers: [{resources: {requests: {cpu: 4}}}]}}}";
  const std::string workers =
      "{name: workers, count: 8, minCount: 2, template: {spec: {containers: [{resources: "
      "{requests: {nvidia.com/gpu: 8}}}]}}}";
  const kueue::ScenarioPart part = part_of(
      kQueue + workload("train", driver + ", " + workers) + workload("train", "{count: 4, minCount: 2}") +
      workload("train", "{count: 16}") + workload("tune", "{count: 9}") +
      workload("", "{count: 3, minCount: 2}") + workload("", "{count: 6, minCount: 1}"));
  const auto list = nlohmann::json::parse(part.json).at("kueue").at("partial_admission");
  REQUIRE(list.size() == 2);
  CHECK(list[0] == nlohmann::json{{"min_count", 2}, {"classes", nlohmann::json::array({"train"})}});
  CHECK(list[1] == nlohmann::json{{"min_share", 0.666666}});  // two of three, still
  CHECK(tells(part, "workloads of train: 1 without a minCount"));
  CHECK(tells(part, "minCounts of 1 to 2 pods"));
  CHECK_FALSE(nlohmann::json::parse(part_of(kQueue).json).at("kueue").contains("partial_admission"));
}

// The queues of a cluster, as kubectl prints them.

#include <catch2/catch.hpp>

#include "sim/core/error.h"
#include "sim/io/json_reader.h"
#include "tools/kueue/cluster_import.h"
#include "tools/kueue/quantity_text.h"

using namespace stockout;
using Catch::Contains;

namespace {

kueue::ImportedCluster imported(const std::string& items) {
  return kueue::read_cluster(
      {{.file = "queues.json", .root = parse_json(R"({"items": [)" + items + "]}", "queues.json")}});
}

kueue::Configuration read(const std::string& items) { return imported(items).objects; }

/// All warnings, each on a line.
std::string warnings_of(const std::string& items) {
  std::string all;
  for (const std::string& line : imported(items).warnings) all += line + "\n";
  return all;
}

std::string object(const std::string& kind, const std::string& name, const std::string& spec,
                   const std::string& version = "kueue.x-k8s.io/v1beta2") {
  return R"({"apiVersion": ")" + version + R"(", "kind": ")" + kind + R"(", "metadata": {"name": ")" + name +
         R"("}, "spec": {)" + spec + "}}";
}

std::string flavor(const std::string& name, const std::string& resource = "cpu",
                   const std::string& quota = "4") {
  return R"({"name": ")" + name + R"(", "resources": [{"name": ")" + resource + R"(", "nominalQuota": ")" +
         quota + "\"}]}";
}

std::string queue(const std::string& groups) {
  return object("ClusterQueue", "q", R"("resourceGroups": [)" + groups + "]");
}

}  // namespace

TEST_CASE("Quantities are exact, however large", "[kueue][import]") {
  const auto [text, thousandths, count] = GENERATE(table<std::string, bool, std::int64_t>({
      {"3Pi", false, std::int64_t{3} << 50},
      {"1048576Gi", false, std::int64_t{1} << 50},
      {"900719925474099Ki", false, 922'337'203'685'477'376},
      {"1000000000000001k", false, 1'000'000'000'000'001'000},
      {"1P", false, 1'000'000'000'000'000},
      {"1P", true, 1'000'000'000'000'000'000},
      {"1e15", true, 1'000'000'000'000'000'000},
      {"1500T", false, 1'500'000'000'000'000},
      {"0.001Ei", false, 1'152'921'504'606'847},  // rounded up from ...,846.976
      {"1.5e-3", true, 2},
      {"+2E3", false, 2000},
      {".5", true, 500},
      {"5.", false, 5},
      {"0.00000000000000000000000000000000000000000001", false, 1},
      {"1234567890123456789.01", false, 1'234'567'890'123'456'790},
      {"1e999", false, kueue::Amount::unlimited().count()},
      {"0e999", false, 0},
      {"7Ei", false, std::int64_t{7} << 60},
      {"8Ei", false, kueue::Amount::unlimited().count()},
  }));
  CAPTURE(text);
  const auto amount = kueue::parse_quantity(text, thousandths);
  REQUIRE(amount);
  CHECK(amount->count() == count);
}

TEST_CASE("A quantity has an exponent or a suffix, never both", "[kueue][import]") {
  for (const char* bad : {"1e3Gi", "12e6m", "1e", "1e+", "1e+-3", ".", "1..2", "1 k", "k"}) {
    CAPTURE(bad);
    CHECK_FALSE(kueue::parse_quantity(bad, false));
  }
}

TEST_CASE("A flavor and a resource are in one group of a queue", "[kueue][import]") {
  CHECK_THROWS_WITH(read(queue(R"({"flavors": [)" + flavor("f") + ", " + flavor("f") + "]}")),
                    Contains("/resourceGroups/0/flavors/1: this flavor has quota already"));
  CHECK_THROWS_WITH(
      read(queue(R"({"flavors": [)" + flavor("f") + R"(]}, {"flavors": [)" + flavor("g") + "]}")),
      Contains("/resourceGroups/1: \"cpu\" is in a group already"));
  CHECK_NOTHROW(
      read(queue(R"({"flavors": [)" + flavor("f") + R"(]}, {"flavors": [)" + flavor("g", "gpu") + "]}")));
}

TEST_CASE("A word that nobody knows is refused where it stands", "[kueue][import]") {
  CHECK_THROWS_WITH(read(object("ClusterQueue", "q", R"("admissionScope": {"admissionMode": "Sometimes"})")),
                    Contains("/items/0/spec/admissionScope/admissionMode: "));
  CHECK_THROWS_WITH(read(object("ClusterQueue", "q", R"("preemption": {"withinClusterQueue": "Perhaps"})")),
                    Contains("/items/0/spec/preemption/withinClusterQueue: "));
  CHECK_THROWS_WITH(read(object("ResourceFlavor", "f", R"("nodeTaints": [{"key": "k", "colour": "red"}])")),
                    Contains("/items/0/spec/nodeTaints/0/colour: "));
}

TEST_CASE("Taints and tolerations may say for how long", "[kueue][import]") {
  const kueue::Configuration cluster =
      read(object("ResourceFlavor", "f",
                  R"("nodeTaints": [{"key": "k", "timeAdded": "2026-01-01T00:00:00Z"}],
                                                   "tolerations": [{"key": "k", "tolerationSeconds": 3}])"));
  CHECK(cluster.flavors.at("f").taints.size() == 1);
  CHECK(cluster.flavors.at("f").tolerations.size() == 1);
}

TEST_CASE("Objects of other API groups are left out, and names are not empty", "[kueue][import]") {
  CHECK(read(object("ClusterQueue", "q", "", "example.com/v1")).cluster_queues.empty());
  CHECK(read(object("ClusterQueue", "q", "")).cluster_queues.size() == 1);
  CHECK_THROWS_WITH(read(object("Cohort", "", R"("parentName": "b")")),
                    Contains("/items/0/metadata/name: must be a name, but is empty"));
  CHECK_THROWS_WITH(read(queue(R"({"flavors": [)" + flavor("") + "]}")),
                    Contains("/flavors/0/name: must be a name"));
}

TEST_CASE("A quota that no cluster has is refused, and the largest number is unlimited",
          "[kueue][import][bad]") {
  const auto with = [&](const std::string& quota) {
    return queue(R"({"flavors": [)" + flavor("f", "nvidia.com/gpu", quota) + "]}");
  };
  CHECK_THROWS_WITH(read(with("1e23")),
                    Contains("/resources/0/nominalQuota: is more than a quota can be (9223372036854775807)"));
  CHECK_THROWS_WITH(read(with("8Ei")), Contains("is more than a quota can be"));
  CHECK(read(with("9223372036854775807"))
            .cluster_queues.at("q")
            .groups[0]
            .flavors[0]
            .quotas.at("nvidia.com/gpu")
            .nominal.is_unlimited());
}

TEST_CASE("What Kueue refuses is refused where it stands", "[kueue][import][bad]") {
  const auto [spec, words] = GENERATE(table<std::string, std::string>({
      {R"("cohort": "c", "resourceGroups": [{"flavors": [{"name": "f", "resources": [
          {"name": "cpu", "nominalQuota": 4, "lendingLimit": 5}]}]}])",
       "/resources/0/lendingLimit: is more than the nominal quota"},
      {R"("preemption": {"withinClusterQueue": "Any"})", "/preemption/withinClusterQueue: must be Never, "},
      {R"("cohort": "c", "preemption": {"borrowWithinCohort": {"policy": "LowerPriority"}})",
       "/preemption/borrowWithinCohort: requires a reclaimWithinCohort"},
      {R"("admissionChecks": ["a"], "admissionChecksStrategy": {"admissionChecks": [{"name": "b"}]})",
       "/admissionChecksStrategy: cannot be combined"},
      {R"("resourceGroups": [{"coveredResources": ["cpu", "memory"], "flavors": [{"name": "f", "resources": [
          {"name": "cpu", "nominalQuota": 4}]}]}])",
       "/flavors/0: must have a quota of each of coveredResources (cpu, memory)"},
  }));
  CHECK_THROWS_WITH(read(object("ClusterQueue", "q", spec)), Contains(words));
  CHECK_THROWS_WITH(read(R"({"kind": "ClusterQueue", "metadata": {"name": "q"}})"),
                    Contains("/items/0: \"spec\" is missing"));
  CHECK_THROWS_WITH(read(object("LocalQueue", "l", "")),
                    Contains("/items/0/spec: \"clusterQueue\" is missing"));
}

TEST_CASE("A cohort may lend more than its own, since those below it lend to it", "[kueue][import]") {
  const kueue::Configuration cluster = read(object("Cohort", "c", R"("parentName": "root", "resourceGroups":
      [{"flavors": [{"name": "f", "resources": [{"name": "cpu", "nominalQuota": 4, "lendingLimit": 5}]}]}])"));
  CHECK(cluster.cohorts.at("c").groups.front().flavors.front().quotas.at("cpu").lending_limit ==
        kueue::Amount{5000});
}

TEST_CASE("An API version that is not known is warned of", "[kueue][import]") {
  const auto of_version = [](const std::string& version) {
    return object("ResourceFlavor", version, "", "kueue.x-k8s.io/" + version);
  };
  CHECK(warnings_of(of_version("v1alpha1") + ", " + of_version("v1beta1") + ", " + of_version("v1beta2"))
            .empty());
  CHECK(warnings_of(of_version("v2") + ", " + object("Workload", "w", "", "kueue.x-k8s.io/v2")) ==
        "apiVersion kueue.x-k8s.io/v2: not known to the model, which reads it as v1beta2 (2)\n");
}

TEST_CASE("An object that names its cohort twice has to say the same", "[kueue][import]") {
  CHECK(read(object("ClusterQueue", "q", R"("cohortName": "a", "cohort": "a")"))
            .cluster_queues.at("q")
            .cohort == "a");
  CHECK(
      read(object("ClusterQueue", "q", R"("cohortName": "", "cohort": "b")")).cluster_queues.at("q").cohort ==
      "b");
  CHECK_THROWS_WITH(read(object("ClusterQueue", "q", R"("cohortName": "a", "cohort": "b")")),
                    Contains("/items/0/spec/cohort: is \"b\", but \"cohortName\" is \"a\""));
  CHECK_THROWS_WITH(read(object("Cohort", "c", R"("parent": "b", "parentName": "a")")),
                    Contains("/items/0/spec/parent: is \"b\", but \"parentName\" is \"a\""));
}

TEST_CASE("What the model does not know or cannot do is said", "[kueue][import]") {
  CHECK(warnings_of(object("ClusterQueue", "q", R"("namespaceSelector": {})")).empty());
  CHECK_THAT(warnings_of(object("ClusterQueue", "q", "")),
             Contains("ClusterQueue q: it has no namespaceSelector, and admits nobody in Kueue"));
  CHECK_THAT(warnings_of(object("ClusterQueue", "q", R"("namespaceSelector": {"matchLabels": {"a": "b"}})")),
             Contains("here it takes jobs of all namespaces"));
  CHECK_THAT(warnings_of(object("ClusterQueue", "q", R"("queuingStrategy": "StrictFIFO")")),
             Contains("ClusterQueue q: the model does not know \"queuingStrategy\", and leaves it out"));
  CHECK_THAT(warnings_of(object("ClusterQueue", "q", R"("resourceGroups": [{"flavors": [{"name": "f",
                 "resources": [{"name": "cpu", "nominalQuota": 4, "borowingLimit": 0, "lendingLimit": 1}]}]}])")),
             Contains("\"borowingLimit\"") && Contains("limits on cpu have no effect"));
  CHECK_THAT(warnings_of(object("ClusterQueue", "q", R"("preemption": {"reclaimWithinCohort": "Any"})")),
             Contains("reclaimWithinCohort has no effect, since it is in no cohort"));
  CHECK_THAT(warnings_of(object("ResourceFlavor", "f", R"("topologyName": "rack")")),
             Contains("ResourceFlavor f: its topology"));
  CHECK_THAT(warnings_of(object("ClusterQueues", "q", "") + ", " + object("ClusterQueues", "r", "")),
             Contains("ClusterQueues: left out (2)"));
  CHECK_THAT(
      warnings_of(object("JobSet", "s", "", "jobset.x-k8s.io/v1alpha2")),
      Contains("JobSet: left out (1): say its replicated jobs as sources that are \"with\" the first"));
  const std::string two = R"("podSets": [{"name": "driver", "count": 1}, {"name": "workers", "count": 4}])";
  CHECK_THAT(warnings_of(object("Workload", "w", two)),
             Contains("Workload: pods of several sets count together, as of one job in one flavor (1)"));
  CHECK(warnings_of(object("Workload", "w", R"("podSets": [{"name": "main", "count": 4}])")).empty());
}

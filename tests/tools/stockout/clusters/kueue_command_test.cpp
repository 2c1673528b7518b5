// `stockout kueue conform` as people meet it.

#include <catch2/catch.hpp>

#include "sim/io/json_reader.h"
#include "tests/support/answer.h"
#include "tests/support/scratch_folder.h"

using namespace stockout;
using Catch::Contains;
using test::Answer;
using test::stockout_says;

namespace {

// One case of the policy "LowerPriority": whether 2 evicts `priority`, which is expected to be so.
std::string one_case(const std::string& priority, const std::string& policy = "LowerPriority") {
  return R"({"format": "stockout-conformance-kueue/1", "cases": [{"id": "p-1", "kind": "preempt-policy",
    "settings": {}, "preemptor": {"name": "a", "priority": 2}, "candidate": {"name": "b", "priority": )" +
         priority + R"(}, "policy": ")" + policy + R"(", "expect": {"satisfied": true}, "tags": ["x"]}]})";
}

}  // namespace

TEST_CASE("stockout kueue conform says what differs, what is not modelled, and how many",
          "[kueue][command]") {
  const test::ScratchFolder folder;
  const auto says = [&](const std::string& text) {
    return stockout_says({"kueue", "conform", folder.file("cases.json", text)});
  };
  const Answer passed = says(one_case("1"));
  CHECK(passed.code == ExitCode::done);
  CHECK_THAT(passed.out, Catch::EndsWith("\n1 passed, 0 failed, 0 not modelled\n"));
  const Answer failed = says(one_case("3"));
  CHECK(failed.code == ExitCode::not_as_asked);
  CHECK_THAT(failed.out, Contains("p-1 (preempt-policy): differs\n  satisfied: expected true, got false\n"));
  CHECK_THAT(failed.out, Catch::EndsWith("\n0 passed, 1 failed, 0 not modelled\n"));
  const Answer unknown = says(one_case("1", "Sometimes"));
  CHECK(unknown.code == ExitCode::done);
  CHECK_THAT(unknown.out, Contains("p-1 (preempt-policy): not modelled\n  \"policy\" \"Sometimes\"\n"));
  CHECK_THAT(unknown.out, Catch::EndsWith("\n0 passed, 0 failed, 1 not modelled\n"));
  const Answer odd = says(one_case("3000000000"));
  CHECK(odd.code == ExitCode::done);
  CHECK_THAT(odd.out, Contains("/cases/0/candidate/priority: must be from -2147483648 to 2147483647"));
  CHECK_THAT(odd.out, Catch::EndsWith("\n0 passed, 0 failed, 1 not modelled\n"));
}

TEST_CASE("stockout kueue conform refuses files that are no cases, with exit code 2",
          "[kueue][command][bad]") {
  const test::ScratchFolder folder;
  const auto [text, words] = GENERATE(table<std::string, std::string>({
      {"", "cases.json"},
      {"{]", "cases.json:1"},
      {"{\"cases\": []}", "\"format\" is missing"},
      {one_case("1e999"), "cases.json:2"},
  }));
  const Answer said = stockout_says({"kueue", "conform", folder.file("cases.json", text)});
  CHECK(said.code == ExitCode::bad_input);
  CHECK(said.out.empty());
  CHECK_THAT(said.err, Contains(words));
}

TEST_CASE("stockout kueue conform runs the others after a malformed case, with exit code 2",
          "[kueue][command][bad]") {
  const test::ScratchFolder folder;
  const std::string good = one_case("1");
  const std::string bad = one_case("\"high\"");
  const std::size_t from = bad.find("{\"id\"");
  const std::string item = bad.substr(from, bad.rfind(']') - from);
  std::string both = good;
  both.insert(both.find("{\"id\""), item + ", ");
  both.replace(both.find("p-1"), 3, "p-0");
  const Answer said = stockout_says({"kueue", "conform", folder.file("cases.json", both)});
  CHECK(said.code == ExitCode::bad_input);
  CHECK_THAT(said.out, Catch::EndsWith("\n1 passed, 0 failed, 0 not modelled, 1 malformed\n"));
  CHECK_THAT(said.err, Contains("/cases/0/candidate/priority: must be a whole number, but is \"high\""));
}

TEST_CASE("A report has rows by queue of Kueue, and says who gave way to whom", "[kueue][command]") {
  const std::string scenario = STOCKOUT_SCENARIOS_DIR "/kueue-reservation-dws.json";
  const Answer said = stockout_says({"compare", scenario, "--full", "--by", "cluster_queue", "--set",
                                     "/replications=2", "--set", "/window=7d", "--set", "/warm_up=0d"});
  CHECK(said.code == ExitCode::done);
  CHECK_THAT(said.out, Contains("Queues of Kueue"));
  CHECK_THAT(said.out, Contains("Who gave way to whom under Kueue"));
  CHECK_THAT(said.out, Contains("InCohortReclamation"));
  const Answer without =
      stockout_says({"compare", STOCKOUT_SCENARIOS_DIR "/quickstart.json", "--by", "cohort"});
  CHECK(without.code == ExitCode::bad_input);
  CHECK_THAT(without.err, Contains("has no \"kueue\", and no rows by cohort"));
}

TEST_CASE("stockout kueue import shows all digits, and says that cohorts form a circle", "[kueue][command]") {
  const test::ScratchFolder folder;
  const std::string list = R"({"items": [
    {"kind": "Cohort", "metadata": {"name": "a"}, "spec": {"parentName": "b"}},
    {"kind": "Cohort", "metadata": {"name": "b"}, "spec": {"parentName": "d"}},
    {"kind": "Cohort", "metadata": {"name": "d"}, "spec": {"parentName": "a"}},
    {"kind": "Cohort", "metadata": {"name": "below"}, "spec": {"parentName": "d"}},
    {"kind": "Cohort", "metadata": {"name": "self"}, "spec": {"parentName": "self"}},
    {"kind": "ClusterQueue", "metadata": {"name": "q"}, "spec": {"cohort": "a", "resourceGroups": [{"flavors": [
      {"name": "f", "resources": [{"name": "memory", "nominalQuota": "9007199254740993"}]}]}]}}]})";
  const Answer said = stockout_says({"kueue", "import", folder.file("queues.json", list)});
  CHECK(said.code == ExitCode::done);
  CHECK_THAT(said.out, Catch::Matches("[^]*q +f +memory +9,007,199,254,740,993 [^]*"));
  CHECK_THAT(said.out, Contains("the parents of cohorts form a circle: a -> b -> d -> a.\n"
                                "the parents of below lead to a circle, that of a.\n"
                                "the parents of cohorts form a circle: self -> self.\n"));
  CHECK_THAT(said.out, Contains("q admits nobody: the parents of its cohort form a circle.\n"));
}

TEST_CASE("stockout kueue import shows the queues that kubectl prints", "[kueue][command]") {
  const test::ScratchFolder folder;
  const std::string list = R"({"kind": "List", "items": [
    {"kind": "ResourceFlavor", "metadata": {"name": "reserved"}, "spec": {"nodeLabels": {"kind": "reserved"}}},
    {"kind": "Cohort", "metadata": {"name": "all"}, "spec": {"resourceGroups": [{"flavors": [{"name": "reserved",
      "resources": [{"name": "nvidia.com/gpu", "nominalQuota": 4}]}]}]}},
    {"kind": "ClusterQueue", "metadata": {"name": "research"}, "spec": {"cohort": "all",
      "queueingStrategy": "StrictFIFO", "preemption": {"withinClusterQueue": "LowerPriority"},
      "resourceGroups": [{"coveredResources": ["nvidia.com/gpu", "cpu"], "flavors": [{"name": "reserved",
        "resources": [{"name": "nvidia.com/gpu", "nominalQuota": "8", "borrowingLimit": "2"},
                      {"name": "cpu", "nominalQuota": "1500m"}]}]}]}},
    {"kind": "LocalQueue", "metadata": {"name": "lab", "namespace": "a"}, "spec": {"clusterQueue": "gone"}},
    {"kind": "Pod", "metadata": {"name": "p"}}]})";
  const Answer said = stockout_says({"kueue", "import", folder.file("queues.json", list)});
  CHECK(said.err.empty());
  CHECK(said.code == ExitCode::done);
  CHECK_THAT(said.out, Contains("research  all     StrictFIFO  LowerPriority"));
  CHECK_THAT(said.out, Catch::Matches("[^]*research +reserved +nvidia.com/gpu +8 +2 +. +10\\s[^]*"));
  CHECK_THAT(said.out, Catch::Matches("[^]*research +reserved +cpu +1,500 +. +. +1,500\\s[^]*"));
  CHECK_THAT(said.out, Contains("a/lab leads nowhere: there is no cluster queue \"gone\"."));
  CHECK_THAT(said.out, Catch::EndsWith("1 cluster queue, 1 cohort, 1 flavor, 1 local queue\n"));
  const Answer bad =
      stockout_says({"kueue", "import", folder.file("bad.json", R"({"items": [{"kind": "Cohort",
    "metadata": {"name": "x"}, "spec": {"fairSharing": {"weight": "much"}}}]})")});
  CHECK(bad.code == ExitCode::bad_input);
  CHECK_THAT(bad.err, Contains("/items/0/spec/fairSharing/weight: must be a quantity"));
}

TEST_CASE("stockout kueue import reads several files and writes the key of a scenario", "[kueue][command]") {
  const test::ScratchFolder folder;
  const std::string queue = folder.file("queue.yaml", R"(kind: ClusterQueue
metadata: {name: team}
spec:
  resourceGroups:
  - flavors:
    - name: reserved
      resources: [{name: nvidia.com/gpu, nominalQuota: 8}]
---
kind: LocalQueue
metadata: {name: lab}
spec: {clusterQueue: team}
)");
  const std::string flavor =
      folder.file("flavor.json", R"({"kind": "ResourceFlavor", "metadata": {"name": "reserved"}})");
  const std::string out = folder.path() + "kueue.json";
  const Answer said = stockout_says({"kueue", "import", queue, flavor, "--out", out});
  CHECK(said.err.empty());
  CHECK(said.code == ExitCode::done);
  CHECK_THAT(said.out, Contains("A scenario has not:\n  Kueue's own configuration"));
  const JsonValue part = read_json_file(out);
  const JsonValue* const kueue = part.find("kueue");
  REQUIRE(kueue != nullptr);
  CHECK(kueue->find("flavors")->get<JsonValue::List>()->size() == 1);
  CHECK(kueue->find("cluster_queues")->get<JsonValue::List>()->size() == 1);
  CHECK_THAT(said.out, Contains("Warnings:\n  ClusterQueue team: it has no namespaceSelector"));
  const std::string alone = folder.path() + "alone.json";
  const Answer none = stockout_says({"kueue", "import", flavor, "--out", alone});
  CHECK(none.code == ExitCode::bad_input);
  CHECK_THAT(none.err, Contains("flavor.json: has no local queue that leads to a cluster queue"));
  const Answer bad = stockout_says({"kueue", "import", folder.file("bad.yaml", "kind: [\n"), "--out", out});
  CHECK(bad.code == ExitCode::bad_input);
  CHECK_THAT(bad.err, Contains("is neither JSON nor YAML"));
}

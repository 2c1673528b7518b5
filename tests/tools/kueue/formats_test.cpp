// Parts of cases that no file at hand has, or that are written in several ways.

#include <catch2/catch.hpp>

#include "tests/tools/kueue/made_up_case.h"

using namespace stockout;
using namespace stockout::test;
using Catch::Contains;
using kueue::Verdict;

TEST_CASE("A pod set says by its affinity which flavors it takes", "[kueue][conformance]") {
  const std::string cluster = replaced(
      replaced(kCluster, R"([{"name": "f"}])",
               R"([{"name": "f", "labels": {"zone": "x"}}, {"name": "g", "labels": {"zone": "y"}}])"),
      R"("nominal": 1000}])", R"("nominal": 1000},
      {"group": 0, "name": "g", "resource": "cpu", "nominal": 1000}])");
  const auto flavor_of = [&](const std::string& affinity) {
    const std::string pods =
        replaced(workload("w"), R"("count": 1)", R"("count": 1, "affinity": )" + affinity);
    return run_one(kind("assign", cluster + R"(, "pending": [)" +
                                      replaced(pods, "\"localQueue\"", R"("queue": "q", "localQueue")") +
                                      R"(], "expect": {"flavors": {"cpu": "g"}})"));
  };
  const std::string in_y = R"({"key": "zone", "operator": "In", "values": ["y"]})";
  const std::string in_z = R"({"key": "zone", "operator": "NotIn", "values": ["x", "y"]})";
  const auto [affinity, verdict] = GENERATE_COPY(table<std::string, Verdict>({
      {'[' + in_y + ']', Verdict::passed},
      {"[[" + in_z + "], [" + in_y + "]]", Verdict::passed},
      {R"([{"matchExpressions": [)" + in_y + "]}]", Verdict::passed},
      {R"({"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms":
          [{"matchExpressions": [)" +
           in_y + "]}]}}}",
       Verdict::passed},
      {R"([[{"key": "rack", "operator": "Exists"}]])", Verdict::failed},
      {"[]", Verdict::failed},
      {R"([[{"key": "zone", "operator": "Near"}]])", Verdict::not_modelled},
      {R"({"podAffinity": []})", Verdict::malformed},
      {R"([7])", Verdict::malformed},
  }));
  const kueue::CaseResult result = flavor_of(affinity);
  CAPTURE(affinity, result.notes);
  CHECK(result.verdict == verdict);
}

TEST_CASE("Words of Kueue's older API are understood", "[kueue][conformance]") {
  const std::string text = kind("available", kCluster + R"(, "expect": {})");
  const auto verdict = [&](const char* word) {
    return run_one(replaced(text, "MayStopSearch", word)).verdict;
  };
  CHECK(verdict("Borrow") == Verdict::passed);
  CHECK(verdict("Never") == Verdict::not_modelled);
}

TEST_CASE("A flush counts trees of queues, not workloads", "[kueue][conformance]") {
  const std::string other = replaced(replaced(kQueue, "\"q\"", "\"r\""), "null", "\"co\"");
  const std::string queues = replaced(kQueue, "null", "\"co\"") + ", " + other;
  const auto waits = [](const std::string& name, const std::string& queue) {
    return replaced(workload(name), "\"localQueue\"", R"("queue": ")" + queue + R"(", "localQueue")");
  };
  const auto verdict = [&](const char* moved) {
    return run_one(kind("flush", R"("clusterQueues": [)" + queues + R"(], "pending": [)" + waits("v", "q") +
                                     ", " + waits("w", "r") + R"(], "expect": {"active": {"q": ["v"],
        "r": ["w"]}, "inadmissible": {}, "moved": )" +
                                     moved + "}"))
        .verdict;
  };
  CHECK(verdict("1") == Verdict::passed);
  CHECK(verdict("2") == Verdict::failed);
}

TEST_CASE("A request that is accepted says nothing of its check until its outcome is known",
          "[kueue][conformance]") {
  const auto says = [](const char* conditions, const char* state) {
    return run_one(kind("provisioning-check",
                        R"("input": [{"reserved": true, "check": {"state": "Ready"},
      "podsets": [{"name": "p", "count": 1, "requests": {}}]}], "requests": [{"name": "mine", "attempt": 1,
      "conditions": )" + std::string{conditions} +
                            R"(}], "expect": {"check": {"state": ")" + state + "\"}}"))
        .verdict;
  };
  CHECK(says(R"({"Accepted": "True"})", "Ready") == Verdict::passed);
  CHECK(says(R"({"Accepted": "True", "Provisioned": "False"})", "Pending") == Verdict::passed);
  CHECK(says("{}", "Pending") == Verdict::passed);
}

TEST_CASE("Local queues are held and let go, and checks are deleted", "[kueue][conformance]") {
  const std::string steps = R"({"do": "holdLocalQueue", "name": "l"}, )" + create("w") +
                            R"(, {"expect": "pending", "workloads": ["w"]},
      {"do": "unholdLocalQueue", "name": "l"}, {"expect": "admitted", "workloads": ["w"]},
      {"do": "deleteAdmissionCheck", "name": "c"})";
  const kueue::CaseResult result = run_one(scenario(steps));
  CAPTURE(result.notes);
  CHECK(result.verdict == Verdict::passed);
  CHECK_THAT(odd(scenario(R"({"do": "holdLocalQueue", "name": "m"})")),
             Contains("there is no such local queue"));
}

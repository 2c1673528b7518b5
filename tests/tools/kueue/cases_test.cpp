// Cases of single kinds: how they are read, and what is no case.

#include <catch2/catch.hpp>

#include "tests/tools/kueue/made_up_case.h"

using namespace stockout;
using namespace stockout::test;
using Catch::Contains;
using kueue::Verdict;

TEST_CASE("A malformed case hides no other", "[kueue][conformance]") {
  const std::string good = kind("order-queue", R"("input": [], "expect": {"first": ""})");
  const auto results =
      run_all(replaced(good, "\"x\"", "\"a\"") + ", 7, " + replaced(good, "\"input\": []", "\"input\": 7") +
              ", " + replaced(good, "\"x\"", "\"b\"") + ", " + replaced(good, "\"x\"", "\"a\""));
  std::vector<Verdict> verdicts;
  for (const kueue::CaseResult& result : results) verdicts.push_back(result.verdict);
  CHECK(verdicts == std::vector<Verdict>{Verdict::passed, Verdict::malformed, Verdict::malformed,
                                         Verdict::passed, Verdict::not_modelled});
  CHECK_THAT(results[1].notes.front(), Contains("/cases/1: must be an object"));
  CHECK_THAT(results[4].notes.front(), Contains("/cases/4/id: there is another case of this id"));
}

TEST_CASE("A queue all of whose workloads are put off has no head", "[kueue][conformance]") {
  const std::string put_off =
      replaced(workload("w"), "\"localQueue\"",
               R"("requeueState": {"count": 1, "requeueAt": 100}, "queue": "q", "localQueue")");
  CHECK(run_one(kind("heads", R"("input": [)" + put_off + R"(], "expect": {"heads": []})",
                     R"("inactiveQueues": [])"))
            .verdict == Verdict::passed);
}

TEST_CASE("The time in the queue is compared under one setting, or under both", "[kueue][conformance]") {
  const auto [expected, settings, verdict] = GENERATE(table<std::string, std::string, Verdict>({
      {R"({"Eviction": 9, "Creation": 1})", "", Verdict::passed},
      {R"({"timestamps": {"eviction": 9, "creation": 1}})", "", Verdict::passed},
      {R"({"timestamp": 9})", R"("requeuingTimestamp": "Eviction")", Verdict::passed},
      {R"({"timestamp": 9})", R"("requeuingTimestamp": "Creation")", Verdict::failed},
      {R"({"Eviction": 1, "Creation": 1})", "", Verdict::failed},
      {R"({"first": "w"})", "", Verdict::not_modelled},
      {R"({"timestamp": "late"})", "", Verdict::malformed},
  }));
  CAPTURE(expected, settings);
  const std::string input =
      R"({"name": "w", "created": 1, "evicted": {"status": true, "reason": "PodsReadyTimeout", "at": 9}})";
  for (const std::string& list : {input, '[' + input + ']'}) {
    CHECK(run_one(kind("order-timestamp", "\"input\": " + list + ", \"expect\": " + expected, settings))
              .verdict == verdict);
  }
  CHECK(note_of(kind("order-timestamp", R"("expect": {"timestamp": 1})"), Verdict::not_modelled) ==
        "a time in the queue without \"input\"");
}

TEST_CASE("Names that are empty are refused, and cases with names that come twice set aside",
          "[kueue][conformance]") {
  const auto says = [](const std::string& old, const std::string& now) {
    return malformed(replaced(scenario(create("w")), old, now));
  };
  CHECK_THAT(says(R"("name": "q")", R"("name": "")"),
             Contains("/clusterQueues/0/name: must be a name, but is empty"));
  CHECK_THAT(says(R"({"name": "f"})", R"({"name": ""})"), Contains("/flavors/0/name: must be a name"));
  CHECK_THAT(says(R"("name": "l")", R"("name": "")"), Contains("/localQueues/0/name: must be a name"));
  CHECK_THAT(says(R"("localQueues")", R"("cohorts": [{"name": "", "parent": "b"}], "localQueues")"),
             Contains("/cohorts/0/name: must be a name"));
  CHECK_THAT(odd(scenario(create("w") + ", " + create("w"))),
             Contains("/steps/1/workload: there is another workload of this name"));
  CHECK(
      run_one(scenario(create("w") + R"(, {"do": "delete", "workloads": ["w"]}, )" + create("w"))).verdict ==
      Verdict::passed);
  const std::string twice = "[" + workload("w") + ", " + workload("w") + "]";
  CHECK_THAT(odd(kind("order-queue", "\"input\": " + twice + R"(, "expect": {"first": "w"})")),
             Contains("/input/1: there is another workload of this name"));
}

TEST_CASE("Steps may change flavors and make checks", "[kueue][conformance]") {
  const std::string admitted = R"(, {"expect": "admitted", "workloads": ["w"]})";
  const std::string not_yet = R"(, {"expect": "pending", "workloads": ["w"]})";
  const std::string without =
      replaced(scenario("STEPS"), R"("flavors": [{"name": "f"}])", R"("flavors": [])");
  CHECK(run_one(replaced(without, "STEPS",
                         create("w") + not_yet + R"(, {"do": "createFlavor", "flavor": {"name": "f"}})" +
                             admitted))
            .verdict == Verdict::passed);
  const std::string tainted = R"({"do": "updateFlavor", "flavor": {"name": "f", "taints": [{"key": "k"}]}})";
  CHECK(run_one(scenario(tainted + ", " + create("w") + not_yet +
                         R"(, {"do": "updateFlavor", "flavor": {"name": "f"}})" + admitted))
            .verdict == Verdict::passed);
  const std::string with_check =
      replaced(scenario("STEPS"), "\"cohort\": null", R"("admissionChecks": ["c"], "cohort": null)");
  for (const char* check : {R"("name": "c")", R"("check": "c")", R"("admissionCheck": {"name": "c"})"}) {
    CHECK(run_one(replaced(with_check, "STEPS",
                           create("w") + not_yet + R"(, {"do": "createAdmissionCheck", )" + check +
                               R"(}, {"expect": "quotaReserved", "workloads": ["w"]})"))
              .verdict == Verdict::passed);
  }
  CHECK(run_one(scenario(R"({"do": "deleteFlavor", "name": "f"}, )" + create("w") + admitted)).verdict ==
        Verdict::passed);
}

TEST_CASE("Keys of a step that nobody knows make its case one that is not modelled", "[kueue][conformance]") {
  CHECK(note_of(scenario(R"({"do": "finish", "workloads": [], "reason": "x"})"), Verdict::not_modelled) ==
        "the key \"reason\" of \"steps\"");
  CHECK(note_of(scenario(R"({"do": "updateFlavor", "flavor": {"name": "f"}, "force": true})"),
                Verdict::not_modelled) == "the key \"force\" of \"steps\"");
  CHECK(note_of(scenario(R"({"do": "dance"})"), Verdict::not_modelled) == "the step \"dance\"");
}

TEST_CASE("Of a queue that never was nobody waits in it, holds quota or is evicted", "[kueue][conformance]") {
  for (const char* step : {R"({"expect": "reservingCount", "queue": "z", "count": )",
                           R"({"expect": "pendingCount", "queue": "z", "active": 0, "inadmissible": )",
                           R"({"expect": "preemptedByTotal", "preemptorQueue": "z", "count": )",
                           R"({"do": "finishAnyRunning", "queue": "z", "count": )"}) {
    CAPTURE(step);
    CHECK(run_one(scenario(step + std::string{"0}"})).verdict == Verdict::passed);
    CHECK(run_one(scenario(step + std::string{"1}"})).verdict == Verdict::failed);
  }
  const auto cycle = [](const std::string& expected) {
    return run_one(kind("cycle", kCluster + R"(, "expect": {)" + expected + "}")).verdict;
  };
  CHECK(cycle(R"("left": {"z": []}, "inadmissible": {"z": []})") == Verdict::passed);
  CHECK(cycle(R"("left": {"z": ["w"]})") == Verdict::failed);
  CHECK(cycle(R"("skippedPreemptions": {"z": 0}, "recomputations": {"z": {"skipped": 0}})") ==
        Verdict::passed);
  CHECK(cycle(R"("pendingReason": {"w": "WaitingForQuota"})") == Verdict::failed);
}

TEST_CASE("What is not there can be deleted, and is not", "[kueue][conformance]") {
  const std::string with_cohort = replaced(scenario("STEPS"), "\"cohort\": null", R"("cohort": "unlisted")");
  const std::string admitted = ", " + create("w") + R"(, {"expect": "admitted", "workloads": ["w"]})";
  for (const char* step :
       {R"({"do": "deleteCohort", "name": "unlisted"})", R"({"do": "deleteFlavor", "name": "g"})",
        R"({"do": "deleteClusterQueue", "name": "z"})", R"({"do": "deleteLocalQueue", "name": "z"})",
        R"({"do": "delete", "workloads": ["v"]})", R"({"do": "finish", "workloads": ["v"]})"}) {
    CAPTURE(step);
    CHECK(run_one(replaced(with_cohort, "STEPS", step + admitted)).verdict == Verdict::passed);
  }
}

TEST_CASE("A case that refers to what is not there is set aside, with the place", "[kueue][conformance]") {
  CHECK_THAT(odd(scenario(R"({"do": "holdClusterQueue", "name": "z"})")),
             Contains("/steps/0/name: there is no such cluster queue"));
  CHECK_THAT(odd(scenario(R"({"expect": "weightedShare", "queue": "z", "value": 0})")),
             Contains("/steps/0/queue: there is no such cluster queue"));
  CHECK_THAT(odd(scenario(R"({"expect": "admitted", "workloads": ["v"]})")),
             Contains("/steps/0/workloads/0: there is no such workload"));
  CHECK_THAT(odd(kind("assign", kCluster + R"(, "pending": [)" + workload("w") + R"(], "expect": {})")),
             Contains("/pending: is in no cluster queue"));
  const std::string victims = R"(, "pending": [)" + workload("w") + R"(], "targetQueue": "z", "expect": {})";
  CHECK_THAT(odd(kind("preempt", kCluster + victims)),
             Contains("/targetQueue: there is no such cluster queue"));
  CHECK_THAT(
      odd(kind("fair-share", kCluster + R"(, "expect": {"shares": [{"name": "z", "node": "cohort"}]})")),
      Contains("/shares/0/name: there is no such cohort"));
}

TEST_CASE("Who holds quota in a queue that is not there takes none from others", "[kueue][conformance]") {
  const std::string lost =
      replaced(workload("v"), "\"localQueue\"", R"("admission": {"clusterQueue": "z", "podsets": [
    {"name": "main", "count": 1, "flavors": {"cpu": "f"}, "usage": {"cpu": 1000}}]}, "localQueue")");
  const std::string rest = R"(, "admitted": [)" + lost + R"(], "pending": [)" + workload("w") +
                           R"(], "expect": {"admitted": [{"name": "w", "clusterQueue": "q", "podsets": [
    {"name": "main", "count": 1, "flavors": {"cpu": "f"}, "usage": {"cpu": 1000}}]}]})";
  CHECK(run_one(kind("cycle", kCluster + rest)).verdict == Verdict::passed);
}

TEST_CASE("Policies, requests and lists that a case leaves out are those of a queue that says nothing",
          "[kueue][conformance]") {
  const std::string bare = R"("flavors": [{"name": "f"}], "clusterQueues": [{"name": "q", "flavors": [
    {"group": 0, "name": "f", "resource": "cpu"}]}], "localQueues": [{"name": "l", "clusterQueue": "q"}])";
  const std::string pending =
      R"(, "pending": [{"name": "w", "localQueue": "l", "podsets": [{"name": "main", "count": 1}]}])";
  const std::string expected = R"(, "expect": {"admitted": [{"name": "w", "clusterQueue": "q", "podsets": [
    {"name": "main", "count": 1}]}]})";
  CHECK(run_one(kind("cycle", bare + pending + expected)).verdict == Verdict::passed);
}

TEST_CASE("Numbers that no cluster has set a case aside", "[kueue][conformance]") {
  const std::string state =
      kind("requeue-state",
           R"("state": {"count": 2000000}, "waitUntil": 1, "increment": true, "expect": {"changed": true})");
  CHECK_THAT(odd(state), Contains("/state/count: must be from 0 to 1000000"));
  CHECK_THAT(odd(scenario("", R"("waitForPodsReady": {"backoffBaseSeconds": -1})")),
             Contains("/backoffBaseSeconds: must not be negative"));
  CHECK_THAT(odd(scenario("", R"("admissionFairSharing": {"usageSamplingSeconds": 0})")),
             Contains("/usageSamplingSeconds: must be longer than 0 s"));
  const std::string usage = kind(
      "available", kCluster + R"(, "usage": [{"queue": "q", "flavor": "f", "resource": "cpu", "amount": -1}],
    "expect": {"available": [], "potentiallyAvailable": []})");
  CHECK_THAT(odd(usage), Contains("/usage/0/amount: must be from 0"));
}

TEST_CASE("A back-off of no time, and a time-out of none, are over at once", "[kueue][conformance]") {
  const std::string late =
      R"(, {"do": "advance", "seconds": 10}, {"expect": "evictedByPodsReadyTimeout", "workload": "w"},
    {"do": "finishEviction", "workloads": ["w"]}, {"expect": "admittedTotal", "queue": "q", "count": 2})";
  CHECK(run_one(scenario(create("w") + late,
                         R"("waitForPodsReady": {"timeoutSeconds": 10, "backoffBaseSeconds": 0})"))
            .verdict == Verdict::passed);
  const std::string at_once = R"(, {"expect": "evictedByPodsReadyTimeout", "workload": "w"})";
  CHECK(run_one(scenario(create("w") + at_once, R"("waitForPodsReady": {"timeoutSeconds": 0})")).verdict ==
        Verdict::passed);
}

TEST_CASE("An update says what a workload asks for, and what has become of it since",
          "[kueue][conformance]") {
  const std::string first =
      create("w") + R"(, {"expect": "admitted", "workloads": ["w"]}, )" + create("v") +
      R"(, {"expect": "pending", "workloads": ["v"]}, {"do": "updateWorkload", "workload": )";
  const std::string then = R"(}, {"expect": "admitted", "workloads": ["v"]})";
  const auto says = [&](const std::string& updated) {
    return run_one(scenario(first + updated + then)).verdict;
  };
  CHECK(says(workload("w")) == Verdict::failed);
  CHECK(says(replaced(workload("w"), "\"localQueue\"",
                      R"("reclaimable": [{"name": "main", "count": 1}], "localQueue")")) == Verdict::passed);
}

TEST_CASE("A workload that may run for some time only is deactivated then", "[kueue][conformance]") {
  const std::string step =
      replaced(create("w"), "\"localQueue\"", R"("maximumExecutionTimeSeconds": 60, "localQueue")");
  CHECK(run_one(
            scenario(step + R"(, {"expect": "admitted", "workloads": ["w"]}, {"do": "advance", "seconds": 60},
    {"expect": "evictedTotal", "queue": "q", "reason": "Deactivated", "count": 1})"))
            .verdict == Verdict::passed);
}

TEST_CASE("Who is not to be requeued waits whatever its time says", "[kueue][conformance]") {
  const auto says = [](const std::string& requeued, const char* expired) {
    return run_one(kind("requeue-backoff",
                        R"("input": [{"name": "w", "requeueState": {"count": 1, "requeueAt": -60})" +
                            requeued + R"(}], "expect": {"expired": )" + expired + "}",
                        R"("now": 0)"))
        .verdict;
  };
  CHECK(says("", "true") == Verdict::passed);
  CHECK(says(R"(, "requeued": {"status": true, "reason": "BackoffFinished", "at": 0})", "true") ==
        Verdict::passed);
  CHECK(says(R"(, "requeued": {"status": false, "reason": "PodsReadyTimeout", "at": 0})", "false") ==
        Verdict::passed);
}

TEST_CASE("Requests for capacity are told by their names", "[kueue][conformance]") {
  const std::string text =
      kind("provisioning-check",
           R"("input": [{"reserved": true, "admitted": false, "finished": false, "evicted": false,
      "active": true, "check": {"state": "Pending"}, "podsets": [{"name": "p", "count": 1, "requests": {}}]}],
    "requests": [{"name": "mine", "attempt": 1, "conditions": {}}], "expect": {"requests": ["mine"], "requestsGone": []})",
           R"("managedResources": [])");
  CHECK(run_one(text).verdict == Verdict::passed);
  CHECK(note_of(replaced(text, R"("requests": ["mine"], "requestsGone": [])",
                         R"("requests": [], "requestsGone": ["mine"])"),
                Verdict::failed) == "request mine: expected none, got there");
}

TEST_CASE("A time of requeue that is far off is not waited for", "[kueue][conformance]") {
  const auto says = [](const char* is_set) {
    const std::string evicted =
        R"(, {"do": "advance", "seconds": 10}, {"expect": "requeueState", "workload": "w", "count": 1, "hasRequeueAt": )";
    return run_one(scenario(create("w") + evicted + is_set + "}",
                            R"("waitForPodsReady": {"timeoutSeconds": 10, "backoffBaseSeconds": 300})"))
        .verdict;
  };
  CHECK(says("true") == Verdict::passed);
  CHECK(says("false") == Verdict::failed);
}

TEST_CASE("A count of requeues is not waited for until the workload is admitted again",
          "[kueue][conformance]") {
  const auto says = [](const char* count) {
    const std::string evicted =
        R"(, {"do": "advance", "seconds": 2}, {"do": "finishEviction", "workloads": ["w"]}, {"expect": "requeueState",
        "workload": "w", "hasRequeueAt": false, "count": )";
    return run_one(scenario(create("w") + evicted + count + "}",
                            R"("waitForPodsReady": {"timeoutSeconds": 1, "backoffBaseSeconds": 5})"))
        .verdict;
  };
  CHECK(says("1") == Verdict::passed);
  CHECK(says("2") == Verdict::failed);
}

TEST_CASE("Flavors that were tried are compared with those that are expected", "[kueue][conformance]") {
  const auto says = [](const std::string& attempts) {
    return run_one(
               kind("assign", kCluster + R"(, "pending": [)" +
                                  replaced(workload("w"), "\"localQueue\"", R"("queue": "q", "localQueue")") +
                                  R"(], "expect": {"podsets": [{"name": "main", "flavors":
      {"cpu": {"flavor": "f", "mode": "Fit"}}, "attempts": [)" +
                                  attempts + "]}]}"))
        .notes;
  };
  const std::string tried = R"({"flavor": "f", "mode": "Fit"})";
  CHECK(says(tried).empty());
  CHECK(says(tried + R"(, {"flavor": "g", "mode": "NoFit"})").empty());
  CHECK(says("") == std::vector<std::string>{"attempt of main with f: expected none, got Fit"});
  CHECK(says(tried + R"(, {"flavor": "g", "mode": "Preempt"})") ==
        std::vector<std::string>{"attempt of main with g: expected Preempt, got none"});
}

TEST_CASE("No strategies of fair sharing are all of them", "[kueue][conformance]") {
  const auto queue = [](const std::string& name, const std::string& cpus) {
    const std::string named = replaced(replaced(kQueue, "\"q\"", '"' + name + '"'), "1000", cpus);
    return replaced(replaced(named, "null", "\"co\""), R"("reclaimWithinCohort": "Never")",
                    R"("reclaimWithinCohort": "Any")");
  };
  std::string admitted;
  for (const char* name : {"1", "2", "3", "4"}) {
    admitted += (admitted.empty() ? "" : ", ") +
                replaced(workload(name), "\"localQueue\"", R"("admission": {"clusterQueue": "b", "podsets": [
      {"name": "main", "count": 1, "flavors": {"cpu": "f"}, "usage": {"cpu": 1000}}]}, "localQueue")");
  }
  const std::string rest =
      R"("flavors": [{"name": "f"}], "clusterQueues": [)" + queue("a", "0") + ", " + queue("b", "0") + ", " +
      queue("c", "4000") + R"(], "admitted": [)" + admitted + R"(], "pending": [)" + workload("w") +
      R"(], "targetQueue": "a", "assignment": [{"podset": "main", "resource": "cpu", "flavor": "f",
      "mode": "Preempt"}], "expect": {"preempted": [{"name": "1", "reason": "InCohortFairSharing"}], "count": 1})";
  for (const char* strategies : {"", R"(, "preemptionStrategies": [])"}) {
    const kueue::CaseResult result =
        run_one(kind("preempt", rest, R"("fairSharing": true)" + std::string{strategies}));
    CAPTURE(strategies, result.notes);
    CHECK(result.verdict == Verdict::passed);
  }
}

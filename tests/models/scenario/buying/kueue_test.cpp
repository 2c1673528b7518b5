// Kueue of a scenario file: what its administrator has set up, which legs are of which flavor, and what is
// refused.

#include <algorithm>
#include <string>

#include <catch2/catch.hpp>

#include "tests/support/scenarios/small_scenario.h"

using namespace stockout;
using namespace std::chrono_literals;
using Catch::Contains;

namespace {

const std::string kLegs =
    R"("legs": [{"model": "reservation", "reservation": "held", "flavor": "reserved"},
                {"model": "on_demand", "flavor": "rest"}])";
const std::string kQueues =
    R"("cluster_queues": [{"name": "team", "flavors": [{"flavor": "reserved", "nominal_quota": 2},
                                                       {"flavor": "rest", "nominal_quota": 8}]}])";
const std::string kEntrance = R"("local_queues": [{"name": "jobs", "cluster_queue": "team"}])";

Scenario scenario_with(const std::string& kueue, const std::string& strategy = kLegs) {
  const test::ScenarioLoader loader;
  return loader.small({{"/kueue", R"({"flavors": ["reserved", "rest"], )" + kueue + "}"},
                       {"/strategies/0", R"({"name": "s", )" + strategy + "}"}});
}

KueueCluster cluster_of(const std::string& kueue) { return *scenario_with(kueue).world.kueue; }

std::string error_of(const std::string& kueue, const std::string& strategy = kLegs) {
  return test::error_in([&] { static_cast<void>(scenario_with(kueue, strategy)); });
}

/// One queue with these keys besides its name and its flavors.
std::string queue_with(const std::string& keys, const std::string& more = "") {
  return R"("cluster_queues": [{"name": "team", "flavors": [{"flavor": "rest", "nominal_quota": 8}], )" +
         keys + "}], " + kEntrance + more;
}

std::string cohort(const std::string& keys) {
  return kQueues + ", " + kEntrance + R"(, "cohorts": [)" + keys + "]";
}

}  // namespace

TEST_CASE("A scenario sets up Kueue, and legs name its flavors", "[scenario]") {
  const Scenario scenario = scenario_with(kQueues + ", " + kEntrance);
  REQUIRE(scenario.world.kueue);
  const KueueCluster& cluster = *scenario.world.kueue;
  const kueue::ClusterQueue& queue = cluster.objects.cluster_queues.at("team");
  REQUIRE(queue.groups.size() == 1);
  CHECK(queue.groups[0].flavors[1].flavor == "rest");
  CHECK(queue.groups[0].flavors[1].quotas.at(kKueueResource).nominal == kueue::Amount{8});
  CHECK(queue.strategy == kueue::QueueingStrategy::best_effort_fifo);
  CHECK(queue.preemption.within_queue == kueue::PreemptionPolicy::never);
  CHECK(queue.fungibility.next_when_preempting);
  CHECK_FALSE(queue.fungibility.next_when_borrowing);
  CHECK_FALSE(cluster.settings.pods_ready);
  CHECK_FALSE(cluster.settings.fair_sharing);
  CHECK(cluster.local_queue_of({}) == "jobs");
  CHECK(scenario.world.strategies[0].legs[0].flavor == "reserved");
  CHECK(scenario.world.strategies[0].legs[1].flavor == "rest");
}

TEST_CASE("Queues have the rules that they are given", "[scenario]") {
  const KueueCluster cluster = cluster_of(queue_with(
      R"("cohort": "all", "queueing_strategy": "strict_fifo", "usage_based_admission": true,
         "preemption": {"within_cluster_queue": "lower_or_newer_equal_priority", "reclaim_within_cohort": "any",
                        "borrow_within_cohort": "lower_priority", "max_priority_threshold": 7},
         "flavor_fungibility": {"when_can_borrow": "try_next_flavor", "when_can_preempt": "may_stop_search",
                                "preference": "preemption_over_borrowing"},
         "admission_checks": [{"name": "capacity", "on_flavors": ["rest"]}])",
      R"(, "admission_checks": [{"name": "capacity", "backoff_limit": 1, "backoff_base": "2min"}],
         "admission_fair_sharing": {"usage_half_life_time": "1h"})"));
  const kueue::ClusterQueue& queue = cluster.objects.cluster_queues.at("team");
  CHECK(queue.cohort == "all");
  CHECK(queue.strategy == kueue::QueueingStrategy::strict_fifo);
  CHECK(queue.usage_based_admission);
  CHECK(queue.preemption.within_queue == kueue::PreemptionPolicy::lower_or_newer_equal_priority);
  CHECK(queue.preemption.reclaim_within_cohort == kueue::PreemptionPolicy::any);
  CHECK(queue.preemption.borrow_within_cohort.lower_priority);
  CHECK(queue.preemption.borrow_within_cohort.max_priority == 7);
  CHECK(queue.fungibility.next_when_borrowing);
  CHECK_FALSE(queue.fungibility.next_when_preempting);
  CHECK(queue.fungibility.preference == kueue::FlavorPreference::preemption_over_borrowing);
  REQUIRE(queue.checks.size() == 1);
  CHECK(queue.checks[0].flavors == std::vector<std::string>{"rest"});
  CHECK(cluster.checks.at("capacity").limit == 1);
  CHECK(cluster.checks.at("capacity").base == 2min);
  CHECK(cluster.checks.at("capacity").most == 30min);
  CHECK(cluster.settings.admission_fair_sharing->half_life == 1h);
  CHECK(cluster.settings.admission_fair_sharing->sampling == 5min);
}

TEST_CASE("Settings, cohorts and local queues are read", "[scenario]") {
  const KueueCluster cluster = cluster_of(
      R"("fair_sharing": {"preemption_strategies": ["less_than_initial_share"]},
         "wait_for_pods_ready": {"timeout": "10min", "backoff_limit": 2, "requeuing_timestamp": "creation"},
         "cohorts": [{"name": "all", "parent": "company", "fair_weight": 3,
                      "flavors": [{"flavor": "rest", "nominal_quota": 5, "borrowing_limit": 1, "lending_limit": 2}]}],
         "local_queues": [{"name": "few", "cluster_queue": "team", "classes": ["jobs"], "users": ["-"]},
                          {"name": "all", "cluster_queue": "team"}], )" +
      kQueues);
  CHECK(cluster.settings.fair_sharing);
  CHECK(cluster.settings.strategies == std::vector{kueue::FairStrategy::less_than_initial_share});
  CHECK(cluster.settings.requeue_timestamp == kueue::RequeueTimestamp::creation);
  CHECK(cluster.settings.pods_ready->timeout == 10min);
  CHECK(cluster.settings.pods_ready->recovery_timeout == 10min);
  CHECK(cluster.settings.pods_ready->backoff_limit == 2);
  const kueue::Cohort& own = cluster.objects.cohorts.at("all");
  CHECK(own.parent == "company");
  CHECK(own.fair_weight == 3);
  const kueue::Quota& quota = own.groups[0].flavors[0].quotas.at(kKueueResource);
  CHECK(quota.nominal == kueue::Amount{5});
  CHECK(quota.borrowing_limit == kueue::Amount{1});
  CHECK(quota.lending_limit == kueue::Amount{2});
  CHECK(cluster.local_queue_of({}) == "few");
  CHECK(cluster.local_queue_of({.user = UserId{9}}) == "all");
}

TEST_CASE("Names of Kueue's objects are looked up", "[scenario]") {
  const std::string rest = ", " + kEntrance;
  CHECK_THAT(error_of(kQueues + rest, R"("legs": [{"model": "on_demand", "flavor": "reserve"}])"),
             Contains("/strategies/0/legs/0/flavor") && Contains("did you mean \"reserved\""));
  CHECK_THAT(
      error_of(R"("cluster_queues": [{"name": "team", "flavors": [{"flavor": "res", "nominal_quota": 1}]}])" +
               rest),
      Contains("/kueue/cluster_queues/0/flavors/0/flavor") && Contains("did you mean \"rest\""));
  CHECK_THAT(error_of(kQueues + R"(, "local_queues": [{"name": "jobs", "cluster_queue": "tean"}])"),
             Contains("/kueue/local_queues/0/cluster_queue") && Contains("did you mean \"team\""));
  CHECK_THAT(
      error_of(kQueues + R"(, "local_queues": [{"name": "j", "cluster_queue": "team", "classes": ["job"]}])"),
      Contains("did you mean \"jobs\""));
  CHECK_THAT(error_of(queue_with(R"("admission_checks": [{"name": "dws"}])")),
             Contains("there is no admission check \"dws\""));
}

TEST_CASE("Each object of Kueue has a name of its own", "[scenario]") {
  CHECK_THAT(error_of(kQueues + R"(, "local_queues": [{"name": "a", "cluster_queue": "team"},
                                                     {"name": "a", "cluster_queue": "team"}])"),
             Contains("/kueue/local_queues/1/name") && Contains("there is a local queue \"a\" already"));
  CHECK_THAT(error_of(cohort(R"({"name": "a"}, {"name": "a"})")),
             Contains("there is a cohort \"a\" already"));
  CHECK_THAT(
      error_of(R"("cluster_queues": [{"name": "team", "flavors": [{"flavor": "rest", "nominal_quota": 1},
                                                                        {"flavor": "rest", "nominal_quota": 1}]}], )" +
               kEntrance),
      Contains("has a quota here already"));
}

TEST_CASE("What has no effect in Kueue, or contradicts itself, is refused", "[scenario]") {
  CHECK_THAT(error_of(queue_with(R"("preemption": {"reclaim_within_cohort": "any"})")),
             Contains("the queue is in no cohort"));
  CHECK_THAT(
      error_of(queue_with(R"("cohort": "c", "preemption": {"borrow_within_cohort": "lower_priority"})")),
      Contains("reclaim_within_cohort"));
  CHECK_THAT(error_of(queue_with(R"("cohort": "c", "preemption": {"reclaim_within_cohort": "any",
                                    "borrow_within_cohort": "lower_priority"})",
                                 R"(, "fair_sharing": {})")),
             Contains("cannot be combined with \"fair_sharing\""));
  CHECK_THAT(error_of(queue_with(R"("usage_based_admission": true)")), Contains("admission_fair_sharing"));
  CHECK_THAT(error_of(cohort(R"({"name": "a", "parent": "b"}, {"name": "b", "parent": "a"})")),
             Contains("/kueue/cohorts/0/parent") && Contains("form a circle"));
  CHECK_THAT(
      error_of(cohort(
          R"({"name": "a", "flavors": [{"flavor": "rest", "nominal_quota": 1, "lending_limit": 1}]})")),
      Contains("nobody to share with"));
  CHECK_THAT(error_of(R"("cluster_queues": [{"name": "team", "cohort": "a", "flavors": [{"flavor": "rest",
                          "nominal_quota": 1, "lending_limit": 2}]}], )" +
                      kEntrance),
             Contains("/flavors/0/lending_limit") && Contains("is more than the nominal quota, 1"));
  CHECK_THAT(error_of(R"("cluster_queues": [{"name": "team", "cohort": "a", "flavors": [{"flavor": "rest",
                          "nominal_quota": 1, "resources": [{"resource": "cpu", "nominal_quota": 0.5,
                          "lending_limit": 1}]}]}], "pod_requests": [{"resource": "cpu", "per_gpu": 1}], )" +
                      kEntrance),
             Contains("/resources/0/lending_limit") && Contains("is more than the nominal quota, 0.5"));
  CHECK_THAT(
      error_of(kQueues + R"(, "local_queues": [{"name": "j", "cluster_queue": "team", "users": ["-"]}])"),
      Contains("none takes the jobs of class \"jobs\" of all users"));
  CHECK_THAT(error_of(kQueues + ", " + kEntrance, R"("legs": [{"model": "on_demand"}])"),
             Contains("/kueue: is allowed only with \"flavor\" of \"legs\" of \"strategies\""));
}

TEST_CASE("A cohort may lend more than its own, since those below it lend to it", "[scenario]") {
  const KueueCluster cluster =
      cluster_of(cohort(R"({"name": "a", "parent": "b", "flavors": [{"flavor": "rest",
      "nominal_quota": 1, "lending_limit": 2, "resources": [{"resource": "cpu", "nominal_quota": 1,
      "lending_limit": 2}]}]})"));
  const kueue::FlavorQuotas& quotas = cluster.objects.cohorts.at("a").groups.front().flavors.front();
  CHECK(quotas.quotas.at(kKueueResource).lending_limit == kueue::Amount{2});
  CHECK(quotas.quotas.at("cpu").lending_limit == kueue::Amount{2000});
}

TEST_CASE("Legs of a strategy have a flavor, all or none, and only what Kueue's jobs can do", "[scenario]") {
  const std::string kueue = kQueues + ", " + kEntrance;
  const auto legs = [](const std::string& first, const std::string& more = "") {
    return R"("legs": [{"model": "on_demand", "flavor": "rest"}, {)" + first + "}]" + more;
  };
  CHECK_THAT(error_of(kueue, legs(R"("model": "spot")")), Contains("/strategies/0/legs/1"));
  CHECK_THAT(error_of(kueue, legs(R"("model": "spot", "flavor": "rest", "partial": {"least": 1})")),
             Contains("partial") && Contains("Kueue counts all pods"));
  CHECK_THAT(
      error_of(kueue, legs(R"("model": "flex_start", "flavor": "rest", "race": "first_boot")")),
      Contains("/flavor: cannot be combined with race \"first_boot\": Kueue's quota is for one lease"));
  CHECK_THAT(
      error_of(kueue, legs(R"("model": "spot", "flavor": "rest")", R"(, "resubmit": {"after": "1h"})")),
      Contains("/strategies/0/resubmit"));
  CHECK_THAT(error_of(kueue, legs(R"("model": "spot", "flavor": "rest")", R"(, "orchestrator": "vertex")")),
             Contains("Kueue runs on gke, not on vertex"));
  const test::ScenarioLoader loader;
  CHECK_THAT(test::error_in([&] {
               static_cast<void>(loader.small({{"/strategies/0/legs/0/flavor", "rest"}}));
             }),
             Contains("/flavor: is allowed only with \"kueue\": it says how Kueue is set up"));
}

TEST_CASE("Under Kueue a leg is the last of its jobs if no other has its flavor", "[scenario]") {
  const std::string kueue = kQueues + ", " + kEntrance;
  const auto legs = scenario_with(kueue, R"("orchestrator": "gke",
      "legs": [{"model": "spot", "flavor": "reserved"}, {"model": "spot", "flavor": "rest"},
               {"model": "on_demand", "flavor": "rest"}])")
                        .world.strategies[0]
                        .legs;
  CHECK(legs[0].policy.retries == kUnlimited);
  CHECK(legs[1].policy.retries == 0);
  CHECK(legs[2].policy.retries == kUnlimited);
}

TEST_CASE("Jobs that Kueue's quota never lets in are warned of", "[scenario]") {
  const auto is_warned = [](const std::string& queues) {
    const auto warnings = scenario_with(queues + ", " + kEntrance).warnings;
    return std::ranges::any_of(
        warnings, [](const std::string& text) { return text.find("wait for ever") != std::string::npos; });
  };
  CHECK_FALSE(is_warned(kQueues));
  CHECK(is_warned(
      R"("cluster_queues": [{"name": "team", "flavors": [{"flavor": "rest", "nominal_quota": 0}]}])"));
}

TEST_CASE("Kueue is not combined with pipelines that try a step again", "[scenario]") {
  const test::ScenarioLoader loader;
  const auto load = [&](const std::string& then) {
    static_cast<void>(loader.small(
        {{"/kueue", R"({"flavors": ["reserved", "rest"], )" + kQueues + ", " + kEntrance + "}"},
         {"/workload", R"([{"name": "jobs", "schedule": {"at": "12:00"}, "machine": "generic", "work": "1h"},
                           {"name": "then", "machine": "generic", )" +
                           then + "}]"},
         {"/strategies/0", R"({"name": "s", )" + kLegs + "}"}}));
  };
  CHECK(test::error_in([&] { load(R"("work": "1h", "after": ["jobs"])"); }).empty());
  CHECK_THAT(test::error_in([&] { load(R"("work": "1h", "after": ["jobs"], "retry": {"times": 1})"); }),
             Contains("/retry: cannot be combined with \"kueue\": Kueue has tries of its own"));
}

TEST_CASE("Jobs of a set go to one local queue of Kueue, with one priority", "[scenario]") {
  const test::ScenarioLoader loader;
  const auto load = [&](const std::string& of_driver, const std::string& kueue = kEntrance,
                        const std::string& classes = "{}") {
    return loader.small(
        {{"/kueue", R"({"flavors": ["reserved", "rest"], )" + kQueues + ", " + kueue + "}"},
         {"/classes", classes},
         {"/workload", R"([{"name": "jobs", "schedule": {"at": "12:00"}, "machine": "generic", "work": "1h"},
                           {"name": "driver", "machine": "generic", "with": "jobs")" +
                           of_driver + "}]"},
         {"/strategies/0", R"({"name": "s", )" + kLegs + "}"}});
  };
  const auto error = [&](const std::string& of_driver, const std::string& kueue, const std::string& classes) {
    return test::error_in([&] { static_cast<void>(load(of_driver, kueue, classes)); });
  };
  CHECK(load("").world.has_sets());
  CHECK_THAT(error("", R"("local_queues": [{"name": "a", "cluster_queue": "team", "classes": ["driver"]},
                                           {"name": "rest", "cluster_queue": "team"}])",
                   "{}"),
             Contains("/workload/1/with") && Contains("one local queue") &&
                 Contains("class \"jobs\" goes to \"rest\", and class \"driver\" to \"a\""));
  CHECK_THAT(error("", kEntrance, R"({"driver": {"priority": 5}})"),
             Contains("/workload/1/with") && Contains("one priority") &&
                 Contains("class \"jobs\" has 0, and class \"driver\" has 5"));
  const auto is_warned = [](const Scenario& scenario) {
    return std::ranges::any_of(scenario.warnings, [](const std::string& text) {
      return text.find("no effect on sets of jobs") != std::string::npos;
    });
  };
  CHECK_FALSE(is_warned(load("")));
  CHECK(is_warned(load(R"(, "nodes": 2)", kEntrance + R"(, "partial_admission": [{"min_count": 1}])")));
}

TEST_CASE("Jobs may be admitted with fewer pods, and legs have places for every smaller size", "[scenario]") {
  const auto with = [](const std::string& entry, const std::string& nodes = "4") {
    const test::ScenarioLoader loader;
    return loader.small({{"/kueue", R"({"flavors": ["reserved", "rest"], )" + kQueues + ", " + kEntrance +
                                        R"(, "partial_admission": [)" + entry + "]}"},
                         {"/workload/0/nodes", nodes},
                         {"/strategies/0", R"({"name": "s", )" + kLegs + "}"},
                         {"/strategies/-", R"({"name": "t", "legs": [{"model": "on_demand"}]})"}});
  };
  const Scenario scenario = with(R"({"min_count": 2})");
  const World& world = scenario.world;
  REQUIRE(world.shapes.size() == 3);
  CHECK(world.kueue->least_nodes(world.shapes[0], {}, {}) == 2);
  const ShapeId reduced = world.kueue->shape_with(ShapeId{0}, world.shapes[0], 3);
  CHECK(world.shapes[index(reduced)].nodes == 3);
  CHECK(world.shapes[index(reduced)].of_nodes == 4);
  const Candidate& place = world.strategies[0].legs[1].candidates[index(reduced)].at(0);
  CHECK(place.machines() == 3);
  CHECK(place.gpus == world.shapes[index(reduced)].gpus());
  CHECK(place.rate_ppm == 750'000);
  CHECK(world.strategies[1].legs[0].candidates[index(reduced)].empty());  // not under Kueue
  CHECK(with(R"({"min_share": 0.3})").world.kueue->partial[0].least_of(4) == 2);
  CHECK(with(R"({"min_count": 2, "classes": ["jobs"]})").world.kueue->partial[0].jobs.classes ==
        std::vector<bool>{true});
  const auto error = [&](const std::string& entry, const std::string& nodes = "4") {
    return test::error_in([&] { static_cast<void>(with(entry, nodes)); });
  };
  CHECK_THAT(error("{}"), Contains("/kueue/partial_admission/0"));
  CHECK_THAT(error(R"({"min_count": 2, "min_share": 0.5})"), Contains("/kueue/partial_admission/0"));
  CHECK_THAT(error(R"({"min_count": 0})"), Contains("must be at least 1"));
  CHECK_THAT(error(R"({"min_count": 1, "classes": ["x"]})"), Contains("job class"));
  CHECK_THAT(error(R"({"min_count": 1})", "30000"), Contains("raise the smallest \"min_count\""));
  const auto has_no_effect = [](const std::string& line) {
    return line.find("\"partial_admission\" has no effect") != std::string::npos;
  };
  CHECK(std::ranges::any_of(with(R"({"min_count": 4})").warnings, has_no_effect));
  CHECK(std::ranges::none_of(scenario.warnings, has_no_effect));
}

// What keys ask of one another, within an object and between objects: the reader refuses it at the key, with
// the cause. check_scenarios.py holds the schema to the same.

#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "models/scenario/format/keys.h"
#include "models/scenario/format/relation.h"
#include "tests/support/scenarios/small_scenario.h"

using namespace stockout;
using Catch::Contains;

namespace {

std::string error_of(std::vector<Override> overrides) {
  return test::error_in([&] { static_cast<void>(test::ScenarioLoader{}.small(std::move(overrides))); });
}

std::string error_of_leg(const std::string& leg) { return error_of({{"/strategies/0/legs/0", leg}}); }

std::string error_of_strategy(const std::string& keys) {
  return error_of({{"/strategies/0", R"({"name": "s", )" + keys + "}"}});
}

std::string error_of_pool(const std::string& keys) {
  return error_of({{"/pools/0", R"({"name": "zone", "family": "generic", "place": "generic", )" + keys + "}"},
                   {"/reservations", "[]"}});
}

std::string kueue_with(const std::string& keys, const std::string& queue = "",
                       const std::string& quota = "") {
  return R"({"flavors": ["f"], "cluster_queues": [{"name": "q", "flavors": [
             {"flavor": "f", "nominal_quota": 8)" +
         quota + "}]" + queue + R"(}], "local_queues": [{"name": "l", "cluster_queue": "q")" + keys + "}";
}

std::string error_under_kueue(const std::string& settings) {
  return error_of(
      {{"/kueue", settings}, {"/strategies/0/legs/0", R"({"model": "on_demand", "flavor": "f"})"}});
}

std::string error_under_slurm(const std::string& keys, const std::string& partition = "") {
  return error_of(
      {{"/slurm", R"({"node_sets": [{"name": "n", "machine": "generic", "nodes": 2}],
                      "partitions": [{"name": "p", "node_set": "n")" +
                      partition + "}]" + keys + "}"},
       {"/strategies/0",
        R"({"name": "s", "orchestrator": "slurm", "legs": [{"model": "spot", "partition": "p"}]})"}});
}

const std::string kEnd = "}]";  // of local_queues

}  // namespace

TEST_CASE("Every relation is about keys that there are", "[scenario]") {
  for (const ObjectSpec* object : all_keys()) {
    for (const KeyRelation& relation : object->relations) {
      CAPTURE(object->name, sentence_of(relation));
      REQUIRE_FALSE(relation.any_of.empty());
      CHECK(relation.required.empty() != relation.excluded.empty());
      for (const KeyHas& has : relation.any_of) CHECK(object->find_path(has.key) != nullptr);
      for (const KeyHas& has : relation.excluded) CHECK(object->find_path(has.key) != nullptr);
      for (const std::string& key : relation.required) CHECK(object->find_path(key) != nullptr);
    }
  }
}

TEST_CASE("A relation is a sentence of the reference", "[scenario]") {
  CHECK(sentence_of(requires_keys({"legs/flavor"}, {"legs/flavor"}, "all or none")) ==
        "`flavor` of `legs` requires `flavor` of `legs`: all or none.");
  CHECK(sentence_of(excludes_value({"model", {"spot", "on_demand"}}, {"race", {"first_boot"}})) ==
        "`race` \"first_boot\" cannot be combined with `model` \"spot\" or \"on_demand\".");
  CHECK(sentence_of(only_with({{"recreate", {"true"}}}, {"meanwhile"})) ==
        "`meanwhile` is allowed only with `recreate` true.");
  CHECK(sentence_of(excludes_keys({.key = "gpus", .kind = ValueKind::list}, {"growth", "more"}, "steps")) ==
        "`growth` and `more` cannot be combined with `gpus` that is a list: steps.");
  CHECK(sentence_of(requires_without({{"workload/trace"}}, {"window"}, "how long")) ==
        "`window` is required without `trace` of `workload`: how long.");
  CHECK(sentence_of(value_only_with({{"cohort"}}, {"preemption/reclaim", {"any"}})) ==
        "`reclaim` \"any\" of `preemption` is allowed only with `cohort`.");
}

TEST_CASE("A default that is written out is no offence", "[scenario]") {
  CHECK(error_of_leg(R"({"model": "flex_start", "spread": "any_single_zone"})").empty());
  CHECK(error_of_leg(R"({"model": "spot", "race": "first_grant"})").empty());
  CHECK(error_under_kueue(kueue_with(kEnd, R"(, "usage_based_admission": false)")).empty());
  CHECK(error_of_strategy(R"("legs": [{"model": "spot", "spread": "any_single_zone"}, {"model": "on_demand"}],
                             "deadline_rule": {})")
            .empty());
}

TEST_CASE("What nobody would look at in a partial lease is refused", "[scenario][bad]") {
  CHECK_THAT(
      error_of_leg(R"({"model": "spot", "partial": {"least": 1, "every": "1min"}})"),
      Contains("/partial/every: is allowed only with \"gather\": without one nothing is asked for again"));
  CHECK_THAT(
      error_of_leg(R"({"model": "spot", "partial": {"least": 1, "gather": "1h", "meanwhile": "wait"}})"),
      Contains("/partial/meanwhile: is allowed only with recreate true"));
  CHECK_THAT(error_of_leg(R"({"model": "spot", "partial": {"least": 1, "gather": "1h", "recreate": false,
                                                           "meanwhile": "work"}})"),
             Contains("/partial/meanwhile: is allowed only with recreate true"));
}

TEST_CASE("A pool says only what there is to decide in it", "[scenario][bad]") {
  for (const char* key : {R"("discipline": "fifo")", R"("reclaim": "oldest")", R"("hold_for_head": true)",
                          R"("flex_before_on_demand": true)"})
    CHECK_THAT(error_of_pool(R"("unlimited": true, )" + std::string{key}),
               Contains(": cannot be combined with \"unlimited\": nobody waits for room"));
  CHECK_THAT(error_of_pool(R"("capacity": [{"classes": ["spot"], "machines": 2}])"),
             Contains("\"machine\" is missing, which \"machines\" of \"capacity\" requires: what"));
  CHECK_THAT(error_of_pool(R"("gpus": 8, "growth": {"machines": 1, "every": "1d"})"),
             Contains("\"machine\" is missing, which \"machines\" of \"growth\" requires: what"));
  CHECK_THAT(error_of_pool(R"("capacity": [{"classes": ["spot"], "gpus": [{"at": "0s", "gpus": 8}],
                                            "growth": {"gpus": 1, "every": "1d"}}])"),
             Contains("/capacity/0/growth: cannot be combined with \"gpus\" that is a list"));
  CHECK_THAT(
      error_of({{"/tenants", R"({"load": 0.5})"}}),
      Contains("/tenants: is allowed only with \"tenants\" of \"pools\": a pool says that it has some"));
}

TEST_CASE("What is about pipelines requires one", "[scenario][bad]") {
  CHECK_THAT(error_of({{"/workload/0/failure_policy", "fast"}}),
             Contains("/workload/0/failure_policy: is allowed only with \"after\" of \"workload\""));
  const std::string after = R"({"name": "later", "after": ["jobs"], "machine": "generic", "work": "1h"})";
  const std::string other =
      R"({"name": "other", "schedule": {}, "machine": "generic", "work": "1h", "failure_policy": "fast"})";
  CHECK_THAT(error_of({{"/workload/-", after}, {"/workload/-", other}}),
             Contains("/failure_policy: has no effect: no source follows this one"));
  CHECK(error_of({{"/workload/-", after}, {"/workload/0/failure_policy", "fast"}}).empty());
}

TEST_CASE("A deadline rule goes with what it uses", "[scenario][bad]") {
  const auto error = [](const std::string& first) {
    return error_of_strategy(R"("deadline_rule": {}, "legs": [)" + first + R"(, {"model": "on_demand"}])");
  };
  CHECK(error(R"({"model": "spot", "worker_restarts": 1})").empty());
  CHECK_THAT(error(R"({"model": "flex_start"})"),
             Contains("/legs/0/model: \"flex_start\" cannot be combined with \"deadline_rule\""));
  for (const char* key : {"retries", "restarts", "fault_restarts", "exit_restarts"})
    CHECK_THAT(error(R"({"model": "spot", ")" + std::string{key} + R"(": 1})"),
               Contains(std::string{"/legs/0/"} + key + ": cannot be combined with \"deadline_rule\""));
}

TEST_CASE("Legs stand before Kueue or Slurm with its settings, all or none", "[scenario][bad]") {
  CHECK_THAT(error_of_leg(R"({"model": "spot", "flavor": "f"})"),
             Contains("/legs/0/flavor: is allowed only with \"kueue\": it says how Kueue is set up"));
  CHECK_THAT(error_of_leg(R"({"model": "spot", "partition": "p"})"),
             Contains("/legs/0/partition: is allowed only with \"slurm\": it says how Slurm is set up"));
  CHECK_THAT(error_of({{"/kueue", kueue_with(kEnd)}}),
             Contains("/kueue: is allowed only with \"flavor\" of \"legs\" of \"strategies\""));
  CHECK_THAT(
      error_of({{"/kueue", kueue_with(kEnd)},
                {"/strategies/0/legs", R"([{"model": "spot", "flavor": "f"}, {"model": "on_demand"}])"}}),
      Contains("\"flavor\" is missing, which \"flavor\" of \"legs\" requires: all legs of a strategy"));
  CHECK_THAT(error_of_leg(R"({"model": "spot", "flavor": "f", "orchestrator": "vertex"})"),
             Contains("/orchestrator: \"vertex\" cannot be combined with \"flavor\": Kueue runs on gke"));
  CHECK_THAT(error_of({{"/kueue", kueue_with(kEnd)},
                       {"/quota", R"({"limits": [{"limit": 8}]})"},
                       {"/strategies/0", R"({"name": "s", "legs": [{"model": "spot", "flavor": "f"}],
                                             "quota": {"taken_at": "start"}})"}}),
             Contains("/quota/taken_at: \"start\" cannot be combined with \"flavor\" of \"legs\""));
  CHECK_THAT(
      error_of({{"/kueue", kueue_with(kEnd)},
                {"/strategies/0/legs/0", R"({"model": "spot", "flavor": "f"})"},
                {"/workload/-", R"({"name": "later", "after": ["jobs"], "machine": "generic", "work": "1h",
                                           "retry": {"times": 2}})"}}),
      Contains("/retry: cannot be combined with \"kueue\": Kueue has tries of its own"));
}

TEST_CASE("Weights of Kueue require somebody who shares by them", "[scenario][bad]") {
  CHECK_THAT(error_under_kueue(kueue_with(kEnd, R"(, "fair_weight": 2)")),
             Contains("/cluster_queues/0/fair_weight: is allowed only with \"fair_sharing\""));
  CHECK(error_under_kueue(kueue_with(kEnd + R"(, "fair_sharing": {})", R"(, "fair_weight": 2)")).empty());
  CHECK_THAT(error_under_kueue(kueue_with(R"(, "fair_weight": 2}])")),
             Contains("/local_queues/0/fair_weight: is allowed only with \"admission_fair_sharing\""));
  CHECK_THAT(error_under_kueue(kueue_with(kEnd, "", R"(, "resources": [{"resource": "cpu", "nominal_quota": 9,
                                                                   "borrowing_limit": 1}])")),
             Contains("/resources/0/borrowing_limit: is allowed only with \"cohort\""));
}

TEST_CASE("Slurm's keys require the plugin that reads them", "[scenario][bad]") {
  CHECK(error_under_slurm("").empty());
  CHECK_THAT(error_under_slurm(R"(, "priority": {"type": "basic", "weight_age": 5})"),
             Contains("/weight_age: cannot be combined with type \"basic\": first come, first served"));
  CHECK_THAT(error_under_slurm(R"(, "scheduler": {"type": "easy", "sched_interval": "1min"})"),
             Contains("/sched_interval: cannot be combined with type \"easy\": it looks at all jobs"));
  CHECK_THAT(
      error_under_slurm("", R"(, "preempt_mode": "off")"),
      Contains("/partitions/0/preempt_mode: is allowed only with type \"partition_prio\" of \"preemption\""));
  CHECK_THAT(error_under_slurm(R"(, "qos": [{"name": "a"}, {"name": "b", "preempts": ["a"]}],
                                  "preemption": {"type": "partition_prio"})"),
             Contains("/qos/1/preempts: is allowed only with type \"qos\" of \"preemption\""));
  CHECK_THAT(error_under_slurm(R"(, "priority": {"weight_fair_share": 5})"),
             Contains("/weight_fair_share: is allowed only with \"accounts\": they have the shares"));
}

TEST_CASE("Business days require an increase of quota", "[scenario][bad]") {
  CHECK_THAT(error_of({{"/quota", R"({"limits": [{"limit": 8}], "business_days": 2})"}}),
             Contains("/business_days: is allowed only with \"increases\" of \"limits\""));
}

TEST_CASE("All that breaks relations is told, each key once", "[scenario][bad]") {
  const test::ScratchFolder folder;
  const std::string file = folder.file("s.json", test::kSmallScenario);
  const std::vector<Override> overrides{
      {"/strategies/0/legs/0", R"({"model": "spot", "limit": "1h", "keep": true, "partition": "p"})"},
      {"/tenants", "{}"},
      {"/window", "30"}};
  try {
    static_cast<void>(
        load_scenario(file, {.overrides = overrides, .catalog_dir = {}, .seed = {}, .replications = {}}));
    FAIL();
  } catch (const InputError& error) {
    std::string all = error.what();
    for (const std::string& other : error.others()) all += "\n" + other;
    CAPTURE(all);
    CHECK(error.others().size() == 4);
    CHECK_THAT(all, Contains("/limit: cannot be combined with model \"spot\""));
    CHECK_THAT(all, Contains("/keep: cannot be combined with model \"spot\""));
    CHECK_THAT(all, Contains("/partition: is allowed only with \"slurm\""));
    CHECK_THAT(all, Contains("/tenants: is allowed only with"));
    CHECK_THAT(all, Contains("/window: needs a unit"));
  }
}

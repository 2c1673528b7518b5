#include "models/scenario/format/keys_relations.h"

#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "models/catalog/validity.h"
#include "models/consumption/strategy.h"

namespace stockout {
namespace {

bool is_held(const Policy& row) { return row.held; }
bool waits(const Policy& row) { return row.waits(); }
bool is_at_once(const Policy& row) { return !row.waits(); }
bool is_by_resize_request(const Policy& row) { return row.by_resize_request; }

// All words but one.
KeyHas other_than(std::string key, std::span<const std::string_view> words, std::string_view one) {
  KeyHas has{std::move(key)};
  for (const std::string_view word : words) {
    if (word != one) has.words.emplace_back(word);
  }
  return has;
}

// Of machines in more zones than one.
KeyHas spreads(std::string key) { return other_than(std::move(key), kSpreadNames, kSpreadNames.front()); }

// What goes for Kueue and for Slurm alike: legs under a scheduler in the planner's cluster.
void add_scheduler(const std::string& leg_key, const std::string& name, std::vector<KeyRelation>& relations) {
  const std::string key = "legs/" + leg_key;
  const std::string why = "jobs wait for " + name;
  relations.push_back(requires_keys({key}, {key}, "all legs of a strategy have one, or none"));
  relations.push_back(excludes_keys({key}, {"deadline_rule", "resubmit"}, why));
  relations.push_back(excludes_value({key}, {"quota/taken_at", {"start"}}, why));
}

void add_settings(const std::string& settings, const std::string& leg_key, const std::string& name,
                  std::vector<KeyRelation>& relations) {
  const std::string key = "strategies/legs/" + leg_key;
  relations.push_back(only_with({{settings}}, {key}, "it says how " + name + " is set up"));
  relations.push_back(only_with({{key}}, {settings}, "else no job waits for " + name));
  relations.push_back(excludes_keys({settings}, {"workload/retry"}, name + " has tries of its own"));
}

}  // namespace

KeyHas model_is(bool (*is)(const Policy&), std::string key) {
  KeyHas has{std::move(key)};
  for (const Policy& row : policy_table()) {
    if (is(row)) has.words.push_back(row.name);
  }
  return has;
}

std::vector<KeyRelation> scenario_relations() {
  const std::string sets = "it is not known of sets of jobs";
  std::vector<KeyRelation> relations{
      requires_without({{"workload/trace"}}, {"window"}, "no trace says how long it is"),
      requires_without({{"window"}}, {"workload/trace/resample/length"},
                       "how much demand to make, as the scenario has no window"),
      only_with({{"pools/tenants"}}, {"tenants"}, "a pool says that it has some, if only by \"tenants\": {}"),
      only_with({{"workload/after"}}, {"workload/failure_policy", "workload/retry"},
                "they are of pipelines, and no source follows another"),
      only_with({{"workload/with"}}, {"workload/job_set"}, "no source makes sets of its jobs"),
      excludes_keys({"workload/with"}, {"strategies/deadline_rule", "strategies/resubmit"}, sets),
      only_with({{"quota"}}, {"strategies/quota"}, "it has the limits"),
  };
  add_settings("kueue", "flavor", "Kueue", relations);
  add_settings("slurm", "partition", "Slurm", relations);
  relations.push_back(excludes_keys({"slurm"}, {"workload/with"}, "Slurm is not known to run sets of jobs"));
  return relations;
}

std::vector<KeyRelation> strategy_relations() {
  const std::string of_gke = "it is GKE's";
  std::vector<KeyRelation> relations{
      excludes_keys({"deadline_rule"}, {"resubmit"}),
      excludes_keys({"order", {"cheapest_first"}}, {"deadline_rule"}, "its first leg is the cheap one"),
      excludes_value({"deadline_rule"}, model_is(waits, "legs/model"),
                     "its legs are granted or refused at once: the first cheap, such as spot, the second "
                     "safe, such as on_demand"),
      excludes_keys({"deadline_rule"}, {"legs/partial"}, "it moves whole jobs"),
      excludes_value({"deadline_rule"}, spreads("legs/spread"), "it moves whole jobs"),
      excludes_keys({"deadline_rule"},
                    {"legs/retries", "legs/restarts", "legs/fault_restarts", "legs/exit_restarts"},
                    "it decides at every tick"),
      only_with({{"orchestrator", {"gke"}}, {"legs/orchestrator", {"gke"}}},
                {"node_groups", "provisioning_request"}, of_gke),
      only_with({model_is(is_at_once, "legs/model")}, {"node_groups"}, "they are granted or refused at once"),
      only_with({model_is(is_by_resize_request, "legs/model")}, {"provisioning_request"},
                "of a queued request pods come later"),
  };
  add_scheduler("flavor", "Kueue", relations);
  add_scheduler("partition", "Slurm", relations);
  return relations;
}

// What would have no effect under a model is refused, so that nobody counts on it.
std::vector<KeyRelation> leg_relations() {
  const KeyHas held = model_is(is_held);
  const KeyHas at_once = model_is(is_at_once);
  return {
      requires_keys(held, {"reservation"}),
      only_with({held}, {"reservation"}, "they hold capacity"),
      excludes_keys(held, {"places"}, "a reservation is where it is: name it with \"reservation\""),
      excludes_keys(held, {"open_max"},
                    "only requests that wait at the provider are bounded, such as those of flex_start_mig"),
      excludes_keys(held, {"price"}, "a reservation's price follows from its commitment"),
      excludes_keys(at_once, {"limit", "keep", "max_wait", "open_max"},
                    "it is granted or refused at once, then tried again by \"retries\" (0: one try) and "
                    "\"retry_interval\""),
      excludes_value(at_once, {"race", {"first_boot"}},
                     "it asks one place after the other: a race requires models that wait"),
      excludes_value(model_is(waits), spreads("spread"),
                     "it waits for its machines, which come in one zone: \"any_single_zone\""),
      excludes_keys(spreads("spread"), {"partial/gather"}, "all machines come at one instant"),
      excludes_value({"orchestrator", {"vertex"}}, spreads("spread"),
                     "no source says that Vertex AI spreads a job over zones: name compute_engine or slurm"),
      excludes_value({"orchestrator", {"gke"}}, spreads("spread"),
                     "a node group of GKE that a job asks is in one zone: name compute_engine or slurm"),
      excludes_keys(
          model_is(waits), {"partial"},
          "it waits for all machines of a job; take a model that is granted or refused at once, such as "
          "spot"),
      excludes_keys({"flavor"}, {"partial"}, "Kueue counts all pods; it has \"partial_admission\""),
      excludes_keys({"flavor"}, {"partition"}, "a job waits for Kueue or for Slurm"),
      excludes_keys({"race", {"first_boot"}}, {"flavor"}, "Kueue's quota is for one lease of a job"),
      excludes_value({"flavor"}, other_than("orchestrator", kOrchestratorNames, "gke"), "Kueue runs on gke"),
      excludes_keys({"partition"}, {"partial", "keep"}, "Slurm has all nodes of a job, or none"),
      excludes_keys({"partition"}, {"retries"}, "Slurm requeues a job without machines"),
      excludes_keys({"partition"}, {"limit"}, "\"resume_timeout\" of the node set ends it"),
      excludes_keys({"race", {"first_boot"}}, {"partition"}, "a node is one machine"),
      excludes_value({"partition"}, other_than("orchestrator", kOrchestratorNames, "slurm"),
                     "it requires \"orchestrator\": \"slurm\""),
  };
}

}  // namespace stockout

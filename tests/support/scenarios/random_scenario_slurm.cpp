#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "models/catalog/validity.h"
#include "tests/support/scenarios/random_scenario_plan.h"

// Slurm before a strategy of its own in a scenario file at random: few nodes, so that jobs wait and preempt
// one another.
namespace stockout::test {
namespace {

/// One set of nodes, and how a leg buys them.
struct PlannedNodes {
  std::string set;
  std::int64_t count = 0;
  Json leg;  // without partition
};

/// Classes whose jobs would take that machine.
std::vector<std::string> classes_for(const ScenarioPlan& plan, const std::string& machine) {
  std::vector<std::string> fit;
  for (const PlannedSource& source : plan.sources) {
    if (source.machine != nullptr && source.machine->name != machine) continue;
    for (const std::string& name : source.classes) {
      if (std::ranges::find(fit, name) == fit.end()) fit.push_back(name);
    }
  }
  for (const PlannedSource& source : plan.sources) {  // a class may be of several sources
    if (source.machine == nullptr || source.machine->name == machine) continue;
    for (const std::string& name : source.classes) std::erase(fit, name);
  }
  return fit;
}

void add_static_nodes(ScenarioPlan& plan, Json& sets, std::vector<PlannedNodes>& all) {
  const auto breaks = [](const Json& pool) { return pool.contains("faults"); };
  if (!plan.file.contains("reservations") || std::ranges::any_of(plan.file["pools"], breaks)) return;
  for (const Json& held : plan.file["reservations"]) {
    const bool is_plain = held.value("model", "reservation") == "reservation" && !held.contains("from") &&
                          !held.contains("until") && !held.contains("faults") && held["count"] > 0;
    if (!is_plain || !plan.chance(80)) continue;
    const std::string name = held["name"];
    sets.push_back({{"name", "set-" + name}, {"reservation", name}});
    all.push_back({.set = "set-" + name,
                   .count = held["count"],
                   .leg = {{"model", "reservation"}, {"reservation", name}}});
  }
}

/// Nodes that stay on for a while after their last job.
void add_power_saving_nodes(ScenarioPlan& plan, Json& sets, std::vector<PlannedNodes>& all) {
  const PlannedPool& pool = plan.one_of(plan.pools);
  const MachineType* machine = plan.machine_of(plan.family_of(pool), Offer::on_demand);
  const auto breaks = [](const Json& each) { return each.contains("faults"); };
  if (machine == nullptr || std::ranges::any_of(plan.file["pools"], breaks)) return;
  const std::vector<std::string> classes = classes_for(plan, machine->name);
  if (classes.empty()) return;
  Json held{{"name", fmt::format("nodes-{}", sets.size() + 1)},
            {"model", "slurm_nodes"},
            {"machine", machine->name},
            {"place", pool.place},
            {"count", plan.number(1, 4)}};
  plan.maybe(60, held, "idle_after", [&] { return plan.chance(20) ? "forever" : plan.minutes(5, 120); });
  plan.maybe(20, held, "after_add", [&] { return plan.minutes(0, 60); });
  held["cold_start"] = plan.minutes(0, 10);
  plan.maybe(50, held, "retry_every", [&] { return plan.halves(1, 6); });
  plan.maybe(35, held, "share", [&] { return plan.chance(80); });
  Json set{{"name", fmt::format("set-{}", sets.size() + 1)}, {"reservation", held["name"]}};
  plan.maybe(60, set, "resume_timeout", [&] { return plan.minutes(1, 60); });
  plan.maybe(60, set, "suspend_timeout", [&] { return plan.minutes(0, 10); });
  all.push_back({.set = set["name"],
                 .count = held["count"],
                 .leg = {{"model", "slurm_nodes"}, {"reservation", held["name"]}, {"classes", classes}}});
  plan.file["reservations"].push_back(std::move(held));
  sets.push_back(std::move(set));
}

void add_elastic_nodes(ScenarioPlan& plan, Json& sets, std::vector<PlannedNodes>& all) {
  const std::string model = plan.word({"on_demand", "spot", "flex_start_slurm"});
  const Offer offer = model == "spot"        ? Offer::spot
                      : model == "on_demand" ? Offer::on_demand
                                             : Offer::flex_start;
  const MachineType* machine = plan.machine_of(plan.one_of(plan.families), offer);
  if (machine == nullptr) return;
  const std::vector<std::string> classes = classes_for(plan, machine->name);
  if (classes.empty()) return;
  Json set{{"name", fmt::format("set-{}", sets.size() + 1)},
           {"machine", machine->name},
           {"nodes", plan.number(1, 6)}};
  if (model != "flex_start_slurm") plan.maybe(60, set, "resume_timeout", [&] { return plan.minutes(1, 60); });
  plan.maybe(60, set, "suspend_timeout", [&] { return plan.minutes(0, 10); });
  all.push_back({.set = set["name"], .count = set["nodes"], .leg = {{"model", model}, {"classes", classes}}});
  sets.push_back(std::move(set));
}

Json slurm_partition(ScenarioPlan& plan, const std::string& name, const PlannedNodes& nodes) {
  Json node{{"name", name}, {"node_set", nodes.set}};
  std::int64_t first = 1;
  plan.maybe(15, node, "first_node", [&] { return first = plan.number(1, nodes.count); });
  plan.maybe(25, node, "nodes", [&] { return plan.number(1, nodes.count - first + 1); });
  plan.maybe(25, node, "max_time", [&] { return plan.halves(20, 90); });
  plan.maybe(25, node, "default_time", [&] { return plan.halves(4, 20); });
  plan.maybe(15, node, "max_nodes", [&] { return plan.number(1, 4); });
  plan.maybe(60, node, "priority_tier", [&] { return plan.number(1, 3); });
  plan.maybe(40, node, "priority_job_factor", [&] { return plan.number(1, 5); });
  plan.maybe(20, node, "preempt_mode", [&] { return plan.word({"off", "requeue", "cancel"}); });
  return node;
}

Json slurm_scheduler(ScenarioPlan& plan) {
  Json node{
      {"type", plan.word({"backfill", "backfill", "builtin", "easy", "easy_by_number", "conservative"})}};
  if (node["type"] != "backfill" && node["type"] != "builtin") return node;
  plan.maybe(30, node, "default_queue_depth", [&] { return plan.number(1, 100); });
  plan.maybe(30, node, "sched_interval", [&] { return plan.minutes(1, 5); });
  plan.maybe(30, node, "batch_sched_delay", [&] { return plan.minutes(0, 2); });
  plan.maybe(20, node, "bf_min_prio_reserve", [&] { return plan.number(0, 500); });
  plan.maybe(20, node, "bf_min_age_reserve", [&] { return plan.minutes(0, 60); });
  if (node["type"] != "backfill") return node;
  plan.maybe(50, node, "bf_interval", [&] { return plan.minutes(1, 5); });
  plan.maybe(40, node, "bf_window", [&] { return plan.halves(10, 90); });
  plan.maybe(40, node, "bf_resolution", [&] { return plan.minutes(1, 10); });
  plan.maybe(30, node, "bf_max_job_test", [&] { return plan.number(1, 100); });
  plan.maybe(30, node, "bf_max_job_start", [&] { return plan.number(0, 5); });
  plan.maybe(30, node, "bf_job_part_count_reserve", [&] { return plan.number(0, 3); });
  return node;
}

Json slurm_priority(ScenarioPlan& plan) {
  Json node = Json::object();
  plan.maybe(40, node, "type", [&] { return plan.word({"basic", "multifactor", "multifactor"}); });
  if (node.value("type", "") == "basic") return node;
  for (const char* key :
       {"weight_age", "weight_fair_share", "weight_job_size", "weight_partition", "weight_qos"})
    plan.maybe(50, node, key, [&] { return plan.number(1, 1'000); });
  plan.maybe(30, node, "max_age", [&] { return plan.halves(2, 40); });
  plan.maybe(30, node, "calc_period", [&] { return plan.minutes(1, 10); });
  plan.maybe(30, node, "decay_half_life", [&] { return plan.halves(0, 40); });
  plan.maybe(30, node, "favor_small", [&] { return plan.chance(60); });
  return node;
}

Json slurm_preemption(ScenarioPlan& plan) {
  Json node{{"type", plan.word({"partition_prio", "qos"})}};
  plan.maybe(50, node, "mode", [&] { return plan.word({"off", "requeue", "requeue", "cancel"}); });
  plan.maybe(30, node, "reorder_count", [&] { return plan.number(0, 3); });
  plan.maybe(30, node, "youngest_first", [&] { return plan.chance(70); });
  plan.maybe(30, node, "kill_wait", [&] { return plan.minutes(0, 2); });
  return node;
}

void put_jobs(ScenarioPlan& plan, Json& slurm) {
  for (std::int64_t i = plan.number(1, 3); i > 0; --i) {
    Json node = Json::object();
    plan.maybe(60, node, "classes", [&] { return Json::array({plan.one_of(plan.classes())}); });
    plan.maybe(15, node, "users", [&] { return Json::array({"-"}); });  // of sources that name none
    plan.maybe(40, node, "time_limit", [&] { return plan.halves(4, 60); });
    plan.maybe(60, node, "qos", [&] { return plan.word({"normal", "high"}); });
    plan.maybe(60, node, "account", [&] { return plan.word({"science", "physics"}); });
    slurm["jobs"].push_back(std::move(node));
  }
}

void put_people(ScenarioPlan& plan, Json& slurm) {
  Json normal{{"name", "normal"}};
  Json high{{"name", "high"}, {"preempts", Json::array({"normal"})}};
  plan.maybe(50, normal, "priority", [&] { return plan.number(0, 10); });
  plan.maybe(50, high, "priority", [&] { return plan.number(0, 100); });
  plan.maybe(20, normal, "preempt_mode", [&] { return plan.word({"off", "requeue", "cancel"}); });
  plan.maybe(30, high, "usage_factor", [&] { return plan.share(0, 300); });
  slurm["qos"] = Json::array({normal, high});
  Json science{{"name", "science"}};
  Json physics{{"name", "physics"}};
  plan.maybe(50, physics, "parent", [&] { return "science"; });
  plan.maybe(50, physics, "shares", [&] { return plan.number(1, 5); });
  slurm["accounts"] = Json::array({science, physics});
}

// Of partitions or of QOS, as `preemption` has it.
void keep_means_of_preemption(Json& slurm) {
  const std::string type = slurm.contains("preemption") ? slurm["preemption"]["type"] : Json("");
  for (Json& partition : slurm["partitions"]) {
    if (type != "partition_prio") partition.erase("preempt_mode");
  }
  for (Json& qos : slurm["qos"]) {
    if (type == "qos") continue;
    qos.erase("preempt_mode");
    qos.erase("preempts");
  }
}

void put_slurm(ScenarioPlan& plan) {
  const auto is_tried_again = [](const Json& source) { return source.contains("retry"); };
  if (!plan.chance(25) || std::ranges::any_of(plan.file["workload"], is_tried_again)) return;
  Json sets = Json::array();
  std::vector<PlannedNodes> all;
  add_static_nodes(plan, sets, all);
  for (std::int64_t i = plan.number(0, 3); i > 0; --i) add_elastic_nodes(plan, sets, all);
  if (plan.chance(40)) add_power_saving_nodes(plan, sets, all);
  if (all.empty()) return;
  Json& slurm = plan.file["slurm"] = Json::object();
  slurm["node_sets"] = sets;
  slurm["partitions"] = Json::array();
  Json strategy{{"name", "way-slurm"}, {"orchestrator", "slurm"}, {"legs", Json::array()}};
  for (std::int64_t i = 0, last = plan.number(1, 4); i < last; ++i) {
    const PlannedNodes& nodes =
        i < static_cast<std::int64_t>(all.size()) ? all[static_cast<std::size_t>(i)] : plan.one_of(all);
    const std::string name = fmt::format("part-{}", i + 1);
    slurm["partitions"].push_back(slurm_partition(plan, name, nodes));
    strategy["legs"].push_back(nodes.leg);
    strategy["legs"].back()["partition"] = name;
  }
  put_people(plan, slurm);
  put_jobs(plan, slurm);
  plan.maybe(70, slurm, "scheduler", [&] { return slurm_scheduler(plan); });
  plan.maybe(70, slurm, "priority", [&] { return slurm_priority(plan); });
  plan.maybe(80, slurm, "preemption", [&] { return slurm_preemption(plan); });
  keep_means_of_preemption(slurm);
  plan.maybe(50, slurm, "requeue_delay", [&] { return plan.minutes(1, 10); });
  plan.maybe(40, slurm, "slurmsync", [&] { return plan.minutes(0, 5); });
  plan.strategies.push_back("way-slurm");
  plan.file["strategies"].push_back(std::move(strategy));
}

}  // namespace

void plan_slurm(ScenarioPlan& plan, std::uint64_t seed) {
  Choice own{seed + 13'000'027};
  std::swap(plan.choice, own);
  put_slurm(plan);
  std::swap(plan.choice, own);
}

}  // namespace stockout::test

#include "tests/support/scenarios/random_scenario_plan.h"

namespace stockout::test {
namespace {

/// Ways to buy that sets do not know.
void take_out(Json& file) {
  for (const char* key : {"workload", "strategies"}) {
    for (Json& node : file[key]) node.erase("parallel");
  }
  for (Json& node : file["workload"]) node.erase("retry");
  if (file.contains("classes")) {
    for (Json& node : file["classes"]) node.erase("parallel");
  }
  for (Json& strategy : file["strategies"]) {
    for (const char* key : {"deadline_rule", "resubmit", "provisioning_request"}) strategy.erase(key);
    for (Json& leg : strategy["legs"]) {
      for (const char* key : {"partial", "spread", "race"}) leg.erase(key);
    }
  }
}

Json rule(Choice& choice) {
  Json node = Json::object();
  const auto maybe = [&](const char* key, const Json& value) {
    if (choice.chance(60)) node[key] = value;
  };
  maybe("max_restarts", choice.number(0, 4));
  maybe("restart", choice.chance(50) ? "in_place" : "recreate");
  maybe("hold", choice.chance(30) ? "forever" : "2h");
  maybe("again", "30min");
  return node;
}

/// A machine without GPUs beside each gang, on demand, from a pool of its own.
void put_driver(ScenarioPlan& plan, Json& member) {
  for (const char* key : {"gpu", "gpus", "speed"}) member.erase(key);
  member["machine"] = "n1-standard-8";
  member["class"] = "drivers";
  plan.file["pools"].push_back(
      {{"family", "n1-standard"}, {"place", plan.families.front().region}, {"hosts", 1}});
  for (Json& strategy : plan.file["strategies"]) {
    for (Json& leg : strategy["legs"]) {
      if (!leg.contains("classes")) leg["classes"] = plan.classes();
    }
    strategy["legs"].push_back({{"model", "on_demand"}, {"classes", {"drivers"}}});
  }
}

}  // namespace

void plan_sets(ScenarioPlan& plan, std::uint64_t seed) {
  Choice choice{seed + 7'000'003};
  if (plan.calm || !choice.chance(12)) return;
  const auto at = choice.number(0, std::ssize(plan.sources) - 1);
  Json& workload = plan.file["workload"];
  Json& first = workload[static_cast<std::size_t>(at)];
  if (first.contains("after") || first.contains("trace") || plan.file.contains("slurm")) return;
  if (choice.chance(80)) first["job_set"] = rule(choice);
  Json member{{"name", "with-it"}, {"with", first["name"]}};
  for (const char* key : {"machine", "gpu", "gpus", "speed", "class"}) {
    if (first.contains(key)) member[key] = first[key];
  }
  if (first.contains("sizes") && first["sizes"].front().contains("gpus"))
    member["gpus"] = first["sizes"].front()["gpus"];
  if (!member.contains("class")) member["class"] = first["name"];
  member["nodes"] = choice.number(1, 3);
  const bool has_n1 =
      plan.families.front().region != "asia-southeast1" && plan.families.front().name != "generic";
  const bool is_of_one_class = plan.file.contains("kueue");  // which has one local queue, and one priority
  if (has_n1 && choice.chance(50) && !is_of_one_class) put_driver(plan, member);
  workload.push_back(std::move(member));
  take_out(plan.file);
}

}  // namespace stockout::test

#include <algorithm>

#include <fmt/format.h>

#include "tests/support/scenarios/random_scenario_plan.h"

namespace stockout::test {
namespace {

Json poisson(ScenarioPlan& plan) {
  Json node = Json::object();
  const std::int64_t per_day = plan.number(2, 5);
  switch (plan.number(0, 2)) {
    case 0:
      node["per_hour"] = static_cast<double>(per_day) / 16;
      break;
    case 1:
      node["per_day"] = per_day;
      break;
    default:
      node["per_week"] = 6 * per_day;
  }
  if (plan.chance(30)) {
    node["hours"] = plan.word({"06:00-20:00", "00:00-24:00"});
  } else if (plan.chance(20)) {
    for (int hour = 0; hour < 24; ++hour) node["hour_profile"].push_back(hour % 3);
  }
  if (plan.chance(20)) {
    node["days"] = random_days(plan);
  } else if (plan.chance(20)) {
    node["day_profile"] = {2, 2, 2, 2, 2, 1, 1};
  }
  if (plan.chance(15)) {
    node["count"] = plan.number(1, 3);
  } else if (plan.chance(15)) {
    node["counts"] =
        Json::array({{{"count", 1}, {"weight", 3}}, {{"count", plan.number(2, 4)}, {"weight", 1}}});
  }
  plan.maybe(20, node, "grouped", [&] { return plan.chance(70); });
  return node;
}

Json schedule(ScenarioPlan& plan) {
  Json node = Json::object();
  const int minute = plan.calm ? static_cast<int>(plan.number(1, 59)) : 0;
  plan.maybe(90, node, "at", [&] { return fmt::format("{:02}:{:02}", plan.number(0, 16), minute); });
  switch (plan.number(0, 3)) {
    case 0:
      node["days"] = random_days(plan);
      break;
    case 1:
      node["on_days"] = plan.chance(60) ? Json::array({0}) : Json::array({0, 1});
      break;
    case 2:
      node["every"] = plan.halves(6, 40);
      break;
    default:
      break;
  }
  plan.maybe(50, node, "count", [&] { return plan.number(1, 4); });
  plan.maybe(40, node, "grouped", [&] { return plan.chance(80); });
  return node;
}

struct TraceFile {
  const char* file;
  const char* format;
  std::vector<std::string> users;
  std::vector<std::string> classes;  // that the file names
};

const std::vector<TraceFile>& trace_files() {
  static const std::vector<TraceFile> kFiles{{"jobs.csv", "csv", {"ann", "bob"}, {"train", "tune"}},
                                             {"jobs.csv", "csv", {"cas"}, {"train", "tune"}},
                                             {"nodes.csv", "csv", {}, {}},
                                             {"tries.csv", "csv", {"cas"}, {}},
                                             {"jobs.swf", "swf", {"1"}, {}},
                                             {"philly.csv", "philly", {"east"}, {}},
                                             {"gaia.csv", "gaia_hours", {}, {}},
                                             {"gaia-seconds.csv", "gaia_seconds", {}, {}}};
  return kFiles;
}

// Records of clusters, of which all formats are read into the same columns.
const std::vector<TraceFile>& record_files() {
  static const std::vector<TraceFile> kFiles{
      {"sacct.txt", "sacct", {"ann"}, {"train", "tune"}}, {"helios.csv", "helios", {"ann", "bob"}, {}},
      {"openb.csv", "openb", {}, {"train", "tune"}},      {"pai.csv", "pai", {}, {"train", "tune"}},
      {"eagle.csv", "eagle", {"ann"}, {"train", "tune"}}, {"vertex.json", "vertex", {"bob"}, {"STANDARD"}},
      {"workloads.json", "kueue", {}, {"train"}},         {"pods.json", "kubernetes", {}, {"tune"}}};
  return kFiles;
}

Json resample(ScenarioPlan& plan) {
  Json node{{"block", plan.word({"6h", "12h"})}};
  plan.maybe(60, node, "step", [&] { return plan.word({"2h", "6h"}); });
  if (plan.chance(50) || !plan.file.contains("window")) node["length"] = fmt::format("{}d", plan.days);
  return node;
}

Json trace(ScenarioPlan& plan, const TraceFile& file, PlannedSource& source) {
  Json node{{"file", file.file}, {"format", file.format}};
  const std::string name = file.file;
  plan.maybe(25, node, "time_zone", [&] { return plan.word({"UTC", "America/Los_Angeles"}); });
  if (name == "nodes.csv" && plan.file["start"] == "2026-08-03")
    plan.maybe(40, node, "shift", [] { return "none"; });
  if (!node.contains("shift")) plan.maybe(20, node, "shift", [] { return "to_start"; });
  if (!plan.calm) plan.maybe(30, node, "resolution", [&] { return plan.word({"1s", "10min", "1h"}); });
  if (!file.users.empty()) plan.maybe(25, node, "only_users", [&] { return Json(file.users); });
  plan.maybe(25, node, "first", [&] { return plan.number(1, 5); });
  plan.maybe(60, node, "gpus_per_node", [&] { return plan.one_of<int>({1, 2, 4, 8}); });
  plan.maybe(25, node, "clip_gpus", [&] { return plan.number(1, 6); });
  if (plan.chance(20)) {
    node["class_by_length"] = {{{"name", "quick"}, {"up_to", "1h"}}, {{"name", "slow"}}};
    source.classes = {"quick", "slow"};
  }
  if (name == "tries.csv" && !node.contains("only_users") && !node.contains("first"))
    plan.maybe(60, node, "join_attempts", [] {
      return Json{{"within", "2h"}, {"after", {"FAILED", "NODE_FAIL"}}};
    });
  if (!plan.calm) plan.maybe(20, node, "resample", [&] { return resample(plan); });
  if (name == "nodes.csv")
    plan.maybe(30, node, "names", [] { return Json{{"a2-highgpu-1g", "a2-highgpu-1g"}}; });
  return node;
}

Json demand(ScenarioPlan& plan) {
  if (plan.chance(40)) return plan.one_of<double>({0.5, 1, 1.5, 2});
  Json node = Json::object();
  plan.maybe(60, node, "times", [&] { return plan.one_of<double>({0.6, 1, 1.4}); });
  plan.maybe(50, node, "peaks", [&] {
    return Json::array({{{"name", "launch"},
                         {"from", plan.day(plan.number(-1, 0))},
                         {"until", plan.day(1)},
                         {"times", 1.7}}});
  });
  if (plan.chance(50)) {
    Json& growth =
        node["growth"] = {{"percent", plan.one_of<int>({-40, 30})}, {"per", plan.word({"month", "year"})}};
    plan.maybe(50, growth, "form", [&] { return plan.word({"compound", "linear"}); });
    plan.maybe(50, growth, "from", [&] { return plan.day(plan.number(-40, 1)); });
  }
  return node;
}

Json checkpoint(ScenarioPlan& plan) {
  Json node = Json::object();
  if (plan.chance(80)) {
    node["every"] = plan.minutes(10, 90);
    plan.maybe(60, node, "cost", [&] { return plan.minutes(0, 10); });
  } else {
    node["mean_life"] = plan.halves(6, 40);
    node["cost"] = plan.minutes(1, 6);
  }
  plan.maybe(50, node, "in_notice", [&] { return plan.chance(80); });
  plan.maybe(40, node, "reload", [&] { return plan.minutes(0, 20); });
  return node;
}

void put_class_terms(ScenarioPlan& plan, Json& node) {
  plan.maybe(55, node, "checkpoint", [&] { return checkpoint(plan); });
  plan.maybe(25, node, "parallel", [&] { return plan.number(1, 2); });
  plan.maybe(25, node, "priority", [&] { return plan.number(-2, 2); });
}

Json scaling(ScenarioPlan& plan, bool has_steps, const std::vector<std::string>& families) {
  Json node{{"message", 7}};
  if (!has_steps || plan.chance(30)) node["step"] = "2s";
  plan.maybe(50, node, "overlap", [&] { return plan.share(0, 100); });
  node["measured_on"] = families.front();
  for (const std::string& family : families) {
    if (family == kGeneric || family == "n1-t4" || plan.chance(25))
      node["busbw"][family] = plan.number(20, 200);
  }
  plan.maybe(30, node, "busbw_times", [&] { return plan.share(50, 150); });
  if (plan.chance(60)) return node;
  node["measured_nodes"] = plan.number(1, 4);
  plan.maybe(60, node, "batch", [&] { return plan.chance(50) ? "same" : "grows"; });
  return node;
}

Json speed(ScenarioPlan& plan) {
  Json node = Json::object();
  std::vector<std::string> gpus;
  std::vector<std::string> families;
  for (const PlannedFamily& family : plan.families) {
    families.push_back(family.name);
    if (std::ranges::find(gpus, family.gpu) == gpus.end()) gpus.push_back(family.gpu);
  }
  node["reference"] = gpus.front();
  const bool has_steps = plan.chance(40);
  Json& table = node[has_steps ? "step_times" : "gpus"];
  for (const std::string& gpu : gpus) {
    if (has_steps) table[gpu] = fmt::format("{}ms", plan.number(500, 4'000));
    if (!has_steps) table[gpu] = gpu == gpus.front() ? 1.0 : plan.share(30, 300);
  }
  if (plan.chance(50)) node["scaling"] = scaling(plan, has_steps, families);
  return node;
}

/// GPUs of a node that some machine of the family has.
std::int64_t node_gpus(ScenarioPlan& plan, const PlannedFamily& family) {
  return plan.one_of(family.machines)->gpus.count();
}

void put_sizes(ScenarioPlan& plan, Json& node, const PlannedFamily& family, const PlannedSource& source) {
  const std::int64_t most = source.machine != nullptr ? source.machine->gpus.count() : 0;
  if (!plan.calm && plan.chance(25)) {
    node["sizes"] = Json::array();
    for (std::int64_t i = plan.number(1, 3); i > 0; --i) {
      Json size = Json::object();
      plan.maybe(60, size, "nodes", [&] { return plan.number(1, 3); });
      if (source.machine == nullptr) size["gpus"] = node_gpus(plan, family);
      if (source.machine != nullptr) plan.maybe(40, size, "gpus", [&] { return plan.number(1, most); });
      size["weight"] = plan.number(1, 4);
      node["sizes"].push_back(std::move(size));
    }
    return;
  }
  plan.maybe(50, node, "nodes", [&] { return plan.number(1, 4); });
  if (source.machine == nullptr) node["gpus"] = node_gpus(plan, family);
  if (source.machine != nullptr) plan.maybe(30, node, "gpus", [&] { return plan.number(1, most); });
}

/// Where the jobs run: on a machine, a GPU type, or several of them at speeds.
void put_place(ScenarioPlan& plan, Json& node, const PlannedFamily& family, PlannedSource& source,
               bool is_trace) {
  if (plan.chance(25)) {
    node["speed"] = speed(plan);
  } else if (plan.chance(50)) {
    source.machine = plan.one_of(family.machines);
    node["machine"] = source.machine->name;
  } else if (!is_trace || plan.chance(70)) {
    node["gpu"] = family.gpu;
  }
  if (!is_trace) put_sizes(plan, node, family, source);
  plan.maybe(15, node, "gpu_memory", [&] { return plan.number(5, 16); });
}

void put_made_up(ScenarioPlan& plan, Json& node) {
  const bool is_poisson = !plan.calm && plan.chance(50);
  if (is_poisson) node["poisson"] = poisson(plan);
  if (!is_poisson) node["schedule"] = schedule(plan);
  node["work"] = random_length(plan, 0, 16);
  plan.maybe(30, node, "users", [&] { return plan.number(1, 3); });
  if (node.contains("users")) plan.maybe(40, node, "user_names", [] { return "people"; });
}

Json retry(ScenarioPlan& plan) {
  Json node{{"times", plan.number(1, 3)}};
  plan.maybe(60, node, "pause", [&] { return plan.minutes(1, 90); });
  plan.maybe(40, node, "factor", [&] { return plan.one_of<double>({1, 1.5, 2, 3.25}); });
  plan.maybe(node.contains("pause") ? 100 : 40, node, "most", [&] { return plan.halves(3, 8); });
  return node;
}

/// Behind one or more steps of one pipeline.
void put_step(ScenarioPlan& plan, Json& node, PlannedSource& source) {
  source.first = plan.one_of(plan.sources).first;
  node["after"] = Json::array();
  for (const PlannedSource& before : plan.sources) {
    if (before.first == source.first && plan.chance(60)) node["after"].push_back(before.name);
  }
  if (node["after"].empty()) node["after"].push_back(plan.sources[source.first].name);
  node["work"] = random_length(plan, 0, 16);
  plan.maybe(25, node, "begins_anyway", [&] { return plan.chance(80); });
  plan.maybe(40, node, "retry", [&] { return retry(plan); });
}

/// Whether a deadline at a time of day may be written for it.
bool has_times(const Json& source) {
  if (source.contains("trace")) return true;
  return source.contains("schedule") && !source["schedule"].contains("every");
}

Json deadline(ScenarioPlan& plan, bool has_times) {
  if (plan.chance(40)) return plan.halves(4, 40);
  if (has_times && plan.chance(40)) return {{"at", plan.word({"18:00", "07:00"})}};
  return {{"work_plus", plan.halves(2, 20)}};
}

void add_source(ScenarioPlan& plan, std::size_t number) {
  PlannedSource source{.name = fmt::format("source-{}", number + 1), .classes = {}, .first = number};
  Json node{{"name", source.name}};
  const PlannedFamily& family = plan.one_of(plan.families);
  const bool is_step = number > 0 && plan.chance(25);
  const bool is_trace = !is_step && plan.chance(30);
  if (is_step) {
    put_step(plan, node, source);
  } else if (is_trace) {
    const TraceFile& file = plan.one_of(plan.chance(12) ? record_files() : trace_files());
    source.classes = file.classes;
    node["trace"] = trace(plan, file, source);
  } else {
    put_made_up(plan, node);
  }
  put_place(plan, node, family, source, is_trace);
  if (source.classes.empty() || source.classes.front() != "quick") {
    if (plan.chance(50)) node["class"] = plan.word({"class-a", "class-b"});
    source.classes.push_back(node.value("class", source.name));
    if (plan.chance(50)) put_class_terms(plan, node);
  }
  if (is_step) {
    node.erase("parallel");
  } else {
    if (!plan.calm) plan.maybe(25, node, "demand", [&] { return demand(plan); });
    plan.maybe(15, node, "failure_policy", [&] { return plan.word({"slow", "fast"}); });
  }
  plan.maybe(45, node, "deadline", [&] { return deadline(plan, has_times(node)); });
  plan.maybe(35, node, "max_wait", [&] { return random_length(plan, 1, 30, !is_trace && !plan.calm); });
  plan.sources.push_back(std::move(source));
  plan.file["workload"].push_back(std::move(node));
}

/// Only where another source follows.
void keep_failure_policies_of_pipelines(Json& workload) {
  for (Json& node : workload) {
    const auto follows = [&](const Json& other) {
      return other.contains("after") &&
             std::ranges::find(other["after"], node["name"]) != other["after"].end();
    };
    if (std::ranges::none_of(workload, follows)) node.erase("failure_policy");
  }
}

/// Of a class, only one place may say what its jobs have in common.
void keep_one_description(ScenarioPlan& plan) {
  std::vector<std::string> described;
  for (Json& node : plan.file["workload"]) {
    const std::string name = node.value("class", node["name"].get<std::string>());
    if (!node.contains("checkpoint") && !node.contains("parallel") && !node.contains("priority")) continue;
    if (std::ranges::find(described, name) == described.end()) {
      described.push_back(name);
      continue;
    }
    node.erase("checkpoint");
    node.erase("parallel");
    node.erase("priority");
  }
  for (const std::string& name : plan.classes()) {
    if (std::ranges::find(described, name) != described.end() || !plan.chance(40)) continue;
    described.push_back(name);
    put_class_terms(plan, plan.file["classes"][name] = Json::object());
  }
}

}  // namespace

void plan_workload(ScenarioPlan& plan) {
  plan.file["workload"] = Json::array();
  for (std::int64_t i = plan.number(1, 4); i > 0; --i) add_source(plan, plan.sources.size());
  const auto is_trace = [](const Json& node) { return node.contains("trace"); };
  if (!plan.file.contains("window") && std::ranges::none_of(plan.file["workload"], is_trace))
    plan.file["window"] = fmt::format("{}d", plan.days);
  keep_failure_policies_of_pipelines(plan.file["workload"]);
  keep_one_description(plan);
  if (!plan.calm && plan.chance(15)) plan.file["demand"] = demand(plan);
}

}  // namespace stockout::test

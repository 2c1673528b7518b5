#include "models/scenario/workload/workload.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "models/scenario/draft/lengths.h"
#include "models/scenario/draft/scenario_cache.h"
#include "models/scenario/format/fill.h"
#include "models/scenario/format/known_names.h"
#include "models/scenario/workload/demand.h"
#include "models/scenario/workload/job_sets.h"
#include "models/scenario/workload/pipelines.h"
#include "models/scenario/workload/speeds.h"
#include "models/scenario/workload/synthetic_source.h"
#include "models/scenario/workload/trace_source.h"
#include "models/theory/checkpoints.h"
#include "models/workload/readers/cloud_names.h"
#include "sim/core/duration_text.h"
#include "sim/core/error_list.h"
#include "sim/core/unknown_name.h"

namespace stockout {
namespace {

// Work between two checkpoints.
SimDuration interval_of(Draft& draft, const Node& checkpoint, const std::string& job_class) {
  if (checkpoint.has("every")) return checkpoint.duration("every");
  const Node life = checkpoint.at("mean_life");
  const SimDuration cost = checkpoint.duration("cost");
  if (cost == SimDuration::zero())
    life.fail("needs a \"cost\" above 0s: checkpoints that take no time are best written all the time");
  const double best =
      daly_interval(static_cast<double>(cost.count()), static_cast<double>(life.as_duration().count()));
  const SimDuration every{std::max<std::int64_t>(std::llround(best), 1)};
  draft.assume(
      fmt::format("class {}: machines die at random after {} on the average, so a checkpoint every {} (Daly)",
                  job_class, format_duration(life.as_duration()), format_duration(every)));
  return every;
}

std::int32_t ppm_of(const Node& node, std::string_view key) {
  return static_cast<std::int32_t>(std::llround(node.number(key) * 1e6));
}

// Workers that exit at once would begin again for ever.
WorkerExits exits_of(Draft& draft, const Node& node, const std::string& job_class) {
  constexpr double kLeastMs = 60'000;
  WorkerExits exits{.after = to_law(node.at("after"), {.may_last = true}),
                    .share_ppm = ppm_of(node, "share"),
                    .permanent_ppm = ppm_of(node, "permanent")};
  if (cut_mean_ms(exits.after) < kLeastMs) node.at("after").fail("must be at least 1min on the average");
  if (exits.share_ppm == 0) node.at("share").fail("must be at least 0.000001");
  draft.assume(fmt::format(
      "class {}: when a worker exits, all machines of its job lose the work since the last checkpoint; on "
      "its machine it begins again without a start-up",
      job_class));
  return exits;
}

void describe_class(Draft& draft, const Node& node, const std::string& name) {
  const ClassId id = draft.class_id(node, name);
  if (!describes_jobs(node)) return;
  if (draft.class_described[index(id)]) node.fail(fmt::format("class \"{}\" is described twice", name));
  draft.class_described[index(id)] = true;
  JobClass& job_class = draft.world().classes[index(id)];
  if (node.has("checkpoint")) {
    const Node checkpoint = node.at("checkpoint");
    job_class.checkpoint_every = interval_of(draft, checkpoint, name);
    fill(job_class, checkpoint);
    for (const char* key : {"cost", "reload"}) {
      if (checkpoint.duration(key) > std::chrono::hours{24 * 30})
        checkpoint.at(key).fail("must be at most 30d");
    }
  }
  if (node.has("exits")) job_class.exits = exits_of(draft, node.at("exits"), name);
  fill(job_class, node);
}

// What the source of a trace says of its jobs holds for a class that only the file names. After all sources,
// so that it does not matter which comes first.
void describe_classes_of_files(Draft& draft) {
  auto& classes = draft.world().classes;
  const std::vector<JobClass> said = classes;
  std::set<ClassId> known;
  for (const ClassOfFile& one : draft.classes_of_files) {
    if (draft.class_described[index(one.id)]) continue;
    JobClass like = said[index(one.like)];
    like.name = said[index(one.id)].name;
    if (!known.insert(one.id).second && like != classes[index(one.id)]) {
      one.trace.fail(
          fmt::format("another source has jobs of class \"{}\", too, and says other things of its jobs: "
                      "describe the class under /classes",
                      like.name));
    }
    classes[index(one.id)] = std::move(like);
  }
}

SourceTerms read_terms(Draft& draft, const Node& node) {
  SourceTerms terms{.node = node, .name = node.text("name"), .machine = {}, .gpu = {}, .speed = {}};
  if (node.has("machine")) {
    terms.machine = node.text("machine");
    const MachineId machine = find_machine(draft, node.at("machine"), terms.machine);
    terms.gpu = draft.catalog.gpu_name(draft.catalog.machine(machine).gpu);
  }
  if (node.has("gpu")) {
    terms.gpu = node.text("gpu");
    check_gpu(draft, node.at("gpu"), terms.gpu);
  }
  std::string family;
  if (!terms.machine.empty())
    family = draft.catalog.machine(*draft.catalog.find_machine(terms.machine)).family;
  terms.speed = read_speed(draft, node, terms.gpu, family);
  const SpeedProfile& profile = draft.world().speeds[index(terms.speed)];
  if (!profile.reference.empty()) terms.gpu = profile.reference;
  return terms;
}

void set_window(Draft& draft, const std::vector<Demand>& demands) {
  World& world = draft.world();
  if (draft.root.has("window")) {
    world.window_end = kStart + draft.calendar.window(draft.root.text("window"));
    return;
  }
  SimTime last{SimDuration{-1}};
  for (const Demand& demand : demands) {
    if (const auto* trace = std::get_if<TraceDemand>(&demand)) last = std::max(last, last_submit(*trace));
  }
  if (last < kStart) draft.root.fail("\"window\" is missing: no trace says how long it is");
  world.window_end = draft.calendar.cut(last + SimDuration{1});
  if (world.window_end - kStart > kLongestRun) {
    draft.root.fail(fmt::format("the traces span {}; the longest window is {}",
                                format_duration(world.window_end - kStart), format_duration(kLongestRun)));
  }
}

// Scenarios that share traces make columns of them one after another.
std::unique_lock<std::mutex> lock_traces(const Draft& draft) {
  const auto sources = draft.root.list("workload");
  const bool any = std::ranges::any_of(sources, [](const Node& source) { return source.has("trace"); });
  return draft.cache != nullptr && any ? draft.cache->lock_building() : std::unique_lock<std::mutex>{};
}

std::string message_of(const SaidOfName& said, const std::string& problem) {
  return with_cure(said.in + problem, said.cure);
}

// Machines that have the GPU which the name is of, if it is of one.
std::string machines_with(const Draft& draft, std::string_view name) {
  constexpr std::size_t kMost = 8;
  std::vector<std::string> names;
  const auto gpus = draft.catalog.gpu_types();
  for (const MachineType& machine : draft.catalog.machines()) {
    const std::string& gpu = gpus[index(machine.gpu)];
    const bool is_it =
        gpu.size() >= name.size() && (gpu.size() == name.size() || gpu[name.size()] == '-') &&
        std::equal(name.begin(), name.end(), gpu.begin(), [](char a, char b) {
          return std::toupper(static_cast<unsigned char>(a)) == std::toupper(static_cast<unsigned char>(b));
        });
    if (is_it && names.size() < kMost) names.push_back(machine.name);
  }
  return name.empty() || names.empty()
             ? ""
             : fmt::format("\"{}\" is a GPU, which {} have", name, fmt::join(names, ", "));
}

}  // namespace

void check_gpu(const Draft& draft, const Node& node, const std::string& gpu, const SaidOfName& said) {
  if (draft.catalog.find_gpu(gpu)) return;
  const auto known = draft.catalog.gpu_types();
  if (const std::string_view ours = gpu_of_cloud_name(gpu); ours != gpu)
    node.fail(message_of(said, fmt::format("there is no GPU type \"{}\" here: write \"{}\"", gpu, ours)));
  node.fail(message_of(said, unknown_name("GPU type", gpu, known, known.size())));
}

MachineId find_machine(const Draft& draft, const Node& node, const std::string& name,
                       const SaidOfName& said) {
  const auto machine = draft.catalog.find_machine(name);
  if (machine) return *machine;
  const std::string gpu = machines_with(draft, name);
  const std::size_t listed = gpu.empty() ? 12 : 0;
  const std::string problem = unknown_name("machine type", name, draft.catalog.machine_names(), listed);
  node.fail(message_of(said, with_cure(problem, gpu)));
}

void build_workload(Draft& draft) {
  const auto lock = lock_traces(draft);
  draft.user_id(draft.root, "-");
  draft.world().speeds.emplace_back();
  if (draft.root.has("classes")) {
    for (const auto& [name, node] : draft.root.at("classes").entries()) describe_class(draft, node, name);
  }
  std::vector<SourceTerms> terms;
  std::vector<Demand> demands;
  std::set<std::string> names;
  attempt_each(draft.root.list("workload"), [&](const Node& node) {
    if (!names.insert(node.text("name")).second) {
      node.at("name").fail(fmt::format("there is a source \"{}\" already", node.text("name")));
    }
    terms.push_back(read_terms(draft, node));
    const bool is_trace = node.has("trace");
    const bool is_by_length = is_trace && node.at("trace").has("class_by_length");
    if (!is_by_length || describes_jobs(node))
      describe_class(draft, node, node.has("class") ? node.text("class") : terms.back().name);
    demands.emplace_back(is_trace ? Demand{build_trace(draft, terms.back())} : Demand{SyntheticDemand{}});
  });
  describe_classes_of_files(draft);
  set_window(draft, demands);
  add_shared_users(draft, terms);
  for (std::size_t i = 0; i < terms.size(); ++i) {
    if (auto* trace = std::get_if<TraceDemand>(&demands[i])) {
      cut_to_window(draft, terms[i], *trace);
      if (draft.cache != nullptr) trace->jobs = draft.cache->shared(std::move(trace->jobs));
    } else {
      demands[i] = build_synthetic(draft, terms[i]);
    }
    Source& source = draft.world().sources.emplace_back();
    source.name = terms[i].name;
    if (terms[i].node.has("team")) source.team = terms[i].node.text("team");
    if (!terms[i].node.has("after") && !terms[i].node.has("with"))
      std::visit([&](auto& demand) { demand.factor = build_demand_factor(draft, terms[i]); }, demands[i]);
    source.demand = std::move(demands[i]);
  }
  build_pipelines(draft, terms);
  build_job_sets(draft, terms);
}

}  // namespace stockout

#include <algorithm>
#include <cmath>
#include <concepts>

#include <fmt/format.h>

#include "models/catalog/tables.h"
#include "models/scenario/buying/bill_terms.h"
#include "models/scenario/buying/kueue.h"
#include "models/scenario/buying/never.h"
#include "models/scenario/buying/policies.h"
#include "models/scenario/buying/price_file.h"
#include "models/scenario/buying/prices.h"
#include "models/scenario/buying/quota.h"
#include "models/scenario/buying/reservations.h"
#include "models/scenario/buying/slurm_cluster.h"
#include "models/scenario/buying/strategies.h"
#include "models/scenario/format/fill.h"
#include "models/scenario/format/keys.h"
#include "models/scenario/format/known_names.h"
#include "models/scenario/format/overrides.h"
#include "models/scenario/format/spec_check.h"
#include "models/scenario/load/alternatives.h"
#include "models/scenario/load/decisions.h"
#include "models/scenario/load/limits.h"
#include "models/scenario/load/replications.h"
#include "models/scenario/load/tenants.h"
#include "models/scenario/load/unbuilt_names.h"
#include "models/scenario/load/unknowns.h"
#include "models/scenario/scenario.h"
#include "models/scenario/supply/capacity.h"
#include "models/scenario/supply/pools.h"
#include "models/scenario/workload/speeds.h"
#include "models/scenario/workload/workload.h"
#include "sim/core/duration_text.h"
#include "sim/core/error_list.h"
#include "sim/io/input_file.h"
#include "sim/io/json_reader.h"

namespace stockout {
namespace {

const ValueSpec& whole_file() {
  static const ValueSpec kSpec = object_value(scenario_keys());
  return kSpec;
}

constexpr double kUnlikelyQuantile = 0.1;  // below it a share of jobs looks like one of 1
constexpr SimDuration kLongestSearch = std::chrono::days{365};

// The length that is given, or that a rule has found; else the longest that it may find.
SimDuration read_warm_up(Draft& draft, const ScenarioOptions& options) {
  const Node warm_up = draft.root.at("warm_up");
  if (options.warm_up) return *options.warm_up;
  if (warm_up.kind() != ValueKind::object) return warm_up.as_duration();
  const SimDuration most = warm_up.duration("most");
  if (most > kLongestSearch)
    warm_up.at("most").fail(fmt::format("must be at most {}", format_duration(kLongestSearch)));
  draft.scenario.warm_up_to_find = warm_up.where();
  return most;
}

void check_warm_up(const Draft& draft) {
  const Scenario& scenario = draft.scenario;
  if (!scenario.warm_up_to_find || std::ranges::any_of(scenario.world.sources, &Source::background)) return;
  draft.root.at("warm_up").fail(
      "finds how long tenants run before the window, and there are none. The jobs of the workload, those of "
      "a trace above all, are never cut: leave warm_up out");
}

void read_start(Draft& draft, const ScenarioOptions& options) {
  const Node& root = draft.root;
  draft.calendar =
      Calendar{root.date("start"), Zone{root.at("time_zone")}, options.part.value_or(WindowPart{})};
  draft.scenario.start = to_text(draft.calendar.first_day());
}

void read_seed(Draft& draft, const ScenarioOptions& options) {
  draft.world().seed = options.seed.value_or(static_cast<std::uint64_t>(draft.root.integer("seed")));
}

void read_notes(Draft& draft) {
  draft.scenario.question = draft.root.text("question");
  for (const Node& line : draft.root.list("assumptions")) draft.assume(line.as_text());
}

void read_run(Draft& draft, const ScenarioOptions& options) {
  fill(draft.world(), draft.root);
  draft.scenario.name = draft.world().name;
  draft.world().begin = kStart - read_warm_up(draft, options);
}

void read_price_day(Draft& draft) {
  const Node& root = draft.root;
  Scenario& scenario = draft.scenario;
  scenario.prices_as_of =
      to_text(root.has("prices_as_of") ? root.date("prices_as_of") : draft.catalog.latest());
  scenario.prices_follow_calendar = root.flag("prices_follow_calendar");
  if (!root.has("prices_as_of"))
    draft.assume(
        fmt::format("prices are those of {}, the latest day of the catalogue", scenario.prices_as_of));
}

void read_variants(Draft& draft) {
  draft.scenario.alternatives = read_alternatives(draft.root);
  draft.scenario.unknown = read_unknowns(draft.root);
}

void add_price_file(Draft& draft, const std::string& path) {
  PriceFile file = read_price_file(path, draft.catalog, draft.prices);
  draft.prices.insert(draft.prices.end(), file.prices.begin(), file.prices.end());
  if (file.billing) draft.world().billing = *file.billing;
}

void read_own_prices(Draft& draft, const ScenarioOptions& options) {
  if (draft.root.has("billing")) draft.world().billing = read_billing(draft.root.at("billing"));
  draft.prices = read_prices(draft.root, draft.catalog);
  check_factors(draft.root, draft.catalog, draft.prices);
  for (const Node& file : draft.root.list("price_files")) {
    file.read_file([&](const std::string& path) { add_price_file(draft, path); });
  }
  for (const std::string& path : options.price_files) add_price_file(draft, path);
}

// The rows of the policy table as `models` changes them: looked at once, before anything is made of them.
void check_models(Draft& draft) { static_cast<void>(PolicyRows{draft.root, draft.catalog}); }

void read_catalog(Draft& draft) {
  World& world = draft.world();
  const auto machines = draft.catalog.machines();
  const auto gpus = draft.catalog.gpu_types();
  world.machines.assign(machines.begin(), machines.end());
  world.gpu_types.assign(gpus.begin(), gpus.end());
}

void read_calendar(Draft& draft) {
  World& world = draft.world();
  world.start_date = draft.calendar.start();
  world.utc_offsets = draft.calendar.offset_steps(world.begin, world.window_end + world.drain_limit);
  if (draft.calendar.zone().is_written_offset()) {
    draft.warn("local hours use a fixed offset from UTC: no daylight saving");
  }
}

void read_goal(Draft& draft) {
  if (!draft.root.has("goal")) return;
  const Node node = draft.root.at("goal");
  WaitGoal goal{.quantile = node.number("wait_p") / 100,
                .at_most = {},
                .job_class = {},
                .same_work = node.number("same_work") / 100};
  fill(goal, node);
  if (goal.quantile < kUnlikelyQuantile) {
    draft.warn(fmt::format("{}: the goal is about {:.15g} % of the jobs. 95 means 95 %", node.where().pointer,
                           node.number("wait_p")));
  }
  if (node.has("class")) {
    const std::size_t id = find_name(node.at("class"), "job class", draft.classes.names());
    goal.job_class = ClassId{static_cast<std::uint16_t>(id)};
  }
  draft.scenario.goal = goal;
}

void read_consecutive(Draft& draft) {
  if (draft.root.has("consecutive_within"))
    draft.scenario.consecutive_within = draft.root.duration("consecutive_within");
}

// Shapes and classes that came after a leg was made have no place in it.
void widen(std::vector<Strategy>& strategies, const World& world) {
  for (Strategy& strategy : strategies) {
    for (Leg& leg : strategy.legs) {
      leg.candidates.resize(world.shapes.size());
      if (!leg.classes.empty()) leg.classes.resize(world.classes.size());
    }
  }
}

void finish(Draft& draft) {
  World& world = draft.world();
  world.users = draft.users.names();
  draft.scenario.prices = draft.prices;
  for (std::string& note : draft.trace_notes) draft.warn(std::move(note));
  widen(world.strategies, world);
  for (Source& source : world.sources) widen(source.tenants, world);
}

// The steps of a scenario of which each is taken where those went well that it builds on, and where what it
// reads is well formed: no error follows from another, and all are told at once.
class Parts {
 public:
  Parts(Draft& draft, const ScenarioOptions& options, ErrorList& errors)
      : draft_{draft}, options_{options}, errors_{errors} {}

  void build() {
    const bool has_frame = reads_frame();
    const bool has_prices = goes_well(read_price_day) && goes_well(read_own_prices);
    const bool has_pools = goes_well(build_pools);
    const bool has_jobs = has_frame && goes_well(build_workload);
    const bool has_times = has_pools && has_jobs && goes_well(check_times);
    const bool has_supply = has_times && builds_supply(has_prices);
    if (!has_times || !has_prices) goes_well(check_reservation_names);
    if (has_jobs) {
      goes_well(read_goal);
      goes_well(read_decision_terms);
    }
    const bool has_models = goes_well(check_models);
    if (!has_supply && has_models) goes_well(check_strategy_names);
    if (!has_supply || !has_models) return;
    if (goes_well(build_strategies)) goes_well(build_bill_terms);
    if (errors_.count() == 0) {
      goes_well(warn_of_never);
      goes_well(tell_speeds);
    }
    goes_well(build_tenants);
  }

 private:
  template <typename Step>
  bool goes_well(Step step) {
    return errors_.attempt([&] {
      if constexpr (std::invocable<Step, Draft&, const ScenarioOptions&>)
        step(draft_, options_);
      else
        step(draft_);
    });
  }

  // The days and the length of the run; and what nothing else builds on.
  bool reads_frame() {
    const bool has_start = goes_well(read_start);
    const bool has_run = goes_well(read_run);
    goes_well(read_replications);
    goes_well(read_seed);
    goes_well(read_notes);
    goes_well(read_consecutive);
    goes_well(read_variants);
    return has_start && has_run;
  }

  bool builds_supply(bool has_prices) {
    read_calendar(draft_);
    const bool has_capacity = goes_well(build_capacity);
    const bool has_held = has_prices && goes_well(build_reservations);
    const bool has_quotas = goes_well(build_quotas);
    const bool has_kueue = has_held && goes_well(build_kueue);
    const bool has_slurm = has_held && goes_well(build_slurm);
    return has_capacity && has_quotas && has_kueue && has_slurm;
  }

  Draft& draft_;
  const ScenarioOptions& options_;
  ErrorList& errors_;
};

Scenario build(const ScenarioText& text, const Catalog& catalog, const ScenarioOptions& options) {
  ErrorList errors;
  Draft draft{.root = check_scenario(text, whole_file(), errors),
              .catalog = catalog,
              .calendar = Calendar{Date{}, Zone{}},
              .scenario = {},
              .cache = options.cache};
  draft.scenario.file = text.file;
  draft.scenario.inputs = {text.file};
  read_catalog(draft);
  Parts{draft, options, errors}.build();
  errors.raise();
  finish(draft);
  check_sizes(draft);
  check_warm_up(draft);
  std::vector<std::string>& inputs = draft.scenario.inputs;
  inputs.insert(inputs.end(), text.files.begin(), text.files.end());
  inputs.insert(inputs.end(), options.price_files.begin(), options.price_files.end());
  return std::move(draft.scenario);
}

}  // namespace

void check_scenario_text(ScenarioText text, const std::vector<PlacedValue>& placed) {
  for (const PlacedValue& change : placed) place_value(text, change);
  static_cast<void>(check_scenario(text, whole_file()));
}

Scenario parse_scenario(std::string_view text, const std::string& file, const Catalog& catalog,
                        const ScenarioOptions& options) {
  ScenarioText parsed{.file = file, .root = parse_json(text, file, kWrittenByHand), .overrides = {}};
  for (const Override& change : options.overrides) apply_override(parsed, change);
  for (const PlacedValue& change : options.placed) place_value(parsed, change);
  return build(parsed, catalog, options);
}

Scenario load_scenario(const std::string& path, const ScenarioOptions& options) {
  constexpr std::size_t kMostBytes = 64 << 20;
  const std::string text = read_text_file(path, kMostBytes);
  const bool own_catalog = !options.catalog_dir.empty();
  const Catalog catalog = own_catalog ? Catalog::from_folder(options.catalog_dir) : Catalog::embedded();
  Scenario scenario = parse_scenario(text, path, catalog, options);
  if (own_catalog) {
    for (const CatalogFile& file : kCatalogFiles)
      scenario.inputs.push_back(fmt::format("{}/{}", options.catalog_dir, file.name));
  }
  return scenario;
}

}  // namespace stockout

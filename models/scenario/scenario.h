#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/billing/overlay.h"
#include "models/billing/terms.h"
#include "models/catalog/catalog.h"
#include "models/measures/goal.h"
#include "models/measures/measures.h"
#include "models/measures/precision.h"
#include "models/measures/wait_goal.h"
#include "models/scenario/format/decision.h"
#include "models/scenario/format/placed_value.h"
#include "models/scenario/format/unknown.h"
#include "models/scenario/format/window_part.h"
#include "models/workload/trace.h"
#include "models/world/world.h"
#include "sim/core/error.h"
#include "sim/core/ids.h"
#include "sim/core/time.h"

namespace stockout {

/// No leg of the strategy could ever serve a job of the class.
struct Impossible {
  std::size_t strategy = 0;  // of the world
  ClassId job_class{};
};

class ScenarioCache;
struct Alternative;
struct ScenarioText;

/// A trace that a source of the workload reads.
struct ReadTrace {
  std::string source;  // its name
  std::string file;
  TraceFormat format = TraceFormat::csv;
  TraceOptions options;
  std::int64_t shift_ms = 0;  // added to its times to make them simulated ones
};

/// A scenario file, read and checked: the frozen world and how it is to be run and shown. Before it is run,
/// ready_to_run() (models/launch) finds a warm-up that it leaves to a rule.
struct Scenario {
  std::string file;                 // as named on the command line
  std::vector<std::string> inputs;  // every file it was read from, this one first
  std::vector<ReadTrace> traces;    // in the order of their sources
  std::string name;
  std::string question;  // one sentence for the reader; may be empty
  World world;
  std::optional<WaitGoal> goal;
  std::vector<Goal> goals;  // beside it
  DecisionTerms decide;
  std::vector<Unknown> unknown;                   // what `calibrate` finds out
  std::optional<SimDuration> consecutive_within;  // if said: reports show capacity lost between jobs
  BillTerms terms;                                // commitments that exist already, and other costs
  int replications = 1;                           // at least 1
  std::optional<Precision> precision;             // if said: how many replications follows from it
  bool control_variates = false;                  // whether results are adjusted by what was drawn
  std::optional<SourceRef>
      warm_up_to_find;                    // where it is left to a rule: the world has the longest it may be
  std::string warm_up_rule;               // how the warm-up was found; empty: it was given
  std::vector<std::string> quotas;        // the planner's limits, and when they rise, one line each
  double most_jobs = 0;                   // bound on the jobs of one run, tenants included
  std::string prices_as_of;               // "2026-07-30"
  bool prices_follow_calendar = false;    // then prices_as_of is not used
  std::vector<PriceOverlay> prices;       // the planner's own
  std::string start;                      // "2026-08-03"
  std::vector<std::string> assumptions;   // what this scenario assumes that is not public, one line each
  std::vector<std::string> warnings;      // what a reader of the result must know, one line each
  std::vector<Impossible> impossible;     // what `warnings` say of classes
  std::vector<Alternative> alternatives;  // to what it assumes

  /// As many replications as there may be.
  [[nodiscard]] std::size_t most_replications() const {
    return precision ? precision->most : static_cast<std::size_t>(replications);
  }

  /// Bound on the jobs of all strategies and replications.
  [[nodiscard]] double most_jobs_in_all() const {
    return most_jobs * static_cast<double>(world.strategies.size()) *
           static_cast<double>(most_replications());
  }

  /// How soon a job must come after another to follow it.
  [[nodiscard]] SimDuration between() const { return consecutive_within.value_or(kConsecutiveWithin); }
};

/// Days of work, and then some: to ask for more jobs than that is a slip of the pen.
inline constexpr double kMostJobsInAll = 1e12;

/// A rule of a scenario that is not public, taken another way.
struct Alternative {
  std::string rule;
  std::string name;  // unique in the scenario
  std::vector<PlacedValue> changes;
};

struct ScenarioOptions {
  std::vector<Override> overrides;
  std::string catalog_dir;                    // empty: the catalogue in the binary
  std::vector<std::string> price_files = {};  // after those that the scenario names
  std::optional<std::uint64_t> seed;
  std::optional<int> replications;
  std::vector<PlacedValue> placed = {};               // after the overrides
  ScenarioCache* cache = nullptr;                     // if given: what scenarios built with it have in common
  std::optional<SimDuration> warm_up = std::nullopt;  // as a rule has found it (models/launch)
  /// If given: this part of the window alone. What the scenario says relative to its start stays where it is,
  /// whatever else is at random begins anew.
  std::optional<WindowPart> part = std::nullopt;
};

/// Reads `path` and everything it names. Paths inside the scenario are relative to its folder.
/// Throws InputError with file, line, JSON pointer and what would be right.
[[nodiscard]] Scenario load_scenario(const std::string& path, const ScenarioOptions& options = {});

/// Puts values into a text that has been parsed, and holds it against the spec of a scenario: unknown keys,
/// kinds and ranges, but nothing that takes building it. Throws InputError like load_scenario().
void check_scenario_text(ScenarioText text, const std::vector<PlacedValue>& placed);

/// Reads a scenario from a text: `file` names it, and its folder is where paths start.
[[nodiscard]] Scenario parse_scenario(std::string_view text, const std::string& file, const Catalog& catalog,
                                      const ScenarioOptions& options = {});

}  // namespace stockout

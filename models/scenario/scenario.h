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
#include "models/measures/measures.h"
#include "models/measures/precision.h"
#include "models/measures/wait_goal.h"
#include "models/world/world.h"
#include "sim/core/ids.h"
#include "sim/core/time.h"

namespace stockout {

/// A scenario file, read and checked: the frozen world and how it is to be run and shown.
struct Scenario {
  std::string file;                 // as named on the command line
  std::vector<std::string> inputs;  // every file it was read from, this one first
  std::string name;
  std::string question;  // one sentence for the reader; may be empty
  World world;
  std::optional<WaitGoal> goal;
  std::optional<SimDuration> consecutive_within;  // if said: reports show capacity lost between jobs
  BillTerms terms;                                // commitments that exist already, and other costs
  int replications = 1;                           // at least 1
  std::optional<Precision> precision;             // if said: how many replications follows from it
  bool control_variates = false;                  // whether results are adjusted by what was drawn
  std::string warm_up_rule;                       // how the warm-up was found; empty: it was given
  double most_jobs = 0;                           // bound on the jobs of one run, tenants included
  std::string prices_as_of;                       // "2026-07-30"
  bool prices_follow_calendar = false;            // then prices_as_of is not used
  std::vector<PriceOverlay> prices;               // the planner's own
  std::string start;                              // "2026-08-03"
  std::vector<std::string> assumptions;  // what this scenario assumes that is not public, one line each
  std::vector<std::string> warnings;     // what a reader of the result must know, one line each

  /// How soon a job must come after another to follow it.
  [[nodiscard]] SimDuration between() const { return consecutive_within.value_or(kConsecutiveWithin); }
};

/// A value to put into the scenario before it is checked: --set /json/pointer=value. The value is JSON if it
/// parses as such, else a string.
struct Override {
  std::string pointer;
  std::string value;
};

struct ScenarioOptions {
  std::vector<Override> overrides;
  std::string catalog_dir;  // empty: the catalogue in the binary
  std::optional<std::uint64_t> seed;
  std::optional<int> replications;
  std::optional<SimDuration> warm_up = std::nullopt;  // as a pilot has found it
};

/// Reads `path` and everything it names. Paths inside the scenario are relative to its folder.
/// Throws InputError with file, line, JSON pointer and what would be right.
[[nodiscard]] Scenario load_scenario(const std::string& path, const ScenarioOptions& options = {});

/// The same for a text that is there already: `file` names it, and its folder is where paths start.
[[nodiscard]] Scenario parse_scenario(std::string_view text, const std::string& file, const Catalog& catalog,
                                      const ScenarioOptions& options = {});

}  // namespace stockout

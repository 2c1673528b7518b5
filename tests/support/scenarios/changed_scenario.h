#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tests/support/scenarios/random_scenario.h"

namespace stockout::test {

/// A scenario file, and the same with a change that moves no number.
struct ChangedScenario {
  Json before;
  Json after;
};

/// A way to change files that can be read.
struct ScenarioChange {
  std::string name;
  bool moves_sources;  // of jobs that act in one instant, another is the first: such runs are left out
  bool wants_calm;     // goes with calm files only: the planner's draws hang on the order
  /// Nothing: the change cannot be combined with the file.
  std::optional<ChangedScenario> (*make)(const Json& file, const Catalog& catalog);
};

/// Every change. What they leave out, since the contract makes numbers hang on it:
/// - draws are keyed by the number of a source and of a held pool, so sources change places, and a
/// reservation
///   comes before others, in calm files only;
/// - tenants are sources in the order of their pools, so pools with tenants keep theirs;
/// - pools change places only where no job waits in two of them: the first that grants wins;
/// - a run in which jobs wait for ever ends early unless tenants go on coming, so a pool of tenants is added
///   only where there is one;
/// - a pool with a `markov` keeps its name, by which its path is drawn.
[[nodiscard]] const std::vector<ScenarioChange>& scenario_changes();

}  // namespace stockout::test

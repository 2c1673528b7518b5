#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/baseline/tolerance.h"
#include "models/experiment/comparison.h"
#include "models/scenario/scenario.h"

namespace stockout {

/// Measures of a strategy when a baseline was made.
struct BaselineStrategy {
  std::string name;
  std::size_t replications = 0;   // that were run
  std::uint64_t fingerprint = 0;  // of its runs
  /// Classes of which jobs came and none ever started. None: a program made it that did not say.
  std::optional<std::vector<std::string>> never_ran = {};
  /// By name, in the order of the file: those of the program that made the baseline. Absent ones too.
  std::vector<std::pair<std::string, Summary>> measures;
};

/// Recommendation of a comparison, and the part of chance in it.
struct BaselineRecommendation {
  std::string strategy;             // empty: none qualified
  bool is_sure = false;             // by the 95 % intervals
  std::vector<std::string> may_be;  // others that the noise left open, or that cost the same
  bool may_be_none = false;         // it may not have qualified itself
};

/// A comparison as it once was, to hold later ones against.
struct Baseline {
  std::string version;  // of the program that made it
  std::string scenario;
  std::uint64_t seed = 0;
  std::size_t replications = 0;  // that were asked for
  std::uint64_t fingerprint = 0;
  /// By name of a measure, or "all" for those that are not named. Put there by a person.
  std::map<std::string, Tolerance> tolerances;
  std::vector<BaselineStrategy> strategies;
  /// None: a program made it that did not say.
  std::optional<BaselineRecommendation> recommendation = {};
};

inline constexpr const char* kEveryMeasure = "all";  // in Baseline::tolerances

/// The baseline that a comparison of a scenario makes, without tolerances. `version` is that of this program.
[[nodiscard]] Baseline baseline_of(const Scenario& scenario, const Comparison& comparison,
                                   const std::string& version);

}  // namespace stockout

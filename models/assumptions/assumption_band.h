#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/experiment/comparison.h"
#include "models/experiment/verdict.h"

namespace stockout {

/// Effect of an alternative on the verdict for the scenario as written.
enum class AnswerOutcome {
  same,          // the same strategy wins, or one that costs the same; or it is as undecided as it was
  other_winner,  // another strategy wins, or one where none did
  undecided,     // there is no winner any more: the noise is larger than the difference
  none,          // no strategy meets the goal any more
};

/// A comparison under one alternative to one rule.
struct AlternativeResult {
  std::string rule;
  std::string name;
  Comparison comparison;
  Verdict verdict;
  AnswerOutcome outcome = AnswerOutcome::same;
};

/// The least or the largest value that a measure has, as written and under each alternative.
struct Extreme {
  static constexpr std::size_t kAsWritten = static_cast<std::size_t>(-1);

  double value = 0;
  bool is_bound = false;           // it is longer than this
  std::size_t under = kAsWritten;  // which alternative makes it; of several the first, as written before all
};

/// Between what a measure of a strategy lies.
struct Band {
  Extreme low;
  Extreme high;
};

/// Doubt from assumptions: the scenario as written and under each alternative, one at a time, on the same
/// random numbers.
struct AssumptionBand {
  std::vector<AlternativeResult> alternatives;
  std::string sentence;  // whether the recommendation survives, and which alternatives change it
};

/// Outcome for the verdict `written` under an alternative with this comparison and verdict.
[[nodiscard]] AnswerOutcome outcome_of(const Verdict& written, const Comparison& comparison,
                                       const Verdict& verdict, const std::optional<WaitGoal>& goal);

/// The band of results of the same strategies in the same order, at least one. Sets their outcomes.
[[nodiscard]] AssumptionBand make_band(const Comparison& written, const Verdict& verdict,
                                       std::vector<AlternativeResult> alternatives,
                                       const std::optional<WaitGoal>& goal);

/// Between what a measure lies over all of them; none where it is nowhere.
[[nodiscard]] std::optional<Band> band_of(const Comparison& written, const AssumptionBand& band,
                                          std::size_t strategy, Measure measure);

}  // namespace stockout

#pragma once

#include <string>
#include <vector>

#include "tools/report/comparison_page/comparison_page.h"

namespace stockout {

/// Something under which the answer would be another one.
struct AnswerFlip {
  std::string what;      // "chance", "assumption", "price of Spot", "wait limit"
  std::string sentence;  // with its number
  /// Chance comes first, then assumptions of the scenario, in its order, then the least change of a price or
  /// a limit.
  enum class Rank { chance, assumption, change } rank = Rank::change;
  double size = 0;  // of a change: |ln(then / now)|, so that half is as far as double
};

/// Changes that were tried on the answer, and those that overturn it.
struct AnswerFlips {
  std::vector<AnswerFlip> flips;   // the strongest first
  std::vector<std::string> tried;  // a line for each kind, with what could not be tried, and why
};

/// Another answer: another strategy that does not cost the same, or none where there was one. Looked for in
/// chance (what the verdict doubts), the scenario's alternatives (if the report has them), the price of each
/// model alone (the nearest price below and above that of now), and the wait limit (the nearest below and
/// above of those that the waits were counted for).
[[nodiscard]] AnswerFlips find_flips(const PageStory& story);

/// The cheapest strategy that starts `share` of the goal's jobs within each wait of the story's curves, and
/// qualifies in all else; none where none does.
[[nodiscard]] std::vector<std::optional<std::size_t>> cheapest_by_wait(const PageStory& story, double share);

}  // namespace stockout

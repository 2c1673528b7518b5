#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/experiment/comparison.h"
#include "models/measures/wait_goal.h"

namespace stockout {

/// Which strategy to buy, if that can be said.
struct Verdict {
  enum class Kind {
    cheapest_within_goal,  // meets the wait goal, and all others that may meet it cost more
    none_meets_goal,       // `strategy` comes nearest
    undecided,             // the noise is larger than the difference
    cheapest,              // there is no wait goal
    class_never_runs,      // under each strategy some class never runs: `strategy` comes nearest
  };

  /// As files name them.
  static constexpr std::array<std::string_view, 5> kKindNames{"cheapest_within_goal", "none_meets_goal",
                                                              "undecided", "cheapest", "class_never_runs"};
  [[nodiscard]] std::string_view kind_name() const { return kKindNames[static_cast<std::size_t>(kind)]; }

  /// Whether no strategy can be the answer.
  [[nodiscard]] bool finds_none() const {
    return kind == Kind::none_meets_goal || kind == Kind::class_never_runs;
  }

  Kind kind = Kind::cheapest;
  std::size_t strategy = 0;              // place in Comparison::strategies
  std::string sentence;                  // for the reader, with the numbers it rests on
  std::vector<std::string> doubts = {};  // why another may be the one, as chance has it; the strongest first
};

/// `goal_text` says the goal in words: "95 % of jobs start within 4 h". Intervals are at 95 %, each pair by
/// itself, by differences on the same random numbers. A job that never starts is late for every goal. The
/// comparison has at least one strategy.
[[nodiscard]] Verdict judge(const Comparison& comparison, const std::optional<WaitGoal>& goal,
                            const std::string& goal_text);

}  // namespace stockout

#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "models/measures/measure_table.h"
#include "sim/core/ids.h"
#include "sim/core/time.h"

namespace stockout {

/// A goal of the planner for a way of buying, for jobs of one class or of all.
struct Goal {
  enum class Kind : std::uint8_t {
    starts,           // a share of jobs starts within a time and is completed
    meets_deadlines,  // a share of jobs that have a deadline, and could meet it, does
    completes,        // a share of jobs is completed
    budget,           // the cost of a run, on average
  };
  static constexpr std::array<std::string_view, 4> kKindNames{"starts", "meets_deadlines", "completes",
                                                              "budget"};

  Kind kind = Kind::starts;
  double least = 0.95;               // the share, in (0, 1]; not of a budget
  SimDuration at_most{};             // of starts: the longest wait from release to first grant
  double budget_usd = 0;             // of a budget; above 0
  std::optional<ClassId> job_class;  // none: all jobs; none of a budget

  /// By how much a value is better than asked for: of a share the difference, of a budget the share of it
  /// that is left. Below 0 the goal is missed.
  [[nodiscard]] double margin(double value) const {
    return kind == Kind::budget ? 1 - value / budget_usd : value - least;
  }
};

/// A goal, and as people read it.
struct AskedGoal {
  Goal goal;
  std::string text;  // goal_text() of it
};

/// Outcome of a goal in a run.
struct GoalMet {
  Value value;             // the share of jobs that met it, absent if there were none; of a budget the cost
  std::uint64_t jobs = 0;  // that it is about; none of a budget
  friend bool operator==(const GoalMet&, const GoalMet&) = default;
};

}  // namespace stockout

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "models/consumption/strategy.h"
#include "models/measures/goal.h"
#include "models/measures/measure_table.h"
#include "models/record/run_record.h"
#include "models/workload/jobs.h"

namespace stockout {

/// Counts of the jobs that several goals are about, and of those that meet them.
class GoalTally {
 public:
  /// `goals` outlive it. `open_may_complete`: as JobTallyTerms has it.
  GoalTally(std::span<const Goal> goals, bool open_may_complete);

  /// `fastest`: the best rate that the job could have anywhere.
  void add(const Job& job, const JobOutcome& outcome, Rate fastest);

  /// By goal; `cost` is that of the run.
  [[nodiscard]] std::vector<GoalMet> met(const Value& cost) const;

 private:
  struct Count {
    std::uint64_t jobs = 0;
    std::uint64_t met = 0;
  };

  [[nodiscard]] bool is_met(const Goal& goal, const Job& job, const JobOutcome& outcome) const;

  std::span<const Goal> goals_;
  bool open_may_complete_;
  std::vector<Count> counts_;  // by goal
};

}  // namespace stockout

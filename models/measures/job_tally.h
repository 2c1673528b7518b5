#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "models/consumption/strategy.h"
#include "models/measures/measure_table.h"
#include "models/measures/wait_goal.h"
#include "models/record/run_record.h"
#include "models/workload/jobs.h"
#include "models/world/world.h"
#include "sim/stats/censored_sample.h"

namespace stockout {

/// Terms by which jobs of a world are counted.
struct JobTallyTerms {
  std::optional<WaitGoal> goal = std::nullopt;
  bool open_may_complete = false;  // one still open when the run ended: for the goal its start alone counts
  bool has_quotas = false;         // they may have waited for quota
  bool has_kueue = false;          // for Kueue
  bool has_slurm = false;          // for Slurm
  bool has_pipelines = false;      // they may have been skipped
  bool has_exits = false;          // their workers may have exited
};

/// Those of a world, for a goal.
[[nodiscard]] JobTallyTerms tally_terms(const World& world, const std::optional<WaitGoal>& goal);

/// Counts and times of a set of jobs.
class JobTally {
 public:
  explicit JobTally(const JobTallyTerms& terms) : terms_{terms} {}

  /// `fastest`: the best rate that the job could have anywhere. `follows`: it is submitted soon after the end
  /// of another job, as ConsecutiveJobs says.
  void add(const Job& job, const JobOutcome& outcome, Rate fastest = kReferenceRate, bool follows = false);

  [[nodiscard]] bool empty() const { return jobs_ == 0; }

  /// Fills in the measures that are about jobs. Counts are 0 for an empty set; what needs a job is absent.
  void fill(Values& values) const;

 private:
  void add_to_goal(const Job& job, const JobOutcome& outcome);
  void add_deadline(const Job& job, const JobOutcome& outcome, Rate fastest);
  void add_follower(const JobOutcome& outcome, SimDuration in_system);
  void fill_times(Values& values) const;
  void fill_causes(Values& values) const;
  void fill_followers(Values& values) const;

  JobTallyTerms terms_;
  std::uint64_t goal_jobs_ = 0;    // that the goal is about
  std::uint64_t within_goal_ = 0;  // of these, started in time
  std::uint64_t goal_met_ = 0;     // of these, completed
  std::uint64_t jobs_ = 0;
  std::array<std::uint64_t, kFinalStates> states_{};
  std::uint64_t with_deadline_ = 0;
  std::uint64_t deadline_missed_ = 0;
  std::uint64_t deadline_impossible_ = 0;
  std::uint64_t preemptions_ = 0;
  std::uint64_t quota_refusals_ = 0;
  std::uint64_t kueue_evictions_ = 0;
  std::uint64_t worker_exits_ = 0;
  std::uint64_t followers_ = 0;          // of another job
  std::uint64_t followers_waited_ = 0;   // of these, not granted at once
  std::uint64_t followers_in_vain_ = 0;  // of these, never granted
  double followers_wait_h_ = 0;          // of those that waited
  CensoredSample waits_;
  // In hours: a sum of milliseconds over all jobs of a long run may not fit 64 bits.
  double start_delay_h_ = 0;
  double queued_h_ = 0;
  double held_back_h_ = 0;
  double quota_wait_h_ = 0;
  double kueue_wait_h_ = 0;
  double borrowing_wait_h_ = 0;
  double priority_wait_h_ = 0;
  double back_off_wait_h_ = 0;
  double capacity_wait_h_ = 0;
  double waited_again_h_ = 0;
};

}  // namespace stockout

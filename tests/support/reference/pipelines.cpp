#include <algorithm>
#include <set>
#include <tuple>

#include "tests/support/reference/run.h"

// Section 14: a step of a pipeline begins when those before it have completed.
namespace stockout::reference {

const std::optional<PipelineStep>& Run::step_of(const JobState& job) const {
  return world_.sources[index(job.job.source)].step;
}

/// R14.24.
bool Run::follows_steps(const JobState& job) const {
  return job.recorded && step_of(job) && !step_of(job)->after.empty();
}

/// R14.23.
bool Run::in_one_pipeline(const JobState& a, const JobState& b) const {
  const auto pipeline_of = [&](const JobState& job) {
    const bool by_group = step_of(job)->after.empty() && step_of(job)->by_group;
    return std::tuple{step_of(job)->first, by_group ? job.job.group : job.job.row};
  };
  return step_of(a) && step_of(b) && pipeline_of(a) == pipeline_of(b);
}

bool Run::is_behind(const JobState& job, const JobState& before) const {
  return in_one_pipeline(job, before) && std::ranges::count(step_of(job)->after, before.job.source) > 0;
}

/// R14.25.
void Run::look_at_pipeline(const JobState& over) {
  for (JobState& job : jobs_) {
    if (job.stage == Stage::held_by_pipeline && in_one_pipeline(job, over)) look_at_step(job);
  }
}

/// R14.25, R14.26.
void Run::look_at_step(JobState& job) {
  bool all_final = true;
  bool all_completed = true;
  bool ended = false;
  std::set<SourceId> came;
  for (const JobState& other : jobs_) {
    if (other.stage == Stage::to_come || !in_one_pipeline(job, other)) continue;
    const bool is_final = other.stage == Stage::final;
    const bool failed = is_final && other.state != FinalState::completed;
    ended = ended || failed;
    if (!is_behind(job, other)) continue;
    came.insert(other.job.source);
    all_final = all_final && is_final;
    all_completed = all_completed && !failed;
  }
  if (ended && world_.sources[index(step_of(job)->first)].step->ends_with_failure) {
    note("pipeline: ended with a failure");
    skip(job);
  } else if (!all_completed && !step_of(job)->begins_anyway) {
    note("pipeline: skipped a step");
    skip(job);
  } else if (all_final && came.size() == step_of(job)->after.size()) {
    note(all_completed ? "pipeline: let a step go" : "pipeline: a step begins anyway");
    job.stage = Stage::let_go_by_pipeline;
    job.step = {at_soonest(), [this, &job] { come_to_group(job); }};
  }
}

/// R14.27.
void Run::skip(JobState& job) {
  job.stage = Stage::let_go_by_pipeline;
  job.step = {at_soonest(), [this, &job] { make_final(job, FinalState::skipped); }};
}

}  // namespace stockout::reference

#include "models/measures/pipeline_tally.h"

#include <algorithm>

#include "models/workload/arrivals/synthesis.h"
#include "sim/core/hours.h"

namespace stockout {
namespace {

bool begins_pipelines(const Source& source) { return source.step && source.step->after.empty(); }

bool is_step(const Source& source) { return source.step.has_value(); }

template <typename Holds>
std::vector<std::string> names_where(const World& world, Holds holds) {
  std::vector<std::string> names;
  for (const Source& source : world.sources) {
    if (holds(source)) names.push_back(source.name);
  }
  return names;
}

// The place of each source among those.
template <typename Holds>
std::vector<std::size_t> places_where(const World& world, Holds holds) {
  std::vector<std::size_t> places;
  std::size_t next = 0;
  for (const Source& source : world.sources) places.push_back(holds(source) ? next++ : 0);
  return places;
}

}  // namespace

std::vector<std::string> pipeline_names(const World& world) { return names_where(world, begins_pipelines); }

std::vector<std::string> step_names(const World& world) { return names_where(world, is_step); }

void Makespans::add(SimDuration length, bool completed) {
  if (completed) {
    ++completed_;
    lengths_.add(length);
  } else {
    lengths_.add_censored(length);
  }
}

void Makespans::fill(Values& values) const {
  const auto count = static_cast<double>(lengths_.size());
  values.set(Measure::pipelines, count);
  if (lengths_.size() == 0) return;
  values.set(Measure::pipelines_completed, static_cast<double>(completed_) / count);
  const double mean = lengths_.mean_ms() / kMsPerHour;
  values[Measure::makespan_mean] = lengths_.censored() > 0 ? Value::at_least(mean) : Value::exact(mean);
  const KnownDuration late = lengths_.quantile(0.95);
  const double late_h = to_hours(late.value);
  values[Measure::makespan_p95] = late.at_least ? Value::at_least(late_h) : Value::exact(late_h);
}

PipelineTally::PipelineTally(const World& world, const JobTallyTerms& terms)
    : world_{world},
      rows_{places_where(world, is_step)},
      kinds_{places_where(world, begins_pipelines)},
      steps_(step_names(world).size(), JobTally{terms}),
      pipelines_(pipeline_names(world).size()) {}

void PipelineTally::add(const Job& job, const JobOutcome& outcome, Rate fastest, bool follows) {
  const auto& step = world_.sources[index(job.source)].step;
  if (!step) return;
  steps_[rows_[index(job.source)]].add(job, outcome, fastest, follows);
  if (job.submit != submit_) close();
  submit_ = job.submit;
  Open& pipeline = open_[{step->first, pipeline_of(job, step->by_group)}];
  pipeline.end = std::max(pipeline.end, outcome.finished);
  pipeline.completed = pipeline.completed && outcome.state == FinalState::completed;
}

void PipelineTally::close() {
  for (const auto& [key, pipeline] : open_) {
    const SimDuration length = pipeline.end - submit_;
    all_.add(length, pipeline.completed);
    pipelines_[kinds_[index(key.first)]].add(length, pipeline.completed);
  }
  open_.clear();
}

void PipelineTally::finish(Measures& measures) {
  close();
  if (steps_.empty()) return;
  all_.fill(measures.total);
  for (const Makespans& pipeline : pipelines_) pipeline.fill(measures.pipelines.emplace_back());
  for (const JobTally& step : steps_) step.fill(measures.steps.emplace_back());
}

}  // namespace stockout

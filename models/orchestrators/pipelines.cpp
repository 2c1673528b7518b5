#include "models/orchestrators/pipelines.h"

#include <algorithm>
#include <utility>

#include "models/workload/arrivals/synthesis.h"
#include "sim/core/check.h"

namespace stockout {

Pipelines::Pipelines(const std::vector<Source>& sources) : places_(sources.size()) {
  const auto place = [&](SourceId source) -> Place& { return *places_[index(source)]; };
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const auto& step = sources[i].step;
    if (!step || !step->after.empty()) continue;
    places_[i] = Place{.graph = graphs_.size()};
    graphs_.push_back(
        {.by_group = step->by_group, .ends_with_failure = step->ends_with_failure, .steps = {{}}});
  }
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const auto& step = sources[i].step;
    if (!step || step->after.empty()) continue;
    const std::size_t graph = place(step->first).graph;
    places_[i] = Place{.graph = graph, .step = graphs_[graph].steps.size()};
    graphs_[graph].steps.push_back({.before = {}, .begins_anyway = step->begins_anyway});
  }
  for (std::size_t i = 0; i < sources.size(); ++i) {
    if (!sources[i].step) continue;
    std::vector<Step>& steps = graphs_[places_[i]->graph].steps;
    for (const SourceId before : sources[i].step->after)
      steps[places_[i]->step].before.push_back(place(before).step);
  }
  open_.resize(graphs_.size());
}

bool Pipelines::concerns(const JobView& job) const {
  return !job.is_tenant && places_[index(job.job.source)].has_value();
}

Pipelines::Instances::iterator Pipelines::find(const Job& job) {
  const Place& place = *places_[index(job.source)];
  const bool by_group = place.step == 0 && graphs_[place.graph].by_group;
  return open_[place.graph].try_emplace(pipeline_of(job, by_group), graphs_[place.graph].steps.size()).first;
}

bool Pipelines::may_begin(const JobView& job, Clerk& clerk) {
  const Place place = *places_[index(job.job.source)];
  Pipeline& pipeline = find(job.job)->second;
  Jobs& jobs = pipeline[place.step];
  ++jobs.came;
  if (place.step == 0) return true;
  jobs.held = job.ticket;
  look_at(graphs_[place.graph], pipeline, place.step, clerk);  // the first may be final already
  return false;
}

void Pipelines::heard(const News& news, Clerk& clerk) {
  if (news.kind != News::Kind::final) return;
  const Place place = *places_[index(news.job.job.source)];
  const auto found = find(news.job.job);
  Pipeline& pipeline = found->second;
  Jobs& jobs = pipeline[place.step];
  STOCKOUT_CHECK(jobs.final < jobs.came, "a step is final that did not come");
  ++jobs.final;
  if (news.state == FinalState::completed) ++jobs.completed;
  for (std::size_t step = 0; step < pipeline.size(); ++step)
    look_at(graphs_[place.graph], pipeline, step, clerk);
  if (std::ranges::all_of(pipeline, &Jobs::is_over)) open_[place.graph].erase(found);
}

// A step that has just come, or of whose pipeline a job has just become final.
void Pipelines::look_at(const Graph& graph, Pipeline& pipeline, std::size_t step, Clerk& clerk) const {
  Jobs& jobs = pipeline[step];
  if (!jobs.held) return;
  const auto& [before, begins_anyway] = graph.steps[step];
  const auto is_over = [&](std::size_t i) { return pipeline[i].is_over(); };
  const auto has_failed = [&](std::size_t i) { return pipeline[i].has_failed(); };
  const bool has_ended = graph.ends_with_failure && std::ranges::any_of(pipeline, &Jobs::has_failed);
  if (has_ended || (!begins_anyway && std::ranges::any_of(before, has_failed))) {
    clerk.skip(*std::exchange(jobs.held, std::nullopt));
  } else if (std::ranges::all_of(before, is_over)) {
    clerk.admit(*std::exchange(jobs.held, std::nullopt));
  }
}

void Pipelines::check() const {
  for (const Instances& pipelines : open_) {
    for (const auto& [_, pipeline] : pipelines) {
      for (const Jobs& jobs : pipeline) {
        STOCKOUT_CHECK(jobs.completed <= jobs.final && jobs.final <= jobs.came,
                       "a step ended more often than it came");
        STOCKOUT_CHECK(!jobs.held || jobs.final == 0, "a pipeline holds a step that is final");
      }
    }
  }
}

}  // namespace stockout

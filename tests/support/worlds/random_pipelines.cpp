#include "tests/support/worlds/random_pipelines.h"

#include <memory>
#include <set>

#include <fmt/format.h>

#include "models/workload/arrivals/synthesis.h"
#include "tests/support/random_choice.h"

namespace stockout::test {
namespace {

class PipelineAdder {
 public:
  PipelineAdder(World& world, SimDuration unit)
      : choice_{world.seed + 4'000'037}, world_{world}, unit_{unit} {}

  void add() {
    const std::size_t sources = world_.sources.size();
    for (std::size_t i = 0; i < sources; ++i) {
      if (!world_.sources[i].background) add_behind(SourceId{static_cast<std::uint16_t>(i)});
    }
    add_retries();
  }

 private:
  void add_behind(SourceId first) {
    world_.sources[index(first)].step = PipelineStep{
        .first = first, .after = {}, .by_group = choice_.chance(25), .ends_with_failure = choice_.chance(30)};
    std::vector<SourceId> steps{first};
    for (std::int64_t left = choice_.number(1, 4); left > 0; --left) {
      const SourceId step{static_cast<std::uint16_t>(world_.sources.size())};
      add_step(steps);
      steps.push_back(step);
    }
  }

  /// Behind some of those.
  void add_step(const std::vector<SourceId>& steps) {
    PipelineStep step{.first = steps.front(), .after = {}, .begins_anyway = choice_.chance(15)};
    for (const SourceId before : steps) {
      if (choice_.chance(50)) step.after.push_back(before);
    }
    if (step.after.empty()) step.after.push_back(steps.back());
    Source source;
    source.name = fmt::format("source {}", world_.sources.size());
    source.demand = TraceDemand{.jobs = followers(world_.sources[index(step.first)])};
    source.step = step;
    world_.sources.push_back(source);
  }

  /// A job for each pipeline, whose number is its row.
  std::shared_ptr<const JobColumns> followers(const Source& first) {
    const JobColumns& firsts = *std::get<TraceDemand>(first.demand).jobs;
    auto jobs = std::make_shared<JobColumns>();
    std::set<std::uint64_t> pipelines;
    for (std::size_t i = 0; i < firsts.size(); ++i) {
      Job job;
      job.row = firsts.row.empty() ? i : firsts.row[i];
      if (!firsts.group.empty()) job.group = firsts.group[i];
      const std::uint64_t pipeline = pipeline_of(job, first.step->by_group);
      if (!pipelines.insert(pipeline).second) continue;
      jobs->submit.push_back(firsts.submit[i]);
      jobs->work.push_back(unit_ * choice_.number(0, 6));
      jobs->shape.push_back(any_of<ShapeId>(world_.shapes.size()));
      jobs->job_class.push_back(any_of<ClassId>(world_.classes.size()));
      jobs->user.push_back(firsts.user[i]);
      jobs->row.push_back(pipeline);
      jobs->max_wait.push_back(choice_.chance(25) ? unit_ * choice_.number(0, 10) : kForever);
      jobs->group.push_back(choice_.chance(30) ? 1 + static_cast<std::uint32_t>(index(jobs->job_class.back()))
                                               : 0);
    }
    return jobs;
  }

  void add_retries() {
    Choice choice{world_.seed + 10'000'019};
    for (Source& source : world_.sources) {
      if (!source.step || !choice.chance(50)) continue;
      StepRetry& retry = source.step->retry;
      retry.times = choice.one_of<Tries>({1, 1, 2, 4});
      retry.first = unit_ * choice.number(1, 3);
      retry.factor_ppm = choice.one_of<std::int64_t>({1'000'000, 1'333'333, 2'000'000});
      retry.most = retry.first + unit_ * choice.number(0, 4);
    }
  }

  template <typename Id>
  Id any_of(std::size_t count) {
    return static_cast<Id>(choice_.number(0, static_cast<std::int64_t>(count) - 1));
  }

  Choice choice_;
  World& world_;
  SimDuration unit_;
};

}  // namespace

bool has_pipelines(std::uint64_t seed) { return Choice{seed + 5'000'011}.chance(12); }

void add_pipelines(World& world, SimDuration unit) { PipelineAdder{world, unit}.add(); }

}  // namespace stockout::test

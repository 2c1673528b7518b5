// Pipelines and their steps, from a record written by hand.

#include <catch2/catch.hpp>

#include "models/measures/measures.h"
#include "models/measures/pipeline_tally.h"
#include "tests/support/made_up/measured_world.h"

using namespace stockout;
using namespace stockout::test;
using namespace std::chrono_literals;

namespace {

SyntheticDemand two_batches(std::int32_t count, bool grouped) {
  SyntheticDemand demand;
  demand.arrivals = ScheduledArrivals{.at = {at(0h), at(10h)}, .count = count, .grouped = grouped};
  demand.shapes = {{.shape = kOneA}};
  demand.work = {.kind = Law::Kind::constant, .a = 1h};
  demand.job_class = kTrain;
  return demand;
}

Source& add_source(World& world, const char* name, SyntheticDemand demand) {
  Source& source = world.sources.emplace_back();
  source.name = name;
  source.demand = std::move(demand);
  return source;
}

/// Jobs of "prepare" at 0h and 10h, each or all of them followed by one of "train". "jobs" has none.
World piped_world(std::int32_t count, bool grouped) {
  World world = measured_world({});
  SyntheticDemand train = two_batches(1, false);
  train.arrivals = FollowingArrivals{};
  train.job_class = kTune;
  add_source(world, "prepare", two_batches(count, grouped)).step =
      PipelineStep{.first = SourceId{1}, .after = {}, .by_group = grouped};
  add_source(world, "train", train).step = PipelineStep{.first = SourceId{1}, .after = {SourceId{1}}};
  return world;
}

Measures measured(const World& world, const std::vector<JobOutcome>& outcomes) {
  RunRecord record = empty_record(world);
  for (const JobOutcome& outcome : outcomes) add_outcome(record, outcome);
  return measure(world, 0, 0, record);
}

}  // namespace

TEST_CASE("A makespan runs from submission to the end of the last step", "[measures]") {
  const World world = piped_world(1, false);
  CHECK(pipeline_names(world) == std::vector<std::string>{"prepare"});
  CHECK(step_names(world) == std::vector<std::string>{"prepare", "train"});
  const Measures run = measured(world, {completed(0h, 1h, 2h), completed(2h, 4h, 5h),  //
                                        completed(10h, 10h, 11h), completed(11h, 11h, 12h)});
  CHECK(run.total[Measure::pipelines] == Value::exact(2));
  CHECK(run.total[Measure::pipelines_completed] == Value::exact(1));
  CHECK(run.total[Measure::makespan_mean] == Value::exact(3.5));  // 5 h and 2 h
  CHECK(run.total[Measure::makespan_p95] == Value::exact(5));
  CHECK(run.total[Measure::skipped] == Value::exact(0));
  REQUIRE(run.pipelines.size() == 1);
  CHECK(run.pipelines[0][Measure::makespan_mean] == Value::exact(3.5));
  REQUIRE(run.steps.size() == 2);
  CHECK(run.steps[0][Measure::wait_mean] == Value::exact(0.5));
  CHECK(run.steps[1][Measure::wait_mean] == Value::exact(1));
  CHECK(run.steps[1][Measure::held_back_mean] == Value::exact(1.5));  // 2 h and 1 h
  CHECK(run.steps[1][Measure::makespan_mean].is_absent());
}

TEST_CASE("A pipeline that was not completed counts as longer than all others", "[measures]") {
  const Measures run = measured(piped_world(1, false), {never_started(FinalState::expired, 0h, 9h),
                                                        never_started(FinalState::skipped, 9h, 9h),
                                                        completed(10h, 10h, 11h), completed(11h, 11h, 12h)});
  CHECK(run.total[Measure::pipelines_completed] == Value::exact(0.5));
  CHECK(run.total[Measure::makespan_mean] == Value::at_least(5.5));  // 9 h and 2 h
  CHECK(run.total[Measure::makespan_p95] == Value::at_least(9));
  CHECK(run.total[Measure::skipped] == Value::exact(1));
  CHECK(run.steps[0][Measure::skipped] == Value::exact(0));
  CHECK(run.steps[1][Measure::skipped] == Value::exact(1));
  CHECK(run.steps[1][Measure::never_started_share] == Value::exact(0.5));
}

TEST_CASE("A pipeline behind a group is one of all its jobs", "[measures]") {
  const Measures run = measured(
      piped_world(2, true), {completed(0h, 0h, 1h), completed(0h, 2h, 3h), completed(3h, 3h, 4h),  //
                             completed(10h, 10h, 11h), completed(10h, 10h, 11h), completed(11h, 11h, 12h)});
  CHECK(run.total[Measure::pipelines] == Value::exact(2));
  CHECK(run.total[Measure::makespan_mean] == Value::exact(3));  // 4 h and 2 h
}

TEST_CASE("A world without pipelines has no measures of them", "[measures]") {
  const Measures run = measured(measured_world({}), {});
  for (const Measure measure : {Measure::skipped, Measure::pipelines, Measure::pipelines_completed,
                                Measure::makespan_mean, Measure::makespan_p95}) {
    CHECK(run.total[measure].is_absent());
  }
  CHECK(run.pipelines.empty());
  CHECK(run.steps.empty());
}

#include <catch2/catch.hpp>

#include "sim/core/error.h"
#include "tests/support/scenarios/small_scenario.h"

using namespace stockout;
using Catch::Matchers::Contains;

namespace {

std::string step(const std::string& name, const std::string& after, const std::string& more = "") {
  return R"({"name": ")" + name + R"(", "after": )" + after + R"(, "machine": "generic", "work": "1h")" +
         more + "}";
}

/// The small scenario, whose source "jobs" others follow.
Scenario with_steps(const std::vector<std::string>& steps, std::vector<Override> more = {}) {
  std::string text = test::kSmallScenario;
  std::string added;
  for (const std::string& each : steps) added += ",\n  " + each;
  const std::string last = R"("work": "1h"})";
  text.insert(text.find(last) + last.size(), added);
  return test::ScenarioLoader{}.load(text, std::move(more));
}

const PipelineStep& step_of(const Scenario& scenario, std::size_t source) {
  return scenario.world.sources.at(source).step.value();
}

}  // namespace

TEST_CASE("Sources that follow others are steps of pipelines", "[scenario]") {
  const Scenario scenario = with_steps({step("last", R"(["left", "right"])", R"(, "begins_anyway": true)"),
                                        step("left", R"(["jobs"])"), step("right", R"(["jobs"])")},
                                       {{"/workload/0/failure_policy", "fast"}});
  CHECK(step_of(scenario, 0).after.empty());
  CHECK(step_of(scenario, 0).ends_with_failure);
  CHECK(step_of(scenario, 1).after == std::vector{SourceId{2}, SourceId{3}});
  CHECK(step_of(scenario, 1).begins_anyway);
  CHECK(step_of(scenario, 1).first == SourceId{0});
  CHECK_FALSE(step_of(scenario, 2).begins_anyway);
}

TEST_CASE("Behind a grouped schedule a step follows the group", "[scenario]") {
  const Scenario scenario =
      with_steps({step("last", R"(["jobs"])")},
                 {{"/workload/0/schedule", R"({"at": "12:00", "count": 3, "grouped": true})"}});
  CHECK(step_of(scenario, 0).by_group);
  CHECK_FALSE(with_steps({step("last", R"(["jobs"])")}).world.sources.at(0).step->by_group);
}

TEST_CASE("Behind grouped batches at random times a step follows the batch", "[scenario]") {
  const auto trials = [](const std::string& grouped) {
    const std::string study = R"({"name": "trials", "machine": "generic", "work": "1h",
      "poisson": {"per_day": 5, "count": 3, "grouped": )" +
                              grouped + "}}";
    return with_steps({study, step("last", R"(["trials"])")});
  };
  CHECK(step_of(trials("true"), 1).by_group);
  CHECK_FALSE(step_of(trials("false"), 1).by_group);
}

TEST_CASE("A source that nobody follows belongs to no pipeline", "[scenario]") {
  CHECK_FALSE(with_steps({}).world.sources.at(0).step.has_value());
}

TEST_CASE("A cycle of steps is an error that names it", "[scenario]") {
  CHECK_THROWS_WITH(with_steps({step("a", R"(["jobs", "c"])"), step("b", R"(["a"])"), step("c", R"(["b"])")}),
                    Contains("/after") && Contains(R"("a" after "c" after "b" after "a")"));
  CHECK_THROWS_WITH(with_steps({step("a", R"(["a"])")}), Contains(R"("a" after "a")"));
}

TEST_CASE("Errors of steps say what is wrong", "[scenario]") {
  CHECK_THROWS_WITH(with_steps({step("a", R"(["job"])")}),
                    Contains(R"(there is no source "job")") && Contains("jobs"));
  CHECK_THROWS_WITH(with_steps({step("a", R"(["jobs", "jobs"])")}),
                    Contains("/workload/1/after/1") && Contains("twice"));
  const std::string other =
      R"({"name": "other", "schedule": {"at": "13:00"}, "machine": "generic", "work": "1h"})";
  CHECK_THROWS_WITH(with_steps({other, step("a", R"(["jobs", "other"])")}),
                    Contains(R"("jobs")") && Contains(R"("other")") && Contains("two pipelines"));
  CHECK_THROWS_WITH(with_steps({step("a", R"(["jobs"])", R"(, "users": 3)")}),
                    Contains("users") && Contains("after"));
  CHECK_THROWS_WITH(with_steps({}, {{"/workload/0/begins_anyway", "true"}}), Contains("begins_anyway"));
}

TEST_CASE("Steps of pipelines may be tried again", "[scenario]") {
  const Scenario scenario =
      with_steps({step("train", R"(["jobs"])",
                       R"(, "retry": {"times": 3, "pause": "10min", "factor": 1.5, "most": "12min"})")},
                 {{"/workload/0/retry", R"({"times": 1})"}});
  const StepRetry& train = step_of(scenario, 1).retry;
  CHECK(train.times == 3);
  CHECK(train.pause_before(0) == std::chrono::minutes{10});
  CHECK(train.pause_before(1) == std::chrono::minutes{12});
  CHECK(train.pause_before(99) == std::chrono::minutes{12});
  const StepRetry& first = step_of(scenario, 0).retry;
  CHECK(first.times == 1);
  CHECK(first.pause_before(0) == std::chrono::seconds{1});
  CHECK(first.pause_before(3) == std::chrono::seconds{8});
  CHECK(first.pause_before(20) == std::chrono::hours{1});
  CHECK(step_of(with_steps({step("last", R"(["jobs"])")}), 1).retry.times == 0);
}

TEST_CASE("A retry of what is no step, or with a longest pause below the first, is an error", "[scenario]") {
  const auto error = [](const std::vector<std::string>& steps, const std::string& retry) {
    return test::error_in([&] { static_cast<void>(with_steps(steps, {{"/workload/0/retry", retry}})); });
  };
  CHECK_THAT(error({}, R"({"times": 1})"),
             Contains("/workload/0/retry: is allowed only with \"after\"") && Contains("of pipelines"));
  CHECK_THAT(error({step("last", R"(["jobs"])")}, R"({"times": 1, "pause": "2h"})"),
             Contains("/workload/0/retry/most: must be at least \"pause\""));
}

TEST_CASE("A limit of parallel jobs in a class of steps alone is an error", "[scenario]") {
  const auto error = [](const std::string& job_class, const std::string& steps_class) {
    return test::error_in([&] {
      static_cast<void>(with_steps({step("last", R"(["jobs"])", steps_class)},
                                   {{"/classes", "{" + job_class + R"(: {"parallel": 2}})"}}));
    });
  };
  CHECK_THAT(error(R"("late")", R"(, "class": "late")"),
             Contains("/classes/late/parallel: has no effect: all jobs of the class follow others"));
  CHECK_THAT(error(R"("last")", ""), Contains("/classes/last/parallel: has no effect"));
  CHECK(error(R"("jobs")", R"(, "class": "jobs")").empty());  // others of the class follow none
}

// Sets of jobs, as a scenario file has them.

#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "models/measures/measures.h"
#include "tests/support/scenarios/small_scenario.h"

using namespace stockout;
using namespace std::chrono_literals;
using Catch::Contains;

namespace {

/// The small scenario, whose source "jobs" others are with.
Scenario with_sources(const std::vector<std::string>& sources, std::vector<Override> more = {}) {
  std::string text = test::kSmallScenario;
  std::string added;
  for (const std::string& each : sources) added += ",\n  " + each;
  const std::string last = R"("work": "1h"})";
  text.insert(text.find(last) + last.size(), added);
  return test::ScenarioLoader{}.load(text, std::move(more));
}

std::string member(const std::string& name, const std::string& with) {
  return R"({"name": ")" + name + R"(", "with": ")" + with + R"(", "machine": "generic", "class": "jobs"})";
}

std::string error_of(const std::vector<std::string>& sources, std::vector<Override> more = {}) {
  return test::error_in([&] { static_cast<void>(with_sources(sources, std::move(more))); });
}

}  // namespace

TEST_CASE("A source that is with another forms sets with its jobs, and lasts as long", "[scenario]") {
  const Scenario scenario = with_sources({member("driver", "jobs")});
  REQUIRE(scenario.world.has_sets());
  const JobSetRule rule = scenario.world.sources[0].set->rule;
  CHECK(rule.restarts == 0);
  CHECK(rule.hold == kForever);
  CHECK(rule.again == 1min);
  CHECK_FALSE(rule.in_place);
  CHECK(scenario.world.sources[1].set->first == SourceId{0});
  std::vector<SimDuration> work;
  for_each_recorded_job(scenario.world, 0, [&](std::uint64_t, const Job& job) { work.push_back(job.work); });
  REQUIRE(work.size() >= 2);
  for (const SimDuration each : work) CHECK(each == 1h);
  CHECK_FALSE(with_sources({}).world.has_sets());
}

TEST_CASE("A scenario says how often sets begin anew, and how long machines wait", "[scenario]") {
  const Scenario scenario =
      with_sources({member("driver", "jobs")},
                   {{"/workload/0/job_set",
                     R"({"max_restarts": 3, "restart": "in_place", "hold": "10min", "again": "2min"})"}});
  const JobSetRule rule = scenario.world.sources[0].set->rule;
  CHECK(rule.restarts == 3);
  CHECK(rule.hold == 10min);
  CHECK(rule.again == 2min);
  CHECK(rule.in_place);
}

TEST_CASE("Sets that cannot be are errors with a cure", "[scenario]") {
  CHECK_THAT(error_of({member("driver", "job")}), Contains("did you mean \"jobs\""));
  CHECK_THAT(error_of({member("driver", "jobs"), member("other", "driver")}),
             Contains("comes \"with\" another source itself"));
  CHECK_THAT(error_of({}, {{"/workload/0/job_set", "{}"}}),
             Contains("/workload/0/job_set: is allowed only with \"with\" of \"workload\""));
  CHECK_THAT(
      error_of(
          {R"({"name": "alone", "schedule": {"at": "12:00"}, "machine": "generic", "work": "1h", "job_set": {}})",
           member("driver", "jobs")}),
      Contains("no source is \"with\" \"alone\""));
  CHECK_THAT(error_of({member("driver", "jobs")}, {{"/workload/1/work", "\"2h\""}}),
             Contains("the source that it is with says it"));
  CHECK_THAT(error_of({member("driver", "jobs")}, {{"/workload/0/parallel", "2"}}), Contains("\"parallel\""));
  CHECK_THAT(error_of({member("driver", "jobs")}, {{"/workload/0/exits", R"({"after": "1h"})"}}),
             Contains("cannot be combined with \"exits\" of class \"jobs\""));
  const std::string behind = R"({"name": "last", "after": ["driver"], "machine": "generic", "work": "1h"})";
  CHECK_THAT(error_of({member("driver", "jobs"), behind}), Contains("name that one"));
}

TEST_CASE("Jobs of sets do not buy in ways that sets do not know", "[scenario]") {
  const auto error_with = [](const std::string& strategy) {
    return error_of({member("driver", "jobs")}, {{"/strategies/0", R"({"name": "s", )" + strategy + "}"}});
  };
  const std::string why = "cannot be combined with sets of jobs";
  CHECK_THAT(error_with(R"("legs": [{"model": "spot", "partial": {"least": 1}}])"), Contains(why));
  CHECK_THAT(error_with(R"("legs": [{"model": "flex_start", "race": "first_boot"}])"), Contains(why));
  const std::string with = ": cannot be combined with \"with\" of \"workload\"";
  CHECK_THAT(error_with(R"("legs": [{"model": "spot"}], "resubmit": {"after": "1h"})"),
             Contains("/strategies/0/resubmit" + with));
  CHECK_THAT(error_with(R"("legs": [{"model": "spot"}, {"model": "on_demand"}], "deadline_rule": {})"),
             Contains("/strategies/0/deadline_rule" + with));
}

// Two sets at noon, each of a machine with eight H100 and a driver on n1-standard-16. The pool of N1 has 16
// vCPUs. The second driver finds none at 12:00, 12:05, 12:15 and 12:35, and has its machine at 13:05.
// Meanwhile its H100 are paid.
TEST_CASE("A set waits for a machine without GPUs, whose pool is short", "[scenario]") {
  const Scenario scenario = parse_scenario(R"({
    "name": "co-allocation", "start": "2026-08-03", "window": "1d", "prices_as_of": "2026-07-30",
    "workload": [
      {"name": "workers", "schedule": {"at": "12:00", "count": 2}, "machine": "a3-highgpu-8g", "work": "1h", "job_set": {}},
      {"name": "driver", "with": "workers", "machine": "n1-standard-16"}],
    "pools": [{"family": "a3-highgpu", "place": "us-central1-a", "hosts": 2},
              {"family": "n1-standard", "place": "us-central1-a", "gpus": 16}],
    "strategies": [{"name": "nodes", "orchestrator": "gke", "legs": [{"model": "on_demand"}]}]})",
                                           "s.json", Catalog::embedded());
  const RunRecord record = simulate(scenario.world, 0, 0);
  REQUIRE(record.jobs.size() == 4);
  const auto ends = [&](std::uint64_t job) { return record.jobs.at(job).finished - kStart; };
  CHECK(ends(0) == 13h);         // the workers of the first set
  CHECK(ends(1) == 14h + 5min);  // of the second
  CHECK(record.jobs.at(1).first_grant == kStart + 12h);
  CHECK(record.jobs.at(3).first_grant == kStart + 13h + 5min);
  const Measures measures = measure(scenario.world, 0, 0, record);
  // H100 for 1 h and for 2 h 5 min at 88.49; N1 for twice an hour at 0.76.
  CHECK(measures.total[Measure::cost].value == Approx(88.490011 * (3 + 5 / 60.) + 2 * 0.76).epsilon(1e-4));
  CHECK(measures.total[Measure::useful].value == Approx(16));  // GPU-hours: N1 has none
  CHECK(measures.total[Measure::leased].value == Approx(8 * (3 + 5 / 60.)));
}

TEST_CASE("Only who asks for a machine without GPUs by name gets one", "[scenario]") {
  const auto places = [](const std::string& source) {
    const Scenario scenario = parse_scenario(R"({
      "name": "any", "start": "2026-08-03", "window": "1d", "prices_as_of": "2026-07-30",
      "workload": [{"name": "jobs", "schedule": {"at": "12:00"}, "work": "1h", )" +
                                                 source + R"(}],
      "pools": [{"family": "g2-standard", "place": "us-central1-a", "gpus": 8},
                {"family": "n1-standard", "place": "us-central1-a", "gpus": 64}],
      "strategies": [{"name": "nodes", "orchestrator": "gke", "legs": [{"model": "on_demand"}]}]})",
                                             "s.json", Catalog::embedded());
    std::vector<PoolId> pools;
    for (const Candidate& each : scenario.world.strategies[0].legs[0].candidates[0])
      pools.push_back(each.pool);
    return pools;
  };
  CHECK(places(R"("gpus": 1)") == std::vector{PoolId{0}});
  CHECK(places(R"("machine": "n1-standard-4")") == std::vector{PoolId{1}});
}

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "models/workload/arrivals/expected_demand.h"
#include "sim/core/error.h"
#include "tests/support/scenarios/small_scenario.h"

using namespace stockout;
using namespace std::chrono_literals;
using Catch::Matchers::Contains;

namespace {

constexpr auto kDay = 24h;

Scenario with(std::vector<Override> overrides) { return test::ScenarioLoader{}.small(std::move(overrides)); }

const SyntheticDemand& synthetic(const Scenario& scenario) {
  return std::get<SyntheticDemand>(scenario.world.sources.at(0).demand);
}

Override poisson(const std::string& keys) {
  return {"/workload/0",
          R"({"name": "jobs", "machine": "generic", "work": "1h", "poisson": {)" + keys + "}}"};
}

PoissonArrivals arrivals(const std::string& keys) {
  return std::get<PoissonArrivals>(synthetic(with({poisson(keys)})).arrivals);
}

Law work(const std::string& law) { return synthetic(with({{"/workload/0/work", law}})).work; }

bool mentions(const std::vector<std::string>& lines, const std::string& part) {
  return std::ranges::any_of(lines,
                             [&](const std::string& line) { return line.find(part) != std::string::npos; });
}

const std::string kFlat24 = "[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]";
const std::string kOffice24 = "[0,0,0,0,0,0,0,0,0,3,3,3,6,3,3,3,3,3,0,0,0,0,0,0]";

}  // namespace

TEST_CASE("Profiles of hours and days are proportions, and the mean number is kept", "[scenario]") {
  const PoissonArrivals week = arrivals(R"("per_week": 66, "hour_profile": )" + kOffice24 +
                                        R"(, "day_profile": [2, 2, 2, 2, 2, 1, 0])");
  REQUIRE(week.intensity.size() == 168);
  CHECK(week.intensity[12] == 1.0);
  CHECK(week.intensity[9] == 0.5);
  CHECK(week.intensity[5 * 24 + 12] == 0.5);
  CHECK(week.intensity[6 * 24 + 12] == 0.0);
  double sum = 0;
  for (const double share : week.intensity) sum += share;
  CHECK(week.peak_per_hour * sum == Approx(66));
  // Six open days of nine open hours.
  CHECK(
      arrivals(R"("per_day": 11, "hour_profile": )" + kOffice24 + R"(, "day_profile": [2, 2, 2, 2, 2, 1, 0])")
          .peak_per_hour == Approx(week.peak_per_hour));
  CHECK(arrivals(R"("per_hour": 2, "hour_profile": )" + kOffice24).peak_per_hour == Approx(2 * 9 / 5.0));
  CHECK(arrivals(R"("per_hour": 3, "hour_profile": )" + kFlat24).intensity.empty());
}

TEST_CASE("Profiles that say nothing or say it twice are refused", "[scenario]") {
  CHECK_THROWS_WITH(arrivals(R"("per_day": 1, "day_profile": [0, 0, 0, 0, 0, 0, 0])"),
                    Contains("all weights are 0"));
  CHECK_THROWS_WITH(arrivals(R"("per_day": 1, "day_profile": [1, 1])"), Contains("must have 7 items"));
  CHECK_THROWS_WITH(arrivals(R"("per_day": 1, "hours": "09:00-18:00", "hour_profile": )" + kFlat24),
                    Contains("\"hours\" and \"hour_profile\" cannot go together"));
  CHECK_THROWS_WITH(arrivals(R"("per_hour": 1e6, "hour_profile": )" + kOffice24),
                    Contains("in the busiest hour"));
}

TEST_CASE("Hours of a profile follow local clocks through a change", "[scenario]") {
  const Scenario scenario = with({{"/start", "2026-10-31"},
                                  {"/time_zone", "America/Los_Angeles"},
                                  {"/window", "3d"},
                                  poisson(R"("per_day": 24, "hours": "12:00-13:00")")});
  const auto& shifts = std::get<PoissonArrivals>(synthetic(scenario).arrivals).clock_shifts;
  REQUIRE(shifts.size() == 1);
  CHECK(shifts[0].at == kStart + 26h);
  CHECK(shifts[0].by == -1h);
  const auto cursor = open_demand(scenario.world.sources[0].demand, SourceId{0}, {.seed = 1});
  std::vector<Job> jobs(1'000);
  jobs.resize(cursor->next(jobs));
  REQUIRE(jobs.size() > 30);
  for (const Job& job : jobs) {
    const SimDuration at = job.submit - kStart;
    CHECK(((at >= 12h && at < 13h) || (at >= 37h && at < 38h) || (at >= 61h && at < 62h)));
  }
}

TEST_CASE("Demand is multiplied by source and for the whole workload, peaks and growth too", "[scenario]") {
  CHECK(synthetic(with({})).factor.is_one());
  CHECK(synthetic(with({{"/workload/0/demand", "1"}})).factor.is_one());
  const Scenario scenario = with(
      {{"/window", "10d"},
       {"/workload/0/demand",
        R"({"times": 1.4, "growth": {"percent": 50, "per": "year", "form": "linear", "from": "2026-08-05"}})"},
       {"/demand", R"({"times": 0.5, "peaks": [
                {"name": "launch", "from": "2026-08-04", "until": "2026-08-07", "times": 3},
                {"name": "Black Friday", "from": "2026-08-06", "until": "2026-08-08", "times": 2}]})"}});
  const DemandFactor& factor = synthetic(scenario).factor;
  CHECK(factor.at(kStart) == Approx(0.7));
  CHECK(factor.at(kStart + kDay) == Approx(2.1));
  CHECK(factor.at(kStart + 3 * kDay) == Approx(4.2 * (1 + 0.5 / 365.2425)));
  CHECK(factor.at(kStart + 4 * kDay) == Approx(1.4 * (1 + 1 / 365.2425)));
  CHECK(factor.at(kStart + 5 * kDay) == Approx(0.7 * (1 + 1.5 / 365.2425)));
  CHECK(mentions(scenario.assumptions, "jobs: demand is 1.4 times what is written"));
  CHECK(mentions(scenario.assumptions,
                 "jobs: demand grows by 50 % a year from 2026-08-05, linear: 1.011 times"));
  CHECK(mentions(scenario.assumptions, "\"Black Friday\", 2026-08-06 to 2026-08-07: 2 times the demand"));
  CHECK(mentions(with({{"/demand", R"({"peaks": [{"name": "late", "from": "2027-01-01", "until": "2027-01-02",
                                                  "times": 2}]})"}})
                     .warnings,
                 "the peak \"late\" lies outside the window"));
}

TEST_CASE("Demand beyond what can be simulated, and dates that are none, are refused", "[scenario]") {
  const auto error_of = [](const std::string& demand, const std::string& window = "2d") -> std::string {
    try {
      static_cast<void>(with({{"/window", window}, {"/workload/0/demand", demand}}));
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  CHECK_THAT(error_of("-1"), Contains("/workload/0/demand: must be at least 0"));
  CHECK_THAT(error_of("1e9"), Contains("must be at most 100"));
  CHECK_THAT(error_of("\"more\""), Contains("must be a number, or an object (demand)"));
  CHECK_THAT(error_of(R"({"growth": {"percent": 10000, "per": "month"}})", "2000d"),
             Contains("times what is written; at most 100 can be simulated"));
  CHECK_THAT(error_of(R"({"growth": {"percent": -100, "per": "month"}})"),
             Contains("must be more than -100"));
  CHECK_THAT(
      error_of(R"({"peaks": [{"name": "x", "from": "2026-08-05", "until": "2026-08-05", "times": 2}]})"),
      Contains("must be later than \"from\""));
  CHECK_THAT(
      error_of(
          R"({"times": 100, "peaks": [{"name": "x", "from": "2026-08-03", "until": "2026-08-05", "times": 2}]})"),
      Contains("demand of \"jobs\" comes to 200 times"));
}

TEST_CASE("Heavy tails are read, and refused where they make no sense", "[scenario]") {
  const Law pareto = work(R"({"pareto": {"least": "1min", "shape": 1.5, "greatest": "7d"}, "most": "3d"})");
  CHECK(pareto.kind == Law::Kind::pareto);
  CHECK(pareto.a == 1min);
  CHECK(pareto.b == 7 * kDay);
  CHECK(pareto.most == 3 * kDay);
  const Law mixture = work(R"({"mixture": [{"weight": 70, "lognormal": {"median": "5min", "sigma": 1}},
                                           {"weight": 30, "pareto": {"least": "1h", "shape": 1.1}}], "most": "14d"})");
  REQUIRE(mixture.parts->size() == 2);
  CHECK(mixture.parts->at(1).law.sigma == 1.1);
  const Law measured =
      work(R"({"empirical": {"quantiles": {"100": "2d", "0": "10s", "99.9": "1d", "50": "3h"}}})");
  REQUIRE(measured.quantiles->size() == 4);
  CHECK(measured.quantiles->at(2).share == Approx(0.999));
  CHECK(measured.quantiles->at(1).length == 3h);
  CHECK_THROWS_WITH(work(R"({"pareto": {"least": "1h", "shape": 1, "greatest": "1h"}})"),
                    Contains("must be more than \"least\""));
  CHECK_THROWS_WITH(work(R"({"empirical": {"quantiles": {"0": "1h", "90": "2h"}}})"),
                    Contains("the longest (\"100\")"));
  CHECK_THROWS_WITH(work(R"({"empirical": {"quantiles": {"0": "1h", "100": "30min"}}})"),
                    Contains("cannot be no longer than 30min"));
  CHECK_THROWS_WITH(work(R"({"empirical": {"quantiles": {"0": "1h", "half": "2h", "100": "3h"}}})"),
                    Contains("\"half\" must be a number of per cent"));
  CHECK_THROWS_WITH(
      work(R"({"empirical": {"quantiles": {"0": "1h", "50": "2h", "50.0": "2h", "100": "3h"}}})"),
      Contains("50 % is there twice"));
  CHECK_THROWS_WITH(work(R"({"mixture": []})"), Contains("must have 1 to 100 items"));
  CHECK_THROWS_WITH(work(R"({"mixture": [{"weight": 1, "mixture": []}]})"),
                    Contains("there is no key \"mixture\""));
}

TEST_CASE("Lengths of a file are a law of their own", "[scenario]") {
  const test::ScenarioLoader loader;
  const auto read = [&](const std::string& text) {
    const std::string path = loader.folder().file("lengths", text);
    return std::get<SyntheticDemand>(
               loader.small({{"/workload/0/work", R"({"empirical": {"file": ")" + path + R"("}})"}})
                   .world.sources[0]
                   .demand)
        .work;
  };
  const Law law = read("90\n\n30min\n1.5\n");
  REQUIRE(law.quantiles->size() == 3);
  CHECK(law.quantiles->at(0).length == 1'500ms);
  CHECK(law.quantiles->at(1).share == 0.5);
  CHECK(law.quantiles->at(2).length == 30min);
  CHECK_THROWS_WITH(read("90\n-3\n"), Contains("lengths:2: must be a number of seconds or a length"));
  CHECK_THROWS_WITH(read("forever\n1\n"), Contains("must be a number of seconds or a length"));
  CHECK_THROWS_WITH(read(""), Contains("needs two lengths at least"));
  CHECK_THROWS_WITH(read("60\n"), Contains("needs two lengths at least"));
}

TEST_CASE("A source may have jobs of several sizes", "[scenario]") {
  const Scenario scenario =
      with({{"/workload/0", R"({"name": "jobs", "machine": "generic", "work": "1h", "poisson": {"per_day": 1},
                               "sizes": [{"weight": 9}, {"nodes": 4, "weight": 1}]})"}});
  const auto& shapes = synthetic(scenario).shapes;
  REQUIRE(shapes.size() == 2);
  CHECK(shapes[0].weight == 9);
  CHECK(scenario.world.shapes[index(shapes[1].shape)].nodes == 4);
  CHECK_THROWS_WITH(with({{"/workload/0/sizes", R"([{"weight": 1}])"}, {"/workload/0/nodes", "2"}}),
                    Contains("cannot be combined with \"sizes\""));
  CHECK_THROWS_WITH(with({{"/workload/0/sizes", R"([{"weight": 1, "gpus": 2}])"}}),
                    Contains("but a node needs 2"));
}

TEST_CASE("The code of a source's jobs, or of a class, may fail", "[scenario]") {
  const test::ScenarioLoader loader;
  const auto exits_of = [&](const std::string& key, const std::string& text) {
    return loader.small({{key, text}}).world.classes[0].exits;
  };
  const WorkerExits none = loader.small({}).world.classes[0].exits;
  CHECK_FALSE(none.any());
  const WorkerExits exits =
      exits_of("/workload/0/exits", R"({"after": {"exponential": "10h"}, "share": 0.5, "permanent": 0.25})");
  CHECK(exits == WorkerExits{.after = {.kind = Law::Kind::exponential, .a = 10h},
                             .share_ppm = 500'000,
                             .permanent_ppm = 250'000});
  CHECK(exits_of("/classes", R"({"jobs": {"exits": {"after": "2h"}}})") == WorkerExits{.after = {.a = 2h}});
  const auto error = [&](const std::string& text) {
    return test::error_in([&] { static_cast<void>(exits_of("/workload/0/exits", text)); });
  };
  CHECK_THAT(error(R"({"after": "59s"})"), Catch::Contains("/exits/after: must be at least 1min"));
  CHECK_THAT(error(R"({"after": "1h", "share": 0.0000001})"), Catch::Contains("must be at least 0.000001"));
  CHECK_THAT(error(R"({"after": "1h", "permanent": 1.5})"), Catch::Contains("/exits/permanent"));
}

TEST_CASE("A job's own maximum wait is a length or drawn for each job", "[scenario]") {
  CHECK(synthetic(with({})).max_wait.constant() == kForever);
  CHECK(synthetic(with({{"/workload/0/max_wait", "forever"}})).max_wait.constant() == kForever);
  CHECK(synthetic(with({{"/workload/0/max_wait", "0s"}})).max_wait.constant() == 0s);
  const Scenario drawn = with(
      {poisson(R"("per_hour": 5)"), {"/workload/0/max_wait", R"({"exponential": "20min", "most": "2h"})"}});
  const Law law = synthetic(drawn).max_wait;
  CHECK(law.kind == Law::Kind::exponential);
  CHECK(law.mean_ms() == Approx(1'200'000));
  CHECK(law.most == 2h);
  std::vector<SimDuration> waits;
  for_each_recorded_job(drawn.world, 0,
                        [&](std::uint64_t, const Job& job) { waits.push_back(job.max_wait); });
  REQUIRE(waits.size() > 100);
  CHECK(std::ranges::max(waits) <= 2h);
  CHECK(std::ranges::adjacent_find(waits, std::ranges::equal_to{}) == waits.end());
}

TEST_CASE("A drawn patience moves no other draw of the job", "[scenario]") {
  const Override jobs{"/workload/0",
                      R"({"name": "jobs", "machine": "generic", "work": {"exponential": "1h"},
                          "poisson": {"per_hour": 5}})"};
  const auto rows = [](const Scenario& scenario) {
    std::vector<std::pair<SimTime, SimDuration>> all;
    for_each_recorded_job(scenario.world, 0,
                          [&](std::uint64_t, const Job& job) { all.emplace_back(job.submit, job.work); });
    return all;
  };
  CHECK(rows(with({jobs})) == rows(with({jobs, {"/workload/0/max_wait", R"({"exponential": "1h"})"}})));
}

TEST_CASE("A Poisson source brings batches, of one size or of several, which may be groups", "[scenario]") {
  const PoissonArrivals single = arrivals(R"("per_hour": 2)");
  CHECK(mean_batch(single) == 1);
  CHECK_FALSE(single.grouped);
  const PoissonArrivals fives = arrivals(R"("per_hour": 2, "count": 5, "grouped": true)");
  CHECK(mean_batch(fives) == 5);
  CHECK(fives.peak_per_hour == 2);
  CHECK(fives.grouped);
  const PoissonArrivals mixed =
      arrivals(R"("per_hour": 2, "counts": [{"count": 1, "weight": 3}, {"count": 21, "weight": 1}])");
  CHECK(mean_batch(mixed) == 6);
  const auto error = [](const std::string& keys) {
    return test::error_in([&] { static_cast<void>(arrivals(keys)); });
  };
  CHECK_THAT(error(R"("per_hour": 2, "count": 10001)"), Contains("/poisson/count: must be at most 10000"));
  CHECK_THAT(error(R"("per_hour": 1000, "count": 2000)"),
             Contains("/poisson: 2e+06 jobs in the busiest hour are more than 1000000"));
  CHECK_THAT(error(R"("per_hour": 1, "count": 2, "counts": [{"count": 1, "weight": 3}])"),
             Contains("counts"));
}

// What a backtest says of forecasts whose quality is known beforehand.

#include <cmath>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "models/calibration/backtest.h"
#include "models/workload/trace.h"
#include "tests/support/scenarios/small_scenario.h"

using namespace stockout;
using namespace stockout::test;

namespace {

constexpr int kJobs = 3'000;  // of which a third comes after the split
constexpr int kBefore = 2'000;

// Minutes, even between 10 and 110, in no order.
int wait_min(int job) { return 10 + static_cast<int>(100 * std::fmod(job * 0.6180339887498949, 1)); }

// A job every half hour; those after the split wait so many times as long.
std::string record(int times_after) {
  std::string text = "submit,start,end,gpus\n";
  for (int i = 0; i < kJobs; ++i) {
    const int submit = i * 1'800;
    const int start = submit + 60 * wait_min(i) * (i < kBefore ? 1 : times_after);
    text += std::to_string(submit) + ',' + std::to_string(start) + ',' + std::to_string(start + 60) + ",1\n";
  }
  return text;
}

struct Split {
  explicit Split(int times_after) : file{loader.folder().file("record.csv", record(times_after))} {}

  // One world, in which the jobs wait so long.
  template <typename Wait>
  [[nodiscard]] Backtest backtest_of(const Wait& simulated_min) const {
    BacktestRun run;
    for (int i = 0; i < kJobs; ++i)
      (i < kBefore ? run.before : run.after).push_back(std::chrono::minutes{simulated_min(i)});
    return backtest(
        before, after, {run},
        {.month = [](SimTime) { return "one"; },
         .day = [](SimTime at) { return std::to_string(at.time_since_epoch() / std::chrono::hours{24}); }},
        std::nullopt);
  }

  ScenarioLoader loader;
  std::string file;
  Scenario scenario = loader.load(R"({"name": "replay", "start": "2026-08-03", "prices_as_of": "2026-07-30",
 "prices": [{"machine": "generic", "usd_per_hour": 10}],
 "workload": [{"name": "jobs", "machine": "generic", "trace": {"file": "record.csv", "format": "csv"}}],
 "pools": [{"name": "zone", "family": "generic", "place": "generic", "gpus": 1, "discipline": "fifo"}],
 "strategies": [{"name": "queued", "legs": [{"model": "flex_start", "max_wait": "forever"}]}]})");
  Trace trace = read_trace(file, TraceFormat::csv, {});
  SameJobs same{.source = SourceId{0}, .shift_ms = 0};
  SimTime split = kStart + kBefore * std::chrono::minutes{30};
  HistoryJobs before{scenario.world, trace, same, {.from = kStart, .until = split, .known_until = kNever}};
  HistoryJobs after{scenario.world, trace, same, {.from = split, .until = kNever, .known_until = kNever}};
};

void check_coverage(const Backtest& found) {
  for (std::size_t i = 0; i < kCoverageLevels.size(); ++i) {
    CAPTURE(i);
    const double level = kCoverageLevels[i];
    const double noise = std::sqrt(level * (1 - level) / (kJobs - kBefore));
    CHECK(std::abs(found.coverage[i] - level) < 3 * noise);
  }
}

}  // namespace

TEST_CASE("A world that knows nothing forecasts as the history does", "[backtest]") {
  const Backtest found = Split{1}.backtest_of([](int) { return 60; });
  check_coverage(found);
  CHECK(std::abs(found.skill) < 0.01);
  CHECK(std::abs(found.bound_kept - 0.95) < 0.02);  // an upper limit for the p95
  CHECK(std::abs(found.mean_error().value()) < 0.02);
  CHECK(found.rows.front().jobs == kJobs - kBefore);
  CHECK(found.rows.front().predicted[2].value() == Approx(100.0 / 60).margin(0.05));  // p90
  CHECK(found.days.size() == 22);  // 1,000 half hours, from 16:00 on the 42nd day
  CHECK(found.days.front().name == "41");
  CHECK(found.days.front().jobs == 16);
  CHECK(found.days.back().jobs == 1'000 - 16 - 20 * 48);
  CHECK(found.days.front().predicted_h == Approx(1.0).margin(0.02));
}

TEST_CASE("Curves of waits go through the quantiles of the rows", "[backtest]") {
  const Backtest found = Split{3}.backtest_of(wait_min);
  const BacktestRow& all = found.rows.front();
  CHECK(all.recorded_waits[49] == all.recorded[1]);  // p50
  CHECK(all.predicted_waits[89] == all.predicted[2]);
  CHECK(all.last_waits[94] == all.last_period[3]);
  // Even on 30 to 330 minutes, of 1,000 jobs.
  for (std::size_t i = 0; i < all.recorded_waits.size(); ++i)
    CHECK(all.recorded_waits[i].value() == Approx(0.5 + 0.05 * static_cast<double>(i + 1)).margin(0.06));
}

TEST_CASE("A world that knows each wait has skill, and intervals no wider for it", "[backtest]") {
  const Backtest found = Split{1}.backtest_of(wait_min);
  check_coverage(found);
  CHECK(found.skill > 0.8);
  CHECK(found.days_close() == found.days.size());
  CHECK(found.grade == BacktestGrade::good);
  CHECK(found.why.empty());
}

TEST_CASE("A world that is off by as much on both sides of the split is put right", "[backtest]") {
  const Backtest found = Split{1}.backtest_of([](int job) { return 5 * wait_min(job); });
  check_coverage(found);
  CHECK(found.skill > 0.8);
  CHECK(std::abs(found.mean_error().value()) < 0.02);
  CHECK(found.rows.front().low[0].value() == Approx(5 * 1.0).margin(0.1));  // of the world as it is
}

TEST_CASE("Waits of nothing are a mean that can be predicted", "[backtest]") {
  const Backtest found = Split{0}.backtest_of([](int job) { return job < kBefore ? wait_min(job) : 0; });
  CHECK_FALSE(found.mean_error().has_value());  // over 0
  CHECK_FALSE(found.is_mean_within(0.5));       // those of short simulated waits waited ten minutes or more
  const Backtest alike = Split{1}.backtest_of(wait_min);
  CHECK(alike.is_mean_within(0.05));
  CHECK(alike.left_out_share() == 0);
}

TEST_CASE("Waits three times as long as before are covered by no interval of theirs", "[backtest]") {
  const Backtest found = Split{3}.backtest_of([](int) { return 60; });
  // Even on 30 to 330 minutes, forecast as even on 10 to 110: a quarter lies below 105, where 95 % end.
  CHECK(found.coverage[2] == Approx(0.25).margin(0.03));
  CHECK(found.bound_kept == Approx(0.25).margin(0.03));
  CHECK(found.mean_error().value() == Approx(-2.0 / 3).margin(0.01));
  CHECK(found.grade == BacktestGrade::poor);
  REQUIRE(found.why.size() >= 2);
  CHECK(found.why[0] == "the mean wait is off by -67 %");
}

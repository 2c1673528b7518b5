#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include "models/supply/availability.h"
#include "models/supply/capacity_steps.h"
#include "sim/core/error.h"
#include "tests/support/scratch_folder.h"

using namespace stockout;
using namespace std::chrono_literals;
using Catch::Matchers::Contains;
using Catch::Matchers::EndsWith;

namespace {

constexpr std::string_view kProbeHeader =
    "scheduled_at,started_at,ended_at,run_id,zone,instances_requested,instances_created,capacity_exhausted_"
    "detected\n";
constexpr std::int64_t kUnlimited = kUnlimitedGpus.count();

AvailabilitySeries read(std::string_view content, const AvailabilityOptions& options = {}) {
  const test::ScratchFolder folder;
  return read_availability(folder.file("a", content), options);
}

std::string error_of(std::string_view content, const AvailabilityOptions& options = {}) {
  try {
    (void)read(content, options);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

std::string probe_row(std::string_view time, std::string_view zone, std::string_view asked,
                      std::string_view made) {
  return fmt::format("2025-10-03T{}-07:00,,,,{},{},{},0\n", time, zone, asked, made);
}

AvailabilityOptions in_zone(std::string zone) {
  AvailabilityOptions options;
  options.zone = std::move(zone);
  return options;
}

AvailabilityOptions inverted(bool is_inverted) {
  AvailabilityOptions options;
  options.inverted = is_inverted;
  return options;
}

// A relative series of one tick of 10 minutes, but for the times given.
AvailabilitySeries series_of(std::vector<std::int32_t> values, std::int32_t cap = 16,
                             std::vector<std::int64_t> at_minutes = {}) {
  AvailabilitySeries series;
  series.file = std::string{"s"};  // g++ 12 warns falsely of the plain text
  series.cap = cap;
  series.tick = 10min;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::int64_t minute = at_minutes.empty() ? 10 * static_cast<std::int64_t>(i) : at_minutes[i];
    series.at_ms.push_back(minute * 60'000);
  }
  series.values = std::move(values);
  return series;
}

// Steps as (minute, GPUs).
using Steps = std::vector<std::pair<std::int64_t, std::int64_t>>;

Steps steps_of(const CapacitySource& source) {
  Steps steps;
  for (const CapacityStep& step : source.steps) {
    steps.emplace_back((step.at - kStart) / 1min, step.gpus.count());
  }
  return steps;
}

Steps lay_out(const AvailabilitySeries& series, const CapacityRules& rules, std::int64_t begin_minute = 0,
              std::int64_t end_minute = 30) {
  const CapacitySpan span{.begin = kStart + std::chrono::minutes{begin_minute},
                          .end = kStart + std::chrono::minutes{end_minute}};
  return steps_of(to_capacity(series, rules, span));
}

CapacityRules with_holes(Holes holes) {
  CapacityRules rules;
  rules.holes = holes;
  return rules;
}

}  // namespace

TEST_CASE("Probe counts: one zone of the file, what was asked is the cap", "[availability]") {
  const std::string file = std::string{kProbeHeader} + probe_row("17:10:00.002", "b", "16", "16") +
                           probe_row("17:10:00.002", "a", "16", "7") + probe_row("17:30:00", "a", "16", "0") +
                           probe_row("17:20:00", "a", "16", "16");
  const AvailabilitySeries series = read(file, in_zone("a"));
  CHECK(series.absolute);
  CHECK(series.values == std::vector<std::int32_t>{7, 16, 0});
  CHECK(series.at_ms.front() == 1'759'536'600'002);  // 2025-10-04 00:10 UTC
  CHECK(series.cap == 16);
  CHECK(series.tick == 10min);
  CHECK(series.unsorted_rows == 1);
  CHECK(read(test::gzipped(file), in_zone("a")).values == series.values);

  CHECK_THAT(error_of(file, in_zone("c")), EndsWith("has no zone \"c\", did you mean \"a\"?"));
  CHECK_THAT(error_of(file), Contains("holds several zones: say which one"));
}

TEST_CASE("Probe counts that contradict themselves are errors", "[availability]") {
  const auto error = [](const std::string& rows) {
    return error_of(std::string{kProbeHeader} + rows, in_zone("a"));
  };
  const std::string first = probe_row("17:10:00", "a", "16", "7");
  CHECK_THAT(error(first + probe_row("17:20:00", "a", "8", "7")),
             EndsWith("a:3: column \"instances_requested\": must be 16 as in the rows before, but is 8"));
  CHECK_THAT(
      error(first + probe_row("17:20:00", "a", "16", "17")),
      EndsWith("a:3: column \"instances_created\": must be at most instances_requested, 16, but is 17"));
  CHECK_THAT(error(first + first), EndsWith("has two samples at 2025-10-04 00:10:00 UTC"));
  CHECK_THAT(error(first), EndsWith("one sample does not tell how far apart samples are"));
  CHECK_THAT(error(probe_row("17:10:00", "a", "0", "0")), EndsWith("must be at least 1, but is 0"));
  CHECK_THAT(error(probe_row("17:10:00", "a", "16", "-1")),
             Contains("must be a whole number from 0 to 1000000"));
  CHECK_THAT(error(probe_row("17:10:99", "a", "16", "1")),
             Contains("column \"scheduled_at\": must be a date and time"));
  CHECK_THAT(error(""), EndsWith("holds no rows"));
  CHECK_THAT(error_of("zone,instances_created\n"), Contains("must have columns scheduled_at, zone"));
}

TEST_CASE("A simple CSV of dates and availability, upright or inverted", "[availability]") {
  constexpr std::string_view kRows = "date,availability\n2023-02-15 22:08:16,0\n2023-02-15 22:11:31,1\n";
  const AvailabilitySeries series = read(kRows);
  CHECK(series.values == std::vector<std::int32_t>{0, 1});
  CHECK(series.tick == 195s);
  CHECK(series.cap == 0);
  CHECK(read(kRows, inverted(true)).values == std::vector<std::int32_t>{1, 0});
  CHECK_THAT(error_of(kRows, in_zone("a")), Contains("has no column \"zone\", but zone \"a\" was asked for"));
  CHECK_THAT(error_of("date,availability\n2023-02-15,2\n2023-02-16,1\n", inverted(true)),
             EndsWith("only a series of 0 and 1 can be inverted, but it has a value 2"));
}

TEST_CASE("A JSON series must be said to be upright or inverted", "[availability]") {
  constexpr std::string_view kDated =
      R"({"metadata": {"gap_seconds": 600, "start_time": "2025-10-04T00:10:00.002281+00:00"}, "data": [1, 0, 0]})";
  CHECK_THAT(error_of(kDated), Contains("say whether 1 means available"));
  const AvailabilitySeries series = read(kDated, inverted(true));
  CHECK(series.absolute);
  CHECK(series.at_ms == std::vector<std::int64_t>{1'759'536'600'002, 1'759'537'200'002, 1'759'537'800'002});
  CHECK(series.values == std::vector<std::int32_t>{0, 1, 1});
  CHECK(series.tick == 10min);

  const AvailabilitySeries counts = read(R"({"metadata":{"gap_seconds":0.5},"data":[16]})", inverted(false));
  CHECK_FALSE(counts.absolute);
  CHECK(counts.at_ms == std::vector<std::int64_t>{0});
  CHECK(counts.tick == 500ms);
}

TEST_CASE("A JSON series that is none is named by pointer", "[availability]") {
  const auto error = [](std::string_view text) { return error_of(text, inverted(false)); };
  CHECK_THAT(error(R"({"data":[1]})"), EndsWith("\"metadata\" is missing"));
  CHECK_THAT(error(R"({"metadata":{},"data":[1]})"), EndsWith("/metadata: \"gap_seconds\" is missing"));
  CHECK_THAT(error(R"({"metadata":{"gap_seconds":0},"data":[1]})"),
             Contains("/metadata/gap_seconds: must be a number"));
  CHECK_THAT(error(R"({"metadata":{"gap_seconds":"600"},"data":[1]})"),
             Contains("/metadata/gap_seconds: must be"));
  CHECK_THAT(error(R"({"metadata":{"gap_seconds":1e300},"data":[1]})"),
             Contains("/metadata/gap_seconds: must be"));
  CHECK_THAT(error(R"({"metadata":{"gap_seconds":600}})"), EndsWith("\"data\" is missing"));
  CHECK_THAT(error(R"({"metadata":{"gap_seconds":600},"data":7})"),
             EndsWith("/data: must be a list of numbers"));
  CHECK_THAT(error(R"({"metadata":{"gap_seconds":600},"data":[]})"), EndsWith("holds no sample"));
  CHECK_THAT(error(R"({"metadata":{"gap_seconds":600},"data":[1,0.5]})"),
             Contains("/data/1: must be a whole number"));
  CHECK_THAT(error(R"({"metadata":{"gap_seconds":600},"data":[1,-1]})"),
             Contains("/data/1: must be a whole number"));
  CHECK_THAT(error(R"({"metadata":{"gap_seconds":600,"start_time":"soon"},"data":[1]})"),
             Contains("/metadata/start_time: must be a date and time"));
  CHECK_THAT(error_of(R"({"metadata":{"gap_seconds":600},"data":[1]})",
                      {.zone = "a", .time_zone = "UTC", .inverted = false}),
             Contains("has no zones to choose from"));
  CHECK_THAT(error("{"), Contains("a:1:"));
}

TEST_CASE("Machines: the value times the GPUs of the probed machine; equal neighbours are one step",
          "[availability]") {
  CapacityRules rules;
  rules.shape_gpus = GpuCount{8};
  const CapacitySource source = to_capacity(series_of({3, 3, 16, 0}), rules, {.end = kStart + 40min});
  CHECK(steps_of(source) == Steps{{0, 24}, {20, 128}, {30, 0}});
  CHECK(source.censored == std::vector<std::uint8_t>{0, 1, 0});
}

TEST_CASE("A value at the cap means at least so many, and the rules say what to make of it",
          "[availability]") {
  CapacityRules rules;
  rules.at_cap = AtCap::unlimited;
  CHECK(lay_out(series_of({15, 16, 3}), rules) == Steps{{0, 15}, {10, kUnlimited}, {20, 3}});
  rules.at_cap = AtCap::machines;
  rules.at_cap_machines = 40;
  CHECK(lay_out(series_of({15, 16, 3}), rules) == Steps{{0, 15}, {10, 40}, {20, 3}});
  rules.at_cap_machines = 15;
  CHECK_THROWS_WITH(lay_out(series_of({15, 16, 3}), rules),
                    EndsWith("a value at the cap means at least 16 machines, but 15 were stated"));
  // A value below the cap and one at the cap stay two steps even with equal GPUs.
  rules = {};
  rules.means = Means::fraction;
  rules.fleet = GpuCount{1};
  const CapacitySource source = to_capacity(series_of({15, 16, 16}), rules, {.end = kStart + 30min});
  CHECK(steps_of(source) == Steps{{0, 0}, {10, 1}});
}

TEST_CASE("Any: one machine or more is no limit; fraction: a share of a stated fleet", "[availability]") {
  CapacityRules rules;
  rules.means = Means::any;
  const CapacitySource any = to_capacity(series_of({0, 1, 16}, 0), rules, {.end = kStart + 30min});
  CHECK(steps_of(any) == Steps{{0, 0}, {10, kUnlimited}});
  CHECK(any.censored == std::vector<std::uint8_t>{0, 0});

  rules.means = Means::fraction;
  rules.fleet = GpuCount{100};
  CHECK(lay_out(series_of({5, 16, 1}), rules) == Steps{{0, 31}, {10, 100}, {20, 6}});
}

TEST_CASE("Holes hold the last value, count as nothing, or are an error", "[availability]") {
  const AvailabilitySeries holed = series_of({3, 5, 7, 9}, 16, {0, 10, 40, 50});
  CHECK(lay_out(holed, with_holes(Holes::hold), 0, 60) == Steps{{0, 3}, {10, 5}, {40, 7}, {50, 9}});
  CHECK(lay_out(holed, with_holes(Holes::unavailable), 0, 60) ==
        Steps{{0, 3}, {10, 5}, {20, 0}, {40, 7}, {50, 9}, {60, 0}});
  CHECK_THROWS_WITH(lay_out(holed, with_holes(Holes::error), 0, 60),
                    Contains("s: says nothing from 20min to 40min: say whether holes are to hold"));
  // Only the part that the run needs counts, and a gap of 1.5 ticks is none.
  CHECK(lay_out(holed, with_holes(Holes::error), 40, 60) == Steps{{40, 7}, {50, 9}});
  CHECK(lay_out(holed, with_holes(Holes::error), 0, 20) == Steps{{0, 3}, {10, 5}, {40, 7}, {50, 9}});
  CHECK(lay_out(series_of({3, 5}, 16, {0, 15}), with_holes(Holes::error), 0, 25) == Steps{{0, 3}, {15, 5}});
}

TEST_CASE("Before and after the series are holes too", "[availability]") {
  const AvailabilitySeries series = series_of({3, 5, 7});
  CHECK(lay_out(series, with_holes(Holes::hold), -60, 90) == Steps{{-60, 3}, {10, 5}, {20, 7}});
  CHECK(lay_out(series, with_holes(Holes::unavailable), -60, 90) ==
        Steps{{-60, 0}, {0, 3}, {10, 5}, {20, 7}, {30, 0}});
  CHECK_THROWS_WITH(lay_out(series, with_holes(Holes::error), -60, 30),
                    Contains("says nothing from -1h to 0s"));
  CHECK_THROWS_WITH(lay_out(series, with_holes(Holes::error), 0, 90), Contains("says nothing from 30min on"));
  CHECK(lay_out(series, with_holes(Holes::error), -5, 35) ==
        Steps{{-5, 3}, {10, 5}, {20, 7}});  // half a tick is not missed
  CHECK(lay_out(series, with_holes(Holes::error), 15, 30) == Steps{{15, 5}, {20, 7}});
}

TEST_CASE("An absolute series lies on the calendar, and a shift moves it", "[availability]") {
  AvailabilitySeries series = series_of({3, 5, 7});
  series.absolute = true;
  for (std::int64_t& at : series.at_ms) at += 1'759'536'000'000;  // from 2025-10-04 00:00 UTC
  using std::chrono::sys_days;
  CapacitySpan span{.start_date = sys_days{std::chrono::year{2025} / 10 / 4} + 10min, .end = kStart + 20min};
  CHECK(steps_of(to_capacity(series, {}, span)) == Steps{{0, 5}, {10, 7}});

  span.start_date = sys_days{std::chrono::year{2026} / 10 / 3};  // 52 weeks later
  CHECK_THROWS_WITH(
      to_capacity(series, {}, span),
      EndsWith("s: covers 2025-10-04 00:00:00 UTC to 2025-10-04 00:30:00 UTC, but the run needs 2026-10-03 "
               "00:00:00 UTC to 2026-10-03 00:20:00 UTC: give a shift, or another start date"));
  CapacityRules rules;
  rules.shift = std::chrono::weeks{52};
  CHECK(steps_of(to_capacity(series, rules, span)) == Steps{{0, 3}, {10, 5}, {20, 7}});
}

TEST_CASE("Rules that do not fit the series are errors", "[availability]") {
  CapacityRules rules;
  CHECK_THROWS_WITH(lay_out(series_of({1, 0}, 0), rules), Contains("state the cap"));
  rules.cap = 1;
  CHECK(lay_out(series_of({1, 0, 0}, 0), rules) == Steps{{0, 1}, {10, 0}});
  CHECK_THROWS_WITH(lay_out(series_of({2, 0, 0}, 0), rules), Contains("has a value 2 beyond the cap 1"));
  CHECK_THROWS_WITH(lay_out(series_of({1, 0, 0}), rules),
                    Contains("the cap is said to be 1, but the file asked for 16"));
  rules.cap = -1;
  CHECK_THROWS_AS(lay_out(series_of({1, 0, 0}, 0), rules), InputError);
  rules = {};
  rules.shape_gpus = GpuCount{0};
  CHECK_THROWS_AS(lay_out(series_of({1, 0, 0}), rules), InputError);
  rules.shape_gpus = GpuCount{kUnlimited};
  CHECK_THROWS_WITH(lay_out(series_of({1, 0, 0}), rules), Contains("makes a capacity of more than"));
  rules = {};
  rules.means = Means::fraction;
  CHECK_THROWS_WITH(lay_out(series_of({1, 0, 0}), rules), Contains("needs a fleet"));
  rules.fleet = GpuCount{kUnlimited + 1};
  CHECK_THROWS_WITH(lay_out(series_of({1, 0, 0}), rules), Contains("makes a capacity of more than"));
  rules = {};
  rules.shift = kForever;
  CHECK_THROWS_WITH(lay_out(series_of({1, 0, 0}), rules), Contains("the shift must be at most"));
}

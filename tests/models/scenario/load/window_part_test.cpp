// A part of a scenario's window: what is relative to the start stays where it is on the calendar.

#include <array>
#include <chrono>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <catch2/catch.hpp>

#include "models/scenario/scenario.h"
#include "tests/support/scratch_folder.h"

using namespace stockout;
using namespace std::chrono_literals;
using std::chrono::days;

namespace {

// Clocks are set forward on 8 March.
constexpr const char* kWholeWindow = R"({
  "name": "whole", "start": "2026-03-02", "time_zone": "America/Los_Angeles", "window": "20d",
  "prices_as_of": "2026-07-30", "prices": [{"machine": "generic", "usd_per_hour": 10}],
  "workload": [
    {"name": "dated", "machine": "generic", "trace": {"file": "dated.csv", "format": "csv", "shift": "none"}},
    {"name": "moved", "machine": "generic", "trace": {"file": "dated.csv", "format": "csv"}},
    {"name": "plain", "machine": "generic", "trace": {"file": "plain.csv", "format": "csv", "shift": "none"}},
    {"name": "every", "machine": "generic", "schedule": {"at": "09:00", "every": "35h"}, "work": "1h"},
    {"name": "days", "machine": "generic", "schedule": {"at": "09:00", "on_days": [1, 12]}, "work": "1h"},
    {"name": "weekly", "machine": "generic", "schedule": {"at": "10:00", "days": "weekends"}, "work": "1h"},
    {"name": "grown", "machine": "generic", "poisson": {"per_day": 3}, "work": "1h",
     "demand": {"growth": {"percent": 40, "per": "month"}}}],
  "pools": [
    {"name": "steps", "family": "generic", "place": "generic", "capacity": [
      {"classes": ["on_demand"],
       "gpus": [{"at": "0d", "gpus": 8}, {"at": "3d", "gpus": 6}, {"at": "12d", "gpus": 4}]},
      {"classes": ["spot"], "gpus": 10, "growth": {"gpus": 5, "every": "4d"}},
      {"classes": ["flex"],
       "availability": {"file": "seen.csv", "shape": "generic", "shift": "to_start", "cap": 9, "holes": "hold"}}]}],
  "strategies": [{"name": "rented", "legs": [{"model": "on_demand"}]}]
})";
constexpr days kSplit{9};

struct Desk {
  test::ScratchFolder folder;
  std::string dated =
      folder.file("dated.csv",
                  "submit,duration,gpus\n2026-03-02T12:00:00Z,60,1\n2026-03-11T06:00:00Z,60,1\n"
                  "2026-03-11T20:00:00Z,60,1\n2026-03-15T12:00:00Z,60,1\n");
  std::string plain = folder.file("plain.csv", "submit,duration,gpus\n100,60,1\n773000,60,1\n775000,60,1\n");
  std::string seen = folder.file("seen.csv",
                                 "date,availability\n2025-01-01T00:00:00Z,1\n2025-01-06T00:00:00Z,2\n"
                                 "2025-01-16T00:00:00Z,3\n2025-03-16T00:00:00Z,3\n");
  std::string path = folder.file("s.json", kWholeWindow);

  [[nodiscard]] Scenario load(std::optional<WindowPart> part = {}, std::vector<Override> changes = {}) const {
    ScenarioOptions options;
    options.part = part;
    options.overrides = std::move(changes);
    return load_scenario(path, options);
  }
};

struct DatedJob {
  std::size_t source = 0;
  std::int64_t at_ms = 0;  // UNIX

  friend bool operator==(const DatedJob&, const DatedJob&) = default;
};

constexpr std::size_t kGrown = 6;

// Of those that nothing is drawn for.
std::vector<DatedJob> jobs_of(const World& world) {
  std::vector<DatedJob> jobs;
  for_each_recorded_job(world, 0, [&](std::uint64_t, const Job& job) {
    if (index(job.source) == kGrown) return;
    const auto at = world.start_date + (job.submit - kStart);
    jobs.push_back({.source = index(job.source), .at_ms = at.time_since_epoch().count()});
  });
  return jobs;
}

GpuCount gpus_at(const World& world, std::size_t source,
                 std::chrono::sys_time<std::chrono::milliseconds> at) {
  GpuCount gpus{-1};
  for (const CapacityStep& step : world.pools[0].capacity[source].steps) {
    if (step.at <= kStart + (at - world.start_date)) gpus = step.gpus;
  }
  return gpus;
}

}  // namespace

TEST_CASE("Both parts of a window have the jobs of the whole, at the same dates", "[scenario][part]") {
  const Desk desk;
  const World whole = desk.load().world;
  const World first = desk.load(WindowPart{.until = kSplit}).world;
  const World second = desk.load(WindowPart{.from = kSplit}).world;
  CHECK(first.start_date == whole.start_date);
  CHECK(second.start_date == whole.start_date + 9 * 24h - 1h);
  CHECK(first.window_end == kStart + 9 * 24h - 1h);
  CHECK(second.start_date + (second.window_end - kStart) == whole.start_date + (whole.window_end - kStart));
  std::vector<DatedJob> jobs = jobs_of(first);
  const std::vector<DatedJob> later = jobs_of(second);
  CHECK(jobs.size() >= 8);
  CHECK(later.size() >= 10);
  jobs.insert(jobs.end(), later.begin(), later.end());
  CHECK(jobs == jobs_of(whole));
}

TEST_CASE("Capacity and growth of a part are those of the whole window", "[scenario][part]") {
  const Desk desk;
  const World whole = desk.load().world;
  const World second = desk.load(WindowPart{.from = kSplit}).world;
  for (std::size_t source = 0; source < 3; ++source) {
    CHECK(second.pools[0].capacity[source].steps.front().at == second.begin);
    for (auto at = second.start_date; at < whole.start_date + 20 * 24h; at += 1h)
      CHECK(gpus_at(second, source, at) == gpus_at(whole, source, at));
  }
  CHECK(gpus_at(second, 0, second.start_date) == GpuCount{6});
  CHECK(gpus_at(second, 1, second.start_date) == GpuCount{20});
  CHECK(gpus_at(second, 2, second.start_date) == GpuCount{2});
  const auto factor = [](const World& world, SimTime at) {
    return std::get<SyntheticDemand>(world.sources[kGrown].demand).factor.most(at, at + 1ms);
  };
  const SimDuration moved = second.start_date - whole.start_date;
  CHECK(factor(second, kStart) == Approx(factor(whole, kStart + moved)));
}

TEST_CASE("A part of months, and of a window that the traces make", "[scenario][part]") {
  const Desk desk;
  const World months = desk.load(WindowPart{.from = kSplit}, {{"/window", "\"2 months\""}}).world;
  const World whole = desk.load({}, {{"/window", "\"2 months\""}}).world;
  CHECK(months.start_date + (months.window_end - kStart) == whole.start_date + (whole.window_end - kStart));
  std::string text{kWholeWindow};
  const std::string window = R"( "window": "20d",)";
  text.erase(text.find(window), window.size());
  const std::string path = desk.folder.file("traces.json", text);
  const auto load = [&](std::optional<WindowPart> part) {
    ScenarioOptions options;
    options.part = part;
    return load_scenario(path, options).world;
  };
  CHECK(load(WindowPart{.until = kSplit}).window_end == kStart + 9 * 24h - 1h);
  const World last = load(WindowPart{.from = kSplit});
  const World all = load({});
  CHECK(last.start_date + (last.window_end - kStart) == all.start_date + (all.window_end - kStart));
}

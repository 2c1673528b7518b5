#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <vector>

#include <catch2/catch.hpp>

#include "models/workload/arrivals/arrivals.h"
#include "models/workload/arrivals/expected_demand.h"

using namespace stockout;
using namespace std::chrono_literals;

namespace {

std::vector<Job> all(const std::vector<const Demand*>& demands, RandomStreams random = {.seed = 1},
                     SimDuration grid = {}) {
  std::vector<Arrivals::Input> inputs;
  for (std::size_t i = 0; i < demands.size(); ++i) {
    inputs.push_back({.source = SourceId{static_cast<std::uint16_t>(i)}, .demand = demands[i]});
  }
  Arrivals arrivals{inputs, random, grid};
  std::vector<Job> jobs;
  for (const Job* job = arrivals.peek(); job != nullptr; job = arrivals.peek()) {
    jobs.push_back(*job);
    arrivals.pop();
  }
  return jobs;
}

Demand trace(const std::vector<SimDuration>& submits) {
  auto columns = std::make_shared<JobColumns>();
  for (const SimDuration submit : submits) {
    columns->submit.push_back(kStart + submit);
    columns->work.push_back(7s);
    columns->shape.push_back(ShapeId{});
    columns->job_class.push_back(ClassId{});
    columns->user.push_back(UserId{});
  }
  return TraceDemand{.jobs = columns};
}

Demand poisson(double per_hour, SimDuration length, std::vector<double> intensity = {}) {
  return SyntheticDemand{
      .arrivals = PoissonArrivals{.peak_per_hour = per_hour, .intensity = std::move(intensity)},
      .until = kStart + length,
      .shapes = {{.weight = 3, .shape = ShapeId{0}}, {.weight = 1, .shape = ShapeId{1}}},
      .work = {.kind = Law::Kind::exponential, .a = 1h},
      .users = 3};
}

}  // namespace

TEST_CASE("Sources are merged by time, then source, then row", "[workload]") {
  const Demand a = trace({1s, 3s, 3s});
  const Demand b = trace({0s, 3s, 4s});
  std::vector<std::pair<int, std::uint64_t>> order;
  for (const Job& job : all({&a, &b})) order.emplace_back(static_cast<int>(job.source), job.row);
  CHECK(order == std::vector<std::pair<int, std::uint64_t>>{{1, 0}, {0, 0}, {0, 1}, {0, 2}, {1, 1}, {1, 2}});
}

TEST_CASE("Many sources, some of them empty, come in one order", "[workload]") {
  std::vector<Demand> demands;
  for (int i = 0; i < 60; ++i) {
    std::vector<SimDuration> submits;
    for (int row = 0; row < i % 7 * 50; ++row) submits.push_back(1s * (row * (1 + i % 5) / 2));
    demands.push_back(trace(submits));
  }
  std::vector<const Demand*> pointers;
  std::size_t rows = 0;
  for (const Demand& demand : demands) {
    pointers.push_back(&demand);
    rows += std::get<TraceDemand>(demand).jobs->size();
  }
  const std::vector<Job> jobs = all(pointers);
  CHECK(jobs.size() == rows);
  CHECK(std::ranges::is_sorted(jobs, {}, [](const Job& job) {
    return std::tuple{job.submit, job.source, job.row};
  }));
}

TEST_CASE("On a grid arrivals and lengths are floored, before the start too", "[workload]") {
  const Demand demand = trace({-6s, -5s, 4s, 12s});
  std::vector<SimDuration> submits;
  for (const Job& job : all({&demand}, {}, 5s)) {
    submits.push_back(job.submit - kStart);
    CHECK(job.work == 5s);
    CHECK(job.estimate == 5s);
  }
  CHECK(submits == std::vector<SimDuration>{-10s, -5s, 0s, 10s});
}

TEST_CASE("A Poisson source has the rate, the mix and the mean work it was given", "[workload]") {
  const Demand demand = poisson(50, 2'000h);
  const std::vector<Job> jobs = all({&demand});
  const auto count = static_cast<double>(jobs.size());
  CHECK(std::abs(count - 100'000) < 4 * std::sqrt(100'000.0));
  double work = 0;
  double second = 0;
  for (const Job& job : jobs) {
    work += static_cast<double>(job.work.count()) / 3'600'000;
    second += job.shape == ShapeId{1} ? 1 : 0;
  }
  CHECK(std::abs(work / count - 1) < 4 / std::sqrt(count));
  CHECK(std::abs(second / count - 0.25) < 4 * std::sqrt(0.25 * 0.75 / count));
}

TEST_CASE("Batches come at one instant, as groups of their own, as large and as often as they were given",
          "[workload]") {
  Demand demand = poisson(50, 2'000h);
  auto& arrivals = std::get<PoissonArrivals>(std::get<SyntheticDemand>(demand).arrivals);
  arrivals.batches = {{.weight = 3, .count = 1}, {.weight = 1, .count = 5}};
  arrivals.grouped = true;
  CHECK(expected_jobs(std::get<SyntheticDemand>(demand), kStart, kStart + 2'000h) == Approx(200'000));
  std::map<std::uint32_t, std::vector<Job>> groups;
  const std::vector<Job> jobs = all({&demand});
  for (const Job& job : jobs) groups[job.group].push_back(job);
  double fives = 0;
  for (const auto& [group, batch] : groups) {
    CHECK(group > 0);
    CHECK((batch.size() == 1 || batch.size() == 5));
    if (batch.size() == 5) ++fives;
    for (std::size_t i = 0; i < batch.size(); ++i) {
      CHECK(batch[i].submit == batch[0].submit);
      CHECK(batch[i].row == batch[0].row + i);
    }
  }
  const auto count = static_cast<double>(groups.size());
  CHECK(std::abs(count - 100'000) < 4 * std::sqrt(100'000.0));
  CHECK(std::abs(fives / count - 0.25) < 4 * std::sqrt(0.25 * 0.75 / count));
}

TEST_CASE("Thinning follows the hour of the week", "[workload]") {
  std::vector<double> intensity(168, 0.0);
  for (std::size_t hour = 9; hour < 18; ++hour) intensity[hour] = hour < 12 ? 1.0 : 0.5;
  const Demand demand = poisson(100, 168h * 20, intensity);
  double morning = 0;
  double afternoon = 0;
  for (const Job& job : all({&demand})) {
    const auto hour = std::chrono::floor<std::chrono::hours>(job.submit - kStart).count() % 168;
    REQUIRE((hour >= 9 && hour < 18));
    (hour < 12 ? morning : afternoon) += 1;
  }
  CHECK(std::abs(morning - 6'000) < 4 * std::sqrt(6'000.0));
  CHECK(std::abs(afternoon - 6'000) < 4 * std::sqrt(6'000.0));
}

TEST_CASE("What a job draws belongs to its row alone", "[workload]") {
  const Demand dense = poisson(10, 100h);
  const Demand sparse = poisson(10, 100h, std::vector<double>(168, 0.3));
  const std::vector<Job> jobs = all({&dense});
  const std::vector<Job> kept = all({&sparse});
  REQUIRE(kept.size() > 100);
  REQUIRE(kept.size() < jobs.size());
  for (const Job& job : kept) {
    const Job& same = jobs[job.row];
    CHECK(same.submit == job.submit);
    CHECK(same.work == job.work);
    CHECK(same.shape == job.shape);
  }
  CHECK(all({&dense}, {.seed = 1, .replication = 1}).front().submit != jobs.front().submit);
}

TEST_CASE("A further source or a longer horizon changes no earlier draw", "[workload]") {
  const Demand demand = poisson(10, 100h);
  const Demand longer = poisson(10, 200h);
  const std::vector<Job> alone = all({&demand});
  const std::vector<Job> beside = all({&longer, &demand});
  std::size_t i = 0;
  for (const Job& job : beside) {
    if (job.source != SourceId{0} || job.submit >= kStart + 100h) continue;
    REQUIRE(i < alone.size());
    CHECK(job.submit == alone[i].submit);
    CHECK(job.work == alone[i].work);
    ++i;
  }
  CHECK(i == alone.size());
}

TEST_CASE("Scheduled batches come at their times, each a group of its own", "[workload]") {
  const Demand demand = SyntheticDemand{
      .arrivals =
          ScheduledArrivals{.at = {kStart + 1h, kStart + 5h, kStart + 9h}, .count = 2, .grouped = true},
      .until = kStart + 9h,
      .shapes = {{}},
      .work = {.a = 10min},
      .deadline_work_factor = 1,
      .deadline_plus = 8h};
  const std::vector<Job> jobs = all({&demand});
  REQUIRE(jobs.size() == 4);
  CHECK(jobs[1].submit == kStart + 1h);
  CHECK(jobs[1].group == 1);
  CHECK(jobs[2].submit == kStart + 5h);
  CHECK(jobs[2].group == 2);
  CHECK(jobs[2].deadline == 8h + 10min);
}

TEST_CASE("A deadline at an instant is the first one after the submission", "[workload]") {
  const Demand demand = SyntheticDemand{.arrivals = ScheduledArrivals{.at = {kStart + 1h, kStart + 7h}},
                                        .until = kStart + 9h,
                                        .shapes = {{}},
                                        .work = {.a = 10min},
                                        .deadline_at = {kStart + 7h, kStart + 32h}};
  const std::vector<Job> jobs = all({&demand});
  REQUIRE(jobs.size() == 2);
  CHECK(jobs[0].deadline == 6h);
  CHECK(jobs[1].deadline == 25h);
}

TEST_CASE("A block bootstrap copies pieces of the trace at whole steps, differently in each replication",
          "[workload]") {
  std::vector<SimDuration> submits;
  for (int hour = 0; hour < 24 * 28; ++hour) submits.push_back(hour * 1h + (hour % 24) * 1min);
  Demand demand = trace(submits);
  std::get<TraceDemand>(demand).resampled = true;
  std::get<TraceDemand>(demand).resample = {.block = 24h * 7, .step = 24h, .length = 24h * 21};
  const std::vector<Job> jobs = all({&demand});
  CHECK(jobs.size() == 21 * 24);
  std::uint64_t row = 0;
  for (const Job& job : jobs) {
    const SimDuration time_of_day = (job.submit - kStart) % 24h;
    CHECK(time_of_day % 1h == std::chrono::floor<std::chrono::hours>(time_of_day).count() * 1min);
    CHECK(job.row == row++);
  }
  CHECK(std::ranges::is_sorted(jobs, {}, &Job::submit));
}

TEST_CASE("A bootstrap of an empty trace is empty", "[workload]") {
  const Demand demand = TraceDemand{.jobs = std::make_shared<JobColumns>(),
                                    .resampled = true,
                                    .resample = {.block = 1h, .step = 1h, .length = 9h}};
  CHECK(all({&demand}).empty());
}

TEST_CASE("A source that is ended leaves the others as they are", "[workload]") {
  const Demand a = trace({1s, 3s});
  const Demand b = trace({2s, 4s});
  const std::vector<Arrivals::Input> inputs{{.source = SourceId{0}, .demand = &a},
                                            {.source = SourceId{1}, .demand = &b}};
  Arrivals arrivals{inputs, {}, {}};
  arrivals.end_source();
  REQUIRE(arrivals.peek() != nullptr);
  CHECK(arrivals.peek()->source == SourceId{1});
  arrivals.pop();
  CHECK(arrivals.peek()->submit == kStart + 4s);
  arrivals.end_source();
  CHECK(arrivals.peek() == nullptr);
}

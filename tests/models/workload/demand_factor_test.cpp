// Demand that is more or less than written: what stays, what comes, and how much of it.

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include <boost/math/distributions/chi_squared.hpp>
#include <catch2/catch.hpp>

#include "models/workload/arrivals/arrivals.h"
#include "models/workload/arrivals/synthesis.h"

using namespace stockout;
using namespace std::chrono_literals;

namespace {

constexpr auto kWeek = 168h;

std::vector<Job> all(const Demand& demand, SourceId source = {}, RandomStreams random = {.seed = 1}) {
  std::vector<Job> jobs;
  std::vector<Job> batch(100);
  const auto cursor = open_demand(demand, source, random);
  for (std::size_t count = cursor->next(batch); count > 0; count = cursor->next(batch))
    jobs.insert(jobs.end(), batch.begin(), batch.begin() + static_cast<std::ptrdiff_t>(count));
  return jobs;
}

DemandFactor times(double factor) { return {.steps = {{.at = kStart, .times = factor}}}; }

SyntheticDemand poisson(double per_hour, SimDuration length, DemandFactor factor = {}) {
  return {.arrivals = PoissonArrivals{.peak_per_hour = per_hour, .intensity = {}},
          .until = kStart + length,
          .shapes = {{.weight = 3, .shape = ShapeId{0}}, {.weight = 1, .shape = ShapeId{1}}},
          .work = {.kind = Law::Kind::exponential, .a = 1h},
          .users = 3,
          .factor = std::move(factor)};
}

Demand trace(std::size_t jobs, DemandFactor factor) {
  auto columns = std::make_shared<JobColumns>();
  for (std::size_t i = 0; i < jobs; ++i) {
    columns->submit.push_back(kStart + static_cast<std::int64_t>(i) * 1min);
    columns->work.push_back(SimDuration{static_cast<std::int64_t>(i) + 1});
    columns->shape.push_back(ShapeId{});
    columns->job_class.push_back(ClassId{});
    columns->user.push_back(UserId{});
  }
  return TraceDemand{.jobs = columns, .factor = std::move(factor)};
}

bool same_job(const Job& a, const Job& b) {
  return a.submit == b.submit && a.work == b.work && a.shape == b.shape && a.user == b.user && a.row == b.row;
}

// Whether all of `fewer` are among `more`, equal in everything.
bool holds_all(const std::vector<Job>& more, const std::vector<Job>& fewer) {
  std::map<std::uint64_t, const Job*> by_row;
  for (const Job& job : more) by_row[job.row] = &job;
  return std::ranges::all_of(fewer, [&](const Job& job) {
    const auto same = by_row.find(job.row);
    return same != by_row.end() && same_job(*same->second, job);
  });
}

bool in_order(const std::vector<Job>& jobs) {
  return std::ranges::is_sorted(
      jobs, [](const Job& a, const Job& b) { return std::tie(a.submit, a.row) < std::tie(b.submit, b.row); });
}

std::size_t distinct_rows(const std::vector<Job>& jobs) {
  std::map<std::uint64_t, int> rows;
  for (const Job& job : jobs) ++rows[job.row];
  return rows.size();
}

}  // namespace

TEST_CASE("More demand keeps every job with all its draws, and less demand adds none", "[workload]") {
  std::vector<Job> before = all(poisson(20, 100h, times(0)));
  CHECK(before.empty());
  for (const double factor : {0.25, 0.7, 1.0, 1.4, 2.0, 3.7, 12.0}) {
    CAPTURE(factor);
    const std::vector<Job> now = all(poisson(20, 100h, times(factor)));
    CHECK(std::abs(static_cast<double>(now.size()) - 2'000 * factor) < 4 * std::sqrt(2'000 * factor));
    CHECK(holds_all(now, before));
    CHECK(in_order(now));
    CHECK(distinct_rows(now) == now.size());
    before = now;
  }
  const std::vector<Job> written = all(poisson(20, 100h));
  const std::vector<Job> once = all(poisson(20, 100h, times(1)));
  CHECK(std::ranges::equal(written, once, same_job));
}

TEST_CASE("Jobs on top of what is written belong to all users alike", "[workload]") {
  std::map<std::size_t, double> jobs;
  double added = 0;
  for (const Job& job : all(poisson(20, 300h, times(2)))) {
    if (job.row < kFirstAddedRow) continue;
    jobs[index(job.user)] += 1;
    added += 1;
  }
  REQUIRE(jobs.size() == 3);
  for (const auto& [user, count] : jobs)
    CHECK(std::abs(count / added - 1 / 3.0) < 4 * std::sqrt(2 / 9.0 / added));
}

TEST_CASE("A peak changes nothing outside its days", "[workload]") {
  const DemandFactor peak{.steps = {{.at = kStart + 50h, .times = 3.5}, {.at = kStart + 74h, .times = 1}}};
  const auto usual = all(poisson(20, 100h));
  const auto with_peak = all(poisson(20, 100h, peak));
  CHECK(holds_all(with_peak, usual));
  double within = 0;
  for (const Job& job : with_peak) {
    if (job.row >= kFirstAddedRow) REQUIRE((job.submit >= kStart + 50h && job.submit < kStart + 74h));
    if (job.submit >= kStart + 50h && job.submit < kStart + 74h) within += 1;
  }
  const double expected = 3.5 * 20 * 24;
  CHECK(std::abs(within - expected) < 4 * std::sqrt(expected));
}

TEST_CASE("A peak that shuts work down leaves no job on its days", "[workload]") {
  const DemandFactor holidays{.steps = {{.at = kStart + 10h, .times = 0}, {.at = kStart + 90h, .times = 1}}};
  for (const Job& job : all(poisson(20, 100h, holidays)))
    CHECK((job.submit < kStart + 10h || job.submit >= kStart + 90h));
}

TEST_CASE("Growth is what it says, compound and linear, and begins on its day", "[workload]") {
  const Growth compound{.rate = 0.4, .period = 365 * 24h, .from = kStart};
  CHECK(compound.at(kStart - 1h) == 1);
  CHECK(compound.at(kStart + 365 * 24h) == Approx(1.4));
  CHECK(compound.at(kStart + 730 * 24h) == Approx(1.96));
  const Growth linear{.form = Growth::Form::linear, .rate = -0.5, .period = 30 * 24h, .from = kStart + 24h};
  CHECK(linear.at(kStart + 24h) == 1);
  CHECK(linear.at(kStart + 31 * 24h) == Approx(0.5));
  CHECK(linear.at(kStart + 100 * 24h) == 0);
}

TEST_CASE("Counts under growth, peaks and a weekly profile are Poisson with the mean of the rate",
          "[workload]") {
  // Hour by hour over 26 weeks, with local clocks an hour back from week 10 on: the sum of (n - mean)^2 /
  // mean over cells of expected counts of at least 5 is chi-square.
  std::vector<double> intensity(168);
  for (std::size_t hour = 0; hour < 168; ++hour)
    intensity[hour] = hour / 24 < 5 ? (hour % 24 >= 8 && hour % 24 < 20 ? 1.0 : 0.25) : 0.1;
  constexpr SimDuration kLength = 26 * kWeek;
  SyntheticDemand demand = poisson(40, kLength);
  demand.arrivals = PoissonArrivals{
      .peak_per_hour = 40, .intensity = intensity, .clock_shifts = {{.at = kStart + 10 * kWeek, .by = -1h}}};
  demand.factor = {.steps = {{.at = kStart, .times = 1.3},
                             {.at = kStart + 800h, .times = 4.1},
                             {.at = kStart + 900h, .times = 1.3}},
                   .growths = {{.rate = 0.1, .period = 4 * kWeek, .from = kStart + 500h}}};
  std::vector<double> counts(26 * 168);
  for (const Job& job : all(demand)) counts[static_cast<std::size_t>((job.submit - kStart) / 1h)] += 1;
  double chi_square = 0;
  double cells = 0;
  for (std::size_t hour = 0; hour < counts.size(); ++hour) {
    const std::size_t local = (hour >= 1'680 ? hour + 167 : hour) % 168;
    // The factor in the middle of the hour: what growth adds within it is below 10^-7 of it.
    const double mean = 40 * intensity[local] * demand.factor.at(kStart + hour * 1h + 30min);
    if (mean < 5) continue;
    chi_square += (counts[hour] - mean) * (counts[hour] - mean) / mean;
    cells += 1;
  }
  REQUIRE(cells > 3'000);
  const boost::math::chi_squared law{cells};
  CHECK(chi_square < boost::math::quantile(boost::math::complement(law, 0.0005)));
  CHECK(chi_square > boost::math::quantile(law, 0.0005));
}

TEST_CASE("A trace is thinned and repeated by row: who stays at a lower factor stays at a higher",
          "[workload]") {
  constexpr std::size_t kJobs = 5'000;
  std::vector<Job> before;
  for (const double factor : {0.3, 0.8, 1.0, 1.5, 2.4}) {
    CAPTURE(factor);
    const std::vector<Job> now = all(trace(kJobs, times(factor)));
    const double part = factor - std::floor(factor);
    CHECK(std::abs(static_cast<double>(now.size()) - kJobs * factor) <=
          4 * std::sqrt(kJobs * part * (1 - part)));
    CHECK(holds_all(now, before));
    CHECK(in_order(now));
    CHECK(distinct_rows(now) == now.size());
    before = now;
  }
  for (const Job& job : before)
    CHECK(job.work.count() == static_cast<std::int64_t>(job.row % kFirstAddedRow) + 1);
}

TEST_CASE("What a thinned trace keeps differs by replication, not by what other sources there are",
          "[workload]") {
  const Demand demand = trace(1'000, times(0.5));
  const auto first = all(demand);
  CHECK(!std::ranges::equal(first, all(demand, {}, {.seed = 1, .replication = 1}), same_job));
  CHECK(std::ranges::equal(first, all(demand), same_job));
}

TEST_CASE("A batch grows by jobs of their own in the same group", "[workload]") {
  SyntheticDemand demand = poisson(1, 100h, times(2));
  demand.arrivals = ScheduledArrivals{.at = {kStart + 1h, kStart + 2h}, .count = 3, .grouped = true};
  const std::vector<Job> jobs = all(demand);
  REQUIRE(jobs.size() == 12);
  CHECK(std::ranges::count(jobs, 1U, &Job::group) == 6);
  CHECK(std::ranges::count(jobs, kStart + 1h, &Job::submit) == 6);
  CHECK(jobs[1].row == copy_row(jobs[0].row, 1));
  CHECK(jobs[1].work != jobs[0].work);
}

TEST_CASE("With more demand every random batch of before is there whole, and others come on top",
          "[workload]") {
  const auto batches = [](double factor) {
    SyntheticDemand demand = poisson(10, 100h, times(factor));
    auto& arrivals = std::get<PoissonArrivals>(demand.arrivals);
    arrivals.batches = {{.weight = 1, .count = 2}, {.weight = 1, .count = 7}};
    return all(demand);
  };
  std::vector<Job> before;
  for (const double factor : {0.4, 1.0, 2.5}) {
    CAPTURE(factor);
    const std::vector<Job> now = batches(factor);
    CHECK(std::abs(static_cast<double>(now.size()) - 4'500 * factor) < 4 * std::sqrt(26'500 * factor));
    CHECK(holds_all(now, before));
    CHECK(distinct_rows(now) == now.size());
    before = now;
  }
}

TEST_CASE("A bound that is kept: a factor beyond it is our own mistake", "[workload]") {
  CHECK_NOTHROW(all(poisson(1, 10h, times(kMostCopies))));
  CHECK_THROWS(all(poisson(1, 10h, times(kMostCopies + 1))));
}

// Spot availability of H100 per zone, from the probes of the SkyNomad artifact (NSDI '27,
// andylizf/skynomad-artifact, Apache-2.0): the values behind the paper's figures 2 and 11
// (`paper_figs/values/spot_availability_filled_all` and
// `..._boxplot_all`), over the first 1,039 rounds of each zone. Exact to the printed digits.

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "models/supply/availability.h"
#include "tests/support/shared_data.h"

using namespace stockout;

namespace {

constexpr std::size_t kRounds = 1039;
constexpr std::int32_t kAsked = 16;
constexpr double kTickHours = 1.0 / 6.0;

struct Row {
  const char* zone;
  std::int64_t full_rounds;  // rounds in which all 16 machines were made
  double full_percent;
  double mean_machines;
  std::int64_t full_periods;  // runs of such rounds
  double mean_period_hours;   // 0: there is none
  double any_percent;         // of all 2,104 rounds, at least one machine
};

constexpr Row kRows[] = {
    {"us-central1-a", 837, 80.558, 14.282964, 92, 1.516304, 98.34},
    {"us-west1-a", 360, 34.649, 6.172281, 37, 1.621622, 58.56},
    {"europe-west1-c", 16, 1.540, 5.762271, 6, 0.444444, 87.93},
    {"europe-west3-c", 0, 0, 0.139557, 0, 0, 47.62},
    {"asia-southeast1-b", 439, 42.252, 8.132820, 16, 4.572917, 78.33},
    {"asia-south2-b", 1035, 99.615, 15.987488, 5, 34.500000, 99.95},
};

std::int64_t periods(const std::vector<std::int32_t>& values) {
  std::int64_t count = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    count += values[i] == kAsked && (i == 0 || values[i - 1] != kAsked) ? 1 : 0;
  }
  return count;
}

}  // namespace

TEST_CASE("Availability of the probed zones is what the artifact prints", "[validation][availability]") {
  const auto path = test::shared_path("traces/spot/gcp-h100-2025/probe_counts_dev_zones.csv.gz");
  if (!path) return;
  for (const Row& row : kRows) {
    CAPTURE(row.zone);
    const AvailabilitySeries series =
        read_availability(*path, {.zone = row.zone, .time_zone = "UTC", .inverted = {}});
    CHECK(series.cap == kAsked);
    CHECK(series.size() == 2104);
    const auto any = std::count_if(series.values.begin(), series.values.end(), [](auto n) { return n > 0; });
    CHECK(100.0 * static_cast<double>(any) / 2104.0 == Approx(row.any_percent).margin(0.005));

    REQUIRE(series.size() >= kRounds);
    const std::vector<std::int32_t> values{series.values.begin(), series.values.begin() + kRounds};
    const auto full = std::count(values.begin(), values.end(), kAsked);
    const auto machines = std::accumulate(values.begin(), values.end(), std::int64_t{0});
    CHECK(full == row.full_rounds);
    CHECK(100.0 * static_cast<double>(full) / kRounds == Approx(row.full_percent).margin(0.0005));
    CHECK(static_cast<double>(machines) / kRounds == Approx(row.mean_machines).margin(0.0000005));
    CHECK(periods(values) == row.full_periods);
    if (row.full_periods == 0) continue;
    const double period_hours =
        static_cast<double>(full) * kTickHours / static_cast<double>(row.full_periods);
    CHECK(period_hours == Approx(row.mean_period_hours).margin(0.0000005));
  }
}

TEST_CASE("The probes and the published series agree on when there was a machine",
          "[validation][availability]") {
  // Ticks 696 to 755 of the published series were filled in by its authors (metadata.gap_filled).
  constexpr std::size_t kFilledFrom = 696;
  constexpr std::size_t kFilledTo = 756;
  const auto probes = test::shared_path("traces/spot/gcp-h100-2025/probe_counts_dev_zones.csv.gz");
  if (!probes) return;
  for (const Row& row : kRows) {
    CAPTURE(row.zone);
    const auto full =
        test::shared_path(std::string{"traces/spot/gcp-h100-2025/full/"} + row.zone + "_h100_16.json");
    if (!full) return;
    const AvailabilitySeries seen =
        read_availability(*probes, {.zone = row.zone, .time_zone = "UTC", .inverted = {}});
    const AvailabilitySeries told =
        read_availability(*full, {.zone = "", .time_zone = "UTC", .inverted = true});
    CHECK(told.size() == 2114);
    CHECK(told.tick == std::chrono::minutes{10});
    std::size_t compared = 0;
    std::size_t different = 0;
    for (std::size_t i = 0; i < seen.size(); ++i) {
      const std::int64_t since_start = seen.at_ms[i] - told.at_ms.front();
      const auto tick = static_cast<std::size_t>((since_start + 300'000) / 600'000);
      if (tick >= told.size() || (kFilledFrom <= tick && tick < kFilledTo)) continue;
      ++compared;
      if ((seen.values[i] > 0) != (told.values[tick] > 0)) ++different;
    }
    CHECK(compared == 2054);
    CHECK(different == 0);
  }
}

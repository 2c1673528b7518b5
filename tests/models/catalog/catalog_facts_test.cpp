// The catalogue against the facts it was made from: the printed price table of 2026-07-30, and every dated
// row.

#include <cmath>
#include <optional>

#include <catch2/catch.hpp>

#include "models/catalog/catalog.h"
#include "sim/io/csv_reader.h"
#include "tests/support/shared_data.h"

using namespace stockout;

namespace {

const Catalog& catalog() {
  static const Catalog embedded = Catalog::embedded();
  return embedded;
}

std::optional<double> usd(std::string_view machine, std::string_view region, PriceModel model, Date day) {
  const auto id = catalog().find_machine(machine);
  REQUIRE(id);
  const PriceLookup found = catalog().price(*id, region, model, day);
  if (!found) return std::nullopt;
  return static_cast<double>(found.row->price.count()) / 1e9;
}

constexpr double kUnknown = 0;

struct Printed {
  const char* machine;
  const char* region;
  double on_demand, spot, flex, calendar, cud_1y, cud_3y;
};

// "?" and "not in PC" of the facts are kUnknown; approximate entries are given as the catalogue's inferred
// row.
constexpr Printed kTable[] = {
    {"a2-highgpu-8g", "us-central1", 29.39, 15.42, 16.16, kUnknown, 18.51, 10.29},
    {"a2-highgpu-8g", "europe-west4", 29.98, 13.54, kUnknown, kUnknown, 18.89, 10.49},
    {"a2-highgpu-8g", "asia-northeast1", 32.40, 19.44, kUnknown, kUnknown, 20.24, 11.38},
    {"a2-highgpu-8g", "asia-southeast1", 32.11, 19.27, kUnknown, kUnknown, 20.06, 11.28},
    {"a2-ultragpu-8g", "us-central1", 40.55, 22.08, 19.20, kUnknown, kUnknown, kUnknown},
    {"a2-ultragpu-8g", "us-east4", 45.66, 18.94, kUnknown, kUnknown, kUnknown, kUnknown},
    {"a2-ultragpu-8g", "europe-west4", 44.65, 23.56, kUnknown, kUnknown, kUnknown, kUnknown},
    {"a3-highgpu-8g", "us-central1", 88.49, 50.61, 38.32, 41.6, 61.38, 38.86},
    {"a3-highgpu-8g", "us-east4", 88.56, 36.32, 38.32, 41.6, 61.43, 38.89},
    {"a3-highgpu-8g", "europe-west4", 112.54, 44.12, 38.32, 41.6, 78.07, 49.42},
    {"a3-highgpu-8g", "asia-northeast1", 126.64, 25.91, 38.32, 41.6, 87.85, 55.62},
    {"a3-highgpu-8g", "asia-southeast1", 114.28, 51.22, 38.32, 41.6, 79.28, 50.19},
    {"a3-megagpu-8g", "us-central1", 93.4, kUnknown, 40.11, kUnknown, kUnknown, kUnknown},
    {"a3-megagpu-8g", "us-east4", 92.94, 23.28, 40.11, kUnknown, 63.94, 40.49},
    {"a3-ultragpu-8g", "us-central1", kUnknown, kUnknown, 42.4, 59.36, kUnknown, kUnknown},
    {"a3-ultragpu-8g", "europe-west4", kUnknown, kUnknown, 42.4, 59.36, kUnknown, kUnknown},
    {"a4-highgpu-8g", "us-central1", 128.88, 39.63, 64.44, 90.24, kUnknown, kUnknown},
    {"g2-standard-8", "us-central1", 0.85, 0.48, 0.85, kUnknown, 0.54, 0.38},
    {"g2-standard-8", "asia-northeast1", 1.10, 0.66, 1.10, kUnknown, 0.69, 0.49},
    {"g4-standard-48", "us-central1", 4.50, 1.80, 2.25, kUnknown, 3.10, 1.98},
};

}  // namespace

TEST_CASE("The printed price table of 2026-07-30 is what the catalogue says of that day",
          "[catalog][facts]") {
  const Date day = *parse_date("2026-07-30");
  for (const Printed& row : kTable) {
    const double expected[] = {row.on_demand, row.spot, row.flex, row.calendar, row.cud_1y, row.cud_3y};
    for (std::size_t i = 0; i < kWaysToBuy.size(); ++i) {
      CAPTURE(row.machine, row.region, kWaysToBuy[i]);
      const auto price = usd(row.machine, row.region, static_cast<PriceModel>(i), day);
      CHECK(price.has_value() == (expected[i] != kUnknown));
      // The table is rounded to two decimals.
      if (price) CHECK(std::abs(*price - expected[i]) < 0.00501);
    }
  }
}

TEST_CASE("A GPU costs the same share of a machine of any size, as the facts say", "[catalog][facts]") {
  const Date day = *parse_date("2026-07-30");
  CHECK(usd("a3-highgpu-1g", "us-central1", PriceModel::flex_start, day) == 4.79);
  CHECK(usd("a3-highgpu-2g", "us-central1", PriceModel::flex_start, day) == 9.58);
  CHECK(usd("a3-highgpu-2g", "us-central1", PriceModel::spot, day) == Approx(2 * 6.32619).epsilon(1e-5));
  CHECK(usd("a2-highgpu-1g", "us-central1", PriceModel::flex_start, day) == 2.02038);
}

TEST_CASE("A T4 machine costs its N1 vCPUs and RAM and its GPUs", "[catalog][facts]") {
  const Date day = *parse_date("2026-07-30");
  // n1-standard-64 costs 3.03998 an hour in us-central1, a T4 0.35, on Spot 0.7704 and 0.14.
  CHECK(usd("n1-standard-8+t4", "us-central1", PriceModel::on_demand, day) ==
        Approx(3.03998 / 8 + 0.35).margin(1e-5));
  CHECK(usd("n1-standard-32+t4x4", "us-central1", PriceModel::spot, day) ==
        Approx(0.7704 / 2 + 4 * 0.14).margin(1e-5));
  // Without a T4.
  CHECK(usd("n1-standard-8", "us-central1", PriceModel::on_demand, day) == Approx(3.03998 / 8).margin(1e-5));
  CHECK(usd("n1-standard-32", "us-central1", PriceModel::spot, day) == Approx(0.7704 / 2).margin(1e-5));
}

TEST_CASE("Every dated machine price of the facts is in the catalogue, to the last digit",
          "[catalog][facts]") {
  const auto path = test::shared_path("facts/prices.csv");
  if (!path) return;
  CsvReader csv{*path};
  REQUIRE(csv.next());
  const std::vector<std::string> known{csv.fields().begin(), csv.fields().end()};
  const auto columns = find_columns(csv, known);
  int compared = 0;
  while (csv.next()) {
    const auto field = [&](std::size_t column) { return std::string{csv.fields()[columns[column]]}; };
    const auto id = catalog().find_machine(field(1));
    const auto day = parse_date(field(8));
    if (!id || !day || field(7).empty() || field(3).starts_with("(")) continue;
    const auto model =
        std::find(kPriceModelNames.begin(), kPriceModelNames.end(), field(5)) - kPriceModelNames.begin();
    const PriceLookup found = catalog().price(*id, field(3), static_cast<PriceModel>(model), *day);
    CAPTURE(csv.line(), field(1), field(3), field(5));
    REQUIRE(found);
    CHECK(found.row->as_of == *day);
    CHECK(found.row->price.count() == std::llround(std::stod(field(7)) * 1e9));
    ++compared;
  }
  CHECK(compared > 1'000);
}

// Vertex AI's management fee as a price. Facts: on one bill of 2025-08 an H100 costs 11.266 instead of 9.7966
// US dollars an hour, and beside Flex Start stands a fee of 1.4694826: 15 % of the on-demand price.

#include <catch2/catch.hpp>

#include "models/billing/overlay.h"

using namespace stockout;
using namespace std::chrono_literals;
using Catch::Contains;

namespace {

const Catalog& embedded() {
  static const Catalog catalog = Catalog::embedded();
  return catalog;
}

PriceRequest fee_of(std::string_view machine, std::int64_t fee_ppm = 150'000) {
  return {.machine = *embedded().find_machine(machine),
          .region = "us-central1",
          .model = PriceModel::management_fee,
          .as_of = *parse_date("2026-07-30"),
          .start = *parse_date("2026-08-03"),
          .fee_ppm = fee_ppm};
}

PriceOverlay own(std::optional<PriceModel> model, std::optional<std::int64_t> ppm, std::int64_t nano = 0) {
  PriceOverlay overlay;
  overlay.model = model;
  overlay.factor_ppm = ppm;
  if (!ppm) overlay.usd_per_hour = MachineHourPrice{nano};
  overlay.label = "ours";
  return overlay;
}

MachineHourPrice contracted(const PriceAnswer& answer) {
  REQUIRE(answer);
  REQUIRE(answer.line.steps.size() == 1);
  return answer.line.steps[0].contracted;
}

}  // namespace

TEST_CASE("A management fee is a share of the machine's on-demand price", "[fee]") {
  const PriceAnswer fee = price_line(embedded(), fee_of("a3-highgpu-8g"), {});
  CHECK(contracted(fee) == MachineHourPrice{13'273'500'000});  // 15 % of 88.49
  CHECK(fee.line.steps[0].list == fee.line.steps[0].contracted);
  CHECK(fee.line.model == PriceModel::management_fee);
  CHECK(fee.line.as_of == "2026-07-30");
  CHECK_FALSE(fee.line.overlaid);
  CHECK_THAT(fee.line.source, Contains("15 % of the on-demand price of a3-highgpu-8g: "));
  CHECK(contracted(price_line(embedded(), fee_of("a3-highgpu-8g", 100'000), {})) ==
        MachineHourPrice{8'849'000'000});
}

TEST_CASE("What is not sold on demand has the fee of its family, per GPU", "[fee]") {
  const PriceAnswer fee = price_line(embedded(), fee_of("a3-highgpu-1g"), {});
  CHECK(contracted(fee) == MachineHourPrice{1'659'187'500});  // an eighth of 13.2735
  CHECK_THAT(fee.line.source, Contains("of a3-highgpu-8g"));
}

TEST_CASE("A fee of a price that nobody knows is not known, unless there is none", "[fee]") {
  const PriceAnswer fee = price_line(embedded(), fee_of("a3-ultragpu-8g"), {});
  CHECK_THAT(fee.why_not, Contains("there is none of a3-ultragpu-8g or its family in us-central1"));
  CHECK_THAT(fee.why_not, Contains("\"management_fee\""));
  CHECK(contracted(price_line(embedded(), fee_of("a3-ultragpu-8g", 0), {})) == MachineHourPrice{});
  const std::vector given{own(PriceModel::management_fee, {}, 5'000'000'000)};
  const PriceAnswer agreed = price_line(embedded(), fee_of("a3-ultragpu-8g"), given);
  CHECK(contracted(agreed) == MachineHourPrice{5'000'000'000});
  CHECK(agreed.line.overlaid);
}

TEST_CASE("Prices of one's own change a fee only if they name it", "[fee]") {
  const auto with = [](const PriceOverlay& overlay) {
    return contracted(price_line(embedded(), fee_of("a3-highgpu-8g"), std::vector{overlay}));
  };
  CHECK(with(own({}, 500'000)) == MachineHourPrice{13'273'500'000});
  CHECK(with(own(PriceModel::on_demand, 500'000)) == MachineHourPrice{13'273'500'000});
  CHECK(with(own(PriceModel::management_fee, 500'000)) == MachineHourPrice{6'636'750'000});
  CHECK(finds_price(own(PriceModel::management_fee, 500'000), embedded(), {}));
}

TEST_CASE("Where the catalogue has no on-demand price the fee is a share of one's own", "[fee]") {
  const std::vector overlays{own({}, {}, 10'000'000'000), own({}, 800'000)};
  CHECK(contracted(price_line(embedded(), fee_of("generic"), overlays)) == MachineHourPrice{1'500'000'000});
}

TEST_CASE("A fee follows the on-demand price through the days", "[fee]") {
  PriceOverlay cheaper = own(PriceModel::on_demand, {}, 20'000'000'000);
  cheaper.from = *parse_date("2026-08-10");
  const std::vector overlays{own({}, {}, 10'000'000'000), cheaper};
  const PriceAnswer fee = price_line(embedded(), fee_of("generic"), overlays);
  REQUIRE(fee);
  REQUIRE(fee.line.steps.size() == 2);
  CHECK(fee.line.steps[0].list == MachineHourPrice{1'500'000'000});
  CHECK(fee.line.steps[1].from == kStart + 7 * 24h);
  CHECK(fee.line.steps[1].list == MachineHourPrice{3'000'000'000});
}

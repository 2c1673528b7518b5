#include <catch2/catch.hpp>

#include "models/billing/cost.h"
#include "models/billing/overlay.h"
#include "sim/core/check.h"

using namespace stockout;
using namespace std::chrono_literals;
using Catch::Contains;

namespace {

const Catalog& catalog() {
  static const Catalog embedded = Catalog::embedded();
  return embedded;
}

Date day(std::string_view text) { return *parse_date(text); }

PriceRequest request(std::string_view machine, PriceModel model = PriceModel::on_demand) {
  return {.machine = *catalog().find_machine(machine),
          .region = "us-central1",
          .model = model,
          .as_of = day("2026-07-30"),
          .start = day("2026-08-03")};
}

PriceOverlay discount(std::int64_t ppm) {
  PriceOverlay overlay;
  overlay.factor_ppm = ppm;
  overlay.label = "EDP 2026";
  return overlay;
}

PriceOverlay own_price(std::int64_t nano) {
  PriceOverlay overlay;
  overlay.usd_per_hour = MachineHourPrice{nano};
  overlay.label = "our cluster";
  return overlay;
}

MachineHourPrice applied(const PriceOverlay& overlay, MachineHourPrice list) {
  return apply(overlay, list, list);
}

}  // namespace

TEST_CASE("Without an overlay the contracted price is the list price of prices_as_of", "[overlay]") {
  const PriceAnswer answer = price_line(catalog(), request("a3-highgpu-8g"), {});
  REQUIRE(answer);
  REQUIRE(answer.line.steps.size() == 1);
  CHECK(answer.line.steps[0].from <= kStart - 24h * 365);
  CHECK(answer.line.steps[0].list == MachineHourPrice{88'490'000'000});
  CHECK(answer.line.steps[0].contracted == answer.line.steps[0].list);
  CHECK(answer.line.as_of == "2026-07-30");
  CHECK_THAT(answer.line.source, Contains("Billing Catalog API"));
  CHECK_FALSE(answer.line.overlaid);
}

TEST_CASE("A discount changes what is contracted and leaves the list price beside it", "[overlay]") {
  const std::vector overlays{discount(850'000)};
  const PriceAnswer answer = price_line(catalog(), request("a3-highgpu-8g"), overlays);
  REQUIRE(answer);
  CHECK(answer.line.steps[0].list == MachineHourPrice{88'490'000'000});
  CHECK(answer.line.steps[0].contracted == MachineHourPrice{75'216'500'000});
  CHECK(answer.line.overlaid);
  CHECK_THAT(answer.line.source, Contains("EDP 2026"));
}

TEST_CASE("A product with a factor is rounded to the nearest nano-dollar, halves up", "[overlay]") {
  CHECK(applied(discount(500'000), MachineHourPrice{3}) == MachineHourPrice{2});
  CHECK(applied(discount(499'999), MachineHourPrice{3}) == MachineHourPrice{1});
  CHECK(applied(discount(0), MachineHourPrice{3}) == MachineHourPrice{0});
  CHECK(applied(discount(100'000'000), MachineHourPrice{1'000'000'000'000'000}) ==
        MachineHourPrice{100'000'000'000'000'000});
  CHECK(applied(own_price(7), MachineHourPrice{3}) == MachineHourPrice{7});
}

TEST_CASE("An overlay counts only where everything it names matches", "[overlay]") {
  const MachineId h100 = *catalog().find_machine("a3-highgpu-8g");
  const auto matching = [&](auto change) {
    PriceOverlay overlay = discount(900'000);
    change(overlay);
    return matches(overlay, catalog(), h100, "us-central1", PriceModel::spot, PriceUse::leased);
  };
  CHECK(matching([](PriceOverlay&) {}));
  CHECK(matching([](PriceOverlay& o) { o.machine = "a3-highgpu-8g"; }));
  CHECK_FALSE(matching([](PriceOverlay& o) { o.machine = "a3-highgpu-4g"; }));
  CHECK(matching([](PriceOverlay& o) { o.gpu = "H100-80GB"; }));
  CHECK_FALSE(matching([](PriceOverlay& o) { o.gpu = "L4"; }));
  CHECK_FALSE(matching([](PriceOverlay& o) { o.region = "us-east4"; }));
  CHECK(matching([](PriceOverlay& o) { o.model = PriceModel::spot; }));
  CHECK_FALSE(matching([](PriceOverlay& o) { o.model = PriceModel::on_demand; }));
}

TEST_CASE("Dates of an overlay are days of the scenario's calendar, and the last that matches counts",
          "[overlay]") {
  PriceOverlay week = discount(500'000);
  week.from = day("2026-08-10");
  week.until = day("2026-08-17");
  const std::vector overlays{discount(900'000), week};
  const PriceAnswer answer = price_line(catalog(), request("a3-highgpu-8g"), overlays);
  REQUIRE(answer);
  const auto& steps = answer.line.steps;
  REQUIRE(steps.size() == 3);
  CHECK(steps[0].contracted == MachineHourPrice{79'641'000'000});
  CHECK(steps[1].from == kStart + 7 * 24h);
  CHECK(steps[1].contracted == MachineHourPrice{44'245'000'000});
  CHECK(steps[2].from == kStart + 14 * 24h);
  CHECK(steps[2].contracted == steps[0].contracted);
  for (const PriceStep& step : steps) CHECK(step.list == MachineHourPrice{88'490'000'000});
}

TEST_CASE("Factors on the price above multiply in their order, and one on the list begins anew",
          "[overlay]") {
  PriceOverlay credit = discount(950'000);
  credit.factor_of = FactorOf::above;
  const auto contracted = [&](const std::vector<PriceOverlay>& overlays) {
    const PriceAnswer answer = price_line(catalog(), request("a3-highgpu-8g"), overlays);
    REQUIRE(answer);
    REQUIRE(answer.line.steps.size() == 1);
    CHECK(answer.line.steps[0].list == MachineHourPrice{88'490'000'000});
    return answer.line.steps[0].contracted;
  };
  // 88.49 x 0.88 x 0.95 = 73.97764
  CHECK(contracted({discount(880'000), credit}) == MachineHourPrice{73'977'640'000});
  CHECK(contracted({credit, discount(880'000)}) == MachineHourPrice{77'871'200'000});
  CHECK(contracted({own_price(2'000'000'000), credit}) == MachineHourPrice{1'900'000'000});
  CHECK(contracted({credit}) == MachineHourPrice{84'065'500'000});
}

TEST_CASE("Prices that multiply end at a hundred million dollars an hour", "[overlay]") {
  PriceOverlay dear = discount(100'000'000);
  dear.factor_of = FactorOf::above;
  CHECK(apply(dear, {}, MachineHourPrice{100'000'000'000'000'000}) ==
        MachineHourPrice{100'000'000'000'000'000});
}

TEST_CASE("A price of one's own stands where the catalogue has none", "[overlay]") {
  const std::vector overlays{own_price(2'000'000'000)};
  const PriceAnswer answer = price_line(catalog(), request("generic"), overlays);
  REQUIRE(answer);
  CHECK(answer.line.steps[0].list == MachineHourPrice{2'000'000'000});
  CHECK(answer.line.steps[0].contracted == MachineHourPrice{2'000'000'000});
  CHECK(answer.line.as_of.empty());
  CHECK(answer.line.overlaid);
  CHECK_THAT(answer.line.source, Contains("our cluster"));
}

TEST_CASE("A factor is a factor on one's own price too where the catalogue has none", "[overlay]") {
  const std::vector overlays{own_price(10'000'000'000), discount(800'000)};
  const PriceAnswer answer = price_line(catalog(), request("generic"), overlays);
  REQUIRE(answer);
  CHECK(answer.line.steps[0].list == MachineHourPrice{10'000'000'000});
  CHECK(answer.line.steps[0].contracted == MachineHourPrice{8'000'000'000});
  CHECK_THAT(answer.line.source, Contains("\"our cluster\"; \"EDP 2026\""));
  const std::vector own_last{discount(800'000), own_price(10'000'000'000)};
  CHECK(price_line(catalog(), request("generic"), own_last).line.steps[0].contracted ==
        MachineHourPrice{10'000'000'000});
}

TEST_CASE("A factor that finds no price anywhere is known", "[overlay]") {
  PriceOverlay on_generic = discount(800'000);
  on_generic.machine = "generic";
  CHECK_FALSE(finds_price(on_generic, catalog(), {}));
  CHECK(finds_price(discount(800'000), catalog(), {}));
  PriceOverlay own = own_price(10'000'000'000);
  own.gpu = "generic";
  own.model = PriceModel::spot;
  CHECK(finds_price(on_generic, catalog(), std::vector{own}));
  on_generic.model = PriceModel::on_demand;
  CHECK_FALSE(finds_price(on_generic, catalog(), std::vector{own}));
  own.model.reset();
  own.region = "us-central1";
  CHECK(finds_price(on_generic, catalog(), std::vector{own}));
  on_generic.region = "us-east4";
  CHECK_FALSE(finds_price(on_generic, catalog(), std::vector{own}));
  own.region.clear();
  own.gpu = "L4";
  CHECK_FALSE(finds_price(on_generic, catalog(), std::vector{own}));
}

TEST_CASE("A price that nobody gives is refused with what there is", "[overlay]") {
  const PriceAnswer none = price_line(catalog(), request("a3-highgpu-2g"), {});
  CHECK_FALSE(none);
  CHECK_THAT(none.why_not, Contains("no on_demand price of a3-highgpu-2g in us-central1 as of 2026-07-30") &&
                               Contains("here it has spot, flex_start"));
  const std::vector only_factor{discount(900'000)};
  CHECK_FALSE(price_line(catalog(), request("a3-highgpu-2g"), only_factor));
  PriceOverlay later = own_price(5);
  later.from = day("2026-08-10");
  const std::vector gap{later};
  CHECK_THAT(price_line(catalog(), request("generic"), gap).why_not, Contains("leave days without a price"));
}

TEST_CASE("Prices change on whole hours from the start, or the reason is reported", "[overlay]") {
  PriceOverlay dated = discount(900'000);
  dated.from = day("2026-08-10");
  const std::vector overlays{dated};
  PriceRequest odd = request("a3-highgpu-8g");
  odd.start += 90min;
  CHECK_THAT(price_line(catalog(), odd, overlays).why_not,
             Contains("\"EDP 2026\" changes at the start of 2026-08-10"));
  odd.start += 30min;
  const PriceAnswer fine = price_line(catalog(), odd, overlays);
  REQUIRE(fine);
  CHECK(fine.line.steps[1].from == kStart + 7 * 24h - 2h);
}

TEST_CASE("A malformed overlay is told from a well-formed one", "[overlay]") {
  CHECK(why_malformed(discount(850'000)).empty());
  CHECK(why_malformed(own_price(0)).empty());
  CHECK_FALSE(why_malformed(PriceOverlay{}).empty());
  CHECK_FALSE(why_malformed(discount(-1)).empty());
  CHECK_FALSE(why_malformed(discount(100'000'001)).empty());
  CHECK_FALSE(why_malformed(own_price(-1)).empty());
  CHECK_FALSE(why_malformed(own_price(1'000'000'000'000'001)).empty());
  PriceOverlay both = discount(1);
  both.usd_per_hour = MachineHourPrice{1};
  CHECK_FALSE(why_malformed(both).empty());
  PriceOverlay backwards = discount(1);
  backwards.from = day("2026-08-10");
  backwards.until = day("2026-08-10");
  CHECK_FALSE(why_malformed(backwards).empty());
  const std::vector overlays{backwards};
  CHECK_THROWS_AS(price_line(catalog(), request("a3-highgpu-8g"), overlays), InvariantError);
}

TEST_CASE("Prices that follow the calendar bill each hour at its own price", "[overlay]") {
  PriceRequest spot = request("a3-highgpu-8g", PriceModel::spot);
  spot.follow_calendar = true;
  spot.start = day("2026-06-24");
  const std::vector overlays{discount(500'000)};
  const PriceAnswer answer = price_line(catalog(), spot, overlays);
  REQUIRE(answer);
  CHECK(price_at(answer.line, 23).list == MachineHourPrice{39'807'700'000});
  CHECK(price_at(answer.line, 24).list == MachineHourPrice{43'804'400'000});
  CHECK(price_at(answer.line, 24).contracted == MachineHourPrice{21'902'200'000});
}

TEST_CASE("A price that follows the calendar needs a row from the first day on", "[overlay]") {
  PriceRequest spot = request("a3-highgpu-8g", PriceModel::spot);
  spot.follow_calendar = true;
  spot.start = day("2024-05-01");
  CHECK_THAT(price_line(catalog(), spot, {}).why_not, Contains("earliest price is of 2024-05-17"));
  const std::vector discounts{discount(500'000)};
  CHECK_THAT(price_line(catalog(), spot, discounts).why_not, Contains("earliest price is of 2024-05-17"));
  spot.start = day("2024-05-17");
  CHECK(price_line(catalog(), spot, {}));
}

TEST_CASE("A negotiated 12 % on on-demand touches neither Spot nor a commitment that exists",
          "[billing][overlay]") {
  PriceOverlay on_demand = discount(880'000);
  on_demand.model = PriceModel::on_demand;
  const std::vector overlays{on_demand};
  const auto paid = [&](PriceModel model, PriceUse use) {
    PriceRequest asked = request("a3-highgpu-8g", model);
    asked.use = use;
    return price_line(catalog(), asked, overlays).line.steps.at(0).contracted;
  };
  CHECK(paid(PriceModel::on_demand, PriceUse::leased) == MachineHourPrice{77'871'200'000});  // 88.49 x 0.88
  CHECK(paid(PriceModel::on_demand, PriceUse::held) == MachineHourPrice{77'871'200'000});
  CHECK(paid(PriceModel::spot, PriceUse::leased) == MachineHourPrice{50'609'540'000});
  CHECK(paid(PriceModel::cud_1y, PriceUse::held) == MachineHourPrice{61'383'670'000});
  CHECK(paid(PriceModel::cud_1y, PriceUse::existing) == MachineHourPrice{61'383'670'000});
}

TEST_CASE("A discount is on no commitment that exists unless it says so, and on one use if it names one",
          "[billing][overlay]") {
  const auto paid = [](const PriceOverlay& overlay, PriceUse use) {
    PriceRequest asked = request("a3-highgpu-8g", PriceModel::cud_1y);
    asked.use = use;
    return price_line(catalog(), asked, std::vector{overlay}).line.steps.at(0).contracted;
  };
  constexpr MachineHourPrice kList{61'383'670'000};
  constexpr MachineHourPrice kHalf{30'691'835'000};
  PriceOverlay half = discount(500'000);
  CHECK(paid(half, PriceUse::held) == kHalf);
  CHECK(paid(half, PriceUse::leased) == kHalf);
  CHECK(paid(half, PriceUse::existing) == kList);
  half.use = PriceUse::existing;
  CHECK(paid(half, PriceUse::existing) == kHalf);
  CHECK(paid(half, PriceUse::held) == kList);
  half.use = PriceUse::leased;
  CHECK(paid(half, PriceUse::held) == kList);
}

TEST_CASE("Discounts that match multiply in their order, where each says that it is on what is above",
          "[billing][overlay]") {
  PriceOverlay volume = discount(880'000);
  volume.model = PriceModel::on_demand;
  PriceOverlay promised = discount(950'000);
  promised.machine = "a3-highgpu-8g";
  promised.factor_of = FactorOf::above;
  PriceOverlay on_list = discount(900'000);
  const auto paid = [](const std::vector<PriceOverlay>& overlays) {
    return price_line(catalog(), request("a3-highgpu-8g"), overlays).line.steps.at(0).contracted;
  };
  CHECK(paid({volume, promised}) == MachineHourPrice{73'977'640'000});  // 88.49 x 0.88 x 0.95
  CHECK(paid({volume, promised, on_list}) ==
        MachineHourPrice{79'641'000'000});  // 88.49 x 0.9: the last counts
  CHECK(paid({on_list, volume, promised}) == MachineHourPrice{73'977'640'000});
}

TEST_CASE("What is paid has its day, its quality and its source: the list's, or the planner's own",
          "[billing][overlay]") {
  const auto line = [](const std::vector<PriceOverlay>& overlays) {
    return price_line(catalog(), request("a3-highgpu-8g", PriceModel::flex_start), overlays).line;
  };
  const PriceLine listed = line({});
  CHECK(listed.as_of == "2025-08-16");
  CHECK(listed.confidence == "documented");
  const PriceLine discounted = line({discount(900'000)});
  CHECK(discounted.as_of == "2025-08-16");
  CHECK(discounted.confidence == "documented");
  CHECK_THAT(discounted.source, Contains("Sum of SKUs of a bill") && Contains("\"EDP 2026\""));

  PriceOverlay own = own_price(30'000'000'000);
  const PriceLine undated = line({own});
  CHECK(undated.as_of.empty());
  CHECK(undated.confidence == "own");
  CHECK(undated.source == "\"our cluster\"");
  own.as_of = day("2026-05-01");
  PriceOverlay above = discount(900'000);
  above.factor_of = FactorOf::above;
  CHECK(line({own, above}).as_of == "2026-05-01");
  CHECK(line({own, above}).confidence == "own");
  CHECK(line({own, discount(900'000)}).confidence == "documented");  // a factor on the list price again
  own.until = day("2026-08-03");                                     // over when the run begins
  CHECK(line({own}).as_of == "2025-08-16");

  PriceOverlay dated = discount(900'000);
  dated.as_of = day("2026-05-01");
  CHECK_THAT(why_malformed(dated), Contains("only a price has a day"));
}

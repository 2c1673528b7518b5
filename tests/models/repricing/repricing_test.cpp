// Recorded runs at other prices: what is priced again must cost to the last digit what the scenario costs
// when it is simulated with those prices, and what cannot be priced again must be refused.

#include <catch2/catch.hpp>

#include "models/billing/bill.h"
#include "models/repricing/repricing.h"
#include "models/scenario/buying/price_file.h"
#include "tests/support/runs/recorded.h"
#include "tests/support/scenarios/small_scenario.h"

using namespace stockout;
using namespace stockout::test;

namespace {

Date day(const char* text) { return parse_date(text).value(); }

std::string shipped(const std::string& name) {
  return std::string{STOCKOUT_SCENARIOS_DIR} + "/" + name + ".json";
}

StoredComparison record_of(const std::string& path, std::vector<Override> overrides,
                           const std::string& catalog = {}) {
  return recorded(load_scenario(
      path, {.overrides = std::move(overrides), .catalog_dir = catalog, .seed = {}, .replications = 2}));
}

std::vector<Override> with(std::vector<Override> overrides, Override last) {
  overrides.push_back(std::move(last));
  return overrides;
}

// Every strategy that was priced again, against the same strategy simulated with those prices; how many there
// were.
std::size_t same_money(const StoredComparison& record, const Repricing& repricing,
                       const StoredComparison& again) {
  std::size_t compared = 0;
  for (std::size_t i = 0; i < record.strategies.size(); ++i) {
    if (!repricing.strategies[i].why_not.empty()) continue;
    ++compared;
    INFO(record.strategies[i].name);
    for (std::size_t r = 0; r < record.strategies[i].runs.size(); ++r) {
      const StoredRun& run = record.strategies[i].runs[r];
      const StoredRun& simulated = again.strategies[i].runs[r];
      CHECK(run.fingerprint == simulated.fingerprint);
      CHECK(priced(run, repricing.price_lines(), repricing.terms, record.window_end) == simulated.total);
      const Bill bill = bill_of(run.use, repricing.price_lines(), repricing.terms, record.window_end);
      const Bill other = bill_of(simulated.use, again.price_lines(), again.terms, again.window_end);
      CHECK(bill.in_all() == other.in_all());
      CHECK(bill.obligation == other.obligation);
      CHECK(bill.covered == other.covered);
      CHECK(bill.lost_races == other.lost_races);
    }
  }
  return compared;
}

// The built-in catalogue with rows that it does not have.
std::string catalog_with(const ScratchFolder& folder, const std::string& rows) {
  namespace fs = std::filesystem;
  const fs::path copy = folder.path("catalog");
  fs::copy(fs::path{STOCKOUT_SCENARIOS_DIR} / ".." / "models" / "catalog" / "data", copy);
  std::ofstream{copy / "prices.csv", std::ios::app} << rows;
  return copy.string();
}

}  // namespace

TEST_CASE("A shipped scenario priced again costs what it costs when simulated with the prices of the day",
          "[repricing]") {
  const std::vector<Override> no_plan{{"/reservations/0/commitment", "none"}};
  const auto [name, overrides, date] = GENERATE_COPY(table<std::string, std::vector<Override>, std::string>({
      {"quickstart", no_plan, "2025-03-15"},
      {"quickstart", no_plan, "2024-12-24"},
      {"commitments", {{"/window", "7d"}, {"/warm_up", "1d"}}, "2026-08-01"},
      {"spot-lifetimes", {{"/window", "7d"}}, "2026-02-05"},
      {"held-capacity", {}, "2026-08-01"},
  }));
  CAPTURE(name, date);
  const StoredComparison record = record_of(shipped(name), overrides);
  const Repricing repricing =
      reprice(record, Catalog::embedded(), {.date = day(date.c_str()), .own = {}, .billing = {}});
  auto on_the_day = with(overrides, {"/prices_as_of", date});
  if (record.prices_follow_calendar) on_the_day.push_back({"/prices_follow_calendar", "false"});
  const StoredComparison again = record_of(shipped(name), on_the_day);
  CHECK(same_money(record, repricing, again) == record.strategies.size());
}

TEST_CASE("A management fee is priced again, by the share and by the on-demand price of the day",
          "[repricing]") {
  const std::vector<Override> on_vertex{{"/strategies/0/orchestrator", "vertex"}};
  const StoredComparison record = record_of(shipped("flex-forms"), on_vertex);
  const auto fee = [](const StoredComparison& stored) {
    return stored.strategies[0].runs[0].total[Measure::cost_management_fee].value;
  };
  REQUIRE(fee(record) > 0);
  BillingRule tenth = record.billing;
  tenth.fee_ppm = 100'000;
  const Repricing repricing = reprice(record, Catalog::embedded(), {.date = {}, .own = {}, .billing = tenth});
  const StoredComparison again =
      record_of(shipped("flex-forms"), with(on_vertex, {"/billing", R"({"management_fee": 0.1})"}));
  CHECK(same_money(record, repricing, again) == record.strategies.size());
  CHECK(fee(again) == Approx(fee(record) / 1.5));
}

TEST_CASE("Prices with dates are priced again at local midnight, also after a change of clocks",
          "[repricing]") {
  const ScratchFolder folder;
  const StoredComparison record =
      record_of(folder.file("s.json", test::kSmallScenario),
                {{"/start", "\"2026-03-28\""},
                 {"/time_zone", "\"Europe/Berlin\""},
                 {"/window", "\"4d\""},
                 {"/workload/0/schedule/at", "\"00:00\""},
                 {"/prices/-", R"({"machine": "generic", "usd_per_hour": 3, "from": "2026-03-30"})"}});
  const Repricing as_it_was = reprice(record, Catalog::embedded(), {});
  CHECK(same_money(record, as_it_was, record) == 1);
  CHECK(as_it_was.strategies[0].change.mean == 0);
  // 96 h from Saturday on reach into Wednesday: two jobs at $10 and three at $3, each with a minute of
  // start-up.
  CHECK(record.strategies[0].runs[0].total[Measure::cost].value == Approx((2 * 10 + 3 * 3) * 61.0 / 60));
}

TEST_CASE("Prices that follow the calendar are followed again, or give way to those of one day",
          "[repricing]") {
  const std::vector<Override> short_window{{"/window", "14d"}};
  const StoredComparison record = record_of(shipped("many-zones"), short_window);
  REQUIRE(record.prices_follow_calendar);
  const Catalog catalog = Catalog::embedded();

  const Repricing as_it_was = reprice(record, catalog, {});
  CHECK(same_money(record, as_it_was, record) ==
        record.strategies.size());  // the one that looks at prices too
  for (const StrategyNow& strategy : as_it_was.strategies) CHECK(strategy.change.mean == 0);

  const Repricing one_day = reprice(record, catalog, {.date = day("2025-10-01"), .own = {}, .billing = {}});
  const StoredComparison again = record_of(
      shipped("many-zones"),
      with(with(short_window, {"/prices_follow_calendar", "false"}), {"/prices_as_of", "2025-10-01"}));
  CHECK(same_money(record, one_day, again) == record.strategies.size() - 1);
  CHECK_THAT(one_day.strategies.back().why_not, Catch::Contains("looks at prices"));

  const ScratchFolder folder;
  const std::string other =
      catalog_with(folder, "a3-highgpu-8g,us-central1,spot,99.5,2026-04-08,documented,billing-2026-07-30,\n");
  const Repricing elsewhere = reprice(record, Catalog::from_folder(other), {});
  CHECK(same_money(record, elsewhere, record_of(shipped("many-zones"), short_window, other)) ==
        record.strategies.size() - 1);
  CHECK(elsewhere.strategies[4].change.mean > 0);  // Spot, then flex
}

TEST_CASE("Commitments, other costs, shared machines, lost races and own prices are priced to the last digit",
          "[repricing]") {
  const ScratchFolder folder;
  const std::string path = folder.file("billed.json", kBilledScenario);
  const StoredComparison record = record_of(path, {});
  const std::string other =
      catalog_with(folder,
                   "a3-highgpu-8g,us-central1,cud_1y,70.000000001,2025-01-01,documented,billing-2026-07-30,\n"
                   "a3-highgpu-8g,us-central1,calendar,41.6,2025-01-01,documented,billing-2026-07-30,\n");
  const Catalog catalog = Catalog::from_folder(other);
  const Repricing earlier = reprice(record, catalog, {.date = day("2025-10-01"), .own = {}, .billing = {}});
  const StoredComparison again = record_of(path, {{"/prices_as_of", "2025-10-01"}}, other);
  CHECK(same_money(record, earlier, again) == record.strategies.size() - 1);
  CHECK(earlier.terms.commitments[0].contracted == MachineHourPrice{70'000'000'001});
  CHECK(earlier.terms.commitments[1].contracted ==
        MachineHourPrice{50'000'000'000});  // agreed, whatever the day

  const std::string offer = folder.file("offer.json", R"({"prices": [
    {"region": "us-central1", "factor": 0.777777, "label": "all"},
    {"model": "flex_start", "usd_per_hour": 0.3, "until": "2026-08-05", "label": "trial"}]})");
  const PriceFile file = read_price_file(offer, Catalog::embedded(), {});
  const Repricing offered =
      reprice(record, Catalog::embedded(), {.date = {}, .own = file.prices, .billing = {}});
  const StoredComparison simulated = record_of(
      path, {{"/prices/-", R"({"region": "us-central1", "factor": 0.777777, "label": "all"})"},
             {"/prices/-",
              R"({"model": "flex_start", "usd_per_hour": 0.3, "until": "2026-08-05", "label": "trial"})"}});
  CHECK(same_money(record, offered, simulated) == record.strategies.size() - 1);
}

TEST_CASE("What has no price leaves out the strategies that used it, and no other", "[repricing]") {
  const StoredComparison record = record_of(shipped("quickstart"), {});
  const Repricing repricing =
      reprice(record, Catalog::embedded(), {.date = day("2025-03-15"), .own = {}, .billing = {}});
  for (std::size_t i = 0; i < record.strategies.size(); ++i) {
    const bool reserved = i >= 5;
    CHECK(repricing.strategies[i].why_not.empty() != reserved);
    if (reserved) CHECK_THAT(repricing.strategies[i].why_not, Catch::Contains("no cud_1y price"));
  }
  CHECK(repricing.now.strategies.size() == 5);

  const Repricing too_early =
      reprice(record, Catalog::embedded(), {.date = day("1999-01-01"), .own = {}, .billing = {}});
  CHECK(too_early.now.strategies.empty());

  StoredComparison unknown = record;
  unknown.lines[0].machine = "a9-hugegpu-8g";
  CHECK_THAT(reprice(unknown, Catalog::embedded(), {}).strategies[5].why_not,
             Catch::Contains("no machine \"a9-hugegpu-8g\""));
}

TEST_CASE("Another billing rule, and a commitment without a price, leave nothing to price", "[repricing]") {
  const ScratchFolder folder;
  const StoredComparison record = record_of(folder.file("billed.json", kBilledScenario), {});
  const Catalog catalog = Catalog::embedded();
  BillingRule rule;
  CHECK(reprice(record, catalog, {.date = {}, .own = {}, .billing = rule}).now.strategies.size() ==
        record.strategies.size());
  rule.step = std::chrono::hours{1};
  const Repricing by_the_hour = reprice(record, catalog, {.date = {}, .own = {}, .billing = rule});
  CHECK(by_the_hour.now.strategies.empty());
  CHECK_THAT(by_the_hour.strategies[0].why_not, Catch::Contains("another billing rule needs"));
  const Repricing early = reprice(record, catalog, {.date = day("2025-10-01"), .own = {}, .billing = {}});
  CHECK(early.now.strategies.empty());
  CHECK_THAT(early.strategies[0].why_not, Catch::Contains("commitment \"one\": no cud_1y price"));
}

TEST_CASE("Recorded differences are paired, and nothing but money changes", "[repricing]") {
  const ScratchFolder folder;
  const StoredComparison record = record_of(folder.file("billed.json", kBilledScenario), {});
  const PriceOverlay twice{.machine = {},
                           .gpu = {},
                           .region = {},
                           .model = {},
                           .factor_ppm = 2'000'000,
                           .usd_per_hour = {},
                           .from = {},
                           .until = {},
                           .label = "twice"};
  const Repricing repricing =
      reprice(record, Catalog::embedded(), {.date = {}, .own = {twice}, .billing = {}});
  for (std::size_t i = 0; i + 1 < record.strategies.size(); ++i) {
    const StrategyResult& before = repricing.before.strategies[i];
    const StrategyResult& now = repricing.now.strategies[repricing.strategies[i].place];
    CHECK(repricing.strategies[i].change.mean ==
          Approx(now.total[Measure::cost].mean - before.total[Measure::cost].mean));
    CHECK(now.total[Measure::wait_mean].mean == before.total[Measure::wait_mean].mean);
    CHECK(now.work_done == before.work_done);
    CHECK(now.total[Measure::cost_list].mean == before.total[Measure::cost_list].mean);
  }
}

TEST_CASE("A price file is a list of prices or an object, and is checked as in a scenario", "[repricing]") {
  const ScratchFolder folder;
  const Catalog catalog = Catalog::embedded();
  const auto read = [&](const std::string& text) {
    return read_price_file(folder.file("prices.json", text), catalog, {});
  };
  CHECK(read(R"([{"factor": 0.5, "label": "half"}])").prices.size() == 1);
  PriceOverlay own;
  own.usd_per_hour = MachineHourPrice{1};
  const std::string on_own = folder.file("own.json", R"([{"machine": "generic", "factor": 0.8}])");
  CHECK(read_price_file(on_own, catalog, std::vector{own}).prices.size() == 1);
  CHECK(read(R"({"prices": [], "billing": {"step": "1h"}})").billing->step == std::chrono::hours{1});
  const auto [text, message] = GENERATE(table<std::string, std::string>({
      {R"([{"label": "x"}])", "one of \"usd_per_hour\", \"factor\" is missing"},
      {R"([{"factor": -1, "label": "x"}])", "/prices/0/factor"},
      {R"([{"label": "x", "machine": "a3-highgpu-9g", "factor": 1}])", "did you mean \"a3-highgpu-1g\""},
      {R"([{"label": "x", "machine": "generic", "factor": 0.8}])",
       "/prices/0/factor: is a factor on nothing"},
      {R"({"price": []})", "there is no key \"price\""},
      {R"({"billing": {"step": "2d"}})", "must be at most 1d"},
      {"3", "must be"},
      {"", "prices.json"},
  }));
  CAPTURE(text);
  CHECK_THAT(error_in([&, text = text] { static_cast<void>(read(text)); }), Catch::Contains(message));
}

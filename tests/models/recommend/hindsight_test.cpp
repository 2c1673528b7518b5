// What an advice is worth on later jobs, against costs that are worked out by hand.

#include <catch2/catch.hpp>

#include "tests/support/made_up/history_question.h"

using namespace stockout;
using test::HistoryQuestion;
using test::noon_jobs;

namespace {

// Jobs of an hour at noon that must start at once: as many machines as jobs a day. A reserved one costs $240
// a day, one on demand $500 an hour, and a minute to start is paid too.
constexpr const char* kReserveOrRent = R"({
  "name": "later", "start": "2026-08-03", "window": "4d", "prices_as_of": "2026-07-30",
  "prices": [{"machine": "generic", "usd_per_hour": 10},
             {"machine": "generic", "use": "leased", "model": "on_demand", "usd_per_hour": 500}],
  "workload": [{"name": "jobs", "machine": "generic",
                "trace": {"file": "jobs.csv", "format": "csv", "shift": "none"}}],
  "pools": [{"name": "zone", "family": "generic", "place": "generic", "gpus": 8}],
  "models": {"all": {"start_up": "1min"}, "on_demand": {"retries": 0}},
  "goal": {"wait_p": 95, "at_most": "5min", "same_work": 50}, "indifference_usd": 10,
  "decide": [{"name": "machines", "at": "/reservations/0/count", "from": 1, "to": 6}],
  "reservations": [{"name": "held", "machine": "generic", "place": "generic", "count": 6}],
  "strategies": [
    {"name": "reserved", "legs": [{"model": "reservation", "reservation": "held"}]},
    {"name": "rented", "legs": [{"model": "on_demand"}]}]
})";
constexpr double kReservedDay = 240;
constexpr double kRentedJob = 500 * 61.0 / 60;

}  // namespace

TEST_CASE("Regret is what the advice costs more than the best in hindsight", "[recommend][hindsight]") {
  // Five machines are needed on the first two days, and three on the last two.
  const HistoryQuestion question{kReserveOrRent, noon_jobs({5, 5, 3, 3}), 2};
  const Hindsight result = question.answer();
  REQUIRE(result.kind == Hindsight::Kind::regret);
  CHECK(question.advised(result) == "reserved; machines: 5");
  CHECK(question.best(result) == "reserved; machines: 3");
  CHECK(result.advice.standings[0].cost.mean == Approx(2 * 5 * kReservedDay));
  CHECK(result.paid->cost.mean == Approx(2 * 5 * kReservedDay));
  CHECK(result.best_paid->cost.mean == Approx(2 * 3 * kReservedDay));
  CHECK(result.regret->mean == Approx(2 * 2 * kReservedDay));
  CHECK_FALSE(result.regret->half_width);  // nothing is drawn
  CHECK_FALSE(result.is_best);
  // As written six are held: of 2 x 3 machine-days too many the advice saves 2 x 1.
  CHECK(result.baseline_paid->cost.mean == Approx(2 * 6 * kReservedDay));
  CHECK(result.to_gain->mean == Approx(2 * 3 * kReservedDay));
  CHECK(result.gained->mean == Approx(2 * 1 * kReservedDay));
  CHECK(result.captured->mean == Approx(1.0 / 3));
  // Against renting.
  const Hindsight rented = question.answer(1);
  CHECK(rented.baseline_paid->cost.mean == Approx(6 * kRentedJob));
  CHECK(rented.captured->mean ==
        Approx((6 * kRentedJob - 10 * kReservedDay) / (6 * kRentedJob - 6 * kReservedDay)));
}

TEST_CASE("An advice that misses a goal later has no regret in dollars", "[recommend][hindsight]") {
  const HistoryQuestion question{kReserveOrRent, noon_jobs({3, 3, 5, 5}), 2};
  const Hindsight result = question.answer();
  REQUIRE(result.kind == Hindsight::Kind::misses_goal);
  CHECK(question.advised(result) == "reserved; machines: 3");
  CHECK(question.best(result) == "reserved; machines: 5");
  CHECK(result.paid->missed == std::vector<std::size_t>{0});
  CHECK(result.paid->goals[0]->mean == Approx(3.0 / 5));
  CHECK(result.paid->cost.mean == Approx(2 * 3 * kReservedDay));
  CHECK_FALSE(result.regret);
  CHECK_FALSE(result.gained);
  CHECK_FALSE(result.captured);
  CHECK(result.to_gain->mean == Approx(2 * 1 * kReservedDay));
}

TEST_CASE("An advice misses a goal that it is known to miss, be it by less than the tolerance",
          "[recommend][hindsight]") {
  const auto kind_with = [](int late) {
    std::vector<int> by_day(29, 4);
    for (int i = 0; i < late; ++i) by_day[static_cast<std::size_t>(4 + i)] = 5;
    const HistoryQuestion question{kReserveOrRent, noon_jobs(by_day), 4, {{"/window", "29d"}}};
    return question.answer().kind;
  };
  CHECK(kind_with(5) == Hindsight::Kind::regret);       // 100 of 105 jobs start in time
  CHECK(kind_with(6) == Hindsight::Kind::misses_goal);  // 100 of 106: 94.3 %, and the best is another
}

TEST_CASE("The same way is no regret, and all that can be saved", "[recommend][hindsight]") {
  const HistoryQuestion question{kReserveOrRent, noon_jobs({4, 4, 4}), 2, {{"/window", "3d"}}};
  const Hindsight result = question.answer();
  REQUIRE(result.kind == Hindsight::Kind::regret);
  CHECK(result.is_best);
  CHECK(result.regret->mean == 0);
  CHECK(result.captured->mean == 1);
  // The parts are of two days and of one.
  CHECK(result.advice.standings[0].cost.mean == Approx(2 * 4 * kReservedDay));
  CHECK(result.paid->cost.mean == Approx(4 * kReservedDay));
}

TEST_CASE("Where nothing can be saved no share of it is captured", "[recommend][hindsight]") {
  const HistoryQuestion question{
      kReserveOrRent, noon_jobs({5, 5, 3, 3}), 2, {{"/reservations/0/count", "3"}}};
  const Hindsight result = question.answer();
  REQUIRE(result.kind == Hindsight::Kind::regret);
  CHECK(result.to_gain->mean == 0);
  CHECK(result.gained->mean == Approx(-2 * 2 * kReservedDay));
  CHECK_FALSE(result.captured);
}

TEST_CASE("No share is captured of a saving that makes no difference", "[recommend][hindsight]") {
  const HistoryQuestion question{kReserveOrRent, noon_jobs({5, 5, 3, 3}), 2};
  const double saving = 2 * 3 * kReservedDay;
  CHECK(question.answer(0, {.indifference_usd = saving - 1}).captured);
  const Hindsight result = question.answer(0, {.indifference_usd = saving});
  CHECK(result.to_gain->mean > 0);
  CHECK_FALSE(result.captured);
}

TEST_CASE("Without an advice nothing is paid", "[recommend][hindsight]") {
  const HistoryQuestion question{
      kReserveOrRent, noon_jobs({8, 8, 3, 3}), 2, {{"/strategies", R"([{"name": "reserved", "legs": [
                                     {"model": "reservation", "reservation": "held"}]}])"}}};
  const Hindsight result = question.answer();
  CHECK(result.kind == Hindsight::Kind::nothing_advised);
  CHECK(result.advice.kind == Recommendation::Kind::none_meets_goals);
  CHECK_FALSE(result.best);
}

TEST_CASE("Where nothing meets the goals later there is no regret", "[recommend][hindsight]") {
  const HistoryQuestion question{
      kReserveOrRent, noon_jobs({3, 3, 8, 8}), 2, {{"/strategies", R"([{"name": "reserved", "legs": [
                                     {"model": "reservation", "reservation": "held"}]}])"}}};
  const Hindsight result = question.answer();
  CHECK(result.kind == Hindsight::Kind::misses_goal);
  CHECK(result.best->kind == Recommendation::Kind::none_meets_goals);
  CHECK_FALSE(result.best_paid);
  CHECK_FALSE(result.to_gain);
  CHECK(result.baseline_paid->missed == std::vector<std::size_t>{0});
}

TEST_CASE("An advice that is refused after the split is not for sale there", "[recommend][hindsight]") {
  const HistoryQuestion question{kReserveOrRent, noon_jobs({3, 3, 3, 3}), 2, {{"/decide", R"([
      {"name": "machines", "choices": [
        {"name": "three until the split", "set": {"/reservations/0/count": 3, "/reservations/0/until": "2026-08-05"}},
        {"name": "five", "set": {"/reservations/0/count": 5}}]}])"}}};
  const Hindsight result = question.answer();
  CHECK(result.kind == Hindsight::Kind::not_for_sale);
  CHECK(question.advised(result) == "reserved; machines: three until the split");
  CHECK(question.bought_after().refused().size() == 1);
  CHECK_FALSE(result.paid);
  CHECK_FALSE(result.regret);
  CHECK(question.best(result) == "reserved; machines: five");
  CHECK(result.to_gain->mean == Approx(2 * 1 * kReservedDay));
}

TEST_CASE("A commitment may oblige for as long as in the whole window", "[recommend][hindsight]") {
  const HistoryQuestion question{kReserveOrRent, noon_jobs({3, 3, 3, 3}), 2};
  const Hindsight result = question.answer();
  CHECK(result.advice.longest_obligation == std::chrono::days{4});
  CHECK(result.best->longest_obligation == std::chrono::days{4});
}

TEST_CASE("Regret is known by common random numbers", "[recommend][hindsight]") {
  // The provider's other customers take what they take under all ways.
  const HistoryQuestion question{
      kReserveOrRent,
      noon_jobs({5, 5, 3, 3}),
      2,
      {{"/pools/0/gpus", "40"},
       {"/pools/0/tenants", R"({"load": 0.5})"},
       {"/reservations/0/added_supply", "true"},
       {"/strategies/0/legs/-", R"({"model": "on_demand"})"},
       {"/workload/-",
        R"({"name": "more", "machine": "generic", "poisson": {"per_day": 6}, "work": "1h"})"}}};
  const Hindsight result = question.answer(1);
  REQUIRE(result.regret);
  CHECK(result.regret->mean == Approx(result.paid->cost.mean - result.best_paid->cost.mean));
  CHECK(result.paid->cost.half_width.value() > 0);
  if (!result.is_best) CHECK(result.regret->half_width.value() < result.paid->cost.half_width.value() * 1.5);
  CHECK(result.captured->mean == Approx(result.gained->mean / result.to_gain->mean));
  CHECK(result.replications >= 10);
}

TEST_CASE("Over worlds regret is the mean over them", "[recommend][hindsight][worlds]") {
  const auto price = [](const char* name, std::size_t turns, std::int64_t usd) {
    return PurchaseWorld{
        .name = name,
        .turns = turns,
        .changes = {{.pointer = "/prices/0/usd_per_hour", .value = JsonValue{usd}, .said_in = "the test"}}};
  };
  std::vector<PurchaseWorld> worlds{price("cheap", 3, 10), price("dear", 1, 14)};
  const std::vector<PlacedValue> middle = worlds.front().changes;
  const HistoryQuestion question{
      kReserveOrRent, noon_jobs({5, 5, 3, 3}), 2, {}, PurchaseWorlds{worlds, middle}};
  const Hindsight result = question.answer();
  REQUIRE(result.kind == Hindsight::Kind::regret);
  CHECK(question.best(result) == "reserved; machines: 3");
  CHECK(result.regret->mean == Approx(2 * 2 * kReservedDay * 1.1));
  CHECK_FALSE(result.regret->half_width);
}

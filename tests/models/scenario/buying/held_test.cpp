#include <algorithm>
#include <chrono>

#include <catch2/catch.hpp>

#include "models/simulation/simulate.h"
#include "sim/core/error.h"
#include "tests/support/scenarios/small_scenario.h"

using namespace stockout;
using namespace std::chrono_literals;
using Catch::Contains;

namespace {

// The small scenario, which begins on 2026-08-03, holding capacity by this node.
Scenario holding(const std::string& node, const std::string& leg_model) {
  return test::ScenarioLoader{}.small(
      {{"/reservations/0",
        R"({"name": "held", "machine": "generic", "place": "generic", "count": 4, )" + node + "}"},
       {"/strategies/0/legs", R"([{"model": ")" + leg_model + R"(", "reservation": "held"}])"}});
}

std::string error_holding(const std::string& node, const std::string& leg_model) {
  return test::error_in([&] { static_cast<void>(holding(node, leg_model)); });
}

std::string error_of_strategy(const std::string& strategy) {
  return test::error_in([&] {
    static_cast<void>(test::ScenarioLoader{}.small({{"/strategies/0", strategy}}));
  });
}

}  // namespace

TEST_CASE("A persistent resource has bounds, patience with idle machines and a cold start",
          "[scenario][held]") {
  const HeldPool held = holding(R"("model": "persistent_resource", "least": 2, "idle_after": "20min",
                                   "cold_start": {"exponential": "6min"})",
                                "persistent_resource")
                            .world.held.at(0);
  REQUIRE(held.scaling);
  CHECK(held.machines == MachineCount{4});
  CHECK(held.scaling->least == MachineCount{2});
  CHECK(held.scaling->idle_after == 20min);
  CHECK(held.scaling->cold_start.mean_ms() == 360'000);
  const HeldPool usual = holding(R"("model": "persistent_resource")", "persistent_resource").world.held.at(0);
  CHECK(usual.scaling->least == MachineCount{1});
  CHECK(usual.scaling->cold_start.a == 5min);
  CHECK(usual.scaling->cold_start.b == 10min);
  CHECK_THAT(error_holding(R"("model": "persistent_resource", "least": 5)", "persistent_resource"),
             Contains("/least: must be at most \"count\", 4, but is 5"));
}

TEST_CASE("A minimum is raised on days and in hours of the calendar", "[scenario][held]") {
  const Scenario scenario = holding(
      R"("model": "persistent_resource", "raised": [
           {"least": 3, "from": "2026-08-04", "until": "2026-08-06"},
           {"least": 2, "from": "2026-08-05", "until": "2026-08-10", "days": "weekdays", "hours": "08:00-18:30"}])",
      "persistent_resource");
  const Scaling& scaling = *scenario.world.held.at(0).scaling;
  REQUIRE(scaling.steps.size() == 6);
  const auto is = [&](std::size_t i, SimDuration at, std::int64_t least) {
    return scaling.steps[i].at == kStart + at && scaling.steps[i].least == MachineCount{least};
  };
  CHECK(is(0, 24h, 3));  // Tuesday and Wednesday: the office hours of Wednesday ask for less
  CHECK(is(1, 72h, 1));
  CHECK(is(2, 72h + 8h, 2));
  CHECK(is(3, 72h + 18h + 30min, 1));
  CHECK(is(4, 96h + 8h, 2));  // Friday; then comes the weekend
  CHECK(is(5, 96h + 18h + 30min, 1));
  const auto tells = [&](const std::string& line) {
    return std::ranges::find(scenario.assumptions, line) != scenario.assumptions.end();
  };
  CHECK(tells("held: at least 3 machines from 2026-08-04 to 2026-08-05"));
  CHECK(tells("held: at least 2 machines from 2026-08-05 to 2026-08-09, weekdays, 08:00-18:30"));
  CHECK(scaling.least_at(kStart) == MachineCount{1});
  CHECK(scaling.least_at(kStart + 72h - 1ms) == MachineCount{3});
  CHECK(scaling.least_at(kStart + 72h) == MachineCount{1});
}

TEST_CASE("A raised minimum is more than the usual one and no more than there are", "[scenario][held]") {
  const auto error = [](const std::string& raised) {
    return error_holding(R"("model": "node_pool", "least": 2, "raised": [)" + raised + "]", "node_pool");
  };
  CHECK_THAT(error(R"({"least": 2})"),
             Contains("/raised/0/least: must be more than the usual \"least\", 2, but is 2"));
  CHECK_THAT(error(R"({"least": 5})"), Contains("/raised/0/least: must be at most \"count\", 4, but is 5"));
  CHECK_THAT(error(R"({"least": 3, "from": "2026-08-05", "until": "2026-08-05"})"),
             Contains("/raised/0/until: must be later than \"from\""));
  CHECK_THAT(error_holding(R"("model": "reservation", "raised": [{"least": 3}])", "reservation"),
             Contains("/raised: is allowed only with model \"persistent_resource\" or \"node_pool\""));
  const Scenario late =
      holding(R"("model": "node_pool", "raised": [{"least": 3, "from": "2030-01-01"}])", "node_pool");
  CHECK_THAT(late.warnings.back(), Contains("held: a raised minimum lies outside the run"));
}

TEST_CASE("A node pool is elastic with the numbers of GKE's cluster autoscaler", "[scenario][held]") {
  const Scenario scenario = holding(R"("model": "node_pool")", "node_pool");
  const HeldPool& usual = scenario.world.held.at(0);
  REQUIRE(usual.scaling);
  CHECK(usual.scaling->least == MachineCount{0});
  CHECK(usual.scaling->idle_after == 10min);
  CHECK(usual.scaling->after_add == 10min);
  CHECK(usual.scaling->lease_class == LeaseClass::on_demand);
  CHECK(usual.scaling->is_node_pool);
  CHECK_FALSE(usual.is_persistent_resource());
  CHECK(usual.retry_every == 5min);
  CHECK_THAT(scenario.assumptions.at(0), Contains("asks again at one interval, which does not double"));
  const HeldPool own =
      holding(
          R"("model": "node_pool", "least": 1, "idle_after": "5min", "after_add": "1min", "retry_every": "1h")",
          "node_pool")
          .world.held.at(0);
  CHECK(own.scaling->least == MachineCount{1});
  CHECK(own.scaling->idle_after == 5min);
  CHECK(own.scaling->after_add == 1min);
  CHECK(own.retry_every == 1h);
  const HeldPool persistent =
      holding(R"("model": "persistent_resource")", "persistent_resource").world.held.at(0);
  CHECK(persistent.retry_every == 1h);
  CHECK(persistent.scaling->after_add == 0s);
  CHECK_THAT(error_holding(R"("model": "node_pool", "commitment": "1y")", "node_pool"),
             Contains("/commitment"));
}

TEST_CASE("Nodes stay for ten minutes after a job, and a job that comes meanwhile has one at once",
          "[scenario][held]") {
  const std::string workload = R"([
      {"name": "first", "schedule": {"at": "12:00"}, "machine": "generic", "work": "1h"},
      {"name": "second", "schedule": {"at": "13:10"}, "machine": "generic", "work": "30min"},
      {"name": "third", "schedule": {"at": "14:00"}, "machine": "generic", "work": "30min"}])";
  const Scenario scenario = test::ScenarioLoader{}.small(
      {{"/window", "1d"},
       {"/workload", workload},
       {"/reservations/0", R"({"name": "held", "model": "node_pool", "machine": "generic", "place": "generic",
                               "count": 4, "cold_start": "5min"})"},
       {"/strategies/0", R"({"name": "s", "orchestrator": "gke",
                             "legs": [{"model": "node_pool", "reservation": "held"}]})"}});
  const RunRecord record = simulate(scenario.world, 0, 0);
  REQUIRE(record.jobs.size() == 3);
  // Asked for at 12:00, the node comes at 12:05; image and data take a minute.
  CHECK(record.jobs.at(0).first_grant == kStart + 12h + 5min);
  CHECK(record.jobs.at(0).finished == kStart + 13h + 6min);
  // The node is there until 13:16.
  CHECK(record.jobs.at(1).first_grant == kStart + 13h + 10min);
  CHECK(record.jobs.at(1).finished == kStart + 13h + 41min);
  // It went at 13:51.
  CHECK(record.jobs.at(2).first_grant == kStart + 14h + 5min);
  CHECK(record.jobs.at(2).finished == kStart + 14h + 36min);
  // Paid from 12:05 to 13:51 and from 14:05 to 14:46, of which jobs had 61, 31 and 31 minutes.
  MachineTime paid{};
  const UsageKey key{.line = scenario.world.held[0].line};
  for (const auto& hour : record.usage.hours(key)) paid += hour.used;
  CHECK(paid == MachineTime{(106 + 41) * 60'000});
  CHECK(record.usage.split(key).idle == GpuCount{1} * SimDuration{24min});
}

TEST_CASE("A future reservation is decided beforehand and ends", "[scenario][held]") {
  const HeldPool held = holding(R"("model": "future_reservation", "from": "2026-08-04", "until": "2027-08-04",
                                   "booked": "2026-08-03", "acceptance": 0.25, "bookable": 0.5, "gather": "2h")",
                                "future_reservation")
                            .world.held.at(0);
  REQUIRE(held.booking);
  CHECK(held.from == kStart + 24h);
  CHECK(held.until == kStart + 366 * 24h);
  CHECK(held.booking->decided == kStart);
  CHECK(held.booking->gather == 2h);
  CHECK(held.booking->accept_ppm == 250'000);
  CHECK(held.booking->bookable_ppm == 500'000);
}

TEST_CASE("A future reservation is for a year or more, and a short lead time is told", "[scenario][held]") {
  const auto booked = [](const std::string& dates) { return R"("model": "future_reservation", )" + dates; };
  CHECK_THAT(error_holding(booked(R"("from": "2026-08-04", "until": "2027-08-03")"), "future_reservation"),
             Contains("/until: a future reservation is for a year or more, to 2027-08-04 at least"));
  const auto warned = [&](const std::string& lead) {
    const auto warnings =
        holding(booked(R"("from": "2026-09-04", "lead_time": ")" + lead + "\""), "future_reservation")
            .warnings;
    return std::ranges::any_of(warnings, [](const std::string& warning) {
      return warning.find("no lead time is published") != std::string::npos;
    });
  };
  CHECK(warned("29d"));
  CHECK_FALSE(warned("30d"));
}

TEST_CASE("A commitment has its whole term, from the day on which its reservation begins",
          "[scenario][held]") {
  const auto term = [](const std::string& keys) {
    return holding(R"("model": "reservation", )" + keys, "reservation").world.held.at(0).committed;
  };
  CHECK(term(R"("until": "2026-08-05")") == 0s);
  CHECK(term(R"("until": "2026-08-05", "commitment": "1y")") == 365 * 24h);
  CHECK(term(R"("from": "2026-08-04", "commitment": "3y")") == 1'096 * 24h);
  CHECK(term(R"("from": "2025-09-02", "commitment": "1y")") == 30 * 24h);
  CHECK(term(R"("from": "2024-09-02", "commitment": "1y")") == 0s);
}

TEST_CASE("A commitment that ends within the window is taken to be renewed, and told so",
          "[scenario][held]") {
  const auto warned = [](const std::string& dates) {
    const auto warnings =
        holding(R"("model": "reservation", "commitment": "1y", )" + dates, "reservation").warnings;
    return std::ranges::any_of(warnings, [](const std::string& warning) {
      return warning ==
             "held: its commitment of 1y ends on 2026-08-04, and is taken to be renewed at the same price";
    });
  };
  CHECK(warned(R"("from": "2025-08-04")"));  // the window is 3 and 4 August
  CHECK_FALSE(warned(R"("from": "2025-08-05")"));
  CHECK_FALSE(warned(R"("from": "2025-08-04", "until": "2026-08-04")"));
}

TEST_CASE("Calendar mode keeps its rules", "[scenario][held]") {
  const auto error = [](const std::string& dates) {
    return error_holding(R"("model": "calendar", )" + dates, "calendar");
  };
  CHECK_THAT(error(R"("from": "2026-08-20")"), Contains("1 to 90 days"));
  CHECK_THAT(error(R"("from": "2026-08-20", "until": "2026-12-20")"),
             Contains("/until") && Contains("for 1 to 90 days, not 122"));
  CHECK_THAT(error(R"("from": "2026-08-20", "until": "2026-08-22", "booked": "2026-08-18")"),
             Contains("/booked: a calendar booking is made at least"));
  CHECK_THAT(error(R"("from": "2026-08-20", "until": "2026-08-22", "lead_time": "1h")"),
             Contains("/lead_time"));
  CHECK_THAT(error(R"("from": "2026-12-20", "until": "2026-12-22", "booked": "2026-08-21")"),
             Contains("/booked: a calendar booking is made at most 120 days beforehand, not 121d"));
  CHECK(error(R"("from": "2026-12-20", "until": "2026-12-22", "booked": "2026-08-22")").empty());
  CHECK_THAT(error(R"("from": "2026-08-20", "until": "2026-08-22", "least": 1)"),
             Contains("/least: is allowed only with model \"persistent_resource\""));
  CHECK_THAT(error(R"("from": "2026-08-20", "until": "2026-08-22", "commitment": "1y")"),
             Contains("/commitment"));
}

TEST_CASE("A calendar booking can be cancelled until its lock, 56 days before it starts",
          "[scenario][held]") {
  const auto booked = [](const std::string& cancelled, const std::string& made = "2026-07-01") {
    return R"("model": "calendar", "from": "2026-10-01", "until": "2026-10-08", "booked": ")" + made +
           R"(", "cancelled": ")" + cancelled + "\"";
  };
  CHECK(holding(booked("2026-08-05"), "calendar").world.held.at(0).booking->accept_ppm == 0);
  CHECK_THAT(error_holding(booked("2026-08-06"), "calendar"),
             Contains("/cancelled: is too late: the booking is locked from 2026-08-06"));
  CHECK_THAT(error_holding(booked("2026-06-30"), "calendar"), Contains("before the booking is made"));
  CHECK_THAT(error_holding(booked("2026-06-25", "2026-06-10"), "calendar"),
             Contains("since 2026-06-26 only"));
  CHECK_THAT(error_holding(booked("2026-08-20", "2026-08-10"), "calendar"), Contains("locked at once"));
  CHECK_THAT(error_holding(R"("model": "reservation", "cancelled": "2026-08-05")", "reservation"),
             Contains("is allowed only with model \"calendar\""));
}

TEST_CASE("The 90 days of Calendar mode are days, also where clocks change", "[scenario][held]") {
  const Scenario scenario = test::ScenarioLoader{}.small(
      {{"/time_zone", "America/Los_Angeles"},
       {"/reservations/0", R"({"name": "held", "model": "calendar", "machine": "generic", "place": "generic",
                               "count": 4, "from": "2026-08-17", "until": "2026-11-15"})"},
       {"/strategies/0/legs", R"([{"model": "calendar", "reservation": "held"}])"}});
  const HeldPool& held = scenario.world.held.at(0);
  CHECK(held.until - held.from == 90 * 24h + 1h);
}

TEST_CASE("A leg names the model by which the capacity is held", "[scenario][held]") {
  CHECK_THAT(error_holding(R"("model": "persistent_resource")", "reservation"),
             Contains("is held with model \"persistent_resource\": say so in the leg"));
}

TEST_CASE("A window that never opens is refused", "[scenario][held]") {
  CHECK_THAT(error_holding(R"("from": "2026-08-05", "until": "2026-08-05")", "reservation"),
             Contains("/until: must be after \"from\""));
}

TEST_CASE("A deadline rule requires two legs that do not wait", "[scenario][held]") {
  const std::string name =
      R"({"name": "rule", "deadline_rule": {"tick": "10min", "overhead": "12min"}, "legs": [)";
  CHECK(error_of_strategy(name + R"({"model": "spot"}, {"model": "on_demand"}]})").empty());
  CHECK_THAT(error_of_strategy(name + R"({"model": "spot"}]})"),
             Contains("/deadline_rule: requires two legs"));
  CHECK_THAT(error_of_strategy(name + R"({"model": "spot"}, {"model": "flex_start"}]})"),
             Contains("granted or refused at once"));
  CHECK_THAT(
      error_of_strategy(name + R"({"model": "spot", "restarts": 3}, {"model": "on_demand"}]})"),
      Contains("/legs/0/restarts: cannot be combined with \"deadline_rule\": it decides at every tick"));
}

TEST_CASE("Faults and health tests are read, with bounds", "[scenario][held]") {
  const Scenario scenario = test::ScenarioLoader{}.small(
      {{"/pools/0/faults", R"([{"name": "hardware", "life": {"exponential": "30d"}, "repair": "8h"}])"},
       {"/models", R"({"all": {"health": {"takes": "3min", "fails": 0.01, "replace": "10min"}}})"}});
  const FaultRule& rule = scenario.world.pools.at(0).faults.at(0);
  CHECK(rule.name == "hardware");
  CHECK(rule.repair.constant() == 8h);
  const HealthTest& test = scenario.world.strategies.at(0).legs.at(0).policy.health;
  CHECK(test.takes == 3min);
  CHECK(test.fails_ppm == 10'000);
  CHECK(test.replace == 10min);
  CHECK_THROWS_WITH(
      test::ScenarioLoader{}.small({{"/pools/0/faults", R"([{"name": "x", "life": "1s", "repair": "1h"}])"}}),
      Contains("/life: must be at least 1h on the average"));
}

TEST_CASE("More held capacity than can be counted is refused before anything runs", "[scenario][held]") {
  const std::string error = test::error_in([&] {
    static_cast<void>(test::ScenarioLoader{}.small(
        {{"/window", R"("12000d")"}, {"/pools/0/gpus", "4000000"}, {"/reservations/0/count", "1000000"}}));
  });
  CHECK_THAT(error, Contains("/reservations: they hold up to 2.9e+11 GPU-hours in a run; at most 2.78e+11"));
}

TEST_CASE("A pool's Spot machines may be taken back together", "[scenario][held]") {
  const auto rule = [](const std::string& keys) {
    return test::ScenarioLoader{}
        .small({{"/pools/0/mass_reclaim", keys}})
        .world.pools.at(0)
        .mass_reclaim.value();
  };
  const MassReclaim usual = rule(R"({"every": {"exponential": "3d"}, "share": 0.4})");
  CHECK(usual.every.mean_ms() == 3 * 86'400'000.0);
  CHECK(usual.share_ppm == 400'000);
  CHECK(usual.spread.b == 3min);
  CHECK(rule(R"({"every": "1d", "share": 1, "spread": "10s"})").spread.constant() == 10s);
  CHECK_THAT(test::error_in([&] { static_cast<void>(rule(R"({"every": "1min", "share": 1})")); }),
             Contains("/mass_reclaim/every: must be at least 1h on the average"));
  CHECK_THAT(test::error_in([&] { static_cast<void>(rule(R"({"every": "1d"})")); }), Contains("\"share\""));
}

TEST_CASE("Classes have priorities, said by the source or under classes", "[scenario][held]") {
  const auto priority = [](const std::vector<Override>& overrides) {
    return test::ScenarioLoader{}.small(overrides).world.classes.at(0).priority;
  };
  CHECK(priority({}) == 0);
  CHECK(priority({{"/workload/0/priority", "7"}}) == 7);
  CHECK(priority({{"/classes", R"({"jobs": {"priority": -500}})"}}) == -500);
  CHECK_THAT(test::error_in([&] {
               static_cast<void>(priority({{"/workload/0/priority", "501"}}));
             }),
             Contains("/workload/0/priority: must be at most 500"));
}

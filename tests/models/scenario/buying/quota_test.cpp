// Quotas of a scenario file: which machines count, increases after business days, who waits and who is
// refused.

#include <algorithm>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <catch2/catch.hpp>

#include "models/scenario/scenario.h"
#include "sim/core/error.h"

using namespace stockout;
using namespace std::chrono_literals;

namespace {

/// A zone of H100 and one of L4 in us-central1, one of H100 in us-east4. From a Monday on, in UTC.
Scenario read(const std::string& quota, const std::string& strategy = R"("legs": [{"model": "on_demand"}])") {
  const std::string text = fmt::format(R"({{
    "name": "quotas", "start": "2026-11-23", "window": "1d", "prices_as_of": "2026-07-30", "quota": {},
    "workload": [{{"name": "jobs", "poisson": {{"per_day": 1}}, "machine": "a3-highgpu-8g", "work": "1h"}}],
    "pools": [{{"family": "a3-highgpu", "place": "us-central1-a", "hosts": 4}},
              {{"family": "g2-standard", "place": "us-central1-a", "gpus": 8}},
              {{"family": "a3-highgpu", "place": "us-east4-a", "hosts": 4}}],
    "reservations": [{{"name": "held", "machine": "a3-highgpu-8g", "place": "us-east4-a", "count": 2}},
                     {{"name": "more", "machine": "a3-highgpu-8g", "place": "us-east4-a", "count": 3,
                       "from": "2026-11-23"}}],
    "strategies": [{{"name": "way", {}}}]}})",
                                       quota, strategy);
  return parse_scenario(text, "scenario.json", Catalog::embedded());
}

QuotaBucket only_limit(const std::string& limit, const std::string& more = "") {
  return read(fmt::format(R"({{"limits": [{}]{}}})", limit, more)).world.quotas.at(0);
}

std::int64_t units_of(const QuotaBucket& quota, std::string_view machine) {
  return quota.units[index(*Catalog::embedded().find_machine(machine))];
}

std::string steps_of(const QuotaBucket& quota) {
  std::string text;
  for (const QuotaStep& step : quota.steps)
    text += fmt::format("{} from day {}; ", step.limit, (step.at - kStart) / 24h);
  return text;
}

using Pools = std::vector<bool>;

const Pools& pools(const QuotaBucket& quota, LeaseClass of) {
  return quota.pools[static_cast<std::size_t>(of)];
}

/// The classes whose machines count in the first pool.
std::vector<LeaseClass> classes(const QuotaBucket& quota) {
  std::vector<LeaseClass> counted;
  for (std::size_t i = 0; i < kLeaseClasses; ++i) {
    if (quota.pools[i][0]) counted.push_back(static_cast<LeaseClass>(i));
  }
  return counted;
}

}  // namespace

TEST_CASE("A machine without GPUs takes none of a quota of GPUs", "[scenario][quota]") {
  CHECK(units_of(only_limit(R"({"limit": 16})"), "a3-highgpu-8g") == 8);
  CHECK(units_of(only_limit(R"({"limit": 16})"), "n1-standard-4") == 0);
}

TEST_CASE("A limit is on GPUs of a type or on vCPUs of a family, in a region or in all", "[scenario]") {
  const QuotaBucket gpus = only_limit(R"({"region": "us-central1", "gpu": "H100-80GB", "limit": 16})");
  CHECK(pools(gpus, LeaseClass::spot) == Pools{true, false, false});
  CHECK(units_of(gpus, "a3-highgpu-8g") == 8);
  const QuotaBucket cpus = only_limit(R"({"cpus": "g2-standard", "limit": 16})");
  CHECK(pools(cpus, LeaseClass::spot) == Pools{false, true, false});
  CHECK(units_of(cpus, "g2-standard-4") == 4);
  const QuotaBucket all = only_limit(R"({"limit": 16})");
  CHECK(pools(all, LeaseClass::spot) == Pools{true, true, true});
  CHECK(units_of(all, "a3-highgpu-8g") == 8);
  CHECK(units_of(all, "g2-standard-4") == 1);
}

TEST_CASE("Flex Start counts as preemptible, a reservation as on-demand; what is without falls back",
          "[scenario]") {
  using enum LeaseClass;
  const std::string usual = R"({"region": "us-central1", "kind": "on_demand", "limit": 16})";
  const std::string cheap = R"({"region": "us-central1", "kind": "preemptible", "limit": 16})";
  const std::vector preemptible{flex, spot};
  const std::vector others{reserved, on_demand};
  CHECK(classes(only_limit(cheap)) == preemptible);
  CHECK(classes(only_limit(usual)) == std::vector{reserved, on_demand, flex, spot});
  CHECK(classes(only_limit(usual, R"(, "fallback": false)")) == others);
  CHECK(classes(only_limit(usual + "," + cheap)) == others);
}

TEST_CASE("Preemptible machines fall back where no limit covers them, however it is written", "[scenario]") {
  const std::string usual = R"({"kind": "on_demand", "limit": 32})";
  const auto fall_back = [&](const std::string& other) {
    return pools(only_limit(fmt::format("{}, {}", usual, other)), LeaseClass::flex);
  };
  CHECK(fall_back(R"({"region": "us-central1", "kind": "preemptible", "limit": 16})") ==
        Pools{false, false, true});
  CHECK(fall_back(R"({"gpu": "H100-80GB", "kind": "preemptible", "limit": 16})") ==
        Pools{false, true, false});
  CHECK(fall_back(R"({"cpus": "all", "kind": "preemptible", "limit": 16})") == Pools{true, true, true});
  CHECK(fall_back(R"({"limit": 16})") == Pools{true, true, true});
}

TEST_CASE("An increase comes after business days: no weekends, no holidays, in whole, in part, or not",
          "[scenario]") {
  const auto steps = [](const std::string& increase, const std::string& more = "") {
    return steps_of(only_limit(fmt::format(R"({{"limit": 16, "increases": [{}]}})", increase), more));
  };
  const std::string friday = R"("requested": "2026-11-20", "to": 64)";
  CHECK(steps("{" + friday + "}") == "16 from day 0; 64 from day 2; ");
  CHECK(steps("{" + friday + R"(, "business_days": 10})") == "16 from day 0; 64 from day 11; ");
  CHECK(steps("{" + friday + "}", R"(, "business_days": 10, "holidays": ["2026-11-26"])") ==
        "16 from day 0; 64 from day 14; ");
  CHECK(steps("{" + friday + R"(, "granted": 32})") == "16 from day 0; 32 from day 2; ");
  CHECK(steps("{" + friday + R"(, "granted": 16})") == "16 from day 0; ");
  CHECK(steps("{" + friday + R"(, "business_days": 0})") == "64 from day 0; ");
  CHECK(steps("{" + friday + R"(}, {"requested": "2026-11-23", "to": 32})") ==
        "16 from day 0; 64 from day 2; ");
}

TEST_CASE("A scenario tells its limits, and the days on which they rise", "[scenario]") {
  const Scenario scenario = read(
      R"({"limits": [{"region": "us-central1", "gpu": "H100-80GB", "limit": 16, "increases": [
          {"requested": "2026-11-20", "to": 64, "granted": 32}, {"requested": "2026-11-24", "to": 64}]},
          {"limit": 80}]})",
      R"("orchestrator": "gke", "legs": [{"model": "on_demand"}])");
  CHECK(scenario.quotas ==
        std::vector<std::string>{"us-central1, H100-80GB, any: 16, 32 from 2026-11-25, 64 from 2026-11-27",
                                 "all regions, GPUs, any: 80"});
  const auto assumes = [](const Scenario& read) {
    return fmt::format("{}", fmt::join(read.assumptions, "\n"));
  };
  const std::string by_itself = "in a leg that waits, such as flex_start_mig, asks again by itself";
  CHECK_THAT(assumes(scenario), !Catch::Contains(by_itself));  // node groups back off
  CHECK_THAT(assumes(read(R"({"limits": [{"limit": 80}]})",
                          R"("orchestrator": "gke", "legs": [{"model": "flex_start_mig"}])")),
             Catch::Contains(by_itself));
}

TEST_CASE("Pauses of jobs that back off have no effect where node groups do", "[scenario][quota]") {
  const std::string limits = R"({"limits": [{"limit": 80}]})";
  const auto error_of = [&](const std::string& legs) {
    try {
      (void)read(limits, R"("orchestrator": "gke", "quota": {"back_off": "1min"}, "legs": )" + legs);
    } catch (const InputError& error) {
      return std::string{error.what()};
    }
    return std::string{};
  };
  CHECK_THAT(error_of(R"([{"model": "spot"}])"),
             Catch::Contains("/back_off: has no effect: node groups back off"));
  CHECK(error_of(R"([{"model": "spot"}, {"model": "flex_start_mig"}])").empty());
}

TEST_CASE("An alternative may change a quota", "[scenario]") {
  CHECK(read(R"({"limits": [{"limit": 16, "increases": [{"requested": "2026-11-23", "to": 32}]}]})",
             R"("legs": [{"model": "on_demand"}]}], "alternatives": [{
             "rule": "business days", "choices": [{"name": "10", "set": {"/quota/business_days": 10}}])")
            .alternatives.size() == 1);
}

TEST_CASE("Short of quota, Vertex AI waits, GKE backs off, Compute Engine refuses; a strategy says otherwise",
          "[scenario]") {
  const auto rule = [](const std::string& strategy) {
    return read(R"({"limits": [{"limit": 64}]})", strategy + R"("legs": [{"model": "on_demand"}])")
        .world.strategies[0]
        .quota;
  };
  CHECK(rule("").when_short == WhenShort::refuse);
  CHECK(rule(R"("orchestrator": "compute_engine",)").when_short == WhenShort::refuse);
  CHECK(rule(R"("orchestrator": "vertex",)").when_short == WhenShort::wait);
  CHECK(rule(R"("orchestrator": "gke",)").when_short == WhenShort::back_off);
  const QuotaRule said = rule(
      R"("orchestrator": "vertex", "quota": {"when_short": "back_off", "taken_at": "start", "back_off": "1h"},)");
  CHECK(said.when_short == WhenShort::back_off);
  CHECK(said.taken_at == QuotaTaken::start);
  CHECK(said.back_off_first == 1h);
  CHECK(said.back_off_most == 1h);
}

TEST_CASE("Jobs that no quota will ever let in are warned of", "[scenario]") {
  const auto warns = [](const std::string& quota) {
    const auto warnings = read(quota).warnings;
    return std::ranges::any_of(warnings, [](const std::string& warning) {
      return warning.find("no leg could ever serve jobs of class \"jobs\"") != std::string::npos;
    });
  };
  CHECK(warns(R"({"limits": [{"gpu": "H100-80GB", "limit": 4}]})"));
  CHECK_FALSE(warns(R"({"limits": [{"gpu": "H100-80GB", "limit": 8}]})"));
  CHECK_FALSE(warns(R"({"limits": [{"gpu": "H100-80GB", "limit": 4, "increases": [
    {"requested": "2026-11-23", "to": 8, "business_days": 3}]}]})"));
}

TEST_CASE("What is wrong with a quota is said where it stands", "[scenario]") {
  const auto [quota, says] = GENERATE(table<std::string, std::string>({
      {R"({"limits": []})", "/quota/limits"},
      {R"({"limits": [{"region": "us-centrall", "limit": 16}]})", "did you mean \"us-central1\"?"},
      {R"({"limits": [{"gpu": "H100-80", "limit": 16}]})", "did you mean \"H100-80GB\"?"},
      {R"({"limits": [{"cpus": "a3-highgp", "limit": 16}]})", "did you mean \"a3-highgpu\"?"},
      {R"({"limits": [{"gpu": "L4", "cpus": "all", "limit": 16}]})", "\"cpus\""},
      {R"({"limits": [{"limit": 16}, {"limit": 32}]})",
       "there is a limit for all regions, GPUs, any already"},
      {R"({"limits": [{"limit": 16, "increases": [{"requested": "2026-11-20", "to": 32, "granted": 33}]}]})",
       "is more than the 32 that are asked for"},
      {R"({"limits": [{"limit": 16, "increases": [{"requested": "2026-11-20", "to": 16}]}]})",
       "/to: is no increase: the limit is 16"},
      {R"({"limits": [{"region": "us-east4", "gpu": "L4", "limit": 16}]})",
       "/gpu: has no effect: no pool of the region has \"L4\"; there is \"H100-80GB\""},
      {R"({"limits": [{"cpus": "a2-highgpu", "limit": 16}]})",
       "/cpus: has no effect: no pool of the scenario has \"a2-highgpu\"; there is \"a3-highgpu\", "
       "\"g2-standard\""},
  }));
  CAPTURE(quota);
  CHECK_THROWS_WITH(read(quota), Catch::Contains(says));
}

TEST_CASE("All that a strategy holds at a time must be within its quota", "[scenario]") {
  const auto hold = [](const std::string& legs, int limit) {
    return read(fmt::format(R"({{"limits": [{{"region": "us-east4", "limit": {}}}]}})", limit),
                fmt::format(R"("legs": [{}, {{"model": "on_demand"}}])", legs));
  };
  const std::string held = R"({"model": "reservation", "reservation": "held"})";
  const std::string more = R"({"model": "reservation", "reservation": "more"})";
  CHECK_NOTHROW(hold(held, 16));
  CHECK_NOTHROW(hold(more, 24));
  CHECK_THROWS_WITH(hold(more, 23), Catch::Contains("/reservations/1: with it, strategy \"way\" holds 24"));
  CHECK_NOTHROW(hold(held + "," + more, 40));
  CHECK_THROWS_WITH(
      hold(held + "," + more, 39),
      Catch::Contains("holds 40 of the quota of us-east4, GPUs, any, which has 39 when it begins"));
}

TEST_CASE("Pauses go with a strategy whose jobs ask again, and do not become shorter", "[scenario]") {
  const auto rule = [](const std::string& quota) {
    return read(R"({"limits": [{"limit": 64}]})", R"("legs": [{"model": "on_demand"}], "quota": )" + quota);
  };
  CHECK_THROWS_WITH(rule(R"({"when_short": "back_off", "back_off": "1h", "back_off_most": "59min"})"),
                    Catch::Contains("/back_off_most: is less than the first pause, 1h"));
  CHECK_THROWS_WITH(
      rule(R"({"when_short": "wait", "back_off": "1h"})"),
      Catch::Contains("/back_off: cannot be combined with when_short \"wait\": the job does not"));
  CHECK_THROWS_WITH(rule(R"({"back_off": "1h"})"),
                    Catch::Contains("/back_off: has no effect with \"when_short\": \"refuse\""));
  CHECK_NOTHROW(rule(R"({"when_short": "back_off", "back_off": "1h", "back_off_most": "1h"})"));
}

TEST_CASE("A strategy's rule for quota needs a quota", "[scenario]") {
  const std::string text =
      R"({"name": "none", "start": "2026-11-23", "window": "1d", "prices_as_of": "2026-07-30",
    "workload": [{"name": "jobs", "poisson": {"per_day": 1}, "machine": "a3-highgpu-8g", "work": "1h"}],
    "pools": [{"family": "a3-highgpu", "place": "us-central1-a", "hosts": 4}],
    "strategies": [{"name": "way", "legs": [{"model": "on_demand"}], "quota": {"when_short": "wait"}}]})";
  CHECK_THROWS_WITH(
      parse_scenario(text, "scenario.json", Catalog::embedded()),
      Catch::Contains("/strategies/0/quota: is allowed only with \"quota\": it has the limits"));
}

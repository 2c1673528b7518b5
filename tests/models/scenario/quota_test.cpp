// Quotas of a scenario file: which machines count, increases after business days, who waits and who is
// refused.

#include <string>

#include <fmt/format.h>
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
    "reservations": [{{"name": "held", "machine": "a3-highgpu-8g", "place": "us-east4-a", "count": 2}}],
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

using Classes = std::array<bool, kLeaseClasses>;

Classes classes(std::initializer_list<LeaseClass> counted) {
  Classes all{};
  for (const LeaseClass each : counted) all[static_cast<std::size_t>(each)] = true;
  return all;
}

}  // namespace

TEST_CASE("A limit is on GPUs of a type or on vCPUs of a family, in a region or in all", "[scenario]") {
  const QuotaBucket gpus = only_limit(R"({"region": "us-central1", "gpu": "H100-80GB", "limit": 16})");
  CHECK(gpus.pools == std::vector{true, true, false});
  CHECK(units_of(gpus, "a3-highgpu-8g") == 8);
  CHECK(units_of(gpus, "g2-standard-4") == 0);
  const QuotaBucket cpus = only_limit(R"({"cpus": "g2-standard", "limit": 16})");
  CHECK(cpus.pools == std::vector{true, true, true});
  CHECK(units_of(cpus, "a3-highgpu-8g") == 0);
  CHECK(units_of(cpus, "g2-standard-4") == 4);
  const QuotaBucket all = only_limit(R"({"limit": 16})");
  CHECK(units_of(all, "a3-highgpu-8g") == 8);
  CHECK(units_of(all, "g2-standard-4") == 1);
}

TEST_CASE("Flex Start counts as preemptible, a reservation as on-demand; what is without falls back",
          "[scenario]") {
  using enum LeaseClass;
  const std::string usual = R"({"region": "us-central1", "kind": "on_demand", "limit": 16})";
  const std::string cheap = R"({"region": "us-central1", "kind": "preemptible", "limit": 16})";
  CHECK(only_limit(cheap).classes == classes({flex, spot}));
  CHECK(only_limit(usual).classes == classes({reserved, on_demand, flex, spot}));
  CHECK(only_limit(usual, R"(, "fallback": false)").classes == classes({reserved, on_demand}));
  CHECK(only_limit(usual + "," + cheap).classes == classes({reserved, on_demand}));
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
      {R"({"limits": [{"region": "us-east4", "limit": 15}]})",
       "/reservations/0: takes 16 of the quota of us-east4, GPUs, any, which has 15 when it begins"},
  }));
  CAPTURE(quota);
  CHECK_THROWS_WITH(read(quota), Catch::Contains(says));
}

TEST_CASE("A strategy's rule for quota needs a quota", "[scenario]") {
  const std::string text =
      R"({"name": "none", "start": "2026-11-23", "window": "1d", "prices_as_of": "2026-07-30",
    "workload": [{"name": "jobs", "poisson": {"per_day": 1}, "machine": "a3-highgpu-8g", "work": "1h"}],
    "pools": [{"family": "a3-highgpu", "place": "us-central1-a", "hosts": 4}],
    "strategies": [{"name": "way", "legs": [{"model": "on_demand"}], "quota": {"when_short": "wait"}}]})";
  CHECK_THROWS_WITH(parse_scenario(text, "scenario.json", Catalog::embedded()),
                    Catch::Contains("/strategies/0/quota: has no effect"));
}

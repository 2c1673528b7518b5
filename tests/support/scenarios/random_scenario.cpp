#include "tests/support/scenarios/random_scenario.h"

#include <algorithm>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "tests/support/scenarios/random_scenario_plan.h"

namespace stockout::test {
namespace {

constexpr std::int64_t kMinutesOfHalf = 30;

/// A Monday, and days before and at which clocks change in Europe.
void plan_calendar(ScenarioPlan& plan) {
  using namespace std::chrono;
  const std::vector<sys_days> starts{2026y / August / 3, 2026y / August / 5, 2026y / March / 28,
                                     2026y / October / 24};
  plan.start = plan.one_of(starts);
  plan.days = plan.number(1, 2);
  plan.file["start"] = plan.day(0);
  plan.maybe(50, plan.file, "time_zone", [&] {
    return plan.word({"UTC", "Europe/Berlin", "America/Los_Angeles", "-07:00"});
  });
  if (plan.chance(80)) plan.file["window"] = fmt::format("{}h", 24 * plan.days - plan.one_of<int>({0, 0, 7}));
}

void plan_run(ScenarioPlan& plan) {
  Json& file = plan.file;
  plan.maybe(50, file, "warm_up", [&] { return plan.one_of<std::string>({"0s", "6h", "1d"}); });
  plan.maybe(30, file, "end", [&] { return plan.word({"drain", "window"}); });
  file["drain_limit"] = plan.word({"0s", "12h", "1d", "2d"});  // by default it is long, and tenants many
  plan.maybe(30, file, "hold_end", [&] { return plan.word({"run_end", "last_start"}); });
  if (!plan.calm) plan.maybe(25, file, "grid", [&] { return plan.word({"0s", "1s", "10min", "1h"}); });
  plan.maybe(25, file, "ties", [&] { return plan.word({"releases_first", "starts_first"}); });
  file["prices_as_of"] = "2026-07-30";
  plan.maybe(20, file, "prices_follow_calendar", [&] { return plan.chance(80); });
  file["seed"] = plan.number(1, 1'000'000);
}

/// After the pools: only tenants settle. Slow, since it runs a pilot, so it is rare.
void plan_found_warm_up(ScenarioPlan& plan) {
  const auto has_tenants = [](const Json& pool) { return pool.contains("tenants"); };
  if (plan.number(1, 300) != 1 || std::ranges::none_of(plan.file["pools"], has_tenants)) return;
  plan.file["warm_up"] = {{"rule", "mser5"}, {"most", "10d"}};
}

}  // namespace

std::string ScenarioPlan::day(std::int64_t number) const {
  return fmt::format("{:%Y-%m-%d}",
                     std::chrono::sys_time<std::chrono::seconds>{start + std::chrono::days{number}});
}

Json random_days(ScenarioPlan& plan) {
  const bool is_weekend = std::chrono::weekday{plan.start}.iso_encoding() > 5;
  if (plan.chance(60)) return plan.word({"every_day", is_weekend ? "weekends" : "weekdays"});
  Json days = Json::array();
  const unsigned first = std::chrono::weekday{plan.start}.iso_encoding();
  const std::vector<std::string> names{"mon", "tue", "wed", "thu", "fri", "sat", "sun"};
  for (unsigned i = 1; i <= names.size(); ++i) {
    if (i == first || plan.chance(50)) days.push_back(names[i - 1]);
  }
  return days;
}

std::string ScenarioPlan::halves(std::int64_t least, std::int64_t most) {
  const std::int64_t count = choice.number(least, most);
  if (calm && count > 0)
    return fmt::format("{}ms", kMinutesOfHalf * 60'000 * count + choice.number(1, 999'999));
  return count % 2 == 0 ? fmt::format("{}h", count / 2) : fmt::format("{}min", kMinutesOfHalf * count);
}

std::string ScenarioPlan::minutes(std::int64_t least, std::int64_t most) {
  const std::int64_t count = choice.number(least, most);
  if (calm && count > 0) return fmt::format("{}min {}ms", count, choice.number(1, 59'999));
  return fmt::format("{}min", count);
}

double ScenarioPlan::share(int least_percent, int most_percent) {
  return static_cast<double>(choice.number(least_percent, most_percent)) / 100;
}

const MachineType* ScenarioPlan::machine_of(const PlannedFamily& family, Offer offer) {
  std::vector<const MachineType*> sold;
  for (const MachineType* machine : family.machines) {
    if (machine->accepts[static_cast<std::size_t>(offer)]) sold.push_back(machine);
  }
  return sold.empty() ? nullptr : choice.one_of(sold);
}

std::vector<std::string> ScenarioPlan::classes() const {
  std::vector<std::string> all;
  for (const PlannedSource& source : sources)
    all.insert(all.end(), source.classes.begin(), source.classes.end());
  return all;
}

Json random_scenario(std::uint64_t seed, const Catalog& catalog) {
  ScenarioPlan plan{seed, catalog};
  plan.file["name"] = fmt::format("random scenario {}", seed);
  plan_calendar(plan);
  plan_run(plan);
  plan_pools(plan);
  plan_found_warm_up(plan);
  plan_workload(plan);
  plan_reservations(plan);
  plan_models(plan);
  plan_strategies(plan);
  plan_bill(plan);
  plan_quota(plan);
  plan_kueue(plan);
  plan_slurm(plan, seed);
  plan_sets(plan, seed);
  plan_exits(plan);
  return plan.file;
}

}  // namespace stockout::test

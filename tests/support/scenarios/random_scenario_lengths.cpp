#include <array>

#include <fmt/format.h>

#include "tests/support/scenarios/random_scenario_plan.h"

namespace stockout::test {
namespace {

Json lognormal(ScenarioPlan& plan, std::int64_t least, std::int64_t most) {
  return {{"median", plan.halves(least, most)}, {"sigma", plan.share(20, 150)}};
}

Json weibull(ScenarioPlan& plan, std::int64_t least, std::int64_t most) {
  return {{"scale", plan.halves(least, most)}, {"shape", plan.share(60, 300)}};
}

Json pareto(ScenarioPlan& plan, std::int64_t least, std::int64_t most) {
  Json law{{"least", plan.halves(least, most)}, {"shape", plan.share(110, 300)}};
  if (plan.chance(50)) law["greatest"] = plan.halves(most + 1, 3 * most + 2);
  return law;
}

Json empirical(ScenarioPlan& plan, std::int64_t least, std::int64_t most) {
  if (plan.chance(30)) return {{"file", "lengths.txt"}};
  return {{"quantiles",
           {{"0", fmt::format("{}min", 30 * least)},
            {"50", fmt::format("{}min", 15 * (least + most))},
            {"100", fmt::format("{}min", 30 * most)}}}};
}

Json bathtub(ScenarioPlan& plan, std::int64_t least, std::int64_t most) {
  return {{"share", plan.share(30, 90)},
          {"early", plan.halves(least, most)},
          {"late", plan.halves(1, 2)},
          {"at", plan.halves(most, 2 * most)}};
}

Json from_file(ScenarioPlan& plan) {
  const std::string unit = plan.word({"ms", "s", "s", "min", "h"});
  Json law{{"file", "ends.csv"}, {"length", unit}};
  if (unit != "s" || plan.chance(50)) law["unit"] = unit;
  if (plan.chance(60)) {
    law["ended"] = "how";
    law["as"] = "preempted";
  }
  return law;
}

void put_law(ScenarioPlan& plan, Json& law, std::int64_t least, std::int64_t most) {
  switch (plan.number(0, 7)) {
    case 0:
      law["lognormal"] = lognormal(plan, least, most);
      break;
    case 1:
      law["exponential"] = plan.halves(least, most);
      break;
    case 2:
      law["weibull"] = weibull(plan, least, most);
      break;
    case 3:
      law["uniform"] = {fmt::format("{}min", 30 * least), fmt::format("{}min", 30 * most)};
      break;
    case 4:
      law["pareto"] = pareto(plan, least, most);
      break;
    case 5:
      law["empirical"] = empirical(plan, least, most);
      break;
    case 6:
      law["bathtub"] = bathtub(plan, least, most);
      break;
    default:
      law["from_file"] = from_file(plan);
  }
  // What was not seen to its end, or has no mean, is cut.
  if (law.contains("from_file") || law.contains("bathtub") || plan.chance(50))
    law["most"] = plan.halves(most + 1, 3 * most + 2);
}

Json mixture(ScenarioPlan& plan, std::int64_t least, std::int64_t most) {
  Json law{{"mixture", Json::array()}};
  for (std::int64_t i = plan.number(1, 3); i > 0; --i) {
    Json part{{"weight", plan.number(1, 4)}};
    put_law(plan, part, least, most);
    law["mixture"].push_back(std::move(part));
  }
  if (plan.chance(50)) law["most"] = plan.halves(most + 1, 3 * most + 2);
  return law;
}

}  // namespace

Json random_length(ScenarioPlan& plan, std::int64_t least, std::int64_t most, bool may_be_drawn) {
  if (!may_be_drawn || !plan.chance(45)) return plan.halves(least, most);
  const std::int64_t from = std::max<std::int64_t>(least, 1);
  if (plan.chance(15)) return mixture(plan, from, std::max(from, most));
  Json law = Json::object();
  put_law(plan, law, from, std::max(from, most));
  return law;
}

}  // namespace stockout::test

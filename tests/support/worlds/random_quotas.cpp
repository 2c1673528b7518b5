#include "tests/support/worlds/random_quotas.h"

#include <algorithm>

#include <fmt/format.h>

#include "tests/support/random_choice.h"

namespace stockout::test {
namespace {

// A quota of some pools and classes: of few units, so that it is often short, and more later.
QuotaBucket quota(Choice& choice, const World& world, SimDuration unit) {
  QuotaBucket quota;
  quota.name = "a quota";
  std::vector<bool> pools;
  for (std::size_t p = 0; p < world.pools.size(); ++p) pools.push_back(choice.chance(80));
  for (std::vector<bool>& counted : quota.pools) {
    if (choice.chance(85)) counted = pools;
  }
  const bool counts_gpus = choice.chance(60);
  for (const MachineType& machine : world.machines) {
    quota.units.push_back(counts_gpus ? machine.gpus.count() : choice.number(0, 3));
  }
  quota.steps = {{.at = world.begin, .limit = choice.number(0, 6)}};
  while (choice.chance(50)) {
    const QuotaStep last = quota.steps.back();
    quota.steps.push_back(
        {.at = last.at + unit * choice.number(1, 12), .limit = last.limit + choice.number(-1, 6)});
  }
  return quota;
}

}  // namespace

void add_quotas(World& world, SimDuration unit) {
  Choice choice{world.seed + 6'000'011};
  if (!choice.chance(25)) return;
  do {
    world.quotas.push_back(quota(choice, world, unit));
  } while (choice.chance(40));
  QuotaRule& rule = world.strategies.back().quota;
  rule.when_short = choice.one_of<WhenShort>({WhenShort::refuse, WhenShort::wait, WhenShort::back_off});
  const auto has_groups = [](const Leg& leg) { return leg.node_group.has_value(); };
  if (std::ranges::any_of(world.strategies.back().legs, has_groups) &&
      Choice{world.seed + 14'000'029}.chance(50))
    rule.when_short = WhenShort::back_off;
  rule.taken_at = choice.chance(50) ? QuotaTaken::request : QuotaTaken::start;
  rule.back_off_first = unit * choice.number(1, 3);
  rule.back_off_most = rule.back_off_first * choice.number(1, 6);
}

}  // namespace stockout::test

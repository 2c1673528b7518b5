#include "models/assumptions/world_band.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/core/check.h"
#include "sim/core/counted.h"
#include "sim/stats/weighted_quantile.h"

namespace stockout {
namespace {

void count_verdict(WorldBand& band, const WorldResult& world) {
  switch (world.verdict.kind) {
    case Verdict::Kind::cheapest_within_goal:
    case Verdict::Kind::cheapest:
      band.best[world.verdict.strategy] += world.weight;
      break;
    case Verdict::Kind::undecided:
      band.undecided += world.weight;
      break;
    case Verdict::Kind::none_meets_goal:
    case Verdict::Kind::class_never_runs:
      band.none += world.weight;
      break;
  }
}

std::string percent(double weight) { return fmt::format("{:.0f} %", 100 * weight); }

std::string world_sentence(const WorldBand& band, const std::string& agreement) {
  std::vector<std::size_t> order(band.best.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater{}, [&](std::size_t i) { return band.best[i]; });
  std::vector<std::string> parts;
  for (const std::size_t i : order) {
    if (band.best[i] <= 0) break;
    parts.push_back(fmt::format("\"{}\" is the answer in {}",
                                band.worlds.front().comparison.strategies[i].name, percent(band.best[i])));
  }
  if (band.undecided > 0) parts.push_back(fmt::format("it is undecided in {}", percent(band.undecided)));
  if (band.none > 0) parts.push_back(fmt::format("nothing meets what is asked in {}", percent(band.none)));
  return fmt::format("Over {} that {}, by weight: {}.", counted(band.worlds.size(), "world"), agreement,
                     fmt::join(parts, "; "));
}

}  // namespace

WorldBand make_world_band(std::vector<WorldResult> worlds, const std::string& agreement) {
  STOCKOUT_CHECK(!worlds.empty());
  WorldBand band{.worlds = std::move(worlds), .best = {}, .sentence = {}};
  band.best.resize(band.worlds.front().comparison.strategies.size());
  for (const WorldResult& world : band.worlds) {
    STOCKOUT_CHECK(world.comparison.strategies.size() == band.best.size());
    count_verdict(band, world);
  }
  band.sentence = world_sentence(band, agreement);
  return band;
}

std::optional<WorldValue> world_quantile(const WorldBand& band, std::size_t strategy, Measure measure,
                                         double weight) {
  WeightedValues<WorldValue> known;
  for (const WorldResult& world : band.worlds) {
    const Summary& summary = world.comparison.strategies[strategy].total[measure];
    if (summary.is_absent()) continue;
    known.push_back(
        {{.mean = summary.mean, .is_bound = summary.known == Value::Known::at_least}, world.weight});
  }
  return known.empty() ? std::nullopt : std::optional{weighted_quantile(std::move(known), weight)};
}

}  // namespace stockout

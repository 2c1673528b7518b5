#include "models/scenario/buying/job_sets.h"

#include <algorithm>
#include <variant>
#include <vector>

namespace stockout {
namespace {

constexpr const char* kWhy = "cannot be combined with sets of jobs (\"with\" of a source)";

void check_leg(const Node& node, const Leg& leg) {
  if (leg.partial) node.at("partial").fail(kWhy);
  if (leg.spread != Spread::any_single_zone) node.at("spread").fail(kWhy);
  if (leg.race == Race::first_boot) node.at("race").fail(kWhy);
}

}  // namespace

std::vector<ClassId> classes_of(const Source& source) {
  if (const auto* synthetic = std::get_if<SyntheticDemand>(&source.demand)) return {synthetic->job_class};
  std::vector<ClassId> classes = std::get<TraceDemand>(source.demand).jobs->job_class;
  std::ranges::sort(classes);
  classes.erase(std::unique(classes.begin(), classes.end()), classes.end());
  return classes;
}

bool is_open_to_sets(const World& world, const Leg& leg) {
  return std::ranges::any_of(world.sources, [&](const Source& source) {
    const std::vector<ClassId> classes = source.set ? classes_of(source) : std::vector<ClassId>{};
    return std::ranges::any_of(classes, [&](ClassId id) { return leg.open_to(id); });
  });
}

void check_job_sets(const Draft& draft, const Node& node, const Strategy& strategy) {
  const World& world = draft.scenario.world;
  if (!world.has_sets()) return;
  for (std::size_t i = 0; i < strategy.legs.size(); ++i) {
    const Leg& leg = strategy.legs[i];
    if (is_open_to_sets(world, leg)) check_leg(node.list("legs")[i], leg);
  }
}

}  // namespace stockout

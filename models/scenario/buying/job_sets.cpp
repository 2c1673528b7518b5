#include "models/scenario/buying/job_sets.h"

#include <algorithm>
#include <variant>
#include <vector>

namespace stockout {
namespace {

constexpr const char* kWhy = "cannot be combined with sets of jobs (\"with\" of a source)";

// Classes of jobs of the source.
void add_classes(const Demand& demand, std::vector<ClassId>& classes) {
  if (const auto* synthetic = std::get_if<SyntheticDemand>(&demand)) {
    classes.push_back(synthetic->job_class);
  } else {
    const std::vector<ClassId>& all = std::get<TraceDemand>(demand).jobs->job_class;
    classes.insert(classes.end(), all.begin(), all.end());
  }
}

void check_leg(const Node& node, const Leg& leg) {
  if (leg.partial) node.at("partial").fail(kWhy);
  if (leg.spread != Spread::any_single_zone) node.at("spread").fail(kWhy);
  if (leg.race == Race::first_boot) node.at("race").fail(kWhy);
}

}  // namespace

bool is_open_to_sets(const World& world, const Leg& leg) {
  std::vector<ClassId> classes;
  for (const Source& source : world.sources) {
    if (source.set) add_classes(source.demand, classes);
  }
  return std::ranges::any_of(classes, [&](ClassId id) { return leg.open_to(id); });
}

void check_job_sets(const Draft& draft, const Node& node, const Strategy& strategy) {
  const World& world = draft.scenario.world;
  if (!world.has_sets()) return;
  for (const char* key : {"deadline_rule", "resubmit"}) {
    if (node.has(key)) node.at(key).fail(kWhy);
  }
  for (std::size_t i = 0; i < strategy.legs.size(); ++i) {
    const Leg& leg = strategy.legs[i];
    if (is_open_to_sets(world, leg)) check_leg(node.list("legs")[i], leg);
  }
}

}  // namespace stockout

#include "models/recommend/purchases.h"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "models/billing/cost.h"
#include "models/scenario/load/alternatives.h"
#include "sim/core/check.h"
#include "sim/core/error.h"

namespace stockout {
namespace {

// The number behind `list` in a pointer: 3 of "/reservations/3/count".
std::optional<std::size_t> place_in(std::string_view pointer, std::string_view list) {
  if (!pointer.starts_with(list)) return std::nullopt;
  pointer.remove_prefix(list.size());
  std::size_t place = 0;
  const auto [end, error] = std::from_chars(pointer.data(), pointer.data() + pointer.size(), place);
  const bool is_place = error == std::errc{} && (end == pointer.data() + pointer.size() || *end == '/');
  return is_place ? std::optional{place} : std::nullopt;
}

// In any of the worlds.
SimDuration longest_term(const std::vector<Scenario>& scenarios, std::size_t strategy) {
  SimDuration longest{};
  for (const Scenario& scenario : scenarios) {
    const World& world = scenario.world;
    for (const PoolId id : world.strategies[strategy].held) {
      const PriceLine& line = world.price_lines[index(world.held_pool(id).line)];
      longest = std::max(longest, commitment_term(line.model).value_or(SimDuration{}));
    }
  }
  return longest;
}

void check_number(std::size_t points, std::size_t worlds, const std::string& file) {
  if (points * worlds <= ChoiceGrid::kMostPoints) return;
  throw InputError{
      {.file = file, .pointer = "/decide"},
      fmt::format("makes {} combinations, and each is read in {} worlds: at most {} in all. Fewer "
                  "decisions, larger steps or fewer worlds are needed",
                  points, worlds, ChoiceGrid::kMostPoints)};
}

}  // namespace

bool touches(const PlacedValue& change, const World& world, std::size_t strategy) {
  // Queues of a scheduler may stand before all legs.
  if (world.kueue || world.slurm) return true;
  if (const auto held = place_in(change.pointer, "/reservations/")) {
    const std::vector<PoolId>& used = world.strategies[strategy].held;
    return std::ranges::any_of(used, [&](PoolId id) { return index(id) == world.pools.size() + *held; });
  }
  if (const auto other = place_in(change.pointer, "/strategies/")) return *other == strategy;
  return true;
}

ChoiceGrid::ChoiceGrid(std::vector<DecisionVariable> decisions, const std::string& file)
    : decisions_{std::move(decisions)} {
  for (const DecisionVariable& decision : decisions_) {
    STOCKOUT_CHECK(!decision.choices.empty());
    points_ *= decision.choices.size();
    if (points_ <= kMostPoints) continue;
    throw InputError{
        {.file = file, .pointer = "/decide"},
        fmt::format("makes more than {} combinations: fewer decisions, or larger steps", kMostPoints)};
  }
}

std::vector<std::size_t> ChoiceGrid::choices(std::size_t point) const {
  STOCKOUT_CHECK(point < points_);
  std::vector<std::size_t> choices(decisions_.size());
  for (std::size_t i = decisions_.size(); i-- > 0;) {
    choices[i] = point % decisions_[i].choices.size();
    point /= decisions_[i].choices.size();
  }
  return choices;
}

std::vector<PlacedValue> ChoiceGrid::changes(std::size_t point) const {
  const std::vector<std::size_t> chosen = choices(point);
  std::vector<PlacedValue> all;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    const std::vector<PlacedValue>& changes = decisions_[i].choices[chosen[i]].changes;
    all.insert(all.end(), changes.begin(), changes.end());
  }
  return all;
}

Purchases::Purchases(const Scenario& written, const LoadPoint& load,
                     const std::function<void(std::size_t)>& progress, PurchaseWorlds worlds)
    : grid_{written.decide.decisions, written.file}, worlds_{std::move(worlds)} {
  check_known(grid_.decisions(), worlds_, written.file);
  check_number(grid_.points(), worlds_.all().size(), written.file);
  for (std::size_t point = 0; point < grid_.points(); ++point) {
    auto& scenarios = scenarios_.emplace_back();
    try {
      scenarios = read_point(point, load);
    } catch (const InputError& error) {
      refused_.push_back({.point = point, .why = error.what()});
    }
    for (const Scenario& scenario : scenarios) note_touched(scenario.world);
    progress(point + 1);
  }
  for (std::size_t point = 0; point < grid_.points(); ++point) {
    if (!scenarios_[point].empty()) add_strategies(point);
  }
  if (purchases_.empty()) throw InputError{SourceRef{}, refused_.front().why};
}

std::vector<Scenario> Purchases::read_point(std::size_t point, const LoadPoint& load) const {
  const std::vector<PlacedValue> choices = grid_.changes(point);
  const auto load_in = [&](std::vector<PlacedValue> changes) {
    changes.insert(changes.end(), choices.begin(), choices.end());
    return load(changes);
  };
  std::vector<Scenario> scenarios;
  scenarios.push_back(load_in(worlds_.middle()));
  for (const PurchaseWorld& world : worlds_.all()) {
    scenarios.push_back(load_alternative(
        scenarios.front(), {.rule = "worlds", .name = world.name, .changes = world.changes}, load_in));
  }
  return scenarios;
}

const Scenario& Purchases::scenario(const Purchase& of, std::size_t replication) const {
  const std::size_t place = worlds_.all().empty() ? 0 : 1 + worlds_.world_of(replication);
  return scenarios_[of.point][place];
}

void Purchases::note_touched(const World& world) {
  touching_.resize(std::max(touching_.size(), world.strategies.size()));
  for (std::size_t strategy = 0; strategy < world.strategies.size(); ++strategy) {
    for (std::size_t i = 0; i < grid_.decisions().size(); ++i) {
      const auto& choices = grid_.decisions()[i].choices;
      const bool is_touched = std::ranges::any_of(choices, [&](const DecisionChoice& choice) {
        return std::ranges::any_of(
            choice.changes, [&](const PlacedValue& change) { return touches(change, world, strategy); });
      });
      if (is_touched) touching_[strategy].insert(i);
    }
  }
}

// Under the first combination that makes it what it is.
void Purchases::add_strategies(std::size_t point) {
  const World& world = scenarios_[point].front().world;
  const std::vector<std::size_t> chosen = grid_.choices(point);
  for (std::size_t strategy = 0; strategy < world.strategies.size(); ++strategy) {
    const std::set<std::size_t>& touching = touching_[strategy];
    std::vector<std::size_t> what{strategy};
    for (const std::size_t i : touching) what.push_back(chosen[i]);
    if (!seen_.insert(std::move(what)).second) continue;
    purchases_.push_back({.point = point,
                          .strategy = strategy,
                          .decided = {touching.begin(), touching.end()},
                          .term = longest_term(scenarios_[point], strategy)});
  }
}

std::string Purchases::name(const Purchase& purchase) const {
  const std::vector<std::size_t> chosen = grid_.choices(purchase.point);
  std::string name = scenario(purchase).world.strategies[purchase.strategy].name;
  for (const std::size_t i : purchase.decided) {
    const DecisionVariable& decision = grid_.decisions()[i];
    name += fmt::format("; {}: {}", decision.name, decision.choices[chosen[i]].text);
  }
  return name;
}

}  // namespace stockout

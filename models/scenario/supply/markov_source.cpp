#include "models/scenario/supply/markov_source.h"

#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "models/scenario/format/keys.h"
#include "models/scenario/format/spec_check.h"
#include "models/scenario/supply/capacity.h"
#include "models/supply/markov_profile.h"
#include "sim/core/duration_text.h"
#include "sim/io/json_reader.h"

namespace stockout {
namespace {

std::vector<double> numbers(const Node& list) {
  std::vector<double> values;
  for (const Node& item : list.items()) values.push_back(item.as_number());
  return values;
}

std::vector<std::int32_t> read_levels(const Node& node, std::int32_t cap) {
  std::vector<std::int32_t> machines;
  for (const Node& item : node.items()) {
    const auto count = static_cast<std::int32_t>(item.as_integer());
    if (!machines.empty() && count <= machines.back()) item.fail("must be more than the level before");
    if (count > cap) item.fail(fmt::format("is beyond the cap {}", cap));
    machines.push_back(count);
  }
  return machines;
}

// A row of probabilities of so many `things`.
std::vector<double> read_row(const Node& node, std::size_t count, std::string_view things) {
  constexpr double kRounding = 1e-6;  // of what a person types; rows are then made to sum to 1
  std::vector<double> row = numbers(node);
  if (row.size() != count)
    node.fail(fmt::format("has {} probabilities, but there are {} {}", row.size(), count, things));
  const double sum = std::accumulate(row.begin(), row.end(), 0.0);
  if (std::abs(sum - 1) > kRounding) node.fail(fmt::format("must sum to 1, but sums to {:.9g}", sum));
  return row;
}

std::vector<std::vector<double>> read_shares(const Node& node, std::size_t count, std::string_view things) {
  std::vector<std::vector<double>> rows;
  for (const Node& item : node.items()) rows.push_back(read_row(item, count, things));
  return rows;
}

void read_chain(MarkovProfile& profile, const Node& node) {
  if (node.has("shows")) profile.shows = read_shares(node.at("shows"), profile.machines.size(), "levels");
  const std::size_t states = profile.is_hidden() ? profile.shows.size() : profile.machines.size();
  const std::string_view things = profile.is_hidden() ? "states that show levels" : "levels";
  const Node transitions = node.at("transitions");
  profile.transitions = read_shares(transitions, states, things);
  if (profile.transitions.size() != states)
    transitions.fail(
        fmt::format("has {} rows, but there are {} {}", profile.transitions.size(), states, things));
  if (node.has("now")) profile.now = read_row(node.at("now"), states, things);
  if (node.has("upward")) profile.upward = numbers(node.at("upward"));
}

MarkovProfile read_profile(const Node& node) {
  MarkovProfile profile;
  profile.source = node.text("source");
  profile.cap = static_cast<std::int32_t>(node.integer("cap"));
  profile.tick = node.duration("tick");
  if (profile.tick < kLeastTick || profile.tick > kMostTick) {
    node.at("tick").fail(
        fmt::format("must be {} to {}", format_duration(kLeastTick), format_duration(kMostTick)));
  }
  profile.machines = read_levels(node.at("machines"), profile.cap);
  read_chain(profile, node);
  return profile;
}

MarkovProfile read_profile_file(const std::string& path) {
  static const ValueSpec kWhole = object_value(profile_keys());
  const ScenarioText text{.file = path, .root = read_json_file(path), .overrides = {}};
  return read_profile(check_scenario(text, kWhole));
}

// Zones of a group draw what they share tick by tick.
void check_group_tick(Draft& draft, const Node& node, SimDuration tick) {
  const auto [known, is_new] = draft.group_ticks.emplace(node.text("group"), tick);
  if (is_new || known->second == tick) return;
  node.at("group").fail(
      fmt::format("the zones of a group must have one tick, but this profile has {} and another {}",
                  format_duration(tick), format_duration(known->second)));
}

}  // namespace

CapacitySource read_markov(Draft& draft, const Node& node, const Pool& pool, std::string_view classes) {
  const Node where = node.at("profile");
  const bool is_file = where.kind() == ValueKind::text;
  const MarkovProfile profile = is_file ? where.read_file(read_profile_file) : read_profile(where);
  ChainDraws draws{.zone = fmt::format("{}/{}", pool.name, classes), .group = {}};
  if (node.has("group")) {
    draws.group = node.text("group");
    draws.rho = node.number("rho");
    check_group_tick(draft, node, profile.tick);
  }
  draws.start = node.choice<ChainStart>("start");
  if (draws.start == ChainStart::now && profile.now.empty())
    node.at("start").fail("requires a profile with \"now\", which `stockout supply fit` writes");
  const CapacityRules rules = read_scale(draft, node, pool);
  const World& world = draft.world();
  const CapacitySpan span{
      .start_date = draft.calendar.start(), .begin = world.begin, .end = world.window_end};
  const std::string file = is_file ? where.as_path() : where.where().file;
  draft.assume(fmt::format("{}: capacity is drawn from {}{}{}{}", pool.name,
                           profile.is_hidden() ? "hidden regimes" : "a Markov chain",
                           profile.source.empty() ? "" : " fitted to ", profile.source,
                           profile.is_hidden() ? "" : ": spells have no memory"));
  assume_small_probes(draft, node, rules, pool);
  return to_capacity(profile, file, rules, span, draws);
}

}  // namespace stockout

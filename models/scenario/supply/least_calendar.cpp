#include "models/scenario/supply/least_calendar.h"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace stockout {
namespace {

using std::chrono::days;

// From `at` on, one entry more with that minimum holds, or one less.
struct Edge {
  SimTime at{};
  std::int64_t least = 0;
  int change = 0;
};

SimTime end_of_run(const World& world) {
  return world.window_end + (world.end == RunEnd::drain ? world.drain_limit : SimDuration::zero());
}

void check_least(const Node& node, std::int64_t usual, std::int64_t most) {
  const Node least = node.at("least");
  if (least.as_integer() <= usual)
    least.fail(
        fmt::format("must be more than the usual \"least\", {}, but is {}", usual, least.as_integer()));
  if (least.as_integer() > most)
    least.fail(fmt::format("must be at most \"count\", {}, but is {}", most, least.as_integer()));
}

// The times of one entry within the run, day by day.
std::vector<Edge> read_edges(const Draft& draft, const Node& node) {
  const World& world = draft.scenario.world;
  const Calendar& calendar = draft.calendar;
  Date day = calendar.local_day(world.begin);
  Date end = calendar.local_day(end_of_run(world)) + days{1};
  if (node.has("from") && node.has("until") && node.date("until") <= node.date("from"))
    node.at("until").fail("must be later than \"from\"");
  if (node.has("from")) day = std::max(day, node.date("from"));
  if (node.has("until")) end = std::min(end, node.date("until"));
  const std::array<bool, 7> open = open_days(node.at("days"));
  const ClockSpan hours = node.at("hours").as_clock_span();
  const std::int64_t least = node.integer("least");
  std::vector<Edge> edges;
  for (; day < end; day += days{1}) {
    if (!open[std::chrono::weekday{day}.iso_encoding() - 1]) continue;
    edges.push_back({.at = calendar.time(day, hours.from), .least = least, .change = 1});
    edges.push_back({.at = calendar.time(day, hours.to), .least = least, .change = -1});
  }
  return edges;
}

// " from 2026-11-20 to 2026-12-02, weekdays, 08:00-18:00", as far as it is said.
std::string times_text(const Node& node) {
  std::string text;
  if (node.has("from")) text += fmt::format(" from {}", to_text(node.date("from")));
  if (node.has("until")) text += fmt::format(" to {}", to_text(node.date("until") - days{1}));
  if (node.has("days")) {
    std::vector<std::string> names;
    const Node chosen = node.at("days");
    if (chosen.kind() != ValueKind::list) names.push_back(chosen.as_text());
    if (chosen.kind() == ValueKind::list) {
      for (const Node& day : chosen.items()) names.push_back(day.as_text());
    }
    text += fmt::format(", {}", fmt::join(names, " "));
  }
  return text + (node.has("hours") ? fmt::format(", {}", node.text("hours")) : "");
}

// The most of what holds, from each time on at which it changes.
std::vector<LeastStep> steps_of(std::vector<Edge> edges, MachineCount usual) {
  std::ranges::stable_sort(edges, {}, &Edge::at);
  std::map<std::int64_t, int> holding{{usual.count(), 1}};  // entries by their minimum
  std::vector<LeastStep> steps;
  for (auto edge = edges.begin(); edge != edges.end();) {
    const SimTime at = edge->at;
    for (; edge != edges.end() && edge->at == at; ++edge) holding[edge->least] += edge->change;
    std::erase_if(holding, [](const auto& entries) { return entries.second == 0; });
    const MachineCount least{holding.rbegin()->first};
    if (least != (steps.empty() ? usual : steps.back().least)) steps.push_back({.at = at, .least = least});
  }
  return steps;
}

}  // namespace

std::vector<LeastStep> read_least_steps(Draft& draft, const Node& node, MachineCount least,
                                        const HeldPool& held) {
  std::vector<Edge> edges;
  for (const Node& raise : node.list("raised")) {
    check_least(raise, least.count(), held.machines.count());
    const std::vector<Edge> more = read_edges(draft, raise);
    if (more.empty()) draft.warn(fmt::format("{}: a raised minimum lies outside the run", held.pool.name));
    edges.insert(edges.end(), more.begin(), more.end());
    draft.assume(
        fmt::format("{}: at least {} machines{}", held.pool.name, raise.integer("least"), times_text(raise)));
  }
  return steps_of(std::move(edges), least);
}

}  // namespace stockout

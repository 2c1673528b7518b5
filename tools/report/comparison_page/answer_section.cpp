#include "tools/report/comparison_page/answer_section.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "models/experiment/cost_difference.h"
#include "models/experiment/standing.h"
#include "sim/core/hours.h"
#include "tools/report/comparison/comparison_tables.h"
#include "tools/report/comparison/cost_columns.h"
#include "tools/report/comparison/goal_tables.h"
#include "tools/report/comparison/notes.h"
#include "tools/report/comparison_page/answer_flips.h"

namespace stockout {
namespace {

constexpr std::size_t kFlipsFirst = 3;
constexpr double kUsualShare = 0.95;

// Limits that a person would ask for; the goal's own beside them.
constexpr std::array kUsualLimits{0.0,  5.0 / 60, 0.25,  0.5,   1.0,   2.0,    4.0,    8.0,   12.0,
                                  24.0, 48.0,     168.0, 336.0, 672.0, 2184.0, 4368.0, 8736.0};

bool is_usual(double hours) {
  return std::ranges::any_of(kUsualLimits, [&](double one) { return std::abs(one - hours) < 1e-9; });
}

std::vector<std::size_t> limits_offered(const WaitCurves& waits) {
  std::vector<std::size_t> places;
  for (std::size_t w = 0; w < waits.waits.size(); ++w) {
    if (is_usual(to_hours(waits.waits[w])) || waits.goal == w) places.push_back(w);
  }
  // Nobody asks for no wait at all, unless there is nothing else to ask.
  if (places.size() > 1 && places.front() == 0 && waits.goal != std::size_t{0}) places.erase(places.begin());
  return places;
}

// What is reached exactly must not be missed by the last bit.
double without_last_bits(double share) { return std::round(share * 1e12) / 1e12; }

const WaitCurve* curve_of(const PageStory& story, std::size_t strategy) {
  const auto found = std::ranges::find(story.waits.curves, strategy, &WaitCurve::strategy);
  return found == story.waits.curves.end() ? nullptr : &*found;
}

// The cheapest first; those that fail in anything but their waits can never be the answer.
std::vector<std::size_t> strategies_to_choose(const PageStory& story) {
  const Standings standings{story.report.comparison, story.report.scenario.goal};
  std::vector<std::size_t> places = standings.by_cost();
  std::erase_if(places, [&](std::size_t i) {
    return !standings[i].qualifies_but_for_waits() || curve_of(story, i) == nullptr;
  });
  return places;
}

std::vector<std::size_t> same_cost(const Comparison& comparison, const std::vector<std::size_t>& places,
                                   std::size_t row) {
  std::vector<std::size_t> rows;
  for (std::size_t other = 0; other < places.size(); ++other) {
    if (other == row) continue;
    const CostDifference difference = cost_difference(comparison, places[other], places[row]);
    const bool is_equal = difference.more.mean == 0 && difference.more.half_width.value_or(0) == 0;
    if (is_equal || difference.may_be_chance) rows.push_back(other);
  }
  return rows;
}

// The shortest that the strategy of the verdict keeps for the usual share, or the longest.
std::size_t limit_without_goal(const PageStory& story, const std::vector<std::size_t>& limits) {
  const WaitCurve* curve = curve_of(story, story.report.verdict->strategy);
  for (std::size_t i = 0; curve != nullptr && i < limits.size(); ++i) {
    if (without_last_bits(curve->completed[limits[i]].mean) >= kUsualShare) return i;
  }
  return limits.size() - 1;
}

std::string jobs_chosen(const Scenario& scenario) {
  if (!scenario.goal || !scenario.goal->job_class) return "jobs";
  return scenario.world.classes[index(*scenario.goal->job_class)].name + " jobs";
}

Relation flips_table(const std::vector<AnswerFlip>& flips) {
  Relation table{.title = "Everything that changes the answer, the strongest first"};
  table.add_columns(kText, {"what", "how"});
  for (const AnswerFlip& flip : flips) table.add({flip.what, flip.sentence});
  return table;
}

void add_flips(const PageStory& story, std::vector<PageBlock>& blocks) {
  const AnswerFlips found = find_flips(story);
  if (found.flips.empty()) {
    blocks.push_back(Paragraph{"Flips of the answer: nothing that was tried gives another one."});
  } else {
    RankedList strongest{.title = "Flips of the answer, the strongest first:", .items = {}};
    for (std::size_t i = 0; i < std::min(kFlipsFirst, found.flips.size()); ++i)
      strongest.items.push_back(found.flips[i].sentence);
    blocks.push_back(std::move(strongest));
  }
  Details details{.summary = "All that was tried, and how it is ranked", .blocks = {}};
  for (const std::string& line : found.tried) details.blocks.emplace_back(Paragraph{line});
  details.blocks.emplace_back(
      Paragraph{"Another answer is another strategy that does not cost the same, or none where there was "
                "one. First comes chance, then the scenario's own alternatives in its order. Then comes the "
                "price or limit that has to move least, a half being as far as a double."});
  if (found.flips.size() > kFlipsFirst) details.blocks.emplace_back(flips_table(found.flips));
  blocks.push_back(std::move(details));
}

// Why a strategy is left out of the choice; nothing if it is not.
std::string_view why_left_out(const Standing& standing) {
  if (!standing.work.on_average) return "less of the work gets done";
  if (!standing.runs_all) return "some class of jobs never runs";
  return standing.others_met ? "" : "another goal is missed";
}

std::string left_out_note(const PageStory& story) {
  constexpr std::size_t kMostNamed = 5;
  const Standings standings{story.report.comparison, story.report.scenario.goal};
  std::map<std::string_view, std::vector<std::string>> names;
  for (std::size_t i = 0; i < story.report.comparison.strategies.size(); ++i) {
    if (const std::string_view why = why_left_out(standings[i]); !why.empty())
      names[why].push_back(fmt::format("\"{}\"", story.report.comparison.strategies[i].name));
  }
  if (names.empty()) return {};
  std::vector<std::string> reasons;
  for (auto& [why, left_out] : names) {
    const std::size_t more = left_out.size() - std::min(left_out.size(), kMostNamed);
    left_out.resize(left_out.size() - more);
    reasons.push_back(fmt::format("since {}: {}{}", why, fmt::join(left_out, ", "),
                                  more > 0 ? fmt::format(" and {} more", more) : ""));
  }
  const bool do_less = names.contains("less of the work gets done");
  return fmt::format("Never the answer, whatever the wait limit, {}.{}", fmt::join(reasons, "; "),
                     do_less ? " The cost of less work is that of less work." : "");
}

}  // namespace

std::optional<WaitChoice> wait_choice(const PageStory& story) {
  const Comparison& comparison = story.report.comparison;
  const std::vector<std::size_t> limits = limits_offered(story.waits);
  const std::vector<std::size_t> places = strategies_to_choose(story);
  const bool any_done = std::ranges::any_of(comparison.strategies, [](const StrategyResult& strategy) {
    return strategy.total[Measure::completed].mean > 0;
  });
  if (limits.empty() || places.empty() || !any_done) return std::nullopt;
  const auto& goal = story.report.scenario.goal;
  WaitChoice choice{.jobs = jobs_chosen(story.report.scenario),
                    .within_h = {},
                    .rows = {},
                    .limit = limit_without_goal(story, limits),
                    .share = goal ? goal->quantile : kUsualShare};
  for (std::size_t i = 0; i < limits.size(); ++i) {
    choice.within_h.push_back(to_hours(story.waits.waits[limits[i]]));
    if (story.waits.goal == limits[i]) choice.limit = i;
  }
  for (std::size_t row = 0; row < places.size(); ++row) {
    const StrategyResult& strategy = comparison.strategies[places[row]];
    ChoiceRow& one = choice.rows.emplace_back();
    one.strategy = strategy.name;
    one.cost_usd = strategy.total[Measure::cost].mean;
    one.cost_half_width = strategy.total[Measure::cost].half_width;
    one.costs_the_same = same_cost(comparison, places, row);
    for (const std::size_t limit : limits)
      one.share.push_back(without_last_bits(curve_of(story, places[row])->completed[limit].mean));
  }
  return choice;
}

PageSection answer_section(const PageStory& story) {
  PageSection section{.id = "strategies",
                      .title = "Every strategy, and what could flip the answer",
                      .blocks = {},
                      .menu = "Strategies"};
  add_flips(story, section.blocks);
  section.blocks.push_back(summary_table(story.report));
  for (Relation& table : goal_tables(story.report)) section.blocks.push_back(std::move(table));
  section.blocks.push_back(Paragraph{fmt::format("± is half of the 95 % interval. {}", kBoundNote)});
  if (std::string note = cost_difference_note(story.report); !note.empty()) {
    note.front() = 'M';
    section.blocks.push_back(Paragraph{std::move(note)});
  }
  if (std::string note = left_out_note(story); !note.empty())
    section.blocks.push_back(Paragraph{std::move(note)});
  return section;
}

}  // namespace stockout

#include "tools/report/comparison_page/comparison_page.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "models/experiment/standing.h"
#include "tools/report/comparison/deciding_price.h"
#include "tools/report/comparison/rules_text.h"
#include "tools/report/comparison_page/answer_section.h"
#include "tools/report/comparison_page/made_section.h"
#include "tools/report/comparison_page/money_section.h"
#include "tools/report/comparison_page/pools_section.h"
#include "tools/report/comparison_page/prices_section.h"
#include "tools/report/comparison_page/waits_section.h"
#include "tools/report/comparison_page/words_section.h"

namespace stockout {
namespace {

double cost_of_place(const Report& report, std::size_t place) {
  return report.comparison.strategies[place].total[Measure::cost].mean;
}

double in_time(const Report& report, std::size_t place) {
  const Summaries& total = report.comparison.strategies[place].total;
  return report.scenario.goal ? total[Measure::goal_met_share].mean
                              : 1 - total[Measure::never_started_share].mean;
}

bool is_beaten(const Report& report, std::size_t place) {
  const double cost = cost_of_place(report, place);
  const double share = in_time(report, place);
  for (std::size_t other = 0; other < report.comparison.strategies.size(); ++other) {
    const double other_cost = cost_of_place(report, other);
    const double other_share = in_time(report, other);
    const bool is_as_good = other_cost <= cost && other_share >= share;
    if (is_as_good && (other_cost < cost || other_share > share)) return true;
  }
  return false;
}

std::vector<std::size_t> most_telling(const Report& report, std::size_t most) {
  std::vector<std::size_t> places(report.comparison.strategies.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  if (places.size() <= most) return places;
  std::vector<int> rank;
  for (const std::size_t place : places)
    rank.push_back(place == report.verdict->strategy ? 0 : is_beaten(report, place) ? 2 : 1);
  std::ranges::stable_sort(places, [&](std::size_t a, std::size_t b) {
    return rank[a] != rank[b] ? rank[a] < rank[b] : cost_of_place(report, a) < cost_of_place(report, b);
  });
  places.resize(most);
  return places;
}

}  // namespace

std::vector<std::size_t> strategies_drawn(const Report& report) {
  std::vector<std::size_t> places = most_telling(report, kMostDrawn);
  std::ranges::sort(places);
  return places;
}

std::vector<std::size_t> strategies_over_time(const Report& report) {
  std::vector<std::size_t> places = most_telling(report, kMostOverTime);
  std::ranges::stable_sort(places, {}, [&](std::size_t place) { return place != report.verdict->strategy; });
  return places;
}

std::size_t bins_over_time(const World& world, std::size_t strategies) {
  const std::size_t pools = std::min(world.pool_count(), kMostPoolsEach);
  const std::size_t series = std::max<std::size_t>(1, std::min(strategies, kMostOverTime) * pools);
  return std::clamp<std::size_t>(kMostPointsDrawn / series, 100, kMostBins);
}

StrategyHistory strategy_history(std::size_t strategy, RunHistory history) {
  StrategyHistory kept{.strategy = strategy, .history = std::move(history)};
  kept.pools_left_out = keep_busiest_pools(kept.history, kMostPoolsEach);
  return kept;
}

std::vector<std::string> names_of(const Report& report, const std::vector<std::size_t>& places) {
  std::vector<std::string> names;
  for (const std::size_t place : places) names.push_back(report.comparison.strategies[place].name);
  return names;
}

std::string drawn_note(const Report& report) {
  const std::size_t all = report.comparison.strategies.size();
  if (all <= kMostDrawn) return {};
  return fmt::format(
      "Pictures show {} of {} strategies: that of the answer, then those that no other beats in both cost "
      "and jobs in time, then the cheapest. Tables have all of them.",
      kMostDrawn, all);
}

Page comparison_page(const PageStory& story) {
  const Scenario& scenario = story.report.scenario;
  Page page{.title = scenario.name,
            .question = scenario.question,
            .answer = story.report.headline,
            .hangs_on = deciding_text(story.report),
            .caution = unnamed_text(story.report),
            .choice = wait_choice(story),
            .strategies = names_of(story.report, strategies_drawn(story.report)),
            .sections = {}};
  page.sections.push_back(answer_section(story));
  page.sections.push_back(waits_section(story, page.data));
  page.sections.push_back(money_section(story));
  page.sections.push_back(pools_section(story, page.data));
  page.sections.push_back(prices_section(story));
  page.sections.push_back(tables_section(story));
  page.sections.push_back(made_section(story));
  page.sections.push_back(words_section());
  return page;
}

}  // namespace stockout

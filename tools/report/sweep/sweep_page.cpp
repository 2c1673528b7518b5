#include "tools/report/sweep/sweep_page.h"

#include <fmt/format.h>

#include "tools/report/sweep/cost_wait_chart.h"
#include "tools/report/sweep/effect_charts.h"
#include "tools/report/sweep/sweep_answer.h"
#include "tools/report/sweep/sweep_tables.h"
#include "tools/report/sweep/winner_charts.h"

namespace stockout {
namespace {

void add_lines(PageSection& section, const std::vector<std::string>& lines) {
  for (const std::string& line : lines) section.blocks.emplace_back(Paragraph{line});
}

PageSection strategies_section(const SweepStory& story) {
  PageSection section{.id = "strategies", .title = "Strategies", .blocks = {}};
  section.blocks.emplace_back(strategies_table(story));
  const std::vector<std::string> flips = what_could_flip(story);
  if (!flips.empty()) {
    section.blocks.emplace_back(RankedList{
        .title = flips.size() == 1
                     ? "The assumption that could flip the answer:"
                     : fmt::format("The {} assumptions that could flip the answer, those first along which "
                                   "the winner changes most:",
                                   flips.size() == 2 ? "two" : "three"),
        .items = flips});
  }
  add_lines(section, sweep_caveats(story));
  return section;
}

PageSection winners_section(const SweepStory& story, nlohmann::json& data) {
  PageSection section{.id = "who-wins", .title = "Who wins where", .blocks = winner_charts(story, data)};
  section.blocks.emplace_back(axes_table(story));
  return section;
}

PageSection sensitivity_section(const SweepStory& story, nlohmann::json& data) {
  PageSection section{.id = "sensitivity", .title = "Effect of each parameter", .blocks = {}};
  add_lines(section, sensitivity_rule(story));
  if (auto chart = difference_chart(story)) section.blocks.emplace_back(std::move(*chart));
  if (auto chart = tornado_chart(story, data)) section.blocks.emplace_back(std::move(*chart));
  return section;
}

PageSection cost_section(const SweepStory& story, nlohmann::json& data) {
  PageSection section{.id = "cost-and-wait", .title = "Cost against wait", .blocks = {}};
  section.blocks.emplace_back(cost_wait_chart(story, data));
  return section;
}

PageSection points_section(const SweepStory& story) {
  PageSection section{.id = "points", .title = "Points", .blocks = {}};
  const std::string left_out = points_left_out(story);
  if (!left_out.empty()) section.blocks.emplace_back(Paragraph{left_out});
  section.blocks.emplace_back(
      Details{.summary = "Every point and strategy", .blocks = {points_table(story)}});
  if (!story.sweep.failed.empty()) section.blocks.emplace_back(failed_table(story));
  return section;
}

PageSection made_section_of_sweep(const SweepStory& story) {
  PageSection section{.id = "made", .title = "How it was made", .blocks = {}};
  section.blocks.emplace_back(made_from_table(story));
  section.blocks.emplace_back(shares_of_sweep());
  section.blocks.emplace_back(Details{.summary = "Input files", .blocks = {inputs_table(story)}});
  return section;
}

}  // namespace

Page sweep_page(const SweepStory& story) {
  Page page{.title = story.sweep.head.name,
            .question = story.sweep.question,
            .answer = sweep_answer(story),
            .choice = {},
            .strategies = story.sweep.strategies,
            .sections = {}};
  page.sections.push_back(strategies_section(story));
  page.sections.push_back(winners_section(story, page.data));
  page.sections.push_back(sensitivity_section(story, page.data));
  page.sections.push_back(cost_section(story, page.data));
  page.sections.push_back(points_section(story));
  page.sections.push_back(made_section_of_sweep(story));
  return page;
}

}  // namespace stockout

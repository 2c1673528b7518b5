#include "tools/report/recommend_page/recommend_page.h"

#include <utility>
#include <vector>

#include <fmt/format.h>

#include "tools/report/recommend/menu.h"
#include "tools/report/recommend/notes.h"
#include "tools/report/recommend/orders.h"
#include "tools/report/recommend/worlds_text.h"
#include "tools/report/recommend_page/ways_charts.h"

namespace stockout {
namespace {

void add_lines(PageSection& section, const std::vector<std::string>& lines) {
  for (const std::string& line : lines) section.blocks.emplace_back(Paragraph{line});
}

void add_list(PageSection& section, const std::string& title, std::vector<std::string> lines) {
  if (!lines.empty()) section.blocks.emplace_back(RankedList{.title = title, .items = std::move(lines)});
}

void add_details(PageSection& section, const std::string& summary, const std::vector<std::string>& lines) {
  if (lines.empty()) return;
  Details details{.summary = summary, .blocks = {}};
  for (const std::string& line : lines) details.blocks.emplace_back(Paragraph{line});
  section.blocks.emplace_back(std::move(details));
}

// It is seen with the answer.
PageSection menu_section(const RecommendationReport& report) {
  PageSection section{.id = "menu", .title = "Ways to buy", .blocks = {}, .summary = true};
  section.blocks.emplace_back(menu_table(report, kMenuRows));
  return section;
}

PageSection ways_section(const RecommendationReport& report) {
  PageSection section{.id = "every-way", .title = "Cost against goals", .blocks = {}, .summary = true};
  if (auto chart = ways_chart(report)) section.blocks.emplace_back(std::move(*chart));
  return section;
}

PageSection why_section(const RecommendationReport& report) {
  PageSection section{
      .id = "why", .title = "Why, and what would change it", .blocks = {}, .menu = "Why", .summary = true};
  add_list(section, "Because:", because_lines(report));
  add_list(section, "It would change with:", flip_lines(report));
  add_list(section, "Over the worlds:", worlds_lines(report));
  add_lines(section, warnings_of_best(report));
  return section;
}

PageSection choices_section(std::vector<Chart> charts) {
  PageSection section{.id = "choices", .title = "Other choices", .blocks = {}};
  for (Chart& chart : charts) section.blocks.emplace_back(std::move(chart));
  return section;
}

PageSection made_section(const RecommendationReport& report, const std::string& command) {
  PageSection section{.id = "made", .title = "How it was found", .blocks = {}};
  section.blocks.emplace_back(goals_table(report));
  add_lines(section, made_lines(report));
  add_lines(section, left_out_lines(report));
  add_details(section, "To order it (nothing is ordered here)", order_lines(report));
  Relation made{.title = "Made from", .columns = {name_column("what"), {.title = "is"}}};
  made.add({"command", command});
  made.add({"scenario", report.written.file});
  made.add({"prices", "as of " + report.written.prices_as_of});
  made.add({"seed", std::to_string(report.written.world.seed)});
  made.add({"stockout", report.version});
  section.blocks.emplace_back(std::move(made));
  add_details(section, "Assumptions of the scenario", report.written.assumptions);
  return section;
}

}  // namespace

Page recommendation_page(const RecommendationReport& report, const std::string& command) {
  Page page{.title = report.written.name,
            .question = report.written.question,
            .answer = recommendation_sentence(report),
            .choice = {},
            .strategies = strategies_of_ways(report),
            .sections = {}};
  page.sections.push_back(menu_section(report));
  page.sections.push_back(why_section(report));
  page.sections.push_back(ways_section(report));
  if (auto charts = choice_charts(report); !charts.empty())
    page.sections.push_back(choices_section(std::move(charts)));
  page.sections.push_back(made_section(report, command));
  return page;
}

}  // namespace stockout

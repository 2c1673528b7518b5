#include <algorithm>

#include <fmt/format.h>

#include "tools/report/assumption_tables.h"
#include "tools/report/bound_tables.h"
#include "tools/report/break_even_report.h"
#include "tools/report/chart_spec.h"
#include "tools/report/comparison_page_sections.h"
#include "tools/report/price_words.h"

namespace stockout {
namespace {

std::string model_label(const BreakEven& model) {
  return fmt::format("{}, {}", price_words(model.model), model.machine);
}

std::vector<std::string> model_labels(const BreakEvens& found) {
  std::vector<std::string> labels;
  for (const BreakEven& model : found.models) labels.push_back(model_label(model));
  return labels;
}

// Up to where the picture goes: beyond the last price at which the answer changes.
double farthest(const BreakEvens& found) {
  double most = 1.6;
  for (const BreakEven& model : found.models) {
    for (const WinningRange& range : model.ranges) most = std::max(most, range.until.value_or(0));
  }
  return most * 1.25;
}

ChartJson break_even_rows(const PageStory& story, double end) {
  ChartJson rows = ChartJson::array();
  for (const BreakEven& model : story.break_evens.models) {
    for (const WinningRange& range : model.ranges) {
      const double until = range.until.value_or(end);
      rows.push_back({{"model", model_label(model)},
                      {"strategy", story.report.comparison.strategies[range.strategy].name},
                      {"from", range.from},
                      {"until", until},
                      {"from_usd", range.from * model.usd_per_hour},
                      {"until_usd", until * model.usd_per_hour}});
    }
  }
  return rows;
}

ChartJson break_even_spec(const PageStory& story) {
  const double end = farthest(story.break_evens);
  const std::vector<std::string> drawn = names_of(story.report, strategies_drawn(story.report));
  const ChartJson colour = strategy_channel(drawn);
  return {{"data", {{"values", break_even_rows(story, end)}}},
          {"height", {{"step", 34}}},
          {"layer",
           {{{"mark", {{"type", "bar"}, {"opacity", 0.85}}},
             {"encoding",
              {{"y", name_channel("model", model_labels(story.break_evens))},
               {"x", number_channel("from", "Price, as a multiple of that of now", ".3~g",
                                    {{"scale", {{"domain", {0, end}}, {"nice", false}}}})},
               {"x2", far_end("until")},
               {"color", colour},
               {"tooltip",
                {tooltip_name("model", "price of"), tooltip_name("strategy", "cheapest"),
                 tooltip_number("from_usd", "from [USD/h]", ",.2f"),
                 tooltip_number("until_usd", "up to [USD/h]", ",.2f")}}}}},
            {{"mark", {{"type", "rule"}, {"strokeDash", {4, 4}}, {"strokeWidth", 2}, {"color", "gray"}}},
             {"encoding", {{"x", {{"datum", 1}, {"type", "quantitative"}}}}}}}}};
}

void add_break_evens(const PageStory& story, std::vector<PageBlock>& blocks) {
  if (!story.break_evens.models.empty()) {
    blocks.push_back(Chart{
        .id = "break-even",
        .title = "Which strategy is the cheapest as one price moves",
        .description =
            "A bar for each way of buying: from a price of nothing on the left to a multiple of that of now. "
            "Its "
            "colours say which strategy is the cheapest at that price, all others staying as they are. The "
            "dashed line is the price of now.",
        .spec = break_even_spec(story),
        .table = break_even_table(story.break_evens, story.report.comparison)});
  }
  for (const std::string& line : break_even_remarks(story.break_evens, story.report.comparison))
    blocks.push_back(Paragraph{line});
}

ChartJson band_spec(const Report& report) {
  const std::vector<std::size_t> drawn = strategies_drawn(report);
  const std::vector<std::string> names = names_of(report, drawn);
  ChartJson rows = ChartJson::array();
  const auto under = [&](const Extreme& extreme) {
    return extreme.under == Extreme::kAsWritten ? std::string{"as written"}
                                                : report.band->alternatives[extreme.under].name;
  };
  for (const std::size_t place : drawn) {
    const auto band = band_of(report.comparison, *report.band, place, Measure::cost);
    if (!band) continue;
    rows.push_back({{"strategy", report.comparison.strategies[place].name},
                    {"written", report.comparison.strategies[place].total[Measure::cost].mean},
                    {"low", band->low.value},
                    {"low_under", under(band->low)},
                    {"high", band->high.value},
                    {"high_under", under(band->high)}});
  }
  const ChartJson strategy = name_channel("strategy", names);
  return {{"data", {{"values", std::move(rows)}}},
          {"height", {{"step", 24}}},
          {"params", ChartJson::array({page_parameter("shown", names)})},
          {"transform", ChartJson::array({only_shown()})},
          {"encoding", {{"y", strategy}}},
          {"layer",
           {{{"mark", {{"type", "rule"}, {"strokeWidth", 4}, {"opacity", 0.5}}},
             {"encoding",
              {{"x", number_channel("low", "Cost [USD], lowest to highest", ",.0f")},
               {"x2", far_end("high")},
               {"tooltip",
                {tooltip_name("strategy", "strategy"), tooltip_number("low", "lowest [USD]", ",.0f"),
                 tooltip_name("low_under", "under"), tooltip_number("high", "highest [USD]", ",.0f"),
                 tooltip_name("high_under", "under")}}}}},
            {{"mark", {{"type", "point"}, {"filled", true}, {"size", 70}}},
             {"encoding", {{"x", number_channel("written", "Cost [USD], lowest to highest", ",.0f")}}}}}}};
}

void add_band(const Report& report, std::vector<PageBlock>& blocks) {
  if (report.band == nullptr) return;
  const std::vector<Relation> tables = band_tables(report);
  blocks.push_back(Paragraph{report.band->sentence});
  blocks.push_back(Chart{
      .id = "assumption-band",
      .title = "Cost under the scenario's alternatives to what it assumes",
      .description = "A line a strategy, from the lowest to the highest cost under any alternative, one at a "
                     "time, in US dollars; the dot is the scenario as written.",
      .spec = band_spec(report),
      .table = tables.front()});
  for (std::size_t i = 1; i < tables.size(); ++i) blocks.push_back(tables[i]);
  blocks.push_back(band_verdicts(report));
}

}  // namespace

PageSection prices_section(const PageStory& story) {
  PageSection section{
      .id = "prices", .title = "Other prices, other assumptions", .blocks = {}, .menu = "Other prices"};
  add_break_evens(story, section.blocks);
  add_band(story.report, section.blocks);
  if (story.report.bounds != nullptr) {
    section.blocks.push_back(bound_table(story.report));
    for (const std::string& line : bound_remarks(story.report)) section.blocks.push_back(Paragraph{line});
  }
  return section;
}

}  // namespace stockout

#include "tools/report/record/record_prices.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "models/billing/cost.h"
#include "tools/report/prices/break_even_chart.h"
#include "tools/report/prices/break_even_table.h"
#include "tools/report/prices/price_age.h"
#include "tools/report/prices/price_flips.h"
#include "tools/report/record/used_lines.h"

namespace stockout {
namespace {

Relation used_prices_table(const StoredComparison& record) {
  Relation table{.title = "Prices that were used, of a machine-hour at the start of the window [USD]"};
  table.add_columns(kText, {"machine", "price model", "region"});
  table.add_columns(kUnitPrice, {"contracted", "list"});
  table.add_columns(kText, {"price of"});
  table.columns.push_back({.title = "age", .unit = "days", .style = kWhole});
  table.add_columns(kText, {"known as", "source"});
  // As old as when they are to be paid, where that is later than the list.
  const auto day =
      record.prices_follow_calendar ? std::nullopt : later_day(record.prices_as_of, record.start);
  for (const std::size_t i : used_lines(record)) {
    const PriceLine& line = record.lines[i].price;
    const PriceStep step = price_at(line, 0);
    table.add({record.lines[i].machine, kPriceModelNames[static_cast<std::size_t>(line.model)], line.region,
               usd_of(step.contracted), usd_of(step.list),
               line.as_of.empty() ? "your own" : line.as_of + (line.overlaid ? ", changed by your own" : ""),
               price_age(day, line.as_of), line.confidence, line.source});
  }
  return table;
}

}  // namespace

std::vector<std::string> prices_that_flip(const RecordStory& story) {
  constexpr std::size_t kMost = 3;
  std::vector<PriceFlip> flips;
  for (const BreakEven& model : story.break_evens.models) {
    if (std::optional<PriceFlip> flip = flip_into_budget(model, story.comparison)) {
      flips.push_back(std::move(*flip));
      continue;
    }
    const WinningRange* now = range_now(model);
    if (now == nullptr) continue;
    const auto is_answer = [now](std::size_t strategy) { return strategy == now->strategy; };
    std::ranges::move(price_flips(model, story.comparison, is_answer), std::back_inserter(flips));
  }
  std::ranges::stable_sort(flips, {}, &PriceFlip::change);
  std::vector<std::string> lines;
  for (const PriceFlip& flip : flips) {
    if (lines.size() == kMost) break;
    lines.push_back(flip.sentence);
  }
  return lines;
}

PageSection recorded_prices_section(const RecordStory& story) {
  PageSection section{.id = "prices", .title = "Prices", .blocks = {}};
  if (!story.break_evens.models.empty())
    section.blocks.emplace_back(
        break_even_chart(story.break_evens, story.comparison, strategy_names(story.comparison)));
  for (const std::string& line : break_even_remarks(story.break_evens, story.comparison))
    section.blocks.emplace_back(Paragraph{line});
  section.blocks.emplace_back(used_prices_table(story.record));
  section.blocks.emplace_back(Paragraph{"`stockout price` says what the same runs cost at other prices."});
  return section;
}

}  // namespace stockout

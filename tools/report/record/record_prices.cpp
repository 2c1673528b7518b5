#include "tools/report/record/record_prices.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "models/billing/cost.h"
#include "tools/report/prices/break_even_chart.h"
#include "tools/report/prices/break_even_table.h"
#include "tools/report/prices/price_flips.h"

namespace stockout {
namespace {

std::string_view model_name(PriceModel model) { return kPriceModelNames[static_cast<std::size_t>(model)]; }

// Under which anything was used, once for each machine, model and region.
Relation used_prices_table(const StoredComparison& record) {
  Relation table{.title = "Prices that were used, of a machine-hour at the start of the window [USD]"};
  table.add_columns(kText, {"machine", "price model", "region"});
  table.add_columns(kUnitPrice, {"contracted", "list"});
  table.add_columns(kText, {"price of"});
  table.columns.push_back({.title = "age", .unit = "days", .style = kWhole});
  const auto day = record.prices_follow_calendar ? std::nullopt : parse_date(record.prices_as_of);
  std::set<std::tuple<std::string, PriceModel, std::string>> told;
  for (std::size_t i = 0; i < record.lines.size(); ++i) {
    const PriceLine& line = record.lines[i].price;
    const PriceLineId id{static_cast<std::uint32_t>(i)};
    const bool used = std::ranges::any_of(record.strategies, [&](const StoredStrategy& strategy) {
      return std::ranges::any_of(strategy.runs,
                                 [&](const StoredRun& run) { return !run.use.hours(id).empty(); });
    });
    if (!used || line.charge == Charge::sublet ||
        !told.emplace(record.lines[i].machine, line.model, line.region).second)
      continue;
    const auto usd = [](MachineHourPrice price) { return static_cast<double>(price.count()) / 1e9; };
    const PriceStep step = price_at(line, 0);
    const auto as_of = parse_date(line.as_of);
    table.add({record.lines[i].machine, model_name(line.model), line.region, usd(step.contracted),
               usd(step.list),
               line.as_of.empty() ? "your own" : line.as_of + (line.overlaid ? ", changed by your own" : ""),
               day && as_of ? Cell{(*day - *as_of).count()} : Cell{}});
  }
  return table;
}

}  // namespace

std::vector<std::string> prices_that_flip(const RecordStory& story) {
  constexpr std::size_t kMost = 3;
  std::vector<PriceFlip> flips;
  for (const BreakEven& model : story.break_evens.models) {
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

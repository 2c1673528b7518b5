#include "tools/report/record/record_prices.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "models/billing/cost.h"
#include "models/measures/number_text.h"
#include "tools/report/prices/break_even_chart.h"
#include "tools/report/prices/break_even_table.h"

namespace stockout {
namespace {

std::string_view model_name(PriceModel model) { return kPriceModelNames[static_cast<std::size_t>(model)]; }

std::string priced_machine(const BreakEven& model) {
  return fmt::format("{} price, {} in {}", model_name(model.model), model.machine, model.region);
}

const std::string& name_at(const RecordStory& story, const WinningRange& range) {
  return story.comparison.strategies[range.strategy].name;
}

std::string usd_text(double usd) { return fmt::format("${}", number_text(usd, 2)); }

/// A price at which another strategy becomes the cheapest.
struct PriceFlip {
  double change = 0;  // |ln(then / now)|; half is as far as double
  std::string sentence;
};

void add_flips(const RecordStory& story, const BreakEven& model, std::vector<PriceFlip>& flips) {
  const auto now = std::ranges::find_if(
      model.ranges, [](const WinningRange& range) { return !range.until || *range.until > 1; });
  if (now == model.ranges.end()) return;
  const std::string what =
      fmt::format("{}, now {} an hour", priced_machine(model), usd_text(model.usd_per_hour));
  if (now->until) {
    flips.push_back({.change = std::log(*now->until),
                     .sentence = fmt::format("{}: from {} on ({} times that of now), \"{}\" is the cheapest.",
                                             what, usd_text(*now->until * model.usd_per_hour),
                                             number_text(*now->until, 2), name_at(story, *std::next(now)))});
  }
  if (now != model.ranges.begin() && now->from > 0) {
    flips.push_back({.change = -std::log(now->from),
                     .sentence = fmt::format("{}: below {} ({} times that of now), \"{}\" is the cheapest.",
                                             what, usd_text(now->from * model.usd_per_hour),
                                             number_text(now->from, 2), name_at(story, *std::prev(now)))});
  }
}

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
  for (const BreakEven& model : story.break_evens.models) add_flips(story, model, flips);
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

#include "tools/report/comparison/used_prices.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "models/billing/cost.h"
#include "models/billing/overlay.h"
#include "models/measures/number_text.h"
#include "tools/report/prices/price_age.h"
#include "tools/report/prices/price_words.h"

namespace stockout {
namespace {

/// A price that was used.
struct PriceNote {
  std::string machine;
  std::string model;
  std::vector<std::string> pools;
  double list_usd_per_hour = 0;  // of one machine, at the start of the window
  double contracted_usd_per_hour = 0;
  std::string as_of;            // of the row, or of the planner's own; empty: own, of no stated day
  std::string confidence;       // as PriceLine has it
  std::string source;           // of the row, and the labels of the planner's terms
  std::optional<int> age_days;  // on day_of_prices(); none if prices move
  bool overlaid = false;
  // Of the contracted price within the window, where it moves: how often, and between what.
  int changes = 0;
  double least_usd_per_hour = 0;
  double most_usd_per_hour = 0;
};

double usd(MachineHourPrice price) { return static_cast<double>(price.count()) / 1e9; }

bool same_price(const PriceNote& a, const PriceNote& b) {
  return a.machine == b.machine && a.model == b.model && a.list_usd_per_hour == b.list_usd_per_hour &&
         a.contracted_usd_per_hour == b.contracted_usd_per_hour && a.as_of == b.as_of &&
         a.confidence == b.confidence && a.overlaid == b.overlaid && a.changes == b.changes &&
         a.least_usd_per_hour == b.least_usd_per_hour && a.most_usd_per_hour == b.most_usd_per_hour;
}

bool is_used(const Report& report, std::size_t line) {
  const auto& strategies = report.comparison.strategies;
  return std::any_of(strategies.begin(), strategies.end(),
                     [&](const StrategyResult& strategy) { return strategy.lines[line].machine_hours > 0; });
}

// What happens to the contracted price after the start of the window and before its end.
void add_changes(PriceNote& note, const PriceLine& line, SimTime window_end) {
  note.least_usd_per_hour = note.most_usd_per_hour = note.contracted_usd_per_hour;
  for (const PriceStep& step : line.steps) {
    if (step.from <= kStart || step.from >= window_end) continue;
    const double price = usd(step.contracted);
    ++note.changes;
    note.least_usd_per_hour = std::min(note.least_usd_per_hour, price);
    note.most_usd_per_hour = std::max(note.most_usd_per_hour, price);
  }
}

PriceNote note_of(const Report& report, const PriceLine& line) {
  const World& world = report.scenario.world;
  const PriceStep& step = price_at(line, 0);
  PriceNote note{.machine = world.machines[index(line.machine)].name,
                 .model = std::string{kPriceModelNames[static_cast<std::size_t>(line.model)]},
                 .pools = {world.pool(line.pool).name},
                 .list_usd_per_hour = usd(step.list),
                 .contracted_usd_per_hour = usd(step.contracted),
                 .as_of = line.as_of,
                 .confidence = line.confidence,
                 .source = line.source,
                 .age_days = report.scenario.prices_follow_calendar
                                 ? std::nullopt
                                 : price_age(day_of_prices(report.scenario), line.as_of),
                 .overlaid = line.overlaid};
  if (report.scenario.prices_follow_calendar) add_changes(note, line, world.window_end);
  return note;
}

std::string price_text(const PriceNote& price) {
  std::string text = fmt::format("{} {}: ${:.4f}", price.machine, price.model, price.list_usd_per_hour);
  if (price.contracted_usd_per_hour != price.list_usd_per_hour) {
    text += fmt::format(", contracted ${:.4f}", price.contracted_usd_per_hour);
  }
  const bool is_own = price.confidence == kOwnConfidence;
  text += is_own ? " (the scenario's own" : fmt::format(" (row of {}", price.as_of);
  if (is_own && !price.as_of.empty()) text += " of " + price.as_of;
  if (price.age_days) text += ", " + age_text(*price.age_days);
  if (!is_own)
    text += fmt::format(", {}{}", price.confidence, price.overlaid ? ", with the scenario's own terms" : "");
  text += ')';
  if (price.changes > 0) {
    text += fmt::format(", then {} {} within the window, ${:.4f} to ${:.4f}", price.changes,
                        price.changes == 1 ? "change" : "changes", price.least_usd_per_hour,
                        price.most_usd_per_hour);
  }
  return text + fmt::format(" in {}", fmt::join(price.pools, ", "));
}

// Equal ones of several pools are one.
std::vector<PriceNote> prices_used(const Report& report) {
  std::vector<PriceNote> notes;
  const std::vector<PriceLine>& lines = report.scenario.world.price_lines;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].charge == Charge::sublet || !is_used(report, i)) continue;
    PriceNote note = note_of(report, lines[i]);
    const auto same =
        std::find_if(notes.begin(), notes.end(), [&](const PriceNote& n) { return same_price(n, note); });
    if (same == notes.end()) {
      notes.push_back(std::move(note));
    } else if (std::ranges::find(same->pools, note.pools[0]) == same->pools.end()) {
      same->pools.push_back(note.pools[0]);
    }
  }
  return notes;
}

// How often the price moves within the window, and between what.
Cell changes_cell(const PriceNote& price) {
  if (price.changes == 0) return {};
  return Cell{price.changes}.as(fmt::format("{}, {} to {}", price.changes,
                                            number_text(price.least_usd_per_hour, 4),
                                            number_text(price.most_usd_per_hour, 4)));
}

Cell where_it_moves(const PriceNote& price, double usd_per_hour) {
  return price.changes == 0 ? Cell{} : Cell{usd_per_hour};
}

}  // namespace

std::optional<Date> day_of_prices(const Scenario& scenario) {
  return scenario.prices_follow_calendar ? parse_date(scenario.start)
                                         : later_day(scenario.prices_as_of, scenario.start);
}

std::size_t old_prices(const Report& report) {
  const std::vector<PriceNote> notes = prices_used(report);
  return static_cast<std::size_t>(std::ranges::count_if(notes, [&](const PriceNote& note) {
    return price_age(day_of_prices(report.scenario), note.as_of).value_or(0) > kOldPriceDays;
  }));
}

std::string prices_title(const Scenario& scenario) {
  if (!scenario.prices_follow_calendar) {
    return fmt::format("Prices of a machine-hour, as of {}", scenario.prices_as_of);
  }
  return "Prices of a machine-hour, by the simulated calendar: at the start of the window";
}

Relation prices_table(const Report& report) {
  Relation table{
      .title = prices_title(report.scenario) + " [USD]",
      .unit = "USD",
      .columns = {
          name_column("machine"),
          {.key = "model", .title = "bought as"},
          name_column("pools"),
          {.key = "list_usd_per_hour", .title = "list", .unit = "USD", .style = kUnitPrice},
          {.key = "contracted_usd_per_hour", .title = "contracted", .unit = "USD", .style = kUnitPrice},
          {.key = "as_of", .title = "as of"},
          {.key = "age_days", .title = "age", .unit = "days", .style = kWhole},
          {.key = "confidence", .title = "known as"},
          {.key = "changes", .title = "changes in\nthe window", .style = kWhole},
          {.key = "least_usd_per_hour"},
          {.key = "most_usd_per_hour"},
          {.key = "source", .title = "source"}}};
  for (const PriceNote& price : prices_used(report)) {
    const Cell as_of{price.as_of};
    table.add({price.machine, Cell{price.model}.as(price_words(price.model)),
               fmt::format("{}", fmt::join(price.pools, ", ")), price.list_usd_per_hour,
               price.contracted_usd_per_hour, price.as_of.empty() ? as_of.as("the scenario's own") : as_of,
               price.age_days, price.confidence, changes_cell(price),
               where_it_moves(price, price.least_usd_per_hour),
               where_it_moves(price, price.most_usd_per_hour), price.source});
  }
  return table;
}

std::vector<std::string> price_lines(const Report& report) {
  std::vector<std::string> lines;
  for (const PriceNote& price : prices_used(report)) lines.push_back(price_text(price));
  return lines;
}

}  // namespace stockout

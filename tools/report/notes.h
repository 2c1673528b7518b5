#pragma once

#include <string>
#include <vector>

#include "tools/report/report.h"
#include "tools/report/wrap_text.h"

namespace stockout {

/// What is random in the world under the strategies of the report, one line each.
[[nodiscard]] std::vector<std::string> randomness_sources(const Report& report);

/// A price that was used.
struct PriceNote {
  std::string machine;
  std::string model;
  std::string pools;             // names, joined by ", "
  double list_usd_per_hour = 0;  // of one machine, at the start of the window
  double contracted_usd_per_hour = 0;
  std::string as_of;            // of the row; empty: the planner's own
  std::string source;           // of the row, and the labels of the planner's terms
  std::optional<int> age_days;  // from the row to the scenario's prices_as_of; none if prices move
  bool overlaid = false;
  // Of the contracted price within the window, where it moves: how often, and between what.
  int changes = 0;
  double least_usd_per_hour = 0;
  double most_usd_per_hour = 0;
};

/// The price lines that anything was booked under in any run, equal ones of several pools as one.
[[nodiscard]] std::vector<PriceNote> prices_used(const Report& report);

/// What the notes of a report say, each under its title, in order; titles without a line are left out. Prices
/// are left to prices_used() and prices_title() where `with_prices` is false.
struct NoteSection {
  std::string title;
  std::vector<std::string> lines;
};
[[nodiscard]] std::vector<NoteSection> note_sections(const Report& report, bool with_prices);

/// What the prices of the report are of: a day, or the simulated calendar.
[[nodiscard]] std::string prices_title(const Scenario& scenario);

/// What stands below the tables: doubt, prices, assumptions, warnings, and how to get the same numbers again.
[[nodiscard]] std::string write_notes(const Report& report, const TextLayout& layout);

}  // namespace stockout

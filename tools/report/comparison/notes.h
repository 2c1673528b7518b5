#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tools/report/comparison/report.h"
#include "tools/table/wrap_text.h"

namespace stockout {

/// How a bound is read.
inline constexpr std::string_view kBoundNote =
    "> x: some jobs never started; counting those as later than all others, the wait is longer than x.";

/// Sources of randomness in the world under the strategies of the report, one line each.
[[nodiscard]] std::vector<std::string> randomness_sources(const Report& report);

/// Notes of a report, each under its title, in order; titles without a line are left out. Prices are left to
/// prices_table() where `with_prices` is false.
struct NoteSection {
  std::string title;
  std::vector<std::string> lines;
};
[[nodiscard]] std::vector<NoteSection> note_sections(const Report& report, bool with_prices);

/// The warnings of the scenario, and that of an old price that decides.
[[nodiscard]] std::vector<std::string> warnings_of(const Report& report);

/// Warnings before the numbers are believed: warnings_of(), classes that never ran, held capacity that came
/// late or never, leases beyond capacity.
[[nodiscard]] std::vector<std::string> all_warnings(const Report& report);

/// Notes below the tables: doubt, prices, assumptions, warnings, and how to get the same numbers again.
[[nodiscard]] std::string write_notes(const Report& report, const TextLayout& layout);

}  // namespace stockout

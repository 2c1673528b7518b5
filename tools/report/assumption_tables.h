#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "tools/report/report.h"
#include "tools/report/text_table.h"

namespace stockout {

/// Cost, wait and share in the goal of each strategy: noise and assumptions side by side. The report has a
/// band.
[[nodiscard]] std::vector<TextTable> band_tables(const Report& report);

/// The verdict under each alternative, a row each: name, rule, verdict. The report has a band.
[[nodiscard]] TextTable band_verdicts(const Report& report);

/// Both as text. Empty if the report has no band.
[[nodiscard]] std::string write_band(const Report& report, const TextLayout& layout);

/// The same for programs, every measure: null if the report has no band.
[[nodiscard]] nlohmann::ordered_json band_json(const Report& report);

/// The rows of the report, and those of each alternative, with the columns `rule` and `alternative` behind
/// them: empty as written. As write_csv() without a band.
[[nodiscard]] std::string with_alternatives(const Report& report, std::string rows);

}  // namespace stockout

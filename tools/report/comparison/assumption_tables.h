#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "tools/report/comparison/report.h"
#include "tools/table/relation.h"

namespace stockout {

/// Cost, wait and share in the goal of each strategy: noise and assumptions side by side. The report has a
/// band.
[[nodiscard]] std::vector<Relation> band_tables(const Report& report);

/// The verdict under each alternative, a row each: name, rule, verdict. The report has a band.
[[nodiscard]] Relation band_verdicts(const Report& report);

/// Both as text. Empty if the report has no band.
[[nodiscard]] std::string write_band(const Report& report, const TextLayout& layout);

/// The same for programs, every measure: null if the report has no band.
[[nodiscard]] nlohmann::ordered_json band_json(const Report& report);

}  // namespace stockout

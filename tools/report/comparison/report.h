#pragma once

#include <string>

#include "models/assumptions/assumption_band.h"
#include "models/assumptions/world_band.h"
#include "models/bound/bound_book.h"
#include "models/experiment/comparison.h"
#include "models/experiment/verdict.h"
#include "models/scenario/scenario.h"
#include "tools/table/report_format.h"

namespace stockout {

/// Subject of a report.
struct Report {
  const Scenario& scenario;
  const Comparison& comparison;
  const Verdict* verdict = nullptr;      // none for a single run
  std::string headline;                  // the verdict's sentence, or what was run
  const AssumptionBand* band = nullptr;  // none: not asked for
  GroupBy by = GroupBy::nothing;
  std::string version;                   // of the program
  const BoundSummary* bounds = nullptr;  // none: not asked for
  const WorldBand* worlds = nullptr;     // none: not asked for
  bool full = true;                      // else a table is the short answer
};

/// `layout` is for a report of format table.
[[nodiscard]] std::string write_report(const Report& report, ReportFormat format,
                                       const TextLayout& layout = {});

/// The wait goal in words: "95 % of training jobs start within 4h".
[[nodiscard]] std::string goal_text(const Scenario& scenario);

}  // namespace stockout

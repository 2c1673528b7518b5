#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "models/experiment/verdict.h"
#include "models/repricing/break_even.h"
#include "models/repricing/repricing.h"
#include "models/repricing/stored_comparison.h"
#include "tools/report/comparison/report.h"

namespace stockout {

/// Subject of a report on a record at other prices.
struct PriceReport {
  const StoredComparison& record;
  const Repricing& repricing;
  std::string file;                         // of the record
  std::string prices_now;                   // "of 2025-03-15", "of each simulated day"
  std::optional<Date> day;                  // whose prices; none: those of each simulated day
  std::string version;                      // of the program
  const BreakEvens* break_evens = nullptr;  // of the strategies of Repricing::now; nullptr: not asked for
};

/// As the reports of a comparison. README.md of this folder has the columns and the layout. A CSV file is one
/// table: that of the break-even prices if they are asked for.
[[nodiscard]] std::string write_price_report(const PriceReport& report, ReportFormat format,
                                             const TextLayout& layout = {});

/// Which strategy was to be bought at the recorded prices, and which at those asked for (none if no strategy
/// could be priced).
[[nodiscard]] Verdict verdict_before(const PriceReport& report);
[[nodiscard]] Verdict verdict_now(const PriceReport& report);

}  // namespace stockout

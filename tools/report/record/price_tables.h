#pragma once

#include "tools/report/record/price_report.h"
#include "tools/table/relation.h"

namespace stockout {

/// Cost of each strategy of the record, now and then, and its rank: 1 for the cheapest of those that qualify.
/// README.md of this folder has the columns.
[[nodiscard]] Relation priced_strategies(const PriceReport& report);

/// The prices under which anything was used, at both times: one for each machine, model and region, in the
/// order of the record.
[[nodiscard]] Relation price_pairs_table(const PriceReport& report);

}  // namespace stockout

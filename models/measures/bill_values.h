#pragma once

#include <optional>
#include <vector>

#include "models/billing/bill.h"
#include "models/measures/measure_table.h"
#include "models/measures/measures.h"

namespace stockout {

// From a bill to the measures in US dollars.

/// A row that pays for what its jobs leased: direct and sublet. For rows by class and user.
void fill_used(Values& values, const MachineBill& bill);

/// A row that pays for what it holds: direct and held, of which a part is idle. For rows by GPU and pool.
void fill_held(Values& values, const MachineBill& bill);

/// A row that pays for what nobody used: held less sublet.
void fill_idle(Values& values, const MachineBill& bill);

/// All costs of a run but those per unit of work: as fill_held(), with the terms.
void fill_bill(Values& values, const Bill& bill, const BillTerms& terms);

/// Cost of each price line, and the part of it that commitments pay for. All by PriceLineId.
void fill_lines(std::vector<LineUse>& lines, const std::vector<Cost>& costs, const Bill& bill);

/// Costs of a unit of work, once the cost is there: by useful GPU-hours, and by `reference_gpu_h`, the GPU-
/// hours of completed work if all of it was measured on one GPU type.
void fill_unit_costs(Values& values, std::optional<double> reference_gpu_h);

}  // namespace stockout

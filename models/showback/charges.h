#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/billing/bill.h"
#include "models/billing/terms.h"
#include "models/record/run_record.h"
#include "models/showback/charge_periods.h"
#include "models/showback/charge_row.h"
#include "models/world/world.h"

namespace stockout {

struct ShowbackOptions {
  PeriodLength period = PeriodLength::day;
  IdleRule idle = IdleRule::to_owner;
};

/// Cost of a run of world.strategies[strategy], in rows by charge period, price, user and class, in order of
/// the period. `bill`: what the run was measured to cost under these terms. Exact: effective costs add up to
/// Bill::in_all().contracted, and so do billed costs; list costs of all rows but commitments' fees add up to
/// Bill::in_all().list. README.md has the rules.
[[nodiscard]] std::vector<ChargeRow> charges_of(const World& world, std::size_t strategy,
                                                std::uint64_t replication, const RunRecord& record,
                                                const BillTerms& terms, const Bill& bill,
                                                const ShowbackOptions& options = {});

}  // namespace stockout

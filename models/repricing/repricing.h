#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/billing/overlay.h"
#include "models/catalog/catalog.h"
#include "models/experiment/comparison.h"
#include "models/repricing/stored_comparison.h"

namespace stockout {

/// At which prices a record is to be priced.
struct PriceQuestion {
  std::optional<Date> date;       // prices of this day for every hour; none: as the record was priced
  std::vector<PriceOverlay> own;  // the planner's, on top of those of the record: the last that fits counts
  std::optional<BillingRule> billing;  // none: the record's
};

/// A price line of a record at the prices asked for.
struct LineNow {
  PriceLine price;
  std::string why_not;   // empty if there is a price; else a sentence that says what there is
  bool changed = false;  // other steps than were recorded
};

/// A strategy of a record at the prices asked for.
struct StrategyNow {
  std::string why_not;    // empty if it could be priced; else a sentence
  std::size_t place = 0;  // in Repricing::now.strategies, if it could
  Estimate change;        // new cost less the recorded one, USD, by replication; if it could
};

/// A record at other prices. What has to do with time and work is that of the record: nothing is simulated.
struct Repricing {
  Comparison before;                                         // all strategies at the recorded prices
  Comparison now;                                            // those that could be priced
  std::vector<LineNow> lines;                                // by StoredComparison::lines
  BillTerms terms;                                           // with the prices of today
  [[nodiscard]] std::vector<PriceLine> price_lines() const;  // of `lines`
  /// By strategy of `now` its place in the record.
  [[nodiscard]] std::vector<std::size_t> of_record() const;

  std::vector<StrategyNow> strategies;  // by StoredComparison::strategies
};

/// The comparison that was recorded, at the recorded prices.
[[nodiscard]] Comparison recorded_comparison(const StoredComparison& record);

/// Prices a record anew: to the nano-dollar what simulating the scenario again would cost that has these
/// prices. A strategy is left out, with its reason, if it looked at prices that have changed (it would have
/// bought otherwise), or if something that it used has no price. No strategy can be priced under another
/// billing rule, whose rounding is in the use, or if a commitment that exists has no price. Prices change at
/// whole hours, as the use is kept: price_line() refuses others.
[[nodiscard]] Repricing reprice(const StoredComparison& record, const Catalog& catalog,
                                const PriceQuestion& question);

}  // namespace stockout

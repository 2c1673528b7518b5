#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "models/billing/price_line.h"
#include "models/experiment/comparison.h"
#include "models/repricing/stored_comparison.h"

namespace stockout {

/// Up to which price a strategy is the cheapest; prices are factors on those of now.
struct WinningRange {
  std::size_t strategy = 0;  // of the comparison
  double from = 0;
  std::optional<double> until;  // none: at any higher price
  // Where, around `until`, the paired difference to the next strategy may be chance (95 %): from the first to
  // the second, which is none where it has no end. Neither of one replication.
  std::optional<double> doubt_from;
  std::optional<double> doubt_until;
};

/// Who wins as the prices of one model change together, all other prices being as they are.
struct BreakEven {
  PriceModel model = PriceModel::on_demand;
  std::string machine;               // on which most of the model's cost is spent ...
  std::string region;                // ... and where
  double usd_per_hour = 0;           // its price now, contracted, at the start of the window
  bool is_one_of_several = false;    // other machines or regions move with it
  std::vector<WinningRange> ranges;  // from a price of nothing on, without gaps; budgets play no part
  /// From where on the cheapest costs more than the least budget, on average; none: nowhere, or no budget.
  std::optional<double> over_budget_from = {};
};

/// Where a strategy that does not qualify would be the cheapest, if it did. One that gets less of the work
/// done is taken to pay as much for each part of the rest as for what it does.
struct WouldWin {
  std::size_t strategy = 0;  // of the comparison
  BreakEven price;           // on which it spends most; it has no ranges
  bool at_no_price = false;  // else from the first factor to the second
  double from = 0;
  std::optional<double> until;  // none: at any higher price
  std::string condition;        // "met the goal (95 % of jobs start within 4h and complete)"
  std::string today;            // "88.0 % ± 1.2 do"
};

struct BreakEvens {
  std::vector<BreakEven> models;            // those that any strategy that may win pays
  std::vector<std::size_t> looking;         // strategies of the comparison left out: they look at prices
  std::vector<std::size_t> not_qualifying;  // left out: they miss a goal, or do less of the work
  std::vector<WouldWin> would_win;          // of these, those that run every class and look at no price
};

/// The strategies of `comparison` are those of `record` in the places `of_record`; `lines` and `terms` have
/// the prices of now. A strategy may win if it qualifies, as the verdict has it but for budgets, which depend
/// on the price, and does not look at prices:
/// then its waits and its use do not change with them, and its cost is linear in the factor. What existing
/// commitments cover stays covered, hour by hour, whatever the on-demand price; what they cost is sunk and
/// does not move with the price of new ones.
///
/// Intervals are those of Fieller (Some problems in interval estimation, 1954): the factors at which the
/// difference of the two costs, paired by replication, has zero in its Student-t interval.
[[nodiscard]] BreakEvens break_evens(const StoredComparison& record, const Comparison& comparison,
                                     std::span<const std::size_t> of_record,
                                     const std::vector<PriceLine>& lines, const BillTerms& terms);

/// Two costs that are linear in a factor, by replication: `fixed` + factor x `slope`.
struct LinearCosts {
  std::vector<double> fixed;
  std::vector<double> slope;
};

/// The factors around the one at which `a` and `b` cost the same on average where their difference may be
/// chance: [first, second], second being none where there is no end; first is at least 0. Both sides need the
/// same number of replications, at least two.
struct FactorInterval {
  double low = 0;
  std::optional<double> high;
};
[[nodiscard]] FactorInterval fieller(const LinearCosts& a, const LinearCosts& b);

}  // namespace stockout

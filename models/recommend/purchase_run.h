#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "models/measures/cost_parts.h"
#include "models/measures/goal.h"
#include "models/measures/measure_table.h"

namespace stockout {

/// Measures kept of every run: its cost, in all its parts and under each price, and how well it went.
inline constexpr auto kPurchaseMeasures = [] {
  constexpr std::array kOthers{
      Measure::cost,     Measure::cost_idle,           Measure::commitment,      Measure::work_done_share,
      Measure::wait_p95, Measure::never_started_share, Measure::deadline_missed, Measure::held_use};
  std::array<Measure, kOthers.size() + kCostParts.size() + kWaysToBuy.size()> all{};
  std::size_t at = 0;
  for (const Measure measure : kOthers) all[at++] = measure;
  for (const CostPart& part : kCostParts) all[at++] = part.measure;
  for (std::size_t i = 0; i < kWaysToBuy.size(); ++i) all[at++] = cost_under(static_cast<PriceModel>(i));
  return all;
}();

/// One run of a purchase.
struct PurchaseRun {
  std::array<Value, kPurchaseMeasures.size()> values{};  // by kPurchaseMeasures
  std::vector<GoalMet> goals;                            // as Measures has them
  double undone_gpu_h = 0;                               // the same
  bool runs_every_class = true;                          // of each class with jobs one started
  bool drew = true;                                      // as in the run record

  [[nodiscard]] const Value& operator[](Measure measure) const;
};

}  // namespace stockout

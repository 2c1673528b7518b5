#include "models/recommend/purchase_run.h"

#include <algorithm>

#include "sim/core/check.h"

namespace stockout {

const Value& PurchaseRun::operator[](Measure measure) const {
  const auto found = std::ranges::find(kPurchaseMeasures, measure);
  STOCKOUT_CHECK(found != kPurchaseMeasures.end());
  return values[static_cast<std::size_t>(found - kPurchaseMeasures.begin())];
}

}  // namespace stockout

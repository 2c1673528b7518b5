#pragma once

#include <array>

#include "models/billing/cost.h"
#include "models/billing/price_line.h"
#include "models/measures/measure_table.h"

namespace stockout {

/// What a row of a report pays.
class RowBill {
 public:
  /// Adds the cost of one line under its charge.
  void add(const PriceLine& line, const Cost& cost);

  /// The row pays for what its jobs leased: direct and sublet. For rows by class and user.
  void fill_used(Values& values) const;
  /// The row pays for what it holds: direct and held, of which a part is idle. For the total and rows by GPU
  /// and pool.
  void fill_held(Values& values) const;
  /// Direct and held: what fill_held() puts down as cost, exactly.
  [[nodiscard]] Cost paid() const;
  /// The row pays for what nobody used: held less sublet.
  void fill_idle(Values& values) const;

 private:
  using ByModel = std::array<Cost, kPriceModelNames.size()>;

  ByModel direct_{};
  ByModel held_{};
  ByModel sublet_{};
};

}  // namespace stockout

#include "models/measures/row_bill.h"

namespace stockout {
namespace {

using ByModel = std::array<Cost, kPriceModelNames.size()>;

ByModel plus(ByModel a, const ByModel& b) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] += b[i];
  return a;
}

ByModel minus(ByModel a, const ByModel& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    a[i].list -= b[i].list;
    a[i].contracted -= b[i].contracted;
  }
  return a;
}

Cost sum(const ByModel& costs) {
  Cost total;
  for (const Cost& cost : costs) total += cost;
  return total;
}

double usd(const ByModel& costs) { return sum(costs).contracted.to_usd(); }

Measure measure_of(PriceModel model) {
  static_assert(static_cast<std::size_t>(Measure::cost_cud_3y) -
                    static_cast<std::size_t>(Measure::cost_on_demand) ==
                static_cast<std::size_t>(PriceModel::cud_3y));
  return static_cast<Measure>(static_cast<std::size_t>(Measure::cost_on_demand) +
                              static_cast<std::size_t>(model));
}

void fill_paid(Values& values, const ByModel& paid) {
  const Cost total = sum(paid);
  values.set(Measure::cost, total.contracted.to_usd());
  values.set(Measure::cost_list, total.list.to_usd());
  for (std::size_t model = 0; model < paid.size(); ++model) {
    values.set(measure_of(static_cast<PriceModel>(model)), paid[model].contracted.to_usd());
  }
}

}  // namespace

void RowBill::add(const PriceLine& line, const Cost& cost) {
  const auto model = static_cast<std::size_t>(line.model);
  switch (line.charge) {
    case Charge::direct:
      direct_[model] += cost;
      break;
    case Charge::held:
      held_[model] += cost;
      break;
    case Charge::sublet:
      sublet_[model] += cost;
      break;
  }
}

void RowBill::fill_used(Values& values) const {
  fill_paid(values, plus(direct_, sublet_));
  values.set(Measure::cost_direct, usd(direct_));
  values.set(Measure::cost_sublet, usd(sublet_));
}

void RowBill::fill_held(Values& values) const {
  fill_paid(values, plus(direct_, held_));
  values.set(Measure::cost_direct, usd(direct_));
  values.set(Measure::cost_held, usd(held_));
  values.set(Measure::cost_sublet, usd(sublet_));
  values.set(Measure::cost_idle, usd(minus(held_, sublet_)));
}

Cost RowBill::paid() const { return sum(plus(direct_, held_)); }

void RowBill::fill_idle(Values& values) const {
  const ByModel idle = minus(held_, sublet_);
  fill_paid(values, idle);
  values.set(Measure::cost_idle, usd(idle));
}

}  // namespace stockout

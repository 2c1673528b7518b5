#include "models/measures/bill_values.h"

namespace stockout {
namespace {

CostByModel plus(CostByModel a, const CostByModel& b) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] += b[i];
  return a;
}

CostByModel minus(CostByModel a, const CostByModel& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    a[i].list -= b[i].list;
    a[i].contracted -= b[i].contracted;
  }
  return a;
}

Cost sum(const CostByModel& costs) {
  Cost total;
  for (const Cost& cost : costs) total += cost;
  return total;
}

double usd(const CostByModel& costs) { return sum(costs).contracted.to_usd(); }

void fill_paid(Values& values, const CostByModel& paid) {
  const Cost total = sum(paid);
  values.set(Measure::cost, total.contracted.to_usd());
  values.set(Measure::cost_list, total.list.to_usd());
  for (std::size_t model = 0; model < paid.size(); ++model) {
    values.set(cost_under(static_cast<PriceModel>(model)), paid[model].contracted.to_usd());
  }
}

}  // namespace

void fill_used(Values& values, const MachineBill& bill) {
  fill_paid(values, plus(bill.direct, bill.sublet));
  values.set(Measure::cost_direct, usd(bill.direct));
  values.set(Measure::cost_sublet, usd(bill.sublet));
}

void fill_held(Values& values, const MachineBill& bill) {
  fill_paid(values, plus(bill.direct, bill.held));
  values.set(Measure::cost_direct, usd(bill.direct));
  values.set(Measure::cost_held, usd(bill.held));
  values.set(Measure::cost_sublet, usd(bill.sublet));
  values.set(Measure::cost_idle, usd(minus(bill.held, bill.sublet)));
}

void fill_idle(Values& values, const MachineBill& bill) {
  const CostByModel idle = minus(bill.held, bill.sublet);
  fill_paid(values, idle);
  values.set(Measure::cost_idle, usd(idle));
}

void fill_bill(Values& values, const Bill& bill, const BillTerms& terms) {
  fill_held(values, bill.machines);
  values.set(Measure::cost_phantom, bill.lost_races.to_usd());
  values.set(Measure::commitment, bill.obligation.to_usd());
  values.set(Measure::cost_drain, bill.drain.contracted.to_usd());
  const Cost in_all = bill.in_all();
  if (!terms.other.empty()) values.set(Measure::cost_other, bill.other_sum().to_usd());
  if (!terms.commitments.empty()) {
    values.set(Measure::cost_sunk, bill.sunk.contracted.to_usd());
    values.set(Measure::cost_open, (in_all.contracted - bill.sunk.contracted).to_usd());
    values.set(Measure::covered, bill.covered.contracted.to_usd());
    values.set(Measure::sunk_left, bill.sunk_left.contracted.to_usd());
  }
  values.set(Measure::cost, in_all.contracted.to_usd());
  values.set(Measure::cost_list, in_all.list.to_usd());
}

void fill_lines(std::vector<LineUse>& lines, const std::vector<Cost>& costs, const Bill& bill) {
  for (std::size_t i = 0; i < lines.size(); ++i) {
    lines[i].list_usd = costs[i].list.to_usd();
    lines[i].contracted_usd = costs[i].contracted.to_usd();
    if (!bill.covered_lines.empty()) lines[i].covered_usd = bill.covered_lines[i].to_usd();
  }
}

void fill_unit_costs(Values& values, std::optional<double> reference_gpu_h) {
  const double cost = values[Measure::cost].value;
  const Value& useful = values[Measure::useful];
  if (!useful.is_absent() && useful.value > 0) values.set(Measure::cost_per_useful, cost / useful.value);
  if (reference_gpu_h && *reference_gpu_h > 0)
    values.set(Measure::cost_per_reference, cost / *reference_gpu_h);
}

}  // namespace stockout

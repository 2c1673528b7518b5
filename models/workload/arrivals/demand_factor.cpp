#include "models/workload/arrivals/demand_factor.h"

#include <algorithm>
#include <cmath>

namespace stockout {
namespace {

auto first_after(const std::vector<FactorStep>& steps, SimTime time) {
  return std::ranges::upper_bound(steps, time, {}, &FactorStep::at);
}

}  // namespace

double Growth::at(SimTime time) const {
  if (time <= from) return 1;
  const double periods = static_cast<double>((time - from).count()) / static_cast<double>(period.count());
  if (form == Form::linear) return std::max(0.0, 1 + rate * periods);
  return std::exp(std::log1p(rate) * periods);
}

double DemandFactor::at(SimTime time) const {
  const auto next = first_after(steps, time);
  double times = next == steps.begin() ? 1 : std::prev(next)->times;
  for (const Growth& growth : growths) times *= growth.at(time);
  return times;
}

double DemandFactor::most(SimTime from, SimTime to) const {
  auto next = first_after(steps, from);
  double times = next == steps.begin() ? 1 : std::prev(next)->times;
  for (; next != steps.end() && next->at <= to; ++next) times = std::max(times, next->times);
  for (const Growth& growth : growths) times *= std::max(growth.at(from), growth.at(to));
  return times;
}

}  // namespace stockout

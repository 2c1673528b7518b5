#include "sim/random/survival.h"

#include <algorithm>

#include "sim/core/check.h"

namespace stockout {

SurvivalCurve::SurvivalCurve(std::vector<SeenLength> seen) {
  STOCKOUT_CHECK(!seen.empty());
  std::ranges::sort(seen, {}, &SeenLength::length);
  double left = 1;
  for (std::size_t i = 0; i < seen.size();) {
    const SimDuration age = seen[i].length;
    const auto looked_at = static_cast<double>(seen.size() - i);
    double ends = 0;
    for (; i < seen.size() && seen[i].length == age; ++i) ends += seen[i].ended ? 1 : 0;
    if (ends == 0) continue;
    left *= 1 - ends / looked_at;
    ages_.push_back(age);
    ended_.push_back(1 - left);
  }
}

SimDuration SurvivalCurve::age(double u) const {
  const auto found = std::ranges::upper_bound(ended_, u);
  return found == ended_.end() ? kForever : ages_[static_cast<std::size_t>(found - ended_.begin())];
}

double SurvivalCurve::mean_ms(SimDuration most) const {
  double before = 0;
  double sum = 0;
  for (std::size_t i = 0; i < ages_.size(); ++i) {
    sum += (ended_[i] - before) * static_cast<double>(std::min(ages_[i], most).count());
    before = ended_[i];
  }
  return sum + survivors() * static_cast<double>(most.count());
}

}  // namespace stockout

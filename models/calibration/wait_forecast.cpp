#include "models/calibration/wait_forecast.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sim/core/check.h"

namespace stockout {
namespace {

constexpr std::size_t kFewestOfBin = 50;
constexpr std::size_t kMostLaws = 20;
constexpr std::size_t kFewestOfClass = 2 * kFewestOfBin;

}  // namespace

SimDuration law_quantile(WaitLaw law, double share) {
  STOCKOUT_CHECK(!law.empty());
  const double place = std::ceil(share * static_cast<double>(law.size())) - 1;
  return law[static_cast<std::size_t>(std::clamp(place, 0.0, static_cast<double>(law.size() - 1)))];
}

double place_in_law(WaitLaw law, SimDuration wait, double random) {
  const auto [first, last] = std::equal_range(law.begin(), law.end(), wait);
  const auto below = static_cast<double>(first - law.begin());
  const auto alike = static_cast<double>(last - first);
  return (below + random * (alike + 1)) / static_cast<double>(law.size() + 1);
}

WaitForecast::WaitForecast(const std::vector<HistoryJob>& recorded,
                           const std::vector<SimDuration>& simulated) {
  STOCKOUT_CHECK(recorded.size() == simulated.size() && !recorded.empty());
  const std::vector<SimDuration> waits = waits_in_the_end(recorded);
  std::vector<std::pair<SimDuration, SimDuration>> all;
  std::vector<std::vector<std::pair<SimDuration, SimDuration>>> by_class;
  for (std::size_t i = 0; i < recorded.size(); ++i) {
    all.emplace_back(simulated[i], waits[i]);
    by_class.resize(std::max<std::size_t>(by_class.size(), recorded[i].job_class + std::size_t{1}));
    by_class[recorded[i].job_class].push_back(all.back());
  }
  all_ = bins_of(std::move(all));
  for (auto& own : by_class)
    by_class_.push_back(own.size() < kFewestOfClass ? Bins{} : bins_of(std::move(own)));
}

// As many as there are enough jobs for; those with the same simulated wait stay together.
WaitForecast::Bins WaitForecast::bins_of(std::vector<std::pair<SimDuration, SimDuration>> waits) {
  std::ranges::sort(waits);
  const std::size_t least = std::max(kFewestOfBin, waits.size() / kMostLaws);
  Bins bins;
  for (std::size_t i = 0; i < waits.size(); ++i) {
    const bool is_full = !bins.empty() && bins.back().recorded.size() >= least;
    const bool is_other = i > 0 && waits[i].first != waits[i - 1].first;
    const bool leaves_enough = waits.size() - i >= least;
    if (bins.empty() || (is_full && is_other && leaves_enough))
      bins.push_back({.least = waits[i].first, .recorded = {}});
    bins.back().recorded.push_back(waits[i].second);
  }
  for (Bin& bin : bins) std::ranges::sort(bin.recorded);
  return bins;
}

WaitLaw WaitForecast::law(std::uint16_t job_class, SimDuration simulated) const {
  const bool has_own = job_class < by_class_.size() && !by_class_[job_class].empty();
  const Bins& bins = has_own ? by_class_[job_class] : all_;
  const auto next = std::ranges::upper_bound(bins, simulated, {}, &Bin::least);
  return next == bins.begin() ? bins.front().recorded : std::prev(next)->recorded;
}

}  // namespace stockout

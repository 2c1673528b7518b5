#include "models/workload/poisson_cursor.h"

#include <cmath>

#include <boost/random/exponential_distribution.hpp>

#include "models/workload/synthesis.h"
#include "sim/core/hours.h"

namespace stockout {
namespace {

constexpr std::int64_t kHoursInWeek = 168;

}  // namespace

PoissonCursor::PoissonCursor(const SyntheticDemand& demand, SourceId source, Dice dice)
    : demand_{demand}, arrivals_{std::get<PoissonArrivals>(demand.arrivals)}, source_{source}, dice_{dice} {}

bool PoissonCursor::is_kept(std::uint64_t row, SimTime at) const {
  if (arrivals_.intensity.empty()) return true;
  const auto hours = std::chrono::floor<std::chrono::hours>(at - arrivals_.origin).count();
  const auto hour = static_cast<std::size_t>((hours % kHoursInWeek + kHoursInWeek) % kHoursInWeek);
  Draw draw = dice_.draw(Purpose::thinning, entity_of(source_, row));
  return uniform01(draw) < arrivals_.intensity[hour];
}

std::size_t PoissonCursor::next(std::span<Job> batch) {
  std::size_t count = 0;
  if (arrivals_.peak_per_hour <= 0) return 0;
  const boost::random::exponential_distribution<double> gap_ms{arrivals_.peak_per_hour / kMsPerHour};
  while (count < batch.size()) {
    Draw draw = dice_.draw(Purpose::arrival, entity_of(source_, row_));
    const double clock_ms = clock_ms_ + gap_ms(draw);
    if (clock_ms >= static_cast<double>(kLongestRun.count())) break;
    const SimTime at = demand_.from + SimDuration{static_cast<std::int64_t>(clock_ms)};
    if (at >= demand_.until) break;
    clock_ms_ = clock_ms;
    if (is_kept(row_, at)) batch[count++] = make_job(demand_, source_, dice_, row_, at);
    ++row_;
  }
  return count;
}

}  // namespace stockout

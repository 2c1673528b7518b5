#include "models/measures/work_tally.h"

#include <algorithm>

namespace stockout {

std::vector<std::size_t> asked_gpus(const World& world) {
  std::vector<std::size_t> types;
  for (const Shape& shape : world.shapes) {
    const auto found = std::ranges::find(world.gpu_types, shape.gpu);
    types.push_back(static_cast<std::size_t>(found - world.gpu_types.begin()));
  }
  return types;
}

std::vector<Rate> fastest_rates(const World& world) {
  std::vector<Rate> rates(world.shapes.size(), 0);
  for (const Strategy& strategy : world.strategies) {
    for (const Leg& leg : strategy.legs) {
      for (std::size_t shape = 0; shape < leg.candidates.size(); ++shape) {
        for (const Candidate& place : leg.candidates[shape])
          rates[shape] = std::max(rates[shape], place.rate_ppm);
      }
    }
  }
  std::ranges::replace(rates, Rate{0}, kReferenceRate);
  return rates;
}

void WorkTally::add(const Job& job, FinalState state, std::size_t type, GpuCount gpus) {
  const double work = static_cast<double>(job.work.count()) / 3'600'000.0 * static_cast<double>(gpus.count());
  asked_[type] += work;
  if (state == FinalState::completed) done_[type] += work;
}

std::optional<double> WorkTally::done_on_one_type() const {
  std::optional<std::size_t> only;
  for (std::size_t type = 0; type < asked_.size(); ++type) {
    if (asked_[type] == 0) continue;
    if (only) return std::nullopt;
    only = type;
  }
  if (!only) return std::nullopt;
  return done_[*only];
}

void WorkTally::fill(Values& values) const {
  for (std::size_t type = 0; type < asked_.size(); ++type) {
    if (asked_[type] == 0) continue;
    const double share = done_[type] / asked_[type];
    const Value& least = values[Measure::work_done_share];
    values.set(Measure::work_done_share, least.is_absent() ? share : std::min(least.value, share));
  }
}

std::optional<double> reference_gpu_h(const World& world, const WorkTally& work) {
  const auto has_speeds = [](const SpeedProfile& speed) { return !speed.gpus.empty(); };
  if (std::ranges::none_of(world.speeds, has_speeds)) return std::nullopt;
  return work.done_on_one_type();
}

}  // namespace stockout

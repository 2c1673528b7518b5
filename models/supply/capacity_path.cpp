#include "models/supply/capacity_path.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <boost/random/normal_distribution.hpp>

#include "sim/core/check.h"

namespace stockout {
namespace {

double standard_normal(Draw draw) { return boost::random::normal_distribution<double>{}(draw); }

// The first place of a cumulative row that is greater than `u`. Rounding may leave the last below 1.
std::size_t place_of(std::span<const double> cumulative, double u) {
  const auto found = std::upper_bound(cumulative.begin(), cumulative.end() - 1, u);
  return static_cast<std::size_t>(found - cumulative.begin());
}

std::int64_t tick_of(SimTime at, SimDuration tick) {
  const std::int64_t ms = (at - kStart).count();
  const std::int64_t whole = ms / tick.count();
  return ms % tick.count() < 0 ? whole - 1 : whole;
}

}  // namespace

CapacityPath::CapacityPath(const CapacitySource& source, const RandomStreams& random, SimTime begin,
                           SimTime end)
    : source_{&source}, random_{random}, end_{end} {
  if (const MarkovCapacity* chain = source.chain.get()) {
    tick_ = tick_of(begin, chain->tick);
    state_ = place_of(chain->start, quantile(tick_));
    place_ = level_shown();
    now_ = chain->levels[place_];
    find_next_level();
    return;
  }
  now_ = {.gpus = source.steps.front().gpus,
          .censored = !source.censored.empty() && source.censored.front() != 0};
  find_next();
  while (next_at_ <= begin) advance();
}

void CapacityPath::advance() {
  STOCKOUT_CHECK(next_at_ != kNever);
  if (source_->chain != nullptr) {
    place_ = next_level_;
    now_ = source_->chain->levels[place_];
    find_next_level();
    return;
  }
  ++place_;
  now_ = {.gpus = source_->steps[place_].gpus,
          .censored = !source_->censored.empty() && source_->censored[place_] != 0};
  find_next();
}

void CapacityPath::find_next() {
  next_at_ = place_ + 1 == source_->steps.size() ? kNever : source_->steps[place_ + 1].at;
}

// Ticks in which the level stays as it is are passed over.
void CapacityPath::find_next_level() {
  const MarkovCapacity& chain = *source_->chain;
  do {
    state_ = next_state();
    next_at_ = kStart + chain.tick * ++tick_;
    if (next_at_ > end_) {
      next_at_ = kNever;
      return;
    }
    next_level_ = level_shown();
  } while (next_level_ == place_);
}

std::size_t CapacityPath::next_state() const {
  const MarkovCapacity& chain = *source_->chain;
  const std::size_t hour = chain.hours() == 1 ? 0 : hour_of_day(chain.tick * tick_ + chain.day_phase);
  return place_of(chain.row(hour, state_), quantile(tick_ + 1));
}

std::size_t CapacityPath::level_shown() const {
  const MarkovCapacity& chain = *source_->chain;
  if (chain.shows.empty()) return state_;
  const std::size_t n = chain.levels.size();
  Draw shown = random_.draw(Purpose::supply_shown, chain.entity, static_cast<std::uint64_t>(tick_));
  return place_of(std::span{chain.shows}.subspan(state_ * n, n), uniform01(shown));
}

// Uniform on [0, 1): where in its row the step into this tick falls. Zones of a group share a part of the
// normal number behind it, so that they rise and fall together.
double CapacityPath::quantile(std::int64_t tick) const {
  const MarkovCapacity& chain = *source_->chain;
  const auto number = static_cast<std::uint64_t>(tick);
  Draw own = random_.draw(Purpose::supply, chain.entity, number);
  if (chain.rho <= 0) return uniform01(own);
  const double shared = standard_normal(random_.draw(Purpose::supply_group, chain.group, number));
  const double x = std::sqrt(chain.rho) * shared + std::sqrt(1 - chain.rho) * standard_normal(own);
  return 0.5 * std::erfc(-x / std::numbers::sqrt2);
}

}  // namespace stockout

#include "models/supply/markov_profile.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "models/supply/capacity_scale.h"
#include "sim/core/check.h"

namespace stockout {
namespace {

constexpr std::size_t kUpwardHours = 24;

void normalize(std::span<double> row) {
  const double sum = std::accumulate(row.begin(), row.end(), 0.0);
  STOCKOUT_CHECK(sum > 0);
  for (double& share : row) share /= sum;
}

// The row of p(i, j) exp(upward sign(j - i)).
void tilt(std::span<double> row, std::size_t from, double upward) {
  for (std::size_t to = 0; to < row.size(); ++to) {
    if (to > from) row[to] *= std::exp(upward);
    if (to < from) row[to] *= std::exp(-upward);
  }
  normalize(row);
}

std::vector<double> square(const std::vector<double>& a, std::size_t n) {
  std::vector<double> product(n * n, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < n; ++k) {
      for (std::size_t j = 0; j < n; ++j) product[i * n + j] += a[i * n + k] * a[k * n + j];
    }
    normalize(std::span{product}.subspan(i * n, n));
  }
  return product;
}

std::vector<double> cumulative(std::span<const double> row) {
  std::vector<double> sums(row.size());
  std::partial_sum(row.begin(), row.end(), sums.begin());
  return sums;
}

}  // namespace

MarkovChain::MarkovChain(const MarkovProfile& profile)
    : states_{profile.transitions.size()}, levels_{profile.machines.size()} {
  for (const std::vector<double>& row : profile.shows) shows_.insert(shows_.end(), row.begin(), row.end());
  for (const std::vector<double>& row : profile.transitions)
    base_.insert(base_.end(), row.begin(), row.end());
  STOCKOUT_CHECK(base_.size() == states_ * states_);
  for (std::size_t from = 0; from < states_; ++from)
    normalize(std::span{base_}.subspan(from * states_, states_));
  if (profile.upward.empty()) {
    rows_ = base_;
    return;
  }
  STOCKOUT_CHECK(profile.upward.size() == kUpwardHours);
  for (std::size_t hour = 0; hour < kUpwardHours; ++hour) {
    std::vector<double> rows = base_;
    for (std::size_t from = 0; from < states_; ++from)
      tilt(std::span{rows}.subspan(from * states_, states_), from, profile.upward[hour]);
    rows_.insert(rows_.end(), rows.begin(), rows.end());
  }
}

std::span<const double> MarkovChain::row(std::size_t hour, std::size_t from) const {
  const std::size_t matrix = hours() == 1 ? 0 : hour;
  return std::span{rows_}.subspan((matrix * states_ + from) * states_, states_);
}

std::vector<double> MarkovChain::step(std::span<const double> shares, std::size_t hour) const {
  std::vector<double> next(states_, 0.0);
  for (std::size_t from = 0; from < states_; ++from) {
    const auto to = row(hour, from);
    for (std::size_t j = 0; j < states_; ++j) next[j] += shares[from] * to[j];
  }
  return next;
}

double MarkovChain::shows(std::size_t state, std::size_t level) const {
  if (shows_.empty()) return state == level ? 1 : 0;
  return shows_[state * levels_ + level];
}

std::vector<double> MarkovChain::shown(std::span<const double> shares) const {
  std::vector<double> levels(levels_, 0.0);
  for (std::size_t state = 0; state < states_; ++state) {
    for (std::size_t level = 0; level < levels_; ++level)
      levels[level] += shares[state] * shows(state, level);
  }
  return levels;
}

// A chain that may also stay where it is has the same long run and no period, so that its powers converge.
std::vector<double> MarkovChain::long_run() const {
  constexpr int kSquarings = 60;
  std::vector<double> power = base_;
  for (std::size_t i = 0; i < states_; ++i) power[i * states_ + i] += 1;
  for (double& share : power) share /= 2;
  for (int i = 0; i < kSquarings; ++i) power = square(power, states_);
  std::vector<double> shares(states_, 0.0);
  for (std::size_t i = 0; i < states_; ++i) {
    for (std::size_t j = 0; j < states_; ++j) shares[j] += power[i * states_ + j];
  }
  normalize(shares);
  return shares;
}

std::vector<double> MarkovChain::long_run_at(SimDuration since_midnight, SimDuration tick) const {
  std::vector<double> shares = long_run();
  if (hours() == 1) return shares;
  constexpr SimDuration kSettling = std::chrono::hours{24 * 14};
  for (std::int64_t left = std::min<std::int64_t>(kSettling / tick, 20'000); left > 0; --left)
    shares = step(shares, hour_of_day(since_midnight - tick * left));
  return shares;
}

CapacitySource to_capacity(const MarkovProfile& profile, const std::string& file, const CapacityRules& rules,
                           const CapacitySpan& span, const ChainDraws& draws) {
  const CapacityScale scale{file, profile.cap, profile.machines.back(), rules};
  const MarkovChain chain{profile};
  auto capacity = std::make_shared<MarkovCapacity>();
  for (const std::int32_t machines : profile.machines) capacity->levels.push_back(scale.level(machines));
  capacity->tick = profile.tick;
  capacity->day_phase = span.start_date.time_since_epoch() % std::chrono::hours{24};
  const SimDuration at_begin = capacity->day_phase + (span.begin - kStart);
  capacity->start =
      cumulative(draws.start == ChainStart::now ? profile.now : chain.long_run_at(at_begin, profile.tick));
  for (const std::vector<double>& row : profile.shows) {
    const std::vector<double> shown = cumulative(row);
    capacity->shows.insert(capacity->shows.end(), shown.begin(), shown.end());
  }
  for (std::size_t hour = 0; hour < chain.hours(); ++hour) {
    for (std::size_t from = 0; from < chain.states(); ++from) {
      const std::vector<double> row = cumulative(chain.row(hour, from));
      capacity->rows.insert(capacity->rows.end(), row.begin(), row.end());
    }
  }
  capacity->entity = entity_of(draws.zone);
  capacity->group = entity_of(draws.group);
  capacity->rho = draws.rho;
  CapacitySource source;
  source.chain = std::move(capacity);
  return source;
}

}  // namespace stockout

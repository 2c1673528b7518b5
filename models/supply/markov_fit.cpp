#include "models/supply/markov_fit.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>

#include "sim/core/check.h"

namespace stockout {
namespace {

constexpr std::size_t kHours = 24;
constexpr SimDuration kEnoughForHours = std::chrono::hours{72};

// The greatest value of each level between 0 and the cap.
std::vector<std::int32_t> inner_tops(const TickSeries& series, std::size_t levels) {
  const auto between = static_cast<std::size_t>(series.cap - 1);
  std::vector<double> counts(between + 1, 0.0);  // by value
  for (const std::int32_t value : series.values) {
    if (value > 0 && value < series.cap) ++counts[static_cast<std::size_t>(value)];
  }
  const double all = std::accumulate(counts.begin(), counts.end(), 0.0);
  const std::size_t bins = std::min(between, levels - 2);
  std::vector<std::int32_t> tops;
  double sum = 0;
  for (std::size_t value = 1; value <= between; ++value) {
    sum += counts[value];
    const std::size_t left = bins - tops.size();  // levels still to end, this one included
    const bool is_full = sum * static_cast<double>(bins) >= all * static_cast<double>(tops.size() + 1);
    const bool must_end = between - value < left;  // one value for each level left
    if (left > 1 ? is_full || must_end : value == between) tops.push_back(static_cast<std::int32_t>(value));
  }
  return tops;
}

void set_levels(FittedChain& fit, const TickSeries& series, std::size_t levels) {
  fit.tops = {0};
  if (series.cap > 1) {
    const auto inner = inner_tops(series, levels);
    fit.tops.insert(fit.tops.end(), inner.begin(), inner.end());
  }
  fit.tops.push_back(series.cap);
  std::vector<double> sums(fit.tops.size(), 0.0);
  fit.visits.assign(fit.tops.size(), 0);
  for (const std::int32_t value : series.values) {
    const std::size_t level = fit.level_of(value);
    sums[level] += value;
    ++fit.visits[level];
  }
  for (std::size_t i = 0; i < fit.tops.size(); ++i) {
    const std::int32_t least = i == 0 ? 0 : fit.tops[i - 1] + 1;
    const double mean = fit.visits[i] > 0 ? sums[i] / static_cast<double>(fit.visits[i])
                                          : (static_cast<double>(least) + fit.tops[i]) / 2;
    fit.profile.machines.push_back(static_cast<std::int32_t>(std::lround(mean)));
  }
}

using Counts = std::vector<std::vector<double>>;  // [from][to]

// By hour of the day, of the value that is left.
std::array<Counts, kHours> count_moves(const FittedChain& fit, const TickSeries& series) {
  const std::size_t n = fit.tops.size();
  std::array<Counts, kHours> moves;
  moves.fill(Counts(n, std::vector<double>(n, 0.0)));
  for (std::size_t i = 1; i < series.size(); ++i) {
    if (series.follows[i] == 0) continue;
    ++moves[series.hour(i - 1)][fit.level_of(series.values[i - 1])][fit.level_of(series.values[i])];
  }
  return moves;
}

Counts sum_of(const std::array<Counts, kHours>& moves) {
  Counts sum = moves[0];
  for (std::size_t hour = 1; hour < kHours; ++hour) {
    for (std::size_t i = 0; i < sum.size(); ++i) {
      for (std::size_t j = 0; j < sum.size(); ++j) sum[i][j] += moves[hour][i][j];
    }
  }
  return sum;
}

std::vector<std::vector<double>> smoothed(const Counts& moves) {
  const std::size_t n = moves.size();
  std::vector<double> came(n, 0.5);
  double stayed = 0.5;
  double all = 1;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      (i == j ? stayed : came[j]) += moves[i][j];
      all += moves[i][j];
    }
  }
  const double stays = stayed / all;
  const double arrivals = std::accumulate(came.begin(), came.end(), 0.0);
  auto rows = moves;
  for (std::size_t i = 0; i < n; ++i) {
    const double left = std::accumulate(moves[i].begin(), moves[i].end(), 0.0);
    for (std::size_t j = 0; j < n; ++j) {
      const double prior = i == j ? stays : (1 - stays) * came[j] / (arrivals - came[i]);
      rows[i][j] = (moves[i][j] + prior) / (left + 1);
    }
  }
  return rows;
}

// Moves from one level in one hour, and the odds of the chain without hours.
struct HourCell {
  double angle = 0;
  double left = 0;
  double net_up = 0;  // moves up less moves down
  double up = 0;      // probabilities
  double down = 0;
};

std::vector<HourCell> hour_cells(const std::array<Counts, kHours>& moves,
                                 const std::vector<std::vector<double>>& rows) {
  std::vector<HourCell> cells;
  for (std::size_t hour = 0; hour < kHours; ++hour) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      HourCell cell{.angle = 2 * std::numbers::pi * (static_cast<double>(hour) + 0.5) / kHours};
      for (std::size_t j = 0; j < rows.size(); ++j) {
        const double n = moves[hour][i][j];
        cell.left += n;
        if (j > i) cell.net_up += n;
        if (j < i) cell.net_up -= n;
        if (j > i) cell.up += rows[i][j];
        if (j < i) cell.down += rows[i][j];
      }
      if (cell.left > 0) cells.push_back(cell);
    }
  }
  return cells;
}

struct Wave {
  double a = 0;
  double b = 0;
  [[nodiscard]] double at(double angle) const { return a * std::cos(angle) + b * std::sin(angle); }
};

double log_sum(const HourCell& cell, double upward) {
  return std::log(cell.up * std::exp(upward) + cell.down * std::exp(-upward) + 1 - cell.up - cell.down);
}

double gain(const std::vector<HourCell>& cells, const Wave& wave) {
  double sum = 0;
  for (const HourCell& cell : cells) {
    const double upward = wave.at(cell.angle);
    sum += upward * cell.net_up - cell.left * log_sum(cell, upward);
  }
  return sum;
}

// One step of Newton's method; the log-likelihood is concave in (a, b).
Wave newton_step(const std::vector<HourCell>& cells, const Wave& wave) {
  double ga = 0;
  double gb = 0;
  double haa = 1e-9;
  double hab = 0;
  double hbb = 1e-9;
  for (const HourCell& cell : cells) {
    const double upward = wave.at(cell.angle);
    const double sum = std::exp(log_sum(cell, upward));
    const double up = cell.up * std::exp(upward) / sum;
    const double down = cell.down * std::exp(-upward) / sum;
    const double slope = cell.net_up - cell.left * (up - down);
    const double bend = cell.left * (up + down - (up - down) * (up - down));
    const double c = std::cos(cell.angle);
    const double s = std::sin(cell.angle);
    ga += slope * c;
    gb += slope * s;
    haa += bend * c * c;
    hab += bend * c * s;
    hbb += bend * s * s;
  }
  const double determinant = haa * hbb - hab * hab;
  if (determinant <= 0) return wave;
  constexpr double kMostStep = 1;
  const double da = (hbb * ga - hab * gb) / determinant;
  const double db = (haa * gb - hab * ga) / determinant;
  return {.a = wave.a + std::clamp(da, -kMostStep, kMostStep),
          .b = wave.b + std::clamp(db, -kMostStep, kMostStep)};
}

void fit_hours(FittedChain& fit, const TickSeries& series, const std::array<Counts, kHours>& moves) {
  constexpr int kSteps = 50;
  constexpr double kMostUpward = 5;  // what a profile may say
  const SimDuration length{series.at_ms.back() - series.at_ms.front()};
  if (!series.absolute || length < kEnoughForHours) return;
  const auto cells = hour_cells(moves, fit.profile.transitions);
  Wave wave;
  for (int i = 0; i < kSteps; ++i) wave = newton_step(cells, wave);
  if (!(std::abs(wave.a) + std::abs(wave.b) <= kMostUpward)) return;
  fit.hour_ratio = 2 * (gain(cells, wave) - gain(cells, {}));
  if (fit.hour_ratio < kHourThreshold) return;
  for (std::size_t hour = 0; hour < kHours; ++hour)
    fit.profile.upward.push_back(wave.at(2 * std::numbers::pi * (static_cast<double>(hour) + 0.5) / kHours));
}

}  // namespace

std::size_t FittedChain::level_of(std::int32_t value) const {
  return static_cast<std::size_t>(std::ranges::lower_bound(tops, value) - tops.begin());
}

FittedChain with_levels(const TickSeries& series, std::size_t levels) {
  STOCKOUT_CHECK(levels >= 3 && levels <= kMostLevels);
  FittedChain fit;
  fit.profile.cap = series.cap;
  fit.profile.tick = series.tick;
  set_levels(fit, series, levels);
  return fit;
}

FittedChain fit_chain(const TickSeries& series, std::size_t levels) {
  FittedChain fit = with_levels(series, levels);
  const auto moves = count_moves(fit, series);
  const Counts sum = sum_of(moves);
  for (const auto& row : sum)
    fit.transitions += static_cast<std::uint64_t>(std::accumulate(row.begin(), row.end(), 0.0));
  fit.profile.transitions = smoothed(sum);
  fit_hours(fit, series, moves);
  return fit;
}

}  // namespace stockout

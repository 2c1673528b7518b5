#include "models/workload/fit/rate_fit.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <boost/math/distributions/students_t.hpp>

namespace stockout {
namespace {

constexpr std::int64_t kHourMs = 3'600'000;
constexpr std::int64_t kThursday = 3;  // 1970-01-01, Monday counting 0
constexpr std::size_t kHoursInDay = 24;
constexpr std::size_t kDaysInWeek = 7;
constexpr std::size_t kHoursInWeek = kHoursInDay * kDaysInWeek;
constexpr double kHoursInMonth = 30.436875 * 24;
constexpr std::size_t kLeastWeeks = 8;
constexpr double kLeastCount =
    5;  // of arrivals for each number that is estimated, and in a cell of a chi-square
constexpr int kRounds = 60;

std::int64_t floor_div(std::int64_t a, std::int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }

// Hour of the week of a local time, Monday 00:00 being 0.
std::size_t hour_of_week(std::int64_t local_ms) {
  const std::int64_t hours = floor_div(local_ms, kHourMs) + kThursday * 24;
  const auto week = static_cast<std::int64_t>(kHoursInWeek);
  return static_cast<std::size_t>((hours % week + week) % week);
}

// Counts by hour of the span, each with its local hour of the week.
struct Hours {
  std::vector<double> counts;
  std::vector<std::size_t> of_week;
};

Hours count_hours(std::span<const std::int64_t> arrivals_ms, std::span<const LocalOffset> offsets,
                  const FitSpan& span) {
  const std::int64_t first_local = span.first_ms + offsets.front().offset_ms;
  const std::int64_t from = floor_div(first_local, kHourMs) * kHourMs - offsets.front().offset_ms;
  Hours hours;
  hours.counts.resize(static_cast<std::size_t>((span.last_ms - from) / kHourMs) + 1);
  for (const std::int64_t at : arrivals_ms)
    hours.counts[static_cast<std::size_t>((at - from) / kHourMs)] += 1;
  std::size_t next = 1;
  for (std::size_t i = 0; i < hours.counts.size(); ++i) {
    const std::int64_t at = from + static_cast<std::int64_t>(i) * kHourMs;
    while (next < offsets.size() && offsets[next].from_ms <= at) ++next;
    hours.of_week.push_back(hour_of_week(at + offsets[next - 1].offset_ms));
  }
  return hours;
}

// Events of a cell and the time it was open.
struct Cell {
  double count = 0;
  double exposure = 0;
};

double ratio(double count, double exposure) { return exposure > 0 ? count / exposure : 0; }

class RateFitter {
 public:
  explicit RateFitter(const Hours& hours) : hours_{hours}, growth_(hours.counts.size(), 1.0) {}

  RateFit fit() {
    by_hour_.fill(1);
    by_day_.fill(1);
    fit_profile();
    const std::size_t weeks = hours_.counts.size() / kHoursInWeek;
    if (weeks >= kLeastWeeks && total() >= kLeastCount * static_cast<double>(weeks)) {
      // The profile is hardly touched by growth: a few turns settle both.
      for (int turn = 0; turn < 4; ++turn) {
        const GrowthFit growth = fit_growth(weeks);
        result_.growth = growth;
        if (!growth.is_significant()) break;
        set_growth(growth);
        fit_profile();
      }
      if (!result_.growth->is_significant()) std::fill(growth_.begin(), growth_.end(), 1.0);
      fit_profile();
    }
    finish();
    return result_;
  }

 private:
  void set_growth(const GrowthFit& growth) {
    for (std::size_t i = 0; i < growth_.size(); ++i)
      growth_[i] = std::exp(std::log1p(growth.per_month) * (static_cast<double>(i) + 0.5) / kHoursInMonth);
  }

  [[nodiscard]] std::array<Cell, kHoursInWeek> cells() const {
    std::array<Cell, kHoursInWeek> cells{};
    for (std::size_t i = 0; i < hours_.counts.size(); ++i) {
      cells[hours_.of_week[i]].count += hours_.counts[i];
      cells[hours_.of_week[i]].exposure += growth_[i];
    }
    return cells;
  }

  [[nodiscard]] double total() const { return std::reduce(hours_.counts.begin(), hours_.counts.end()); }

  // Maximum likelihood of base * hour * day: iterative proportional fitting (Deming and Stephan 1940).
  void fit_profile() {
    const auto week = cells();
    const bool whole_week = std::ranges::all_of(week, [](const Cell& cell) { return cell.exposure > 0; });
    result_.covers_week = whole_week && total() >= kLeastCount * kDaysInWeek;
    result_.covers_day = hours_.counts.size() >= kHoursInDay && total() >= kLeastCount * kHoursInDay;
    const auto at = [&](std::size_t hour, std::size_t day) { return week[day * kHoursInDay + hour]; };
    for (int round = 0; round < kRounds; ++round) {
      if (result_.covers_day) fit_side(by_hour_, by_day_, at);
      if (result_.covers_week)
        fit_side(by_day_, by_hour_, [&](std::size_t day, std::size_t hour) { return at(hour, day); });
    }
    double count = 0;
    double exposure = 0;
    for (std::size_t i = 0; i < kHoursInWeek; ++i) {
      count += week[i].count;
      exposure += week[i].exposure * by_hour_[i % kHoursInDay] * by_day_[i / kHoursInDay];
    }
    base_ = ratio(count, exposure);
  }

  // One side of the profile given the other, with a mean of 1; `cell` takes the place on this side and on
  // that.
  template <std::size_t kOwn, std::size_t kOther, typename CellAt>
  static void fit_side(std::array<double, kOwn>& own, const std::array<double, kOther>& other, CellAt cell) {
    for (std::size_t i = 0; i < kOwn; ++i) {
      Cell all;
      for (std::size_t j = 0; j < kOther; ++j) {
        all.count += cell(i, j).count;
        all.exposure += cell(i, j).exposure * other[j];
      }
      own[i] = ratio(all.count, all.exposure);
    }
    const double mean = std::reduce(own.begin(), own.end()) / static_cast<double>(kOwn);
    for (double& weight : own) weight /= mean;
  }

  [[nodiscard]] double profile(std::size_t i) const {
    return by_hour_[hours_.of_week[i] % kHoursInDay] * by_day_[hours_.of_week[i] / kHoursInDay];
  }

  // Counts of whole weeks w as Poisson of mean exp(alpha + beta t_w) e_w: Newton's method.
  [[nodiscard]] GrowthFit fit_growth(std::size_t weeks) const {
    std::vector<Cell> by_week(weeks);
    for (std::size_t i = 0; i < weeks * kHoursInWeek; ++i) {
      by_week[i / kHoursInWeek].count += hours_.counts[i];
      by_week[i / kHoursInWeek].exposure += profile(i);
    }
    Cell all;
    for (const Cell& week : by_week) {
      all.count += week.count;
      all.exposure += week.exposure;
    }
    const double middle = static_cast<double>(weeks) / 2;
    const auto months = [&](std::size_t week) {
      return (static_cast<double>(week) + 0.5 - middle) * static_cast<double>(kHoursInWeek) / kHoursInMonth;
    };
    double alpha = std::log(ratio(all.count, all.exposure));
    double beta = 0;
    double variance = 0;
    for (int round = 0; round < kRounds; ++round) {
      double u0 = 0;  // score of alpha and beta
      double u1 = 0;
      double i00 = 0;  // Fisher information
      double i01 = 0;
      double i11 = 0;
      for (std::size_t week = 0; week < weeks; ++week) {
        const double mean = std::exp(alpha + beta * months(week)) * by_week[week].exposure;
        const double off = by_week[week].count - mean;
        u0 += off;
        u1 += off * months(week);
        i00 += mean;
        i01 += mean * months(week);
        i11 += mean * months(week) * months(week);
      }
      const double determinant = i00 * i11 - i01 * i01;
      if (!(determinant > 0)) return {};
      alpha += std::clamp((i11 * u0 - i01 * u1) / determinant, -1.0, 1.0);
      beta += std::clamp((i00 * u1 - i01 * u0) / determinant, -1.0, 1.0);
      variance = i00 / determinant;
    }
    double pearson = 0;
    for (std::size_t week = 0; week < weeks; ++week) {
      const double mean = std::exp(alpha + beta * months(week)) * by_week[week].exposure;
      pearson += (by_week[week].count - mean) * (by_week[week].count - mean) / mean;
    }
    const auto degrees = static_cast<double>(weeks - 2);
    const double t = std::abs(beta) / std::sqrt(variance * std::max(1.0, pearson / degrees));
    if (!std::isfinite(t) || !std::isfinite(beta)) return {};
    const boost::math::students_t law{degrees};
    return {.per_month = std::expm1(beta), .p_value = 2 * boost::math::cdf(boost::math::complement(law, t))};
  }

  // Sum of (count - mean)^2 / mean over stretches of `length` hours, by degrees of freedom.
  [[nodiscard]] double dispersion(std::size_t length) const {
    double sum = 0;
    double stretches = 0;
    for (std::size_t from = 0; from + length <= hours_.counts.size(); from += length) {
      Cell cell;
      for (std::size_t i = from; i < from + length; ++i) {
        cell.count += hours_.counts[i];
        cell.exposure += base_ * profile(i) * growth_[i];
      }
      if (cell.exposure <= 0) continue;
      sum += (cell.count - cell.exposure) * (cell.count - cell.exposure) / cell.exposure;
      stretches += 1;
    }
    const double parameters = length == 1 ? kHoursInDay + kDaysInWeek - 1.0 : kDaysInWeek;
    return stretches > 2 * parameters ? sum / (stretches - parameters) : 0;
  }

  void finish() {
    result_.hours = hours_.counts.size();
    result_.hour_profile = by_hour_;
    result_.day_profile = by_day_;
    result_.per_week = base_ * static_cast<double>(kHoursInWeek);
    result_.hour_dispersion = dispersion(1);
    result_.day_dispersion = dispersion(kHoursInDay);
    if (!result_.covers_week || total() < kLeastCount * kHoursInWeek) return;
    const auto week = cells();
    for (std::size_t i = 0; i < kHoursInWeek; ++i) {
      const double mean = base_ * week[i].exposure * by_hour_[i % kHoursInDay] * by_day_[i / kHoursInDay];
      if (mean > 0) result_.chi_square += (week[i].count - mean) * (week[i].count - mean) / mean;
    }
    result_.degrees = static_cast<double>((kHoursInDay - 1) * (kDaysInWeek - 1));
  }

  const Hours& hours_;
  std::vector<double> growth_;  // by hour of the span
  std::array<double, kHoursInDay> by_hour_{};
  std::array<double, kDaysInWeek> by_day_{};
  double base_ = 0;  // per hour
  RateFit result_;
};

}  // namespace

RateFit fit_rate(std::span<const std::int64_t> arrivals_ms, std::span<const LocalOffset> offsets,
                 const FitSpan& span) {
  const Hours hours = count_hours(arrivals_ms, offsets, span);
  return RateFitter{hours}.fit();
}

RateFit fit_rate(std::span<const std::int64_t> arrivals_ms, std::span<const LocalOffset> offsets) {
  return fit_rate(arrivals_ms, offsets, {.first_ms = arrivals_ms.front(), .last_ms = arrivals_ms.back()});
}

}  // namespace stockout

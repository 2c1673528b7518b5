#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "models/catalog/types.h"

namespace stockout {

/// A measure of a run, in the order in which reports list it. README.md defines each.
enum class Measure : std::uint8_t {
  jobs,
  completed,
  expired,
  refused,
  failed,
  cut_off,
  unfinished,
  skipped,
  with_deadline,
  deadline_missed,
  deadline_impossible,
  never_started_share,
  within_goal_share,
  goal_met_share,
  work_done_share,
  wait_mean,
  wait_p50,
  wait_p95,
  wait_max,
  quota_wait_mean,
  kueue_wait_mean,
  borrowing_wait_mean,
  priority_wait_mean,
  back_off_wait_mean,
  capacity_wait_mean,
  waited_again_mean,
  makespan_mean,
  makespan_p95,
  start_delay_mean,
  queued_mean,
  held_back_mean,
  consecutive,
  lost_between,
  lost_between_wait,
  preemptions_per_job,
  quota_refusals,
  kueue_evictions,
  kueue_admitted,
  kueue_held,
  kueue_borrowed,
  worker_exits,
  set_restarts,
  sets_given_back,
  pipelines,
  pipelines_completed,
  useful,
  kept,
  redone,
  overhead,
  unused,
  leased,
  held,
  idle,
  phantom_waiting,
  phantom_leased,
  goodput,
  held_use,
  busy_share,
  useful_share,
  cost,
  cost_list,
  cost_direct,
  cost_held,
  cost_sublet,
  cost_idle,
  cost_sunk,
  cost_other,
  covered,
  cost_open,
  sunk_left,
  cost_drain,
  cost_phantom,
  cost_on_demand,
  cost_spot,
  cost_flex_start,
  cost_calendar,
  cost_cud_1y,
  cost_cud_3y,
  cost_management_fee,
  commitment,
  held_late,
  cost_per_useful,
  cost_per_reference,
  pool_capacity,
  pool_leased,
  pool_tenants,
  pool_requests,
  pool_refusals,
  pool_preemptions,
  pool_peak_waiting,
  pool_shortage,
  pool_free,
  pool_stranded,
  pool_fragmented,
  pool_misfits,
  censored_decisions,
};
inline constexpr std::size_t kMeasures = static_cast<std::size_t>(Measure::censored_decisions) + 1;

/// The part of the cost that is paid under a price model.
[[nodiscard]] constexpr Measure cost_under(PriceModel model) {
  constexpr auto kFirst = static_cast<std::size_t>(Measure::cost_on_demand);
  static_assert(kFirst + kPriceModelNames.size() == static_cast<std::size_t>(Measure::commitment),
                "a price model without a measure, in its order");
  return static_cast<Measure>(kFirst + static_cast<std::size_t>(model));
}

/// Kind of number that a measure is. It says what a run without a value means for the mean over replications.
enum class MeasureKind : std::uint8_t {
  /// A count or an amount: where nothing happened it is 0. Absent means that it does not apply or cannot be
  /// told (GPU types that are never added), and then there is no mean over the replications either.
  sum,
  /// A mean, a quantile or a ratio: of no jobs there is none. The mean is over the replications that have
  /// one.
  average,
};

/// How a measure is called in files, and what it is.
struct MeasureInfo {
  Measure measure{};
  std::string_view name;  // with its unit at the end where it has one: "wait_p95_h"
  std::string_view unit;  // "jobs", "share", "h", "GPU-h", "USD", ...
  MeasureKind kind{};
  std::string_view meaning;         // one line
  std::optional<Measure> per = {};  // of a ratio of GPU-hours: without a mean of these it has none either

  /// Whether its value may be a bound from below.
  [[nodiscard]] bool may_be_bound() const;
  /// Whether its mean may be that of some replications only.
  [[nodiscard]] bool may_be_missing() const { return kind == MeasureKind::average; }
};

/// All measures, by Measure.
[[nodiscard]] std::span<const MeasureInfo, kMeasures> measure_table();

[[nodiscard]] inline const MeasureInfo& info(Measure measure) {
  return measure_table()[static_cast<std::size_t>(measure)];
}

/// A measured number, how well it is known, and whether there is one at all.
struct Value {
  enum class Known : std::uint8_t { absent, exact, at_least };

  double value = 0;
  Known known = Known::absent;

  [[nodiscard]] bool is_absent() const { return known == Known::absent; }
  static Value exact(double value) { return {value, Known::exact}; }
  static Value at_least(double value) { return {value, Known::at_least}; }
  friend bool operator==(const Value&, const Value&) = default;
};

/// One value of each measure.
class Values {
 public:
  Value& operator[](Measure measure) { return values_[static_cast<std::size_t>(measure)]; }
  const Value& operator[](Measure measure) const { return values_[static_cast<std::size_t>(measure)]; }
  void set(Measure measure, double value) { (*this)[measure] = Value::exact(value); }
  friend bool operator==(const Values&, const Values&) = default;

 private:
  std::array<Value, kMeasures> values_{};
};

}  // namespace stockout

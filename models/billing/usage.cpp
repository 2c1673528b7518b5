#include "models/billing/usage.h"

#include <algorithm>

#include "sim/core/check.h"

namespace stockout {

namespace {

constexpr SimDuration kHour = std::chrono::hours{1};
constexpr std::size_t kMostKeys = std::size_t{1} << 26;

std::int64_t hour_of(SimTime at) { return (at - kStart) / kHour; }
SimTime start_of(std::int64_t hour) { return kStart + hour * kHour; }

}  // namespace

TimeSplit& TimeSplit::operator+=(const TimeSplit& other) {
  useful += other.useful;
  redone += other.redone;
  overhead += other.overhead;
  unused += other.unused;
  idle += other.idle;
  completed += other.completed;
  return *this;
}

UsageLedger::UsageLedger(std::size_t lines, std::size_t users, std::size_t classes)
    : users_{users}, classes_{classes} {
  std::size_t keys = 0;
  const bool fits =
      !__builtin_mul_overflow(lines, users, &keys) && !__builtin_mul_overflow(keys, classes, &keys);
  STOCKOUT_CHECK(fits && keys <= kMostKeys);
  series_of_.assign(keys, kNone);
}

void UsageLedger::add(UsageKey key, MachineCount machines, SimTime from, SimTime to, MachineTime rounding) {
  STOCKOUT_CHECK(from <= to);
  if (to < kStart || (from == to && rounding == MachineTime{})) return;
  from = std::max(from, kStart);
  Series& of_key = series(key);
  const std::int64_t first = hour_of(from);
  const std::int64_t last = hour_of(to);
  if (first == last) {
    Cell& only = cell(of_key, last);
    only.edges += (machines * (to - from)).count();
    only.rounding += rounding.count();
    return;
  }
  cell(of_key, first).edges += (machines * (start_of(first + 1) - from)).count();
  Cell& final_cell = cell(of_key, last);
  final_cell.edges += (machines * (to - start_of(last))).count();
  final_cell.rounding += rounding.count();
  if (first + 1 == last) return;
  final_cell.change -= machines.count();
  cell(of_key, first + 1).change += machines.count();
}

void UsageLedger::add_split(UsageKey key, const TimeSplit& split) { series(key).split += split; }

std::vector<UsageKey> UsageLedger::keys() const {
  std::vector<UsageKey> keys;
  keys.reserve(series_.size());
  for (const Series& of_key : series_) keys.push_back(of_key.key);
  std::ranges::sort(keys);
  return keys;
}

std::vector<UsageHour> UsageLedger::hours(UsageKey key) const {
  std::vector<UsageHour> hours;
  const Series* of_key = find(key);
  if (of_key == nullptr) return hours;
  static constexpr std::array<Cell, kHoursInDay> kUntouched{};
  MachineCount whole_hour{};
  std::int64_t hour = 0;
  for (const std::uint32_t day : of_key->days) {
    for (const Cell& cell : day == kNone ? kUntouched : days_[day]) {
      whole_hour += MachineCount{cell.change};
      const MachineTime used = whole_hour * kHour + MachineTime{cell.edges};
      const MachineTime billed = used + MachineTime{cell.rounding};
      if (billed != MachineTime{}) hours.push_back({.hour = hour, .used = used, .billed = billed});
      ++hour;
    }
  }
  STOCKOUT_CHECK(whole_hour == MachineCount{});
  return hours;
}

TimeSplit UsageLedger::split(UsageKey key) const {
  const Series* of_key = find(key);
  return of_key == nullptr ? TimeSplit{} : of_key->split;
}

UsageLedger::Series& UsageLedger::series(UsageKey key) {
  if (!series_.empty() && series_[last_].key == key) return series_[last_];
  std::uint32_t& place = series_of_[slot(key)];
  if (place == kNone) {
    place = static_cast<std::uint32_t>(series_.size());
    series_.push_back({.key = key, .split = {}, .days = {}});
  }
  last_ = place;
  return series_[place];
}

const UsageLedger::Series* UsageLedger::find(UsageKey key) const {
  const std::uint32_t place = series_of_[slot(key)];
  return place == kNone ? nullptr : &series_[place];
}

UsageLedger::Cell& UsageLedger::cell(Series& series, std::int64_t hour) {
  const auto day = static_cast<std::size_t>(hour / kHoursInDay);
  if (series.days.size() <= day) series.days.resize(day + 1, kNone);
  std::uint32_t& place = series.days[day];
  if (place == kNone) {
    place = static_cast<std::uint32_t>(days_.size());
    days_.emplace_back();
  }
  return days_[place][static_cast<std::size_t>(hour % kHoursInDay)];
}

std::size_t UsageLedger::slot(UsageKey key) const {
  STOCKOUT_CHECK(index(key.user) < users_ && index(key.job_class) < classes_);
  const std::size_t slot = (index(key.line) * users_ + index(key.user)) * classes_ + index(key.job_class);
  STOCKOUT_CHECK(slot < series_of_.size());
  return slot;
}

}  // namespace stockout

#include "models/billing/usage.h"

#include <algorithm>

#include "models/billing/hour.h"
#include "sim/core/check.h"

namespace stockout {

namespace {

constexpr std::uint64_t kGolden = 0x9e3779b97f4a7c15ULL;  // 2^64 over the golden ratio: spreads keys

}  // namespace

TimeSplit split_of(GpuCount asked, GpuCount unused, SimDuration length, SimDuration kept, SimDuration lost) {
  STOCKOUT_CHECK(kept + lost <= length);
  return {.useful = asked * kept,
          .redone = asked * lost,
          .overhead = asked * (length - kept - lost),
          .unused = unused * length,
          .idle = {},
          .completed = {}};
}

TimeSplit& TimeSplit::operator+=(const TimeSplit& other) {
  useful += other.useful;
  redone += other.redone;
  overhead += other.overhead;
  unused += other.unused;
  idle += other.idle;
  completed += other.completed;
  return *this;
}

std::size_t UsageLedger::KeyHash::operator()(const UsageKey& key) const {
  const std::uint64_t line_and_class = std::uint64_t{index(key.line)} << 16 | index(key.job_class);
  return (line_and_class * kGolden ^ index(key.user)) * kGolden >> 16;
}

void UsageLedger::add(UsageKey key, MachineCount machines, SimTime from, SimTime to, MachineTime rounding) {
  STOCKOUT_CHECK(from <= to);
  if (to < kStart || (from == to && rounding == MachineTime{})) return;
  Series& of_key = series(key);
  change(of_key, machines.count(), std::max(from, kStart), 0);
  change(of_key, -machines.count(), to, rounding.count());
}

void UsageLedger::change(Series& of_key, std::int64_t machines, SimTime at, std::int64_t rounding) {
  const auto hour = static_cast<std::uint32_t>((at - kStart) / kHour);
  const auto number = static_cast<std::uint32_t>(&of_key - series_.data());
  Cell& touched = cell(number, hour);
  touched.change += machines;
  // Modulo 2^64: what comes and goes in one hour may add up to more on the way than is left of it.
  const SimDuration rest = (hour + 1) * kHour - (at - kStart);
  touched.part = static_cast<std::int64_t>(static_cast<std::uint64_t>(touched.part) +
                                           static_cast<std::uint64_t>(machines) *
                                               static_cast<std::uint64_t>(rest.count()));
  touched.rounding += rounding;
}

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
  std::vector<const Cell*> cells;
  for (std::uint32_t i = of_key->last_cell; i != kNone; i = cells_[i].earlier) cells.push_back(&cells_[i]);
  std::ranges::sort(cells, {}, &Cell::hour);
  MachineCount whole_hour{};
  std::uint32_t next = 0;
  for (const Cell* cell : cells) {
    for (; whole_hour != MachineCount{} && next < cell->hour; ++next) {
      hours.push_back({.hour = next, .used = whole_hour * kHour, .billed = whole_hour * kHour});
    }
    const MachineTime used = whole_hour * kHour + MachineTime{cell->part};
    const MachineTime billed = used + MachineTime{cell->rounding};
    if (billed != MachineTime{}) hours.push_back({.hour = cell->hour, .used = used, .billed = billed});
    whole_hour += MachineCount{cell->change};
    next = cell->hour + 1;
  }
  STOCKOUT_CHECK(whole_hour == MachineCount{});
  return hours;
}

TimeSplit UsageLedger::split(UsageKey key) const {
  const Series* of_key = find(key);
  return of_key == nullptr ? TimeSplit{} : of_key->split;
}

void UsageLedger::check(UsageKey key) const {
  STOCKOUT_CHECK(index(key.line) < lines_ && index(key.user) < users_ && index(key.job_class) < classes_);
}

UsageLedger::Series& UsageLedger::look_up(UsageKey key) {
  check(key);
  const auto number = static_cast<std::uint32_t>(series_.size());
  const auto [place, is_new] = series_of_.try_emplace(key, number);
  if (is_new) series_.push_back({.key = key, .split = {}});
  last_ = place->second;
  return series_[last_];
}

const UsageLedger::Series* UsageLedger::find(UsageKey key) const {
  check(key);
  const auto place = series_of_.find(key);
  return place == series_of_.end() ? nullptr : &series_[place->second];
}

UsageLedger::Cell& UsageLedger::cell(std::uint32_t series, std::uint32_t hour) {
  if (table_.size() <= 2 * cells_.size()) rehash();
  std::uint32_t& number = table_[place_of(series, hour)];
  if (number == kNone) {
    STOCKOUT_CHECK(cells_.size() < kNone);
    number = static_cast<std::uint32_t>(cells_.size());
    cells_.push_back({.series = series, .hour = hour, .earlier = series_[series].last_cell});
    series_[series].last_cell = number;
  }
  return cells_[number];
}

// Where the cell is in the table, or where it would be put: open addressing, linear probing.
std::size_t UsageLedger::place_of(std::uint32_t series, std::uint32_t hour) const {
  const std::size_t mask = table_.size() - 1;
  std::size_t place = ((std::uint64_t{series} << 32 | hour) * kGolden >> 32) & mask;
  for (; table_[place] != kNone; place = (place + 1) & mask) {
    const Cell& cell = cells_[table_[place]];
    if (cell.series == series && cell.hour == hour) break;
  }
  return place;
}

void UsageLedger::rehash() {
  table_.assign(std::max<std::size_t>(64, 2 * table_.size()), kNone);
  for (std::uint32_t i = 0; i < cells_.size(); ++i) table_[place_of(cells_[i].series, cells_[i].hour)] = i;
}

}  // namespace stockout

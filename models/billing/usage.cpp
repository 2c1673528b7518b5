#include "models/billing/usage.h"

#include "sim/core/check.h"

namespace stockout {

namespace {

constexpr std::uint64_t kGolden = 0x9e3779b97f4a7c15ULL;  // 2^64 over the golden ratio: spreads keys

}  // namespace

std::size_t UsageLedger::KeyHash::operator()(const UsageKey& key) const {
  const std::uint64_t line_and_class = std::uint64_t{index(key.line)} << 16 | index(key.job_class);
  return (line_and_class * kGolden ^ index(key.user)) * kGolden >> 16;
}

void UsageLedger::add(UsageKey key, MachineCount machines, SimTime from, SimTime to, MachineTime rounding) {
  STOCKOUT_CHECK(from <= to);
  if (to < kStart || (from == to && rounding == MachineTime{})) return;
  const Series booked = series(key);
  come(booked, machines, from);
  go(booked, machines, to, rounding);
}

// Nothing may be left of what came and went within the hour that is closed.
void UsageLedger::open_hour(Book& book, std::uint32_t hour) {
  Cell& open = book.open;
  if (is_any(open)) {
    STOCKOUT_CHECK(cells_.size() < kNone);
    cells_.add() = open;
    open.earlier = static_cast<std::uint32_t>(cells_.size() - 1);
  }
  open = {.hour = hour, .earlier = open.earlier, .change = 0, .part = 0, .rounding = 0};
}

std::vector<UsageKey> UsageLedger::keys() const {
  std::vector<UsageKey> keys;
  keys.reserve(books_.size());
  for (const Book& book : books_) {
    if (book.has_any()) keys.push_back(book.key);
  }
  std::ranges::sort(keys);
  return keys;
}

// By hour, one for each.
std::vector<UsageLedger::Cell> UsageLedger::cells_of(const Book& book) const {
  std::vector<Cell> cells{book.open};
  for (std::uint32_t i = book.open.earlier; i != kNone; i = cells_[i].earlier) cells.push_back(cells_[i]);
  std::ranges::sort(cells, {}, &Cell::hour);
  std::size_t last = 0;
  for (std::size_t i = 1; i < cells.size(); ++i) {
    if (cells[i].hour != cells[last].hour) {
      cells[++last] = cells[i];
      continue;
    }
    cells[last].change += cells[i].change;
    cells[last].part = static_cast<std::int64_t>(static_cast<std::uint64_t>(cells[last].part) +
                                                 static_cast<std::uint64_t>(cells[i].part));
    cells[last].rounding += cells[i].rounding;
  }
  cells.resize(last + 1);
  return cells;
}

std::vector<UsageHour> UsageLedger::hours(UsageKey key) const {
  std::vector<UsageHour> hours;
  const Book* book = find(key);
  if (book == nullptr) return hours;
  MachineCount whole_hour{};
  std::uint32_t next = 0;
  for (const Cell& cell : cells_of(*book)) {
    for (; whole_hour != MachineCount{} && next < cell.hour; ++next) {
      hours.push_back({.hour = next, .used = whole_hour * kHour, .billed = whole_hour * kHour});
    }
    const MachineTime used = whole_hour * kHour + MachineTime{cell.part};
    const MachineTime billed = used + MachineTime{cell.rounding};
    if (billed != MachineTime{}) hours.push_back({.hour = cell.hour, .used = used, .billed = billed});
    whole_hour += MachineCount{cell.change};
    next = cell.hour + 1;
  }
  STOCKOUT_CHECK(whole_hour == MachineCount{});
  return hours;
}

TimeSplit UsageLedger::split(UsageKey key) const {
  const Book* book = find(key);
  return book == nullptr ? TimeSplit{} : book->split;
}

MachineTime UsageLedger::rounding() const {
  std::int64_t rounding = 0;
  for (const Book& book : books_) rounding += book.open.rounding;
  for (std::uint64_t i = 0; i < cells_.size(); ++i) rounding += cells_[i].rounding;
  return MachineTime{rounding};
}

void UsageLedger::check(UsageKey key) const {
  STOCKOUT_CHECK(index(key.line) < lines_ && index(key.user) < users_ && index(key.job_class) < classes_);
}

UsageLedger::Series UsageLedger::look_up(UsageKey key) {
  check(key);
  const auto [place, is_new] = number_of_.try_emplace(key, static_cast<std::uint32_t>(books_.size()));
  if (is_new) books_.push_back({.key = key, .split = {}});
  last_ = place->second;
  return Series{last_};
}

const UsageLedger::Book* UsageLedger::find(UsageKey key) const {
  check(key);
  const auto place = number_of_.find(key);
  return place == number_of_.end() ? nullptr : &books_[place->second];
}

}  // namespace stockout

#include "models/history/level.h"

#include <algorithm>
#include <utility>

#include "sim/core/check.h"

namespace stockout {
namespace {

template <typename Value, typename Joined>
void join_columns(std::vector<Value>& column, std::size_t count, const Joined& joined) {
  if (count == 1) return;
  for (std::size_t i = 0; i < column.size(); ++i) {
    Value& into = column[i / count];
    into = i % count == 0 ? column[i] : joined(into, column[i]);
  }
  column.resize((column.size() + count - 1) / count);
}

template <typename Value>
Value sum(Value a, Value b) {
  return a + b;
}

}  // namespace

void Level::change(std::int64_t by, SimTime at, const Bins& bins) {
  settle(at, bins);
  level_ += by;
  if (most_steps_ > 0) add_step(std::max(kStart, at));
}

// Only what the level is once an instant is over, and only if that is something else.
void Level::add_step(SimTime at) {
  if (!steps_.empty() && steps_.back().at == at) steps_.pop_back();
  const std::int64_t before = steps_.empty() ? 0 : steps_.back().level;
  if (level_ == before) return;
  if (steps_.size() == most_steps_) {
    most_steps_ = 0;
    return steps_.clear();
  }
  steps_.push_back({.at = at, .level = level_});
}

void Level::settle(SimTime at, const Bins& bins) {
  if (at <= since_) return;  // warm-up, or the same instant
  if (level_ != 0) {
    const std::size_t last = bins.of(at - SimDuration{1});
    if (area_.size() <= last) {
      area_.resize(last + 1);
      highest_.resize(last + 1);
    }
    for (std::size_t bin = bins.of(since_); bin <= last; ++bin) {
      const SimDuration part = std::min(at, bins.begin(bin + 1)) - std::max(since_, bins.begin(bin));
      area_[bin] += WideArea{level_} * part.count();
      highest_[bin] = std::max(highest_[bin], level_);
    }
  }
  since_ = at;
}

void Level::join(std::size_t count) {
  join_columns(area_, count, sum<WideArea>);
  join_columns(highest_, count, [](std::int64_t a, std::int64_t b) { return std::max(a, b); });
}

LevelHistory Level::finish(SimTime end, const Bins& bins, std::size_t count) {
  settle(end, bins);
  LevelHistory history;
  if (most_steps_ > 0) history.steps = std::move(steps_);
  if (area_.empty()) return history;
  STOCKOUT_CHECK(area_.size() <= count);
  history.highest = std::move(highest_);
  history.highest.resize(count);
  history.mean.resize(count);
  for (std::size_t bin = 0; bin < area_.size(); ++bin) {
    const SimDuration length = std::min(end, bins.begin(bin + 1)) - bins.begin(bin);
    history.mean[bin] = static_cast<double>(area_[bin]) / static_cast<double>(length.count());
    history.area += area_[bin];
  }
  return history;
}

void EventCount::add(std::uint64_t count, std::size_t bin) {
  if (counts_.size() <= bin) counts_.resize(bin + 1);
  counts_[bin] += count;
}

void EventCount::join(std::size_t count) { join_columns(counts_, count, sum<std::uint64_t>); }

std::vector<std::uint64_t> EventCount::finish(std::size_t count) {
  if (counts_.size() > count) {
    STOCKOUT_CHECK(counts_.size() == count + 1);
    counts_[count - 1] += counts_[count];
  }
  if (!counts_.empty()) counts_.resize(count);
  return std::move(counts_);
}

}  // namespace stockout

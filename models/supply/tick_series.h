#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "models/supply/availability.h"

namespace stockout {

/// A measured series as a chain sees it: one value a tick, broken where samples are more than 1.5 ticks, or
/// less than half a tick, apart.
struct TickSeries {
  std::vector<std::int32_t> values;   // machines; at least one, at most `cap`
  std::vector<std::uint8_t> follows;  // whether the value is one tick after the one before it
  std::vector<std::int64_t> at_ms;    // as in the series
  SimDuration tick{};
  bool absolute = false;  // at_ms counts from the UNIX epoch
  std::int32_t cap = 0;

  [[nodiscard]] std::size_t size() const { return values.size(); }
  /// Hour of the day (UTC) of a value; 0 if the series has no dates.
  [[nodiscard]] std::size_t hour(std::size_t i) const;
  /// How many ticks lie between a value and the one before it, without a sample; of a long hole a week's.
  [[nodiscard]] std::size_t missing_before(std::size_t i) const;
  /// The values [from, to), at least one.
  [[nodiscard]] TickSeries part(std::size_t from, std::size_t to) const;
  /// The number of values in the first `length` of the series, holes included.
  [[nodiscard]] std::size_t within(SimDuration length) const;
};

/// `cap`: how many machines were asked for each time, 0: what the file says, or else its greatest value.
/// Throws InputError, naming the series' file, for a cap that contradicts the file or is below a value, a
/// series without any machine asked for, or a tick outside of kLeastTick to kMostTick.
[[nodiscard]] TickSeries to_ticks(const AvailabilitySeries& series, std::int32_t cap);

/// Spells and waits, where `wanted` machines or more are there, or they are not.
struct Spells {
  double share = 0;         // of the values at `wanted` or more
  std::uint64_t ended = 0;  // spells that were seen to end
  double mean_spell_h = 0;  // time there / `ended`, in hours; 0 if none ended
  std::uint64_t waits = 0;  // values from which the wait is known
  double mean_wait_h = 0;   // of those: until `wanted` are there, at most kLongestWait; 0 if none is known
};

/// Waits are counted up to a day, so that one is known wherever a day follows without a hole.
inline constexpr SimDuration kLongestWait = std::chrono::hours{24};

/// For each value the ticks until `wanted` are there, at most kLongestWait of them; -1 where a hole or the
/// end of the series comes first.
[[nodiscard]] std::vector<std::int32_t> waits_of(const TickSeries& series, std::int32_t wanted);

[[nodiscard]] Spells spells_of(const TickSeries& series, std::int32_t wanted);

}  // namespace stockout

#pragma once

#include <chrono>
#include <cstdint>
#include <limits>
#include <string>

namespace stockout {

/// Simulated time: whole milliseconds since the start of the scenario's window, as an integer; negative
/// during warm-up. Integers compare exactly, so two runs agree everywhere and no test needs an epsilon.
/// Milliseconds, since GPU-time in int64 then holds 292 million GPU-years. There is no now(): the clock
/// belongs to the simulation.
struct SimClock {
  using rep = std::int64_t;
  using period = std::milli;
  using duration = std::chrono::duration<rep, period>;
  using time_point = std::chrono::time_point<SimClock>;
};

using SimTime = SimClock::time_point;    // a point:  SimTime - SimTime = SimDuration
using SimDuration = SimClock::duration;  // a length: SimTime + SimDuration = SimTime

/// The start of the scenario's window.
inline constexpr SimTime kStart{};

/// Later than every time a run can reach.
inline constexpr SimTime kNever{SimDuration{std::numeric_limits<std::int64_t>::max()}};

/// A length without end: "for ever" for waits and runs, "none" for deadlines and limits.
inline constexpr SimDuration kForever{std::numeric_limits<std::int64_t>::max()};

/// The longest span between the start of warm-up and the end of a run: 2^40 - 2 ms, 34.8 years, so that
/// a time fits five bytes of the run record. Readers refuse anything beyond it.
inline constexpr SimDuration kLongestRun{(std::int64_t{1} << 40) - 2};

/// `at + length`, where a length of kForever gives kNever.
constexpr SimTime later(SimTime at, SimDuration length) {
  return length == kForever || at == kNever ? kNever : at + length;
}

}  // namespace stockout

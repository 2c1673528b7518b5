#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/supply/pool.h"
#include "sim/core/error.h"
#include "sim/core/quantity.h"
#include "sim/core/time.h"

namespace stockout {

/// "No limit" as a number of GPUs: more than any zone has, and small enough that its area over kLongestRun
/// fits GpuTime.
inline constexpr GpuCount kUnlimitedGpus{4'000'000};

/// How to read a file of measured availability.
struct AvailabilityOptions {
  /// CSV with a `zone` column: the zone whose rows are read. Must be empty if the file has no such column.
  std::string zone;

  /// Where that zone is asked for; empty: what is wrong with it is said of the file.
  SourceRef asked_at = {};

  /// The zone of date-times without an offset: "UTC", "-08:00" or an IANA name.
  std::string time_zone = "UTC";

  /// Whether 1 means *un*available. JSON series exist in both senses with the same layout, so for JSON it
  /// must be stated; a CSV without it is read as it says. Only a series of 0 and 1 can be inverted.
  std::optional<bool> inverted;

  /// The file at `path` has not the zone that was asked for.
  [[noreturn]] void fail_zone(const std::string& path, std::string_view problem) const;
};

/// How much there was, seen at points in time.
struct AvailabilitySeries {
  std::string file;
  bool absolute = false;             // at_ms counts from the UNIX epoch, else from the first sample
  std::vector<std::int64_t> at_ms;   // strictly increasing, at least one
  std::vector<std::int32_t> values;  // machines (or 0 and 1); at least 0, at most `cap` if there is one
  std::int32_t cap = 0;              // how many were asked for each time; 0 where the file does not say
  SimDuration tick{};                // the usual distance of samples; greater than 0
  std::uint64_t unsorted_rows = 0;   // rows earlier than a row before them (then sorted)

  [[nodiscard]] std::size_t size() const { return at_ms.size(); }
};

/// Reads one series, plain or gzip, told apart by content:
///  - probe counts: CSV with `scheduled_at`, `zone`, `instances_requested` (the cap) and `instances_created`;
///  - simple CSV: `date,availability`;
///  - JSON: {"metadata": {"gap_seconds": 600, "start_time": "..."}, "data": [1, 0, ...]}, start_time
///  optional.
/// Throws InputError for anything else, with file, line or pointer: among them a cap that changes, two
/// samples of one instant, a zone that is not there, more than 2^24 samples.
[[nodiscard]] AvailabilitySeries read_availability(const std::string& path,
                                                   const AvailabilityOptions& options);

/// The zones of a file of probe counts, by name; none for a file without zones. Throws InputError for a file
/// that cannot be read.
[[nodiscard]] std::vector<std::string> availability_zones(const std::string& path);

/// Meaning of a value for capacity.
enum class Means : std::uint8_t {
  machines,  // so many machines of the probed shape may be held together
  any,       // 1 or more: unlimited; 0: nothing
  fraction,  // value / cap of a stated fleet, rounded down to a GPU
};
inline constexpr std::array<std::string_view, 3> kMeansNames{"machines", "any", "fraction"};

/// Reading of a value at the cap, which means "at least so many".
enum class AtCap : std::uint8_t { cap, unlimited, machines };

/// Capacity where the series says nothing: before it, after it, and where two samples are more than 1.5 ticks
/// apart. A sample speaks for one tick.
enum class Holes : std::uint8_t {
  hold,         // the last value before the hole; before the series, its first value
  unavailable,  // nothing
  error,        // an InputError
};
inline constexpr std::array<std::string_view, 3> kHolesNames{"hold", "unavailable", "error"};

struct CapacityRules {
  Means means = Means::machines;
  GpuCount shape_gpus{1};            // of one probed machine; at least 1
  std::int32_t cap = 0;              // machines; 0: what the file says. Must not contradict the file
  AtCap at_cap = AtCap::cap;         // not used by Means::any
  std::int32_t at_cap_machines = 0;  // AtCap::machines: how many; not less than the cap
  GpuCount fleet{};                  // Means::fraction: all GPUs there are; at least 1
  Holes holes = Holes::error;
  SimDuration shift{};  // added to every time: lays last year's series on this year's calendar
};

/// The part of the calendar for which capacity is wanted.
struct CapacitySpan {
  std::chrono::sys_time<std::chrono::milliseconds>
      start_date{};  // of kStart; a relative series begins at kStart
  SimTime begin{};   // the start of warm-up
  SimTime end{};     // the end of the window; later times fall under `holes` but never throw
};

}  // namespace stockout

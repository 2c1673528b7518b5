#pragma once

#include <cstddef>
#include <cstdint>

#include "models/billing/hour.h"

namespace stockout {

// Bounds that every record keeps, so that no number in a file breaks what is computed from it. The reader
// holds a file to them, and the writer refuses what it could not read back.

/// Of any time, in ms from the start: the days of prices lie between 1990 and 2199.
inline constexpr std::int64_t kRecordMostMs = std::int64_t{1} << 43;
inline constexpr std::int64_t kRecordMostOffsetMs = std::int64_t{24} * 3'600'000;  // of local time from UTC
inline constexpr std::int64_t kRecordMostHours = kLongestRun / kHour + 1;
/// Machine-ms of one run: scenarios ask for less, see models/scenario/load/limits.cpp.
inline constexpr std::int64_t kRecordMostTime = std::int64_t{1} << 61;
inline constexpr std::int64_t kRecordMostPrice =
    100'000'000'000'000'000;  // nano-dollars: 100 x a million dollars
inline constexpr std::int64_t kRecordMostUnitPrice = 1'000'000'000'000'000;  // nano-dollars of an other cost
inline constexpr std::int64_t kRecordMostCount = 1'000'000;  // machines, commitments, lines ...
inline constexpr std::size_t kRecordMostTerms = 1'000;       // commitments, other costs, as in a scenario
inline constexpr std::size_t kRecordMostHeld = 10'000;       // reservations, as in a scenario
inline constexpr std::int64_t kRecordMostTermMs = std::int64_t{3'661} * 24 * 3'600'000;

}  // namespace stockout

#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include <CLI/CLI.hpp>

#include "sim/core/time.h"
#include "tools/stockout/calibration/recorded_history.h"

namespace stockout {

// Where a history that a scenario replays is cut in two.

/// Jobs that each side must have to say anything.
inline constexpr std::size_t kFewestOfSide = 50;

/// Adds --split, of that meaning, and returns it.
CLI::Option* add_split_to(CLI::App& command, const std::string& meaning, std::string& split);

/// Throws InputError, at the file, if no source of the scenario replays the history as it is.
void check_replays(const RecordedHistory& record, const std::string& file, const Scenario& scenario);

/// In simulated time: a day ("2026-05-01", in that time zone), a length from the first submission ("60d") or
/// a share of the jobs ("70%"). Between the first submission and the last, else InputError.
[[nodiscard]] SimTime split_of(const std::string& text, const std::string& zone,
                               const RecordedHistory& record);

/// Throws InputError that names --split and its text.
[[noreturn]] void refuse_split(const std::string& text, std::string_view problem);

/// When that was, of a history with dates.
[[nodiscard]] std::optional<std::chrono::sys_time<std::chrono::milliseconds>> date_of(
    const RecordedHistory& record, SimTime at);

/// The same as people read it, "2026-05-01 00:00 UTC"; without dates "day 3.5 of the window".
[[nodiscard]] std::string text_of_split(const RecordedHistory& record, SimTime split);

}  // namespace stockout

#include "models/workload/readers/trace_fields.h"

#include <algorithm>

#include <fmt/format.h>

#include "models/workload/readers/broken_row.h"
#include "models/workload/readers/trace_formats.h"
#include "sim/core/duration_text.h"
#include "sim/core/error.h"
#include "sim/io/line_reader.h"
#include "sim/io/number.h"

namespace stockout {
namespace {

constexpr std::int64_t kMostMs = kLongestRun.count();

bool looks_like_date(std::string_view text) {
  const std::string_view year = text.substr(0, 4);
  return text.size() > 5 && text[4] == '-' &&
         std::ranges::all_of(year, [](char one) { return one >= '0' && one <= '9'; });
}

}  // namespace

Misread must_be(std::string_view wanted, std::string_view text) {
  return {.wanted = fmt::format("must be {}", wanted), .text = text.empty() ? "empty" : in_quotes(text)};
}

TraceFields::TraceFields(const std::string& file, SimDuration resolution)
    : step_ms_{std::max<std::int64_t>(resolution.count(), 1)}, most_steps_{kMostMs / step_ms_} {
  if (resolution < SimDuration::zero() || resolution > kLongestRun) {
    throw InputError{{.file = file},
                     fmt::format("the resolution must be from 0 to {}, but is {}",
                                 format_duration(kLongestRun), format_duration(resolution))};
  }
}

void TraceFields::fail(std::string_view column, const Misread& misread) {
  throw BrokenRow{.reason = fmt::format("{}: {}", column, misread.wanted), .text = misread.text};
}

void TraceFields::fail(std::string_view column, std::string_view problem) {
  throw BrokenRow{.reason = fmt::format("{}: {}", column, problem)};
}

std::int64_t TraceFields::signed_ms(std::string_view text, std::string_view column,
                                    std::int64_t unit_ms) const {
  std::int64_t steps = 0;
  const std::errc error = parse_scaled(text, unit_ms, step_ms_, steps);
  if (error == std::errc::invalid_argument) {
    if (looks_like_date(text))
      fail(column,
           must_be("a number of seconds, or in all rows a date from 1970 on, such as 2026-05-01T08:00:00Z",
                   text));
    fail(column, must_be(unit_ms == kSecond ? "a number of seconds, such as 90 or 1.5"
                                            : "a number of hours, such as 12 or 0.25",
                         text));
  }
  const bool is_far = error != std::errc{} || steps > most_steps_ || steps < -most_steps_;
  if (is_far && text.starts_with('-')) fail(column, must_be("0 or more", text));
  if (is_far) {
    fail(column, must_be("at most 34.8 years", text));
  }
  return steps * step_ms_;
}

std::int64_t TraceFields::time_ms(std::string_view text, std::string_view column,
                                  std::int64_t unit_ms) const {
  const std::int64_t ms = signed_ms(text, column, unit_ms);
  if (text.starts_with('-')) fail(column, must_be("0 or more", text));
  return ms;
}

SimDuration TraceFields::signed_work(std::string_view text, std::string_view column,
                                     std::int64_t unit_ms) const {
  const std::int64_t ms = signed_ms(text, column, unit_ms);
  if (ms != 0 || text.starts_with('-')) return SimDuration{ms};
  return SimDuration{is_exact_zero(text) ? 0 : step_ms_};
}

SimDuration TraceFields::work(std::string_view text, std::string_view column, std::int64_t unit_ms) const {
  const SimDuration work = signed_work(text, column, unit_ms);
  if (text.starts_with('-')) fail(column, must_be("0 or more", text));
  return work;
}

SimDuration TraceFields::length(std::string_view text, std::string_view column) const {
  constexpr std::string_view kWanted =
      "a number of seconds, such as 90 or 1.5, or a length with a unit, such as 30min or 2h";
  std::int64_t ms = 0;
  std::errc error = parse_scaled(text, kSecond, 1, ms);
  if (error == std::errc::invalid_argument) {
    const auto length = parse_duration(text);
    if (!length.has_value()) fail(column, must_be(kWanted, text));
    if (*length == kForever) return kForever;
    ms = length->count();
    error = {};
  }
  if (text.starts_with('-')) fail(column, must_be("0 or more", text));
  if (error != std::errc{} || ms > kMostMs) fail(column, must_be("at most 34.8 years", text));
  return SimDuration{ms == 0 && !is_exact_zero(text) ? 1 : ms};
}

std::int32_t TraceFields::signed_count(std::string_view text, std::string_view column,
                                       std::int32_t most) const {
  std::int64_t number = 0;
  const std::errc error = parse_integer(text, number);
  if (error == std::errc::invalid_argument) fail(column, must_be("a whole number", text));
  const bool is_far = error != std::errc{} || number > most || number < -most;
  if (is_far && text.starts_with('-')) fail(column, must_be("0 or more", text));
  if (is_far) fail(column, must_be(fmt::format("at most {}", most), text));
  return static_cast<std::int32_t>(number);
}

std::int32_t TraceFields::count(std::string_view text, std::string_view column, std::int32_t most) const {
  const std::int32_t number = signed_count(text, column, most);
  if (number < 0) fail(column, must_be("0 or more", text));
  return number;
}

std::int64_t TraceFields::rounded(std::int64_t ms) const { return (ms + step_ms_ / 2) / step_ms_ * step_ms_; }

SimDuration TraceFields::rounded_work(SimDuration length) const {
  const std::int64_t ms = rounded(length.count());
  return SimDuration{ms == 0 && length > SimDuration::zero() ? step_ms_ : ms};
}

}  // namespace stockout

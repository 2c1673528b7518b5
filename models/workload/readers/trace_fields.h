#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sim/core/time.h"

namespace stockout {

/// A text that is not as it must be.
struct Misread {
  std::string wanted;  // "must be WANTED"
  std::string text;    // in quotes; "empty" if it is
};

/// For messages: `must be WANTED, but is "TEXT"`.
[[nodiscard]] Misread must_be(std::string_view wanted, std::string_view text);

/// Turns the texts of a row into checked numbers. What cannot be read is a BrokenRow that names the column.
/// `column` is how the reader calls the field in messages: `column "duration"`, `field 4 (run time)`.
class TraceFields {
 public:
  /// Times and lengths are rounded to multiples of `resolution` (0: a millisecond). Throws InputError, which
  /// names `file`, for a resolution that is negative or longer than kLongestRun.
  TraceFields(const std::string& file, SimDuration resolution);

  /// A number of units of `unit_ms` milliseconds, rounded; its size is at most kLongestRun. May be negative.
  [[nodiscard]] std::int64_t signed_ms(std::string_view text, std::string_view column,
                                       std::int64_t unit_ms) const;

  /// The same, and not negative.
  [[nodiscard]] std::int64_t time_ms(std::string_view text, std::string_view column,
                                     std::int64_t unit_ms) const;

  /// The work of a job: what signed_ms() gives, but at least one step if the number is greater than zero.
  [[nodiscard]] SimDuration signed_work(std::string_view text, std::string_view column,
                                        std::int64_t unit_ms) const;

  /// The same, and not negative.
  [[nodiscard]] SimDuration work(std::string_view text, std::string_view column, std::int64_t unit_ms) const;

  /// A length in our own CSV: a plain number of seconds, or with a unit as parse_duration() has it. At most
  /// kLongestRun, or kForever for "forever". Not rounded.
  [[nodiscard]] SimDuration length(std::string_view text, std::string_view column) const;

  /// A whole number, at most `most` either way.
  [[nodiscard]] std::int32_t signed_count(std::string_view text, std::string_view column,
                                          std::int32_t most) const;

  /// The same, and not negative.
  [[nodiscard]] std::int32_t count(std::string_view text, std::string_view column, std::int32_t most) const;

  /// The nearest multiple of the resolution, halves up; at least one if `length` is greater than zero.
  [[nodiscard]] SimDuration rounded_work(SimDuration length) const;
  /// The nearest multiple of the resolution, halves up. Not negative.
  [[nodiscard]] std::int64_t rounded(std::int64_t ms) const;

  [[nodiscard]] SimDuration resolution() const { return SimDuration{step_ms_}; }

  [[noreturn]] static void fail(std::string_view column, const Misread& misread);
  [[noreturn]] static void fail(std::string_view column, std::string_view problem);

 private:
  std::int64_t step_ms_;
  std::int64_t most_steps_;  // in kLongestRun
};

}  // namespace stockout

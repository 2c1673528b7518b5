#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "models/workload/recorded_row.h"
#include "sim/io/time_stamp.h"

namespace stockout {

/// A row's times as its file has them; "" where it has none.
struct LocalCells {
  std::string_view submit = {};
  std::string_view eligible = {};
  std::string_view start = {};
  std::string_view end = {};
};

/// When clocks are set back, an hour of local time comes twice, and TimeStampReader reads each as the first.
/// Rows in order of submission tell them apart, and so does a row's own order: a job starts after its
/// submission and ends after its start.
class SecondHours {
 public:
  /// `stamps` is what the times are read with, and must outlive this.
  explicit SecondHours(const TimeStampReader& stamps) : stamps_{stamps} {}

  /// Moves times of the row to the second hour where only that is in order. A row of the same id as the one
  /// before is a later attempt, whose submission tells nothing about the order of the file.
  void settle(RecordedRow& row, const LocalCells& cells);

  /// The same for a file that has submissions only.
  [[nodiscard]] std::int64_t settle_submit(std::int64_t submit_ms, std::string_view cell);

  /// How many times were moved.
  [[nodiscard]] std::uint64_t settled() const { return settled_; }

 private:
  void settle_after(std::int64_t earliest_ms, std::string_view cell, std::int64_t& at_ms);
  [[nodiscard]] bool is_second(std::int64_t first_ms, std::int64_t second_ms) const;

  const TimeStampReader& stamps_;
  std::string last_id_;
  std::int64_t latest_ms_ = std::numeric_limits<std::int64_t>::min();  // submission so far
  std::uint64_t rows_ = 0;
  std::uint64_t behind_ = 0;  // rows that were submitted before one above them
  std::uint64_t repeated_ = 0;
  std::uint64_t settled_ = 0;
};

}  // namespace stockout

#include "models/workload/readers/second_hours.h"

namespace stockout {
namespace {

// Rows out of order, of all so far, up to which a file counts as in order: one of so many.
constexpr std::uint64_t kFewBehind = 20;

}  // namespace

// Where nearly all rows so far were in order, the next is too: it is of the second hour if only that comes
// after the latest row. Which hour is nearer to that row says nothing: rows may be most of an hour apart.
bool SecondHours::is_second(std::int64_t first_ms, std::int64_t second_ms) const {
  return first_ms < latest_ms_ && second_ms >= latest_ms_ && behind_ * kFewBehind <= rows_;
}

std::int64_t SecondHours::settle_submit(std::int64_t submit_ms, std::string_view cell) {
  if (stamps_.repeated() != repeated_) {
    const auto second = stamps_.parse_second(cell);
    if (second && is_second(submit_ms, *second)) {
      submit_ms = *second;
      ++settled_;
    }
    repeated_ = stamps_.repeated();
  }
  ++rows_;
  if (submit_ms < latest_ms_) {
    ++behind_;
  } else {
    latest_ms_ = submit_ms;
  }
  return submit_ms;
}

void SecondHours::settle_after(std::int64_t earliest_ms, std::string_view cell, std::int64_t& at_ms) {
  if (earliest_ms == kUnknownMs || at_ms == kUnknownMs || at_ms >= earliest_ms) return;
  const auto second = stamps_.parse_second(cell);
  if (!second || *second < earliest_ms) return;
  at_ms = *second;
  ++settled_;
}

void SecondHours::settle(RecordedRow& row, const LocalCells& cells) {
  const bool has_repeated = stamps_.repeated() != repeated_;
  const bool is_again = !row.id.empty() && row.id == last_id_;
  if (!is_again) last_id_ = row.id;
  if (row.submit_ms != kUnknownMs && !is_again) row.submit_ms = settle_submit(row.submit_ms, cells.submit);
  repeated_ = stamps_.repeated();
  if (!has_repeated) return;
  settle_after(row.submit_ms, cells.eligible, row.eligible_ms);
  settle_after(row.submit_ms, cells.start, row.start_ms);
  settle_after(row.start_ms, cells.end, row.end_ms);
}

}  // namespace stockout

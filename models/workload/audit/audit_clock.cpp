#include "models/workload/audit/audit_clock.h"

#include <algorithm>
#include <unordered_set>

#include <fmt/format.h>

#include "sim/core/counted.h"
#include "sim/core/duration_text.h"

namespace stockout {
namespace {

constexpr std::int64_t kClockHourMs = SimDuration{std::chrono::hours{1}}.count();
constexpr std::int64_t kShortestHoleMs = 24 * kClockHourMs;
constexpr std::int64_t kHoleOfGaps = 10;  // times the gap that 1 % of the gaps exceed
constexpr double kMostHoles = 0.2;        // of the time from the first submission to the last
constexpr double kMostImpossible = 0.05;  // of all rows
constexpr double kMostUnsorted = 0.05;    // of all rows, where their order tells of clocks
constexpr std::int64_t kLongestSuspensionMs = std::int64_t{365} * 24 * kClockHourMs;
constexpr std::int64_t kFarthestZoneMs = 14 * kClockHourMs;
constexpr std::int64_t kLeastToleranceMs = kClockHourMs / 12;
constexpr std::uint64_t kLeastBehind = 3;  // rows: fewer are out of order for other reasons

std::vector<std::int64_t> gaps_of(const std::vector<std::int64_t>& submits_ms) {
  std::vector<std::int64_t> gaps;
  for (std::size_t i = 1; i < submits_ms.size(); ++i) gaps.push_back(submits_ms[i] - submits_ms[i - 1]);
  return gaps;
}

// The gap that so many per cent of the gaps, of which there is one, do not exceed.
std::int64_t long_gap(std::vector<std::int64_t> gaps, std::size_t percent) {
  const auto rank = static_cast<std::ptrdiff_t>((gaps.size() - 1) * percent / 100);
  std::nth_element(gaps.begin(), gaps.begin() + rank, gaps.end());
  return gaps[static_cast<std::size_t>(rank)];
}

// The gap from which on it is a hole.
std::int64_t shortest_hole(const std::vector<std::int64_t>& gaps) {
  if (gaps.empty()) return kShortestHoleMs;
  const std::int64_t usual = std::min(long_gap(gaps, 99), kLongestRun.count() / kHoleOfGaps);
  return std::max(kShortestHoleMs, kHoleOfGaps * usual);
}

// How much less than whole hours a jump may look like: the gap before the first row behind it is lost.
std::int64_t zone_tolerance(const std::vector<std::int64_t>& gaps) {
  return gaps.empty() ? kLeastToleranceMs
                      : std::clamp(long_gap(gaps, 95), kLeastToleranceMs, kClockHourMs / 2);
}

// Whether clocks differ by so much.
bool is_zone_step(std::int64_t ms, std::int64_t tolerance_ms) {
  const std::int64_t lacking = (kClockHourMs - ms % kClockHourMs) % kClockHourMs;
  return lacking <= tolerance_ms && ms + lacking <= kFarthestZoneMs;
}

// The rows with a submission that are no later attempts of a job above: these are submitted when they are
// queued again, and stand below their first.
std::vector<const AuditRow*> first_attempts(const AuditedTrace& audited) {
  std::vector<const AuditRow*> rows;
  std::unordered_set<std::uint64_t> ids;
  for (const AuditRow& row : audited.rows) {
    const bool is_again = row.id != 0 && !ids.insert(row.id).second;
    if (!is_again && row.submit_ms != kUnknownMs) rows.push_back(&row);
  }
  return rows;
}

// Whether few enough rows were submitted before one above them, so that these tell of clocks.
bool are_sorted(const std::vector<const AuditRow*>& rows) {
  std::int64_t latest_ms = rows.front()->submit_ms;
  std::uint64_t behind = 0;
  for (const AuditRow* const row : rows) {
    if (row->submit_ms < latest_ms) ++behind;
    latest_ms = std::max(latest_ms, row->submit_ms);
  }
  return static_cast<double>(behind) <= kMostUnsorted * static_cast<double>(rows.size());
}

// Rows that were submitted before one above them, until time has caught up with it.
struct Behind {
  std::int64_t latest_ms = 0;  // of the rows above
  std::int64_t last_ms = 0;    // of the row before
  std::int64_t by_ms = 0;
  std::uint64_t rows = 0;
  std::uint64_t line = 0;
  bool is_sorted = true;

  [[nodiscard]] bool is_jump(std::int64_t tolerance_ms) const {
    return rows >= kLeastBehind && is_sorted && is_zone_step(by_ms, tolerance_ms);
  }
};

}  // namespace

AuditFinding find_holes(const AuditedTrace& audited) {
  const auto& submits = audited.submits_ms;
  AuditFinding finding{.check = "coverage"};
  if (submits.empty()) {
    finding.grade = AuditGrade::unknown;
    finding.text = "not known: no row has a submission";
    return finding;
  }
  const std::vector<std::int64_t> gaps = gaps_of(submits);
  const std::int64_t least = shortest_hole(gaps);
  std::int64_t in_holes = 0;
  for (const std::int64_t gap : gaps) {
    if (gap < least) continue;
    ++finding.count;
    in_holes += gap;
  }
  const std::int64_t span_ms = submits.back() - submits.front();
  finding.grade =
      grade_of(static_cast<std::uint64_t>(in_holes), static_cast<std::uint64_t>(span_ms), kMostHoles);
  finding.text = fmt::format("{} to {}", moment_of(audited.trace, submits.front()),
                             moment_of(audited.trace, submits.back()));
  if (finding.count > 0) {
    const auto longest = static_cast<std::size_t>(std::ranges::max_element(gaps) - gaps.begin());
    finding.text +=
        fmt::format("; nothing was submitted in {}, the longest of {} from {}",
                    counted(finding.count, "stretch", "stretches"),
                    format_duration(SimDuration{gaps[longest]}), moment_of(audited.trace, submits[longest]));
  }
  return finding;
}

AuditFinding find_clock_jumps(const AuditedTrace& audited) {
  AuditFinding finding{.check = "jumps of the clock"};
  const std::vector<const AuditRow*> rows = first_attempts(audited);
  if (rows.empty() || !are_sorted(rows)) {
    finding.grade = AuditGrade::unknown;
    finding.text = "not known: rows are not in order of submission";
    return finding;
  }
  const std::int64_t tolerance_ms = zone_tolerance(gaps_of(audited.submits_ms));
  Behind behind;
  std::int64_t by_ms = 0;
  const auto close = [&] {
    if (behind.is_jump(tolerance_ms)) {
      if (finding.count == 0) finding.first_line = behind.line;
      ++finding.count;
      by_ms = std::max(by_ms, behind.by_ms);
    }
    behind.rows = 0;
  };
  for (const AuditRow* const row : rows) {
    if (row->submit_ms >= behind.latest_ms) {
      close();
      behind.latest_ms = row->submit_ms;
      continue;
    }
    if (behind.rows == 0) {
      behind = {.latest_ms = behind.latest_ms, .by_ms = behind.latest_ms - row->submit_ms, .line = row->line};
    }
    behind.is_sorted = behind.is_sorted && (behind.rows == 0 || row->submit_ms >= behind.last_ms);
    behind.last_ms = row->submit_ms;
    ++behind.rows;
  }
  close();
  finding.grade = finding.count == 0 ? AuditGrade::fine : AuditGrade::look;
  finding.text = "none";
  if (finding.count == 0) return finding;
  const std::string cure =
      audited.trace.zone == "UTC"
          ? "name the zone with --zone, or convert the file to UTC"
          : fmt::format(
                "times were read as of {}, where clocks do not do that then: name their zone, or "
                "convert the file to UTC",
                audited.trace.zone);
  finding.text = fmt::format(
      "back by about {} at most: {}",
      format_duration(SimDuration{(by_ms + kClockHourMs - 1) / kClockHourMs * kClockHourMs}), cure);
  return finding;
}

AuditFinding find_impossible_times(const AuditedTrace& audited) {
  AuditFinding finding{.check = "impossible times"};
  for (const AuditRow& row : audited.rows) {
    const bool starts = row.start_ms != kUnknownMs;
    const bool ends = row.end_ms != kUnknownMs;
    const bool is_early = starts && row.submit_ms != kUnknownMs && row.start_ms < row.submit_ms;
    const bool is_backward = starts && ends && row.end_ms < row.start_ms;
    constexpr std::int64_t kRounding = 2000;
    const std::int64_t between_ms = starts && ends ? row.end_ms - row.start_ms : 0;
    const bool is_longer = starts && ends && row.run.count() > between_ms + kRounding;
    // A job may be suspended for part of that time, but not for years.
    const bool is_shorter =
        row.run >= SimDuration::zero() && between_ms - row.run.count() > kLongestSuspensionMs;
    if (!is_early && !is_backward && !is_longer && !is_shorter) continue;
    ++finding.count;
    if (finding.first_line == 0) finding.first_line = row.line;
  }
  finding.grade = grade_of(finding.count, audited.rows.size(), kMostImpossible);
  finding.text =
      finding.count == 0
          ? "none"
          : "start before the submission, end before the start, or a run that is longer than between the "
            "two or a year shorter";
  return finding;
}

}  // namespace stockout

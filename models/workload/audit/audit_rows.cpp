#include "models/workload/audit/audit_rows.h"

#include <algorithm>
#include <span>
#include <tuple>

#include <fmt/format.h>

#include "sim/core/counted.h"
#include "sim/core/duration_text.h"
#include "sim/io/time_stamp.h"

namespace stockout {
namespace {

constexpr double kMostBroken = 0.05;    // of all rows
constexpr double kMostMissing = 0.05;   // submissions, of all rows
constexpr double kMostAbsurd = 0.01;    // run times, of all rows
constexpr double kMostZero = 0.05;      // run times, of all rows
constexpr double kMostRepeated = 0.01;  // rows that are there twice, of all rows
constexpr double kFewTries = 0.01;      // of all rows
constexpr SimDuration kAbsurdRun = std::chrono::hours{24 * 365};
constexpr std::int64_t kSoonMs = SimDuration{std::chrono::minutes{10}}.count();

SimDuration run_of_row(const AuditRow& row) {
  if (row.run >= SimDuration::zero()) return row.run;
  const bool knows_both = row.start_ms != kUnknownMs && row.end_ms != kUnknownMs;
  return SimDuration{knows_both ? row.end_ms - row.start_ms : -1};
}

// Counts what is found, and keeps the first line.
void found_at(AuditFinding& finding, std::uint64_t line) {
  ++finding.count;
  finding.first_line = finding.first_line == 0 ? line : std::min(finding.first_line, line);
}

bool is_same_row(const AuditRow& a, const AuditRow& b) {
  return a.submit_ms == b.submit_ms && a.start_ms == b.start_ms && a.end_ms == b.end_ms;
}

// Whether two rows of one id may be attempts of one job, the second later.
bool may_be_attempts(const AuditRow& a, const AuditRow& b) {
  return a.start_ms == kUnknownMs || b.start_ms == kUnknownMs ||
         (a.end_ms != kUnknownMs && a.end_ms <= b.start_ms);
}

bool may_be_tried_again(RecordedOutcome outcome) {
  return outcome == RecordedOutcome::refused || outcome == RecordedOutcome::expired ||
         outcome == RecordedOutcome::failed || outcome == RecordedOutcome::interrupted;
}

// Rows by what they have in common, then in order of time.
auto by_time_of(std::uint64_t AuditRow::*common) {
  return [common](const AuditRow* row) { return std::tuple{row->*common, row->submit_ms, row->line}; };
}

// How rows have ids of others, beside those that are copies.
struct IdUse {
  std::uint64_t shared = 0;
  std::uint64_t attempts = 0;
};

// The rows of one id, in order of time. Copies count where no two rows are different at one time.
void add_id(std::span<const AuditRow* const> rows, IdUse& use, AuditFinding& copies) {
  std::uint64_t attempts = 0;
  std::uint64_t shared = 0;
  AuditFinding same;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    if (is_same_row(*rows[i - 1], *rows[i])) {
      found_at(same, rows[i]->line);
    } else if (may_be_attempts(*rows[i - 1], *rows[i])) {
      ++attempts;
    } else {
      ++shared;
    }
  }
  if (shared > 0) {
    use.shared += rows.size() - 1;
    return;
  }
  use.attempts += attempts;
  if (same.count == 0) return;
  copies.count += same.count;
  copies.first_line = copies.first_line == 0 ? same.first_line : std::min(copies.first_line, same.first_line);
}

}  // namespace

AuditedTrace prepare_audit(const Trace& trace, std::optional<std::int64_t> capacity) {
  AuditedTrace audited{.trace = trace, .rows = trace.audit_rows, .capacity = capacity, .submits_ms = {}};
  for (const AuditRow& row : audited.rows) {
    if (row.submit_ms != kUnknownMs) audited.submits_ms.push_back(row.submit_ms);
    audited.last_ms = std::max({audited.last_ms, row.submit_ms, row.start_ms, row.end_ms});
  }
  std::ranges::sort(audited.submits_ms);
  return audited;
}

AuditGrade grade_of(std::uint64_t count, std::uint64_t of, double most_share) {
  if (count == 0) return AuditGrade::fine;
  const bool is_much = static_cast<double>(count) > most_share * static_cast<double>(of);
  return is_much ? AuditGrade::unfit : AuditGrade::look;
}

std::string moment_of(const Trace& trace, std::int64_t at_ms) {
  if (trace.absolute) return format_unix_ms(at_ms);
  if (trace.zero_ms) return format_unix_ms(*trace.zero_ms + at_ms);
  return format_duration(SimDuration{at_ms}) + " after the file's zero";
}

AuditFinding find_lack_of_jobs(const AuditedTrace& audited) {
  AuditFinding finding{.check = "jobs to simulate"};
  finding.text = counted(audited.trace.size(), "job");
  if (audited.trace.size() > 0) return finding;
  finding.grade = AuditGrade::unfit;
  finding.count = audited.trace.rows_read;
  finding.text = audited.trace.unserved.jobs.empty()
                     ? "no row is a job that ran"
                     : fmt::format("none: {} started, so how long they run is not known",
                                   counted(audited.trace.unserved.jobs.size(), "job never", "jobs never"));
  return finding;
}

AuditFinding find_broken_rows(const AuditedTrace& audited) {
  AuditFinding finding{.check = "broken rows"};
  for (const DroppedRows& dropped : audited.trace.dropped) {
    if (!dropped.is_broken) continue;
    if (finding.count == 0) finding.first_line = dropped.first_line;
    finding.first_line = std::min(finding.first_line, dropped.first_line);
    finding.count += dropped.count;
  }
  finding.grade = grade_of(finding.count, audited.trace.rows_read, kMostBroken);
  finding.text =
      finding.count == 0 ? "every row is as the format has it" : "passed over; their jobs are missing";
  return finding;
}

AuditFinding find_missing_submits(const AuditedTrace& audited) {
  AuditFinding finding{.check = "missing submissions"};
  for (const AuditRow& row : audited.rows) {
    if (row.submit_ms == kUnknownMs) found_at(finding, row.line);
  }
  finding.grade = grade_of(finding.count, audited.rows.size(), kMostMissing);
  finding.text = finding.count == 0 ? "every row has its submission" : "left out: the demand is too low";
  return finding;
}

AuditFinding find_odd_run_times(const AuditedTrace& audited) {
  AuditFinding finding{.check = "odd run times"};
  std::uint64_t zero = 0;
  std::uint64_t absurd = 0;
  for (const AuditRow& row : audited.rows) {
    const bool is_absurd = run_of_row(row) > kAbsurdRun;
    const bool ran = row.start_ms != kUnknownMs || row.outcome == RecordedOutcome::unknown;
    const bool is_zero = run_of_row(row) == SimDuration::zero() && ran;
    zero += is_zero ? 1 : 0;
    absurd += is_absurd ? 1 : 0;
    if (is_zero || is_absurd) found_at(finding, row.line);
  }
  finding.grade = std::max(grade_of(absurd, audited.rows.size(), kMostAbsurd),
                           grade_of(zero, audited.rows.size(), kMostZero));
  finding.text =
      finding.count == 0
          ? "none is zero or longer than a year"
          : fmt::format("{} of zero length, which are left out; {} longer than a year", zero, absurd);
  return finding;
}

AuditFinding find_assumed_gpus(const AuditedTrace& audited) {
  AuditFinding finding{.check = "GPUs of a job", .text = "the file says how many"};
  if (!audited.trace.assumes_one_gpu) return finding;
  finding.grade = AuditGrade::look;
  finding.count = audited.rows.size();
  finding.text = "one GPU a job is assumed, as no column says how many: add a column \"gpus\"";
  return finding;
}

AuditFinding find_repeated_ids(const AuditedTrace& audited) {
  AuditFinding finding{.check = "repeated ids"};
  std::vector<const AuditRow*> named;
  for (const AuditRow& row : audited.rows) {
    if (row.id != 0) named.push_back(&row);
  }
  std::ranges::sort(named, {}, by_time_of(&AuditRow::id));
  IdUse use;
  for (std::size_t begin = 0; begin < named.size();) {
    std::size_t end = begin + 1;
    while (end < named.size() && named[end]->id == named[begin]->id) ++end;
    add_id(std::span{named}.subspan(begin, end - begin), use, finding);
    begin = end;
  }
  finding.grade = grade_of(finding.count, audited.rows.size(), kMostRepeated);
  const bool are_joined = !audited.trace.attempts.empty();
  const bool is_odd = use.shared > 0 || (use.attempts > 0 && !are_joined);
  if (is_odd) finding.grade = std::max(finding.grade, AuditGrade::look);
  if (named.empty()) finding.grade = AuditGrade::unknown;
  finding.text = named.empty() ? "not known: the file has no ids" : "no row is there twice";
  if (finding.count > 0) finding.text = "rows that are there twice: were files put together?";
  if (use.shared > 0) {
    finding.text += fmt::format("; rows that share an id at a time, as tasks of an array do: {}", use.shared);
  }
  if (use.attempts > 0) {
    finding.text +=
        fmt::format("; rows that are further attempts of a job, {}: {}",
                    are_joined ? "and joined to it" : "and count as jobs of their own", use.attempts);
  }
  return finding;
}

AuditFinding find_tries(const AuditedTrace& audited) {
  AuditFinding finding{.check = "tries of one job"};
  if (audited.trace.user.names.empty()) {
    finding.grade = AuditGrade::unknown;
    finding.text = "not known: the file has no users";
    return finding;
  }
  std::vector<const AuditRow*> asks;
  for (const AuditRow& row : audited.rows) {
    if (row.submit_ms != kUnknownMs) asks.push_back(&row);
  }
  std::ranges::sort(asks, {}, by_time_of(&AuditRow::ask));
  for (std::size_t i = 1; i < asks.size(); ++i) {
    const AuditRow& before = *asks[i - 1];
    const AuditRow& row = *asks[i];
    const bool has_id = row.id != 0 && row.id == before.id;
    if (has_id || row.ask != before.ask || !may_be_tried_again(before.outcome)) continue;
    const std::int64_t end_ms = std::max(before.end_ms, before.submit_ms);
    if (row.submit_ms >= end_ms && row.submit_ms - end_ms <= kSoonMs) found_at(finding, row.line);
  }
  const bool are_many =
      static_cast<double>(finding.count) > kFewTries * static_cast<double>(audited.rows.size());
  finding.grade = are_many ? AuditGrade::look : AuditGrade::fine;
  finding.text = finding.count == 0
                     ? "none"
                     : "asked for the same within 10 min of a failure: join_attempts of a scenario makes one "
                       "job of them";
  return finding;
}

}  // namespace stockout

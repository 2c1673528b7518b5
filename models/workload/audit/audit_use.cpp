#include "models/workload/audit/audit_use.h"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include "models/workload/length_summary.h"
#include "sim/core/counted.h"
#include "sim/core/duration_text.h"

namespace stockout {
namespace {

constexpr double kMostOveruse = 0.01;  // of the time
constexpr double kFewInUse = 0.2;      // of the mean: so few that running jobs must be missing
constexpr double kLongRuns = 0.5;      // of the time from the first submission to the last

struct UseStep {
  std::int64_t at_ms = 0;
  std::int64_t gpus = 0;  // more or fewer
  std::uint64_t line = 0;
};

// Starts and ends; at one instant ends come first. Rows that still ran do so to the end of the file.
std::vector<UseStep> use_steps(const AuditedTrace& audited) {
  std::vector<UseStep> steps;
  for (const AuditRow& row : audited.rows) {
    if (row.start_ms == kUnknownMs || row.gpus <= 0) continue;
    if (row.end_ms == kUnknownMs && row.outcome != RecordedOutcome::running) continue;
    const std::int64_t end_ms = row.end_ms == kUnknownMs ? audited.last_ms : row.end_ms;
    if (end_ms <= row.start_ms) continue;
    steps.push_back({.at_ms = row.start_ms, .gpus = row.gpus, .line = row.line});
    steps.push_back({.at_ms = end_ms, .gpus = -std::int64_t{row.gpus}, .line = row.line});
  }
  std::ranges::sort(steps, {}, [](const UseStep& step) {
    return std::tuple{step.at_ms, step.gpus, step.line};
  });
  return steps;
}

struct Use {
  std::int64_t most = 0;
  std::int64_t most_at_ms = 0;
  std::int64_t over_ms = 0;     // with more in use than there is
  std::uint64_t over_line = 0;  // of the first row that made it more; 0: none
  double gpu_ms = 0;
};

Use use_of(const std::vector<UseStep>& steps, std::int64_t capacity) {
  Use use;
  std::int64_t now = 0;
  std::int64_t since_ms = steps.front().at_ms;
  for (const UseStep& step : steps) {
    use.gpu_ms += static_cast<double>(now) * static_cast<double>(step.at_ms - since_ms);
    if (now > capacity) use.over_ms += step.at_ms - since_ms;
    since_ms = step.at_ms;
    now += step.gpus;
    if (now > capacity && use.over_line == 0) use.over_line = step.line;
    if (now <= use.most) continue;
    use.most = now;
    use.most_at_ms = step.at_ms;
  }
  return use;
}

std::int64_t in_use_at(const std::vector<UseStep>& steps, std::int64_t at_ms) {
  std::int64_t gpus = 0;
  for (const UseStep& step : steps) {
    if (step.at_ms <= at_ms) gpus += step.gpus;
  }
  return gpus;
}

SimDuration long_run(const AuditedTrace& audited) {
  std::vector<SimDuration> runs;
  for (const AuditRow& row : audited.rows) {
    const bool knows_both = row.start_ms != kUnknownMs && row.end_ms != kUnknownMs;
    if (row.gpus > 0 && knows_both) runs.emplace_back(row.end_ms - row.start_ms);
  }
  return summarize_lengths(std::move(runs)).p90;
}

}  // namespace

AuditFinding find_overuse(const AuditedTrace& audited) {
  AuditFinding finding{.check = "more in use than there is"};
  const std::vector<UseStep> steps = use_steps(audited);
  if (steps.empty()) {
    finding.grade = AuditGrade::unknown;
    finding.text = "not known: no row has a start";
    return finding;
  }
  const std::int64_t capacity = audited.capacity.value_or(std::numeric_limits<std::int64_t>::max());
  const Use use = use_of(steps, capacity);
  const std::int64_t span_ms = steps.back().at_ms - steps.front().at_ms;
  finding.first_line = use.over_line;
  finding.count = use.over_line == 0 ? 0 : static_cast<std::uint64_t>(use.most - capacity);
  finding.grade =
      grade_of(static_cast<std::uint64_t>(use.over_ms), static_cast<std::uint64_t>(span_ms), kMostOveruse);
  finding.text = fmt::format("at most {}, at {}", counted(static_cast<std::uint64_t>(use.most), "GPU"),
                             moment_of(audited.trace, use.most_at_ms));
  if (!audited.capacity) finding.text += "; --capacity N says how many there are";
  if (use.over_ms > 0) {
    finding.text += fmt::format("; more than {} for {}", capacity, format_duration(SimDuration{use.over_ms}));
  }
  return finding;
}

AuditFinding find_cut_ends(const AuditedTrace& audited) {
  AuditFinding finding{.check = "cut at its ends"};
  const std::vector<UseStep> steps = use_steps(audited);
  if (steps.empty() || audited.submits_ms.empty()) {
    finding.grade = AuditGrade::unknown;
    finding.text = "not known: no row has a submission and a start";
    return finding;
  }
  for (const AuditRow& row : audited.rows) {
    if (row.end_ms != kUnknownMs ||
        (row.outcome != RecordedOutcome::running && row.outcome != RecordedOutcome::waiting))
      continue;
    if (finding.count == 0) finding.first_line = row.line;
    ++finding.count;
  }
  const std::int64_t first_ms = audited.submits_ms.front();
  const std::int64_t last_ms = audited.submits_ms.back();
  const auto span = static_cast<double>(std::max<std::int64_t>(last_ms - first_ms, 1));
  const double mean = use_of(steps, 0).gpu_ms / std::max(span, 1.0);
  const bool lacks_first = static_cast<double>(in_use_at(steps, first_ms)) < kFewInUse * mean && mean > 1;
  const bool lacks_last =
      finding.count == 0 && static_cast<double>(in_use_at(steps, last_ms)) < kFewInUse * mean && mean > 1;
  const SimDuration run = long_run(audited);
  const bool is_much = static_cast<double>(run.count()) > kLongRuns * span;
  finding.text = lacks_first ? "jobs that began before the file does are missing" : "";
  const auto add = [&](const std::string& text) {
    finding.text += (finding.text.empty() ? "" : "; ") + text;
  };
  if (lacks_last) add("jobs that had not ended when it was written are missing");
  if (finding.count > 0) add("rows had not ended when the file was written, and are left out");
  if (finding.text.empty()) {
    finding.text = "jobs run at its beginning and at its end";
    return finding;
  }
  add(fmt::format("leave out {} at that end, which 90 % of the runs do not exceed", format_duration(run)));
  finding.grade = is_much ? AuditGrade::unfit : AuditGrade::look;
  return finding;
}

}  // namespace stockout

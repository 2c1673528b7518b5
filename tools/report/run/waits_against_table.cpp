#include "tools/report/run/waits_against_table.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "models/measures/number_text.h"
#include "sim/core/counted.h"

namespace stockout {
namespace {

const Estimate* find(const WaitEstimates& estimates, WaitFigure figure) {
  const auto& found = estimates[static_cast<std::size_t>(figure)];
  return found ? &*found : nullptr;
}

bool has_jobs(const WaitEstimates& estimates) { return find(estimates, WaitFigure::started) != nullptr; }

// One replication has no interval for people to read.
Interval interval_of(const WaitsAgainst& waits) {
  return waits.replications > 1 ? Interval::shown : Interval::in_files;
}

// Jobs that never started have no difference.
bool says(const WaitsSideBySide& waits, const WaitEstimates& estimates, WaitFigure figure) {
  return &estimates != &waits.difference || figure < WaitFigure::never_started;
}

void add_side(Relation& table, const WaitsSideBySide& waits, const char* side,
              const WaitEstimates& estimates) {
  if (!has_jobs(estimates)) return;
  std::vector<Cell> cells{waits.job_class.empty() ? Cell{}.as("all") : Cell{waits.job_class}, side};
  for (std::size_t i = 0; i < kWaitFigures; ++i) {
    const auto figure = static_cast<WaitFigure>(i);
    const Estimate* estimate = says(waits, estimates, figure) ? find(estimates, figure) : nullptr;
    cells.push_back(estimate == nullptr ? Cell{} : Cell{*estimate});
  }
  table.add(std::move(cells));
}

void add_sides(Relation& table, const WaitsSideBySide& waits) {
  add_side(table, waits, "recorded", waits.recorded);
  add_side(table, waits, "simulated", waits.simulated);
  add_side(table, waits, "difference", waits.difference);
}

std::string count_text(std::uint64_t count) { return number_text(static_cast<double>(count)); }

std::string matched_text(const JobMatch& match, const std::string& file, const std::string& source) {
  std::vector<std::string> unmatched;
  if (match.wait_unknown > 0)
    unmatched.push_back(fmt::format("{} whose recorded wait is not known", count_text(match.wait_unknown)));
  if (match.not_simulated > 0)
    unmatched.push_back(fmt::format("{} recorded outside the window", count_text(match.not_simulated)));
  if (match.others > 0)
    unmatched.push_back(fmt::format("{} simulated of other sources", count_text(match.others)));
  return fmt::format("Matched job by job: {} of source \"{}\", which reads {}. Not matched: {}.",
                     counted(match.matched, "job"), source, file,
                     unmatched.empty() ? "none" : fmt::format("{}", fmt::join(unmatched, ", ")));
}

// Names of classes that one side alone has.
std::string only_text(const WaitsAgainst& waits, const char* side, const WaitEstimates WaitsSideBySide::*has,
                      const WaitEstimates WaitsSideBySide::*lacks) {
  std::vector<std::string> names;
  for (const WaitsSideBySide& one : waits.classes) {
    if (has_jobs(one.*has) && !has_jobs(one.*lacks))
      names.push_back(one.job_class.empty() ? "(none)" : one.job_class);
  }
  return names.empty() ? "" : fmt::format(" Only {}: {}.", side, fmt::join(names, ", "));
}

}  // namespace

Relation waits_against_table(const WaitsAgainst& waits) {
  const Interval interval = interval_of(waits);
  Relation table{.title = "Waits, recorded and simulated (h)"};
  table.columns = {
      {.key = "class", .title = "class", .once = true},
      {.key = "side", .title = "side"},
      {.key = "started", .title = "started", .style = kCount, .interval = interval},
      {.key = "wait_mean_h", .title = "mean", .style = kThousandths, .interval = interval},
      {.key = "wait_p50_h", .title = "p50", .style = kThousandths, .interval = interval},
      {.key = "wait_p90_h", .title = "p90", .style = kThousandths, .interval = interval},
      {.key = "wait_p95_h", .title = "p95", .style = kThousandths, .interval = interval},
      {.key = "never_started", .title = "never\nstarted", .style = kCount, .interval = interval},
      {.key = "refused", .title = "of these\nrefused", .style = kCount, .interval = interval},
      {.key = "expired", .title = "of these\nexpired", .style = kCount, .interval = interval},
  };
  for (const WaitsSideBySide& one : waits.classes) add_sides(table, one);
  add_sides(table, waits.all);
  return table;
}

std::vector<std::string> waits_against_notes(const WaitsAgainst& waits, const std::string& file,
                                             const std::string& source) {
  std::vector<std::string> notes;
  if (waits.match) {
    notes.push_back(matched_text(*waits.match, file, source));
    notes.emplace_back("The difference is simulated less recorded wait, of each job that started in both.");
  } else {
    notes.push_back(
        fmt::format("Compared by class, no job is matched: no source reads {} as it is.{}{}", file,
                    only_text(waits, "recorded", &WaitsSideBySide::recorded, &WaitsSideBySide::simulated),
                    only_text(waits, "simulated", &WaitsSideBySide::simulated, &WaitsSideBySide::recorded)));
  }
  notes.emplace_back("A wait lasts from when a job may ask to its first work, start-up included.");
  const Estimate* started = find(waits.all.recorded, WaitFigure::started);
  if (started != nullptr && started->mean == 0) {
    notes.emplace_back(
        "No recorded wait is known, so waits cannot be compared: only how many never started, were refused or expired.");
  }
  const Estimate* unserved = find(waits.all.recorded, WaitFigure::never_started);
  if (unserved != nullptr && unserved->mean > 0)
    notes.emplace_back("Recorded jobs that never started are simulated nowhere: nobody knows their length.");
  return notes;
}

}  // namespace stockout

#pragma once

#include <string>

#include "models/calibration/calibration.h"
#include "models/calibration/world_set.h"
#include "tools/report/comparison/report.h"

namespace stockout {

/// Subject of a report on a calibration. All of it outlives this.
struct CalibrationReport {
  const Scenario& written;
  std::string strategy;  // under which the history came about
  std::string observed;  // its file
  const HistoryJobs& history;
  const Calibration& found;
  std::string version;
};

/// The worlds that were found, to be written to a file.
[[nodiscard]] WorldSet world_set_of(const CalibrationReport& report);

/// Notes on rows of a history that are no jobs, and on jobs without a wait.
[[nodiscard]] std::vector<std::string> ignored_notes(const HistoryJobs& history);

/// In a format: as text a sentence, what is known now, the history beside the worlds, and what the history
/// cannot tell; as CSV what is known now; as JSON all of it but the worlds.
[[nodiscard]] std::string write_calibration(const CalibrationReport& report, ReportFormat format,
                                            const TextLayout& layout);

}  // namespace stockout

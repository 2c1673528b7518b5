#pragma once

#include <string>

#include "models/simulation/simulate.h"
#include "tools/report/run/job_fields.h"

namespace stockout {

/// Names of the columns of the per-job record, with units, and a line break.
[[nodiscard]] std::string jobs_csv_header();

/// One job of the run record as a line. Seconds count from the start of the window, with three decimals; a
/// field is empty where there is nothing, such as the first grant of a job that never started.
[[nodiscard]] std::string jobs_csv_line(const ToldJob& job);

/// The same for leases.
[[nodiscard]] std::string leases_csv_header();
[[nodiscard]] std::string leases_csv_line(const World& world, const Strategy& strategy,
                                          const LeaseRow& lease);

}  // namespace stockout

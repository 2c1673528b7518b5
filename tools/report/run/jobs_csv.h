#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/history/job_troubles.h"
#include "models/simulation/simulate.h"

namespace stockout {

/// Names of the columns of the per-job record, with units, and a line break.
[[nodiscard]] std::string jobs_csv_header();

/// One job of the run record as a line. Seconds count from the start of the window, with three decimals; a
/// field is empty where there is nothing, such as the first grant of a job that never started.
/// `gave_way_to`: numbers of the jobs for which it was evicted.
[[nodiscard]] std::string jobs_csv_line(const World& world, const Strategy& strategy, std::uint64_t number,
                                        const Job& job, const JobOutcome& outcome,
                                        const JobTroubles& troubles,
                                        const std::vector<std::uint64_t>& gave_way_to = {});

/// The same for leases.
[[nodiscard]] std::string leases_csv_header();
[[nodiscard]] std::string leases_csv_line(const World& world, const Strategy& strategy,
                                          const LeaseRow& lease);

}  // namespace stockout

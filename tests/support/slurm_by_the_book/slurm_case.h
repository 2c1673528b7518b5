#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "models/orchestrators/slurm/configuration.h"
#include "models/orchestrators/slurm/job.h"
#include "sim/core/time.h"

namespace stockout::test {

/// A job of a case, or an array of them, and what becomes of it by itself.
struct CaseJob {
  SimTime submit{};
  slurm::JobRequest request = {};  // its dependencies name places in the list
  std::uint32_t tasks = 0;         // of an array; 0: no array
  SimDuration run_time{};          // of each task
  bool ends_well = true;
  SimTime cancel = kNever;   // its user takes it back
  SimTime requeue = kNever;  // it is requeued by hand, if it has its nodes then
};

/// A node that fails, or that may be used again.
struct CaseFault {
  SimTime at{};
  slurm::NodeIndex node = 0;
  std::optional<SimTime> back = std::nullopt;  // it goes DOWN until then; none: it is restored
};

/// A cluster and all that happens to it from outside.
struct SlurmCase {
  slurm::Configuration cluster;
  std::vector<CaseJob> jobs;                     // in the order of submission
  std::vector<CaseFault> faults = {};            // in the order of time
  std::vector<SimDuration> boots = {};           // of one node after another; for ever: it never comes up
  SimDuration stop_delay{};                      // from an order to stop to the end of the job
  SimDuration step = std::chrono::seconds{1};    // all that happens from outside happens at multiples of it
  SimTime end = kStart + std::chrono::hours{1};  // nothing is looked at beyond
  bool compares_priorities = false;
};

}  // namespace stockout::test

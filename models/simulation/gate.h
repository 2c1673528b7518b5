#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>

#include "models/simulation/run_events.h"

namespace stockout {

/// How many requests a planner may have open under one model, and the jobs that have none for that reason.
struct Gate {
  std::string model;
  std::int64_t open = 0;      // requests, kept ones too
  std::deque<JobStay> line;   // in order of coming; those who have left are still in it
  std::size_t tidied_at = 0;  // how many were left when those were last taken out
};

}  // namespace stockout

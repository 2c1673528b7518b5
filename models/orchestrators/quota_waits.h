#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>

#include "models/orchestrators/orchestrator.h"

namespace stockout {

/// How long each job waited for quota before its first grant, and in how many places it was refused for want
/// of quota. Jobs go by JobView::number.
class QuotaWaits {
 public:
  /// The job is held or refused for want of quota, unless it is already.
  void begin(const JobView& job, SimTime now) {
    if (job.was_granted) return;
    Wait& wait = waits_[job.number];
    if (wait.since == kNever) wait.since = now;
  }
  /// It is so no more.
  void end(std::uint64_t job, SimTime now);
  void add_refusals(std::uint64_t job, std::size_t places) {
    waits_[job].refusals += static_cast<std::uint32_t>(places);
  }
  void write(RunRecord& record) const;

 private:
  struct Wait {
    SimTime since = kNever;
    SimDuration waited{};
    std::uint32_t refusals = 0;
  };
  std::unordered_map<std::uint64_t, Wait> waits_;
};

}  // namespace stockout

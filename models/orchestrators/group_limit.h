#pragma once

#include <cstdint>
#include <deque>
#include <unordered_map>
#include <vector>

#include "models/orchestrators/orchestrator.h"

namespace stockout {

/// Groups of which only so many jobs are open at a time: the parallel trials of a HyperparameterTuningJob.
/// Jobs of one source, class and group share their class's limit; the others wait before they begin.
class GroupLimit final : public Orchestrator {
 public:
  /// By ClassId; it outlives this.
  explicit GroupLimit(const std::vector<JobClass>& classes) : classes_{classes} {}
  /// Whether any class has a limit.
  [[nodiscard]] static bool is_asked_for(const std::vector<JobClass>& classes);

  [[nodiscard]] bool concerns(const JobView& job) const override;
  [[nodiscard]] bool may_begin(const JobView& job, Clerk& clerk) override;
  void heard(const News& news, Clerk& clerk) override;
  void check() const override;

 private:
  struct Group {
    std::int32_t limit = 0;
    std::int32_t open = 0;
    std::deque<Ticket> held;  // in order of coming
  };

  const std::vector<JobClass>& classes_;
  std::unordered_map<std::uint64_t, Group> groups_;  // with an open job; by source, class and group
};

}  // namespace stockout

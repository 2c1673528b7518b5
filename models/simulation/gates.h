#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "models/simulation/requests.h"
#include "models/simulation/route.h"
#include "models/simulation/tables.h"

namespace stockout {

/// Models that allow a planner only so many open requests at a time: a gate stands before their legs, and
/// jobs stand in line there. Tenants have none.
class Gates {
 public:
  /// `strategy`: the one under test.
  Gates(const Strategy& strategy, Tables& tables, const Route& route, const Requests& requests);

  /// The gate at which the requests of the job's leg count; kNoGate: at none.
  [[nodiscard]] std::uint8_t before(const JobState& job) const {
    return gates_.empty() || job.strategy_number != 0 ? kNoGate : gate_of_leg_[job.leg];
  }
  /// Whether the job may make the requests of its leg now. If not, it stands in line until next() names it.
  [[nodiscard]] bool may_pass(JobSlot slot);
  /// No model of the strategy has such a bound.
  [[nodiscard]] bool empty() const { return gates_.empty(); }
  /// Some gate has room for the first who stands there.
  [[nodiscard]] bool is_due();
  /// The next who may pass, taken out of its line: by gate, in order of coming; kNoJob: nobody.
  [[nodiscard]] JobSlot next();

 private:
  struct Gate {
    std::string model;
    std::deque<JobStay> line;   // in order of coming; those who have left are still in it
    std::size_t tidied_at = 0;  // how many were left when those were last taken out
  };

  [[nodiscard]] bool fits(std::size_t gate, const JobState& job) const;
  [[nodiscard]] JobSlot first(std::size_t gate);
  [[nodiscard]] bool lets_in(std::size_t gate);
  void stand(Gate& gate, JobSlot slot);

  Tables& tables_;
  const Route& route_;
  const Requests& requests_;
  std::vector<Gate> gates_;  // in order of their first legs
  std::vector<std::uint8_t> gate_of_leg_;
};

}  // namespace stockout

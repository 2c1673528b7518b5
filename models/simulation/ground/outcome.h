#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/simulation/ground/slot.h"
#include "sim/core/ids.h"

namespace stockout {

/// An outcome, for those who decide what happens next: rooms never call upwards, they say what happened, and
/// the loop hands it to whom it concerns, in the order in which it happened.
struct Outcome {
  enum class Kind : std::uint8_t {
    // Of a job:
    granted,  // its request in leg `leg` became `lease`
    refused,  // its request found no room in the place it asked, or its partial lease got too few machines
    lost,     // its request of leg `leg` was withdrawn since the pool is over
    turned_away,  // its request of leg `leg` was withdrawn since its orchestrators did not let it start
    began,        // `lease` of it began to work, in a race
    completed,    // its lease is over, with all of its work done
    preempted,    // its lease is over since it was preempted, or a machine went into maintenance
    broke,        // ... since a machine broke
    exited,       // ... since a worker exited that is not started again there
    failed,       // ... since a worker exited for good
    expired,      // ... since its pods did not come in time
    left,         // its lease is over and the job goes on: given up, the window closed, a run that is chained
    cut_off,      // its lease is over by the model's maximum run
    // Of a held pool:
    machines_free,  // the machines of `lease`, which it has on its landlord, are free for it
    gathers,        // its landlord is dispatched: bookings there take their machines if all are free
    turn,           // its landlord is dispatched: it is its turn to ask
    served,         // it has been dispatched itself
  };
  Kind kind{};
  std::uint8_t leg = 0;
  JobSlot job = kNoJob;
  std::uint32_t generation = 0;  // of the job, where it may be gone by then
  LeaseSlot lease = kNoLease;
  PoolId pool{};  // the held pool; of gathers: the landlord
};

/// Outcomes that nobody has heard yet, in order.
class Outcomes {
 public:
  void add(const Outcome& outcome) { waiting_.push_back(outcome); }
  [[nodiscard]] bool empty() const { return waiting_.empty(); }
  /// False: there is none.
  bool take(Outcome& outcome) {
    if (next_ == waiting_.size()) return false;
    outcome = waiting_[next_++];
    if (next_ == waiting_.size()) {
      waiting_.clear();
      next_ = 0;
    }
    return true;
  }

 private:
  std::vector<Outcome> waiting_;
  std::size_t next_ = 0;
};

}  // namespace stockout

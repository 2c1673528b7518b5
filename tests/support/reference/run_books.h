#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "models/orchestrators/kueue/kueue.h"
#include "models/orchestrators/slurm/slurm.h"
#include "models/world/world.h"
#include "sim/random/draw.h"
#include "tests/support/reference/reference.h"
#include "tests/support/reference/state.h"

namespace stockout::reference {

/// All that a run of the second implementation knows at a time.
class RunBooks {
 protected:
  RunBooks(const World& world, const Strategy& strategy, RandomStreams random)
      : world_{world}, strategy_{strategy}, random_{random} {}

  /// R1.2: Its row in the record.
  [[nodiscard]] std::uint64_t number_of(const JobState& job) const {
    std::uint64_t number = 0;
    for (const JobState& other : jobs_) {
      if (&other == &job) break;
      if (other.recorded) ++number;
    }
    return number;
  }

  // 17: kueue_waits.cpp
  using FitsIn = std::function<bool(const kueue::QuotaTree&, kueue::NodeId, kueue::CellId, kueue::Amount)>;
  [[nodiscard]] std::vector<std::string> flavors_for(const JobState& job) const;
  [[nodiscard]] std::vector<const JobState*> all_mates(const JobState& job) const;
  [[nodiscard]] std::vector<JobState*> mates_of(const JobState& job);
  [[nodiscard]] bool fails_as_set(const JobState& job) const;
  [[nodiscard]] bool is_asked_for(const kueue::Check& check, const JobState& job) const;
  [[nodiscard]] const kueue::Check* open_check(const JobState& job) const;
  [[nodiscard]] const kueue::Check* met_check(const JobState& job) const;
  [[nodiscard]] kueue::QuotaTree quota_used_up_to(std::int32_t priority) const;
  [[nodiscard]] bool waits_behind_higher(const JobState& job) const;
  [[nodiscard]] bool finds_in_group(const JobState& job, const kueue::ResourceGroup& group,
                                    kueue::NodeId queue, std::map<std::string, std::int64_t>& left,
                                    kueue::QuotaTree& tree, const FitsIn& fits) const;
  [[nodiscard]] bool would_fit(const JobState& job, kueue::QuotaTree tree, const FitsIn& fits) const;
  [[nodiscard]] WaitCause why_pending(const JobState& job) const;

  const World& world_;
  const Strategy& strategy_;  // under test
  RandomStreams random_;
  std::deque<JobState> jobs_;         // in order of arrival
  std::list<Request> requests_;       // those that are open, and this instant's
  std::list<Request> past_requests_;  // the others
  std::deque<Lease> leases_;
  std::vector<SimTime> quota_tries_;   // all that were ever set
  std::optional<kueue::Kueue> kueue_;  // where the strategy is under it
  bool kueue_is_due_ = false;
  SimTime kueue_told_ = kStart;  // something, last
  std::vector<Due> kueue_instants_;
  std::vector<JobState*> pending_again_;  // since Kueue's last turn, or Slurm's
  std::optional<slurm::Slurm> slurm_;     // where the strategy is under it
  bool slurm_is_due_ = false;
  SimTime slurm_told_ = kStart;  // something, last
  std::vector<Due> slurm_instants_;
  std::vector<SimTime> power_asked_;          // by node, last
  std::vector<Due> nodes_back_;               // by node, when it is DOWN no more
  std::vector<GroupFailure> group_failures_;  // in order of time
  std::vector<SetState> sets_;
  std::vector<SimTime> set_times_;  // at which something was ever to be done with a set
  std::vector<PoolState> pools_;
  SimTime now_{};
  SimTime last_instant_{};
  SimTime end_{};
  std::int64_t round_ = 0;
  std::int64_t orders_ = 0;
  std::int64_t gangs_ = 0;  // that were spread
  Phase phase_ = Phase::releases;
  ReferenceResult result_;
};

}  // namespace stockout::reference

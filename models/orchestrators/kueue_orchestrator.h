#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "models/orchestrators/kueue/kueue.h"
#include "models/orchestrators/kueue_entries.h"
#include "models/orchestrators/kueue_record.h"
#include "models/orchestrators/orchestrator.h"
#include "models/world/world.h"

namespace stockout {

/// Kueue before the legs of a strategy, in models/simulation/README.md, section 17. A job waits until Kueue
/// gives it quota in a flavor, and asks in the legs of that flavor alone. Whom Kueue evicts stops and waits
/// anew. The jobs of a set are pod sets of one workload. Tenants are in no cluster of the planner's.
class KueueOrchestrator final : public Orchestrator {
 public:
  /// `strategy`: the one under test. Both outlive it.
  KueueOrchestrator(const World& world, const Strategy& strategy);
  /// Whether the strategy is under Kueue.
  [[nodiscard]] static bool is_asked_for(const World& world, const Strategy& strategy);

  [[nodiscard]] bool concerns(const JobView& job) const override;
  [[nodiscard]] bool may_try(const JobView& job, Clerk& clerk) override;
  /// A request for capacity that failed is made again, after a delay and with quota of its own.
  [[nodiscard]] bool tries_again(const JobView& job, Clerk& clerk) override;
  void heard(const News& news, Clerk& clerk) override;
  void timer(Token token, Clerk& clerk) override;
  [[nodiscard]] bool is_due() const override { return is_due_; }
  /// Kueue's scheduler works until nothing changes, and what it has decided is done.
  void turn(Clerk& clerk) override;
  void check() const override;
  void write(RunRecord& record) const override { record_.write(record, kueue_.waits_for_pods()); }

 private:
  using Stage = KueueEntry::Stage;
  using Place = KueueEntries::Place;

  /// Kueue's clock is now, and it will have its turn.
  void touch(Clerk& clerk);
  void comes(const JobView& job, SimTime now);
  void submit(std::uint64_t first, KueueEntry& entry, kueue::Workload workload, SimTime now);
  void goes_on(KueueEntry& entry, std::size_t member, Clerk& clerk);
  void let_go_on(KueueEntry& entry, Clerk& clerk);
  [[nodiscard]] bool stopped(std::uint64_t first, KueueEntry& entry, Clerk& clerk);
  void let_go(SimTime now);
  void granted(const Place& place, Clerk& clerk);
  void ended(const Place& place, Clerk& clerk);
  void ends(const Place& place, FinalState state, Clerk& clerk);
  void reclaim(KueueEntry& entry, KueueMember& done, SimTime now);
  void become_ready(SimTime now);
  void suspend(KueueEntry& entry, Clerk& clerk);
  [[nodiscard]] bool carry_out(const kueue::Event& event, Clerk& clerk);
  [[nodiscard]] bool look_at_pending(std::uint64_t first, KueueEntry& entry, Clerk& clerk);

  const World& world_;
  const Strategy& strategy_;
  kueue::Kueue kueue_;
  KueueEntries entries_;                                 // of jobs that are open
  std::map<std::uint64_t, kueue::Workload> coming_;      // of sets, by their first jobs
  std::vector<std::uint64_t> firsts_;                    // first jobs, by WorkloadId
  std::vector<std::uint64_t> back_;                      // pending again since the last turn
  std::set<std::pair<SimTime, std::uint64_t>> ready_;    // when whose pods will be
  std::set<std::pair<SimTime, std::uint64_t>> leaving_;  // when whose pods will be gone
  std::set<SimTime> wakes_;                              // to come
  KueueRecord record_;
  bool is_due_ = false;
};

}  // namespace stockout

#pragma once

#include <cstdint>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "models/orchestrators/orchestrator.h"
#include "models/orchestrators/slurm/slurm.h"
#include "models/orchestrators/slurm_nodes.h"
#include "models/orchestrators/slurm_numbers.h"
#include "models/orchestrators/slurm_record.h"
#include "models/world/world.h"

namespace stockout {

/// Slurm before the legs of a strategy, in models/simulation/README.md, section 18. A job waits until Slurm
/// gives it nodes in a partition, and asks in the leg of that partition alone. Whom Slurm preempts stops and
/// waits anew. So does a job whose machines are lost, or could not be had. Tenants are in no cluster of the
/// planner's.
class SlurmOrchestrator final : public Orchestrator {
 public:
  /// `strategy`: the one under test. Both outlive it.
  SlurmOrchestrator(const World& world, const Strategy& strategy);
  /// Whether the strategy is under Slurm.
  [[nodiscard]] static bool is_asked_for(const World& world, const Strategy& strategy);

  [[nodiscard]] bool concerns(const JobView& job) const override;
  [[nodiscard]] bool may_try(const JobView& job, Clerk& clerk) override;
  /// A job that found no machines for its nodes waits for others.
  [[nodiscard]] bool tries_again(const JobView& job, Clerk& clerk) override;
  void heard(const News& news, Clerk& clerk) override;
  void timer(Token token, Clerk& clerk) override;
  [[nodiscard]] bool is_due() const override { return is_due_; }
  /// Slurm's schedulers work until none is due, and what they have decided is done.
  void turn(Clerk& clerk) override;
  void check() const override;
  void write(RunRecord& record) const override { record_.write(slurm_, record); }

 private:
  enum class Stage : std::uint8_t {
    pending,   // it waits for nodes
    gone_on,   // it has nodes: it asks for their machines, or has them
    stopping,  // it is to be pending again
  };
  struct Entry {
    Ticket ticket;
    slurm::JobId id{};
    Stage stage = Stage::pending;
    int leases = 0;             // several: of a gang that is spread
    bool has_machines = false;  // it had a lease since it went on
    SimTime works = kNever;     // when its nodes will be up
  };
  using Entries = std::unordered_map<std::uint64_t, Entry>;  // by JobView::number

  [[nodiscard]] SimTime by_slurm(SimTime at) const { return kStart + (at - world_.begin); }
  [[nodiscard]] SimTime by_run(SimTime at) const { return world_.begin + (at - kStart); }
  [[nodiscard]] std::vector<slurm::PartitionIndex> partitions_of(const Job& job) const;
  [[nodiscard]] std::uint16_t leg_of(slurm::PartitionIndex partition) const;
  [[nodiscard]] Entry submit(const JobView& job);
  void comes_back(Entry& entry);
  /// Slurm's clock is now, and it will have its turn.
  void touch(Clerk& clerk);
  void lose_nodes(const Entry& entry);
  void leave(const Entry& entry, bool well);
  void starts(std::uint64_t job, Entry& entry, SimTime works, Clerk& clerk);
  void come_up(SimTime now);
  void goes_down(slurm::NodeIndex node, SimTime at, Clerk& clerk);
  void stop(Entry& entry, bool for_good, Clerk& clerk);
  [[nodiscard]] bool carry_out(const slurm::Event& event, Clerk& clerk);
  [[nodiscard]] bool look_at_pending(Entry& entry, Clerk& clerk);

  const World& world_;
  const Strategy& strategy_;
  std::vector<slurm::PartitionIndex> partitions_;  // by leg
  slurm::Slurm slurm_;
  SlurmNodes nodes_;
  SlurmNumbers numbers_;
  Entries entries_;                                    // of jobs that are open
  std::vector<std::uint64_t> back_;                    // pending again since the last turn
  std::set<std::pair<SimTime, std::uint64_t>> ready_;  // when whose nodes will be up
  std::set<SimTime> wakes_;                            // to come
  SlurmRecord record_{world_.begin};
  bool is_due_ = false;
};

}  // namespace stockout

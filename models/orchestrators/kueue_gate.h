#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "models/orchestrators/kueue/kueue.h"
#include "models/orchestrators/kueue_record.h"
#include "models/orchestrators/orchestrator.h"
#include "models/world/world.h"

namespace stockout {

/// Kueue before the legs of a strategy, in models/simulation/README.md, section 17. A job waits until Kueue
/// gives it quota in a flavor, and asks in the legs of that flavor alone. Whom Kueue evicts stops and waits
/// anew. Tenants are in no cluster of the planner's.
class KueueGate final : public Orchestrator {
 public:
  /// `strategy`: the one under test. Both outlive it.
  KueueGate(const World& world, const Strategy& strategy);
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
  enum class Stage : std::uint8_t {
    at_gate,   // it waits for quota
    out,       // it has quota: it asks, or has a lease
    stopping,  // it is to come back to the gate
    leaving,   // it is back, and keeps its quota until its pods are gone
  };
  struct Entry {
    Ticket ticket;
    kueue::WorkloadId workload{};
    ShapeId asked{};  // for which it came
    Stage stage = Stage::at_gate;
    int leases = 0;              // several: of a gang that is spread
    SimTime works = kNever;      // when its pods will be ready
    SimTime gave_back = kNever;  // when it last gave quota back ...
    int times = 0;               // ... and how often in that instant
    SimTime leaves = kNever;     // when its pods will be gone
    std::optional<KueueHold> quota = std::nullopt;
  };
  using Entries = std::unordered_map<std::uint64_t, Entry>;  // by JobView::number

  [[nodiscard]] std::vector<std::string> flavors_of(const Job& job) const;
  [[nodiscard]] const kueue::Check* pending_check(const Entry& entry) const;
  /// Kueue's clock is now, and it will have its turn.
  void touch(Clerk& clerk);
  [[nodiscard]] Entry submit(const JobView& job, SimTime now);
  void gets_quota(Entry& entry, SimTime now);
  void begins_with(std::uint64_t job, const Entry& entry, const kueue::Workload& own, Clerk& clerk);
  [[nodiscard]] bool stopped(std::uint64_t job, Entry& entry, Clerk& clerk);
  void let_go(SimTime now);
  void give_back(Entry& entry, SimTime now);
  void granted(Entry& entry, Clerk& clerk);
  void ended(std::uint64_t job, Entry& entry, Clerk& clerk);
  void become_ready(SimTime now);
  void evicted(std::uint64_t job, Entry& entry, const kueue::Event& event, Clerk& clerk);
  [[nodiscard]] bool carry_out(const kueue::Event& event, Clerk& clerk);
  [[nodiscard]] bool look_at_gate(std::uint64_t job, Entry& entry, Clerk& clerk);

  const World& world_;
  const Strategy& strategy_;
  kueue::Kueue kueue_;
  Entries entries_;                                      // of jobs that are open
  std::vector<std::uint64_t> jobs_;                      // by WorkloadId
  std::vector<std::uint64_t> back_;                      // came back to the gate since the last turn
  std::set<std::pair<SimTime, std::uint64_t>> ready_;    // when whose pods will be
  std::set<std::pair<SimTime, std::uint64_t>> leaving_;  // when whose pods will be gone
  std::set<SimTime> wakes_;                              // to come
  KueueRecord record_;
  bool is_due_ = false;
};

}  // namespace stockout

#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "models/orchestrators/orchestrator.h"
#include "models/world/world.h"

namespace stockout {

/// Sets of jobs, in models/simulation/README.md, section 14: a JobSet of Kubernetes. Its jobs ask for
/// machines one by one, begin their work together, and begin it again together when one of them has lost its
/// machines. Machines that wait for those of other jobs are paid meanwhile, and may be given back in the end.
/// Kueue may suspend its jobs, which stops the set and is no restart.
/// The rules are those of jobset.x-k8s.io (2026-08).
class JobSets final : public Orchestrator {
 public:
  explicit JobSets(const std::vector<Source>& sources);

  [[nodiscard]] bool concerns(const JobView& job) const override;
  [[nodiscard]] bool may_begin(const JobView& job, Clerk& clerk) override;
  [[nodiscard]] Reply may_ask(const JobView& job, const LegView& leg, Clerk& clerk) override;
  [[nodiscard]] bool may_work(const JobView& job, SimTime up, SimTime ready, Clerk& clerk) override;
  void heard(const News& news, Clerk& clerk) override;
  void timer(Token token, Clerk& clerk) override;
  [[nodiscard]] bool is_due() const override { return !due_.empty(); }
  void turn(Clerk& clerk) override;
  void check() const override;
  void write(RunRecord& record) const override;

 private:
  struct Member {
    Ticket job;
    SourceId source{};
    bool is_final = false;
    bool is_failing = false;  // it has been told to
    bool is_stopped = false;  // it was suspended, and has not asked since
    bool stands = false;      // until its set may ask again
    SimTime up{};             // of its machines
    SimTime ready = kNever;   // its work could begin then, or has; kNever: its machines are not coming

    [[nodiscard]] bool lacks_machines() const { return !is_final && ready == kNever; }
  };
  using Key = std::pair<SourceId, std::uint64_t>;  // the first source, and the row of its job
  struct Set {
    const JobSetRule* rule = nullptr;
    std::vector<Member> members;  // in order of coming
    bool works = false;
    bool has_failed = false;
    std::int32_t restarts = 0;
    std::optional<SimTime> restarted;  // last
    SimTime asks_from{};               // it was given back: not before that
    SimTime woken_at = kNever;         // the last time that was set

    [[nodiscard]] bool is_whole() const;
    [[nodiscard]] SimTime begins_at() const;
    [[nodiscard]] SimTime given_back_at() const;
  };
  using Sets = std::map<Key, Set>;

  [[nodiscard]] Sets::iterator find(const Job& job);
  [[nodiscard]] Member& member_of(const JobView& job);
  void stop(const JobView& job);
  bool look_at(Set& set, Clerk& clerk);
  static bool fail(Set& set, Clerk& clerk);
  static bool let_ask(Set& set, Clerk& clerk);
  static bool begin(Set& set, Clerk& clerk);
  bool restart(Set& set, Clerk& clerk);
  bool give_back(Set& set, Clerk& clerk);
  void wake_for(Set& set, const Key& key, Clerk& clerk);

  const std::vector<Source>& sources_;
  Sets open_;
  std::set<Key> due_;                  // to be looked at
  std::multimap<SimTime, Key> woken_;  // when sets are to be looked at
  SetTotals totals_;
};

}  // namespace stockout

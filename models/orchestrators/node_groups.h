#pragma once

#include <map>
#include <string_view>
#include <tuple>

#include "models/orchestrators/orchestrator.h"

namespace stockout {

/// The machines of one type in one pool that legs with a row of that name ask for.
using NodeGroup = std::tuple<std::string_view, PoolId, MachineId>;
[[nodiscard]] inline NodeGroup node_group_of(const Leg& leg, const Candidate& place) {
  return {leg.policy.name, place.pool, place.parts[0].machine};
}

/// The node groups that a cluster autoscaler enlarges, in models/simulation/README.md, section 14: one that
/// found no machines, or no quota, backs off, for all jobs of the strategy. They ask in its places no more
/// until then. The rules are those of the open-source autoscaler (utils/backoff, 2026-08); GKE's own build
/// may differ.
class NodeGroups final : public Orchestrator {
 public:
  /// `strategy`: the one under test. It outlives this.
  explicit NodeGroups(const Strategy& strategy) : strategy_{strategy} {}
  /// Whether any of its legs has node groups.
  [[nodiscard]] static bool is_asked_for(const Strategy& strategy);

  [[nodiscard]] bool concerns(const JobView& job) const override { return !job.is_tenant; }
  [[nodiscard]] bool would_let_ask(const JobView& job, const LegView& leg, const Candidate& place,
                                   const Clerk& clerk) const override;
  [[nodiscard]] bool may_ask_in(const JobView& job, const LegView& leg, const Candidate& place,
                                Clerk& clerk) override {
    return would_let_ask(job, leg, place, clerk);
  }
  /// The first end of a back-off among the groups of the leg.
  [[nodiscard]] SimTime next_try(const LegView& leg, const Clerk& clerk) const override;
  void heard(const News& news, Clerk& clerk) override;

 private:
  struct BackOff {
    SimTime failed{};  // last
    SimDuration pause{};

    [[nodiscard]] SimTime end() const { return failed + pause; }
  };

  [[nodiscard]] const BackOff* find(const Leg& leg, const Candidate& place) const;
  [[nodiscard]] static SimDuration pause_after(const BackOff& before, const Leg& leg, SimTime now);

  const Strategy& strategy_;
  std::map<NodeGroup, BackOff> back_offs_;
};

}  // namespace stockout

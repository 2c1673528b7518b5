#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

#include "models/orchestrators/node_groups.h"
#include "models/orchestrators/orchestrator.h"
#include "models/orchestrators/quota_books.h"
#include "models/orchestrators/quota_lines.h"
#include "models/orchestrators/quota_waits.h"
#include "models/world/world.h"

namespace stockout {

/// Quotas of the planner, in models/simulation/README.md, section 14. A job that finds none in any place of
/// its leg is refused, waits in line, or asks again and again; its strategy's rule says which. Or node groups
/// of that leg back off. Tenants have
/// quotas of their own.
class Quota final : public Orchestrator {
 public:
  /// `strategy`: the one under test. Both outlive it.
  Quota(const World& world, const Strategy& strategy)
      : strategy_{strategy}, books_{world, strategy}, back_offs_{strategy.quota} {}
  /// Whether there are any.
  [[nodiscard]] static bool is_asked_for(const World& world) { return !world.quotas.empty(); }

  void begins(Clerk& clerk) override { wake_at_next_step(clerk); }
  [[nodiscard]] bool concerns(const JobView& job) const override { return !job.is_tenant; }
  [[nodiscard]] Reply may_ask(const JobView& job, const LegView& leg, Clerk& clerk) override;
  [[nodiscard]] bool would_let_ask(const JobView& job, const LegView& leg, const Candidate& place,
                                   const Clerk& clerk) const override;
  [[nodiscard]] bool may_ask_in(const JobView& job, const LegView& leg, const Candidate& place,
                                Clerk& clerk) override;
  [[nodiscard]] bool may_start(const JobView& job, const LegView& leg, const Candidate& place,
                               Clerk& clerk) override;
  void heard(const News& news, Clerk& clerk) override;
  void timer(Token token, Clerk& clerk) override;
  [[nodiscard]] bool is_due() const override { return has_changed_ && standing_ > 0; }
  /// One job that waits and now has quota goes on. Where only its start takes the quota, the others have to
  /// see first what becomes of it, in the round after this one.
  void turn(Clerk& clerk) override;
  void check() const override { books_.check_empty(); }
  void write(RunRecord& record) const override { waits_.write(record); }

 private:
  [[nodiscard]] QuotaWish wish_of(const JobView& job, const LegView& leg);
  [[nodiscard]] bool is_for_groups(const Leg& leg) const;
  [[nodiscard]] bool has_room(const QuotaWish& wish, SimTime now) const;
  [[nodiscard]] Reply hold_or_refuse(const JobView& job, const QuotaWish& wish, Clerk& clerk);
  [[nodiscard]] bool is_taken_by_request(std::uint8_t leg) const;
  void wait_for_group(const News& news, SimTime now);
  void take(const News& news, std::int64_t machines);
  void give_back(const News& news, std::int64_t machines);
  void leave_line(const JobView& job, SimTime now);
  void wake_at_next_step(Clerk& clerk);

  const Strategy& strategy_;
  QuotaBooks books_;
  QuotaLines lines_;
  QuotaBackOffs back_offs_;
  QuotaWaits waits_;
  std::set<NodeGroup> short_groups_;  // node groups that failed last for want of it
  std::vector<std::uint64_t> order_;  // of coming to the leg that it is in, by Ticket::slot
  std::uint64_t came_ = 0;
  std::int64_t standing_ = 0;  // jobs that wait, in lines or to ask again
  bool has_changed_ = false;   // since its last turn
};

}  // namespace stockout

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "models/orchestrators/orchestrator.h"
#include "models/orchestrators/waiting_line.h"

namespace stockout {

/// Models that allow a planner only so many open requests at a time, as managed instance groups do: one
/// limit over all legs of such a model, at which jobs wait in line. Tenants have none.
class OpenLimit final : public Orchestrator {
 public:
  /// `strategy`: the one under test.
  explicit OpenLimit(const Strategy& strategy);
  /// Whether any model of the strategy has such a bound.
  [[nodiscard]] static bool is_asked_for(const Strategy& strategy);

  [[nodiscard]] bool concerns(const JobView& job) const override { return !job.is_tenant; }
  [[nodiscard]] Reply may_ask(const JobView& job, const LegView& leg, Clerk& clerk) override;
  void heard(const News& news, Clerk& clerk) override;
  [[nodiscard]] bool is_due() const override;
  /// The next who fits: by limit, in order of coming.
  void turn(Clerk& clerk) override;
  void check() const override;

 private:
  // The requests that a job would make.
  struct Wish {
    std::int64_t requests = 0;
    std::int32_t most = 0;  // that may be open then; 0: no bound
  };
  struct Limit {
    std::string model;
    std::int64_t open = 0;  // requests
    WaitingLine<Wish> line;

    [[nodiscard]] bool fits(const Wish& wish) const {
      return wish.most == 0 || open + wish.requests <= wish.most;
    }
    [[nodiscard]] bool lets_in() const { return !line.empty() && fits(line.first().wish); }
  };
  static constexpr std::size_t kNoLimit = ~std::size_t{0};

  std::vector<Limit> limits_;              // in order of their first legs
  std::vector<std::size_t> limit_of_leg_;  // kNoLimit: none
};

}  // namespace stockout

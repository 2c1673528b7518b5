#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/orchestrators/orchestrator.h"

namespace stockout::test {

/// Writes down whom it is told to admit, and does nothing else.
class MadeUpClerk final : public Clerk {
 public:
  void admit(Ticket job) override { admitted.push_back(job.slot); }
  void fail(Ticket /*job*/) override {}
  void evict(Ticket /*job*/) override {}
  void wake(SimTime /*at*/, Token /*token*/) override {}
  [[nodiscard]] SimTime now() const override { return kStart; }
  [[nodiscard]] PoolView view(PoolId /*pool*/, LeaseClass /*lease_class*/) const override { return {}; }

  /// Since the last time, by slot.
  [[nodiscard]] std::vector<std::uint32_t> take() {
    std::vector<std::uint32_t> taken;
    taken.swap(admitted);
    return taken;
  }

  std::vector<std::uint32_t> admitted;
};

/// A job in a slot of its own, and what happens to it.
struct MadeUpJob {
  std::uint32_t slot = 0;
  Job job{};
  bool has_begun = false;
  bool is_tenant = false;

  [[nodiscard]] JobView view() const {
    return {.ticket = {.slot = slot, .generation = slot + 1},
            .job = job,
            .has_begun = has_begun,
            .is_tenant = is_tenant};
  }
  [[nodiscard]] News news(News::Kind kind, std::uint8_t leg = 0) const {
    return {.kind = kind, .job = view(), .leg = leg};
  }
};

}  // namespace stockout::test

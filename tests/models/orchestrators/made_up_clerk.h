#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "models/orchestrators/orchestrator.h"

namespace stockout::test {

/// Writes down whom it is told to admit or to skip and when it is to wake somebody, and does nothing else.
class MadeUpClerk final : public Clerk {
 public:
  void admit(Ticket job) override { admitted.push_back(job.slot); }
  void fail(Ticket job) override { failed.push_back(job.slot); }
  void skip(Ticket job) override { skipped.push_back(job.slot); }
  void evict(Ticket /*job*/) override {}
  void suspend(Ticket job) override { suspended.push_back(job.slot); }
  void open_legs(Ticket job, std::uint16_t legs) override { legs_of[job.slot] = legs; }
  void reshape(Ticket job, ShapeId shape) override { shapes[job.slot] = shape; }
  void start_over(Ticket job) override { given_back.push_back(job.slot); }
  void work(Ticket job) override { working.push_back(job.slot); }
  void begin_anew(Ticket job, bool /*in_place*/) override { anew.push_back(job.slot); }
  void wake(SimTime at, Token token) override {
    woken.push_back(at);
    timers.emplace(at, token);
  }
  [[nodiscard]] SimTime now() const override { return time; }
  [[nodiscard]] PoolView view(PoolId /*pool*/, LeaseClass /*lease_class*/) const override { return {}; }

  /// Since the last time, by slot.
  [[nodiscard]] std::vector<std::uint32_t> take() {
    std::vector<std::uint32_t> taken;
    taken.swap(admitted);
    return taken;
  }

  std::vector<std::uint32_t> admitted;
  std::vector<SimTime> woken;
  std::multimap<SimTime, Token> timers;  // the same, with what it is woken for
  SimTime time = kStart;                 // that it says it is
  std::vector<std::uint32_t> skipped;
  std::vector<std::uint32_t> suspended;
  std::map<std::uint32_t, std::uint16_t> legs_of;  // open to a job, by slot
  std::map<std::uint32_t, ShapeId> shapes;         // that a job is to ask for, by slot
  std::vector<std::uint32_t> failed;
  std::vector<std::uint32_t> given_back;
  std::vector<std::uint32_t> working;
  std::vector<std::uint32_t> anew;
};

/// A job in a slot of its own, and what happens to it.
struct MadeUpJob {
  std::uint32_t slot = 0;
  Job job{};
  bool has_begun = false;
  bool is_tenant = false;
  bool was_granted = false;

  [[nodiscard]] JobView view() const {
    return {.ticket = {.slot = slot, .generation = slot + 1},
            .job = job,
            .has_begun = has_begun,
            .is_tenant = is_tenant,
            .was_granted = was_granted,
            .number = slot};
  }
  [[nodiscard]] News news(News::Kind kind, std::uint8_t leg = 0) const {
    return {.kind = kind, .job = view(), .leg = leg};
  }
};

}  // namespace stockout::test

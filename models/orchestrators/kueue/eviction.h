#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "models/orchestrators/kueue/workload.h"

namespace stockout::kueue {

/// Something that happened to a workload.
struct Event {
  enum class Kind : std::uint8_t {
    reserved,     // holds quota
    admitted,     // and has all checks: its job may start
    evicted,      // its job is to stop; it holds its quota until that is done, unless it is deactivated
    taken_back,   // holds quota no more: it was not admitted yet, and its queue is stopped or gone
    requeued,     // waits again, after an eviction or what was taken back
    deactivated,  // is not tried again unless a user makes it active; its quota is free
  };
  Kind kind{};
  WorkloadId workload{};
  std::string queue;                   // that holds, or held, its quota
  std::string reason = {};             // of an eviction
  std::string preemption_reason = {};  // of an eviction for another workload
  std::optional<WorkloadId> preemptor = std::nullopt;
  std::optional<SimTime> until = std::nullopt;  // requeued: not tried before
  SimTime at;
};

/// Why a workload has to give its quota back, and for whom.
struct Eviction {
  std::string reason;
  std::string preemption_reason = {};
  std::optional<WorkloadId> preemptor = std::nullopt;
};

/// The workload is being evicted from `now` on. False if it was already, or holds no quota.
bool begin_eviction(Workload& workload, const Eviction& eviction, SimTime now);

/// The workload waits until `until`, at least. With `counts` that is another requeue. True if anything
/// changed.
bool put_off(Workload& workload, SimTime until, bool counts);

/// Whether the time until which it was put off is over.
[[nodiscard]] bool is_backoff_over(const Workload& workload, SimTime now);

/// When the time is over for which an admitted workload may run. Nothing if it may run for ever, or is being
/// evicted.
[[nodiscard]] std::optional<SimTime> execution_end(const Workload& workload);

}  // namespace stockout::kueue

#pragma once

#include <cstdint>

#include "models/workload/trace.h"

namespace stockout {

/// How often supply was short, as far as a history tells. Where it often was, people ask for less than they
/// need, and what was recorded is not the demand.
struct ShortSupply {
  std::uint64_t told = 0;           // jobs whose wait is known, or that are known never to have started
  std::uint64_t never_started = 0;  // of these
  std::uint64_t waited_long = 0;    // of these: longer than they then worked, and than kLongWait

  /// Of the jobs that are told of; 0 without any.
  [[nodiscard]] double share() const;
};

/// An assumption: shorter waits hold nobody back.
inline constexpr SimDuration kLongWait = std::chrono::minutes{10};

/// Of the jobs submitted from `from_ms` to before `until_ms`, in the trace's own time.
[[nodiscard]] ShortSupply short_supply(const Trace& trace, std::int64_t from_ms, std::int64_t until_ms);

}  // namespace stockout

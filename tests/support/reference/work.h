#pragma once

#include <cstdint>

#include "sim/core/time.h"

namespace stockout::reference {

/// Work that is left as time on the machine, and how it is saved on the way: after every `every` of work a
/// checkpoint is written for `cost`, none at the very end. `every` 0: none at all.
struct WorkLeft {
  SimDuration left{};
  SimDuration every{};
  SimDuration cost{};
};

/// How far a lease got.
struct Progress {
  SimDuration saved{};    // by checkpoints that were completely written
  SimDuration unsaved{};  // done after the last of them
};

/// How long `work` takes at `rate` millionths of the reference's speed: whole milliseconds, rounded up.
[[nodiscard]] SimDuration time_at(std::int64_t rate, SimDuration work);

/// How much of `left` is done in `time` at that rate: rounded down, at most all of it.
[[nodiscard]] SimDuration work_in(SimDuration time, std::int64_t rate, SimDuration left);

/// From the first moment of work to the last.
[[nodiscard]] SimDuration time_needed(const WorkLeft& work);

/// After `elapsed` since the first moment of work, which may be negative: not yet begun.
[[nodiscard]] Progress progress_after(const WorkLeft& work, SimDuration elapsed);

}  // namespace stockout::reference

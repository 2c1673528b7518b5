#pragma once

#include "sim/core/time.h"

namespace stockout::reference {

/// Work that is left, and how it is saved on the way: after every `every` of work a checkpoint is written for
/// `cost`, none at the very end. `every` 0: none at all.
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

/// From the first moment of work to the last.
[[nodiscard]] SimDuration time_needed(const WorkLeft& work);

/// After `elapsed` since the first moment of work, which may be negative: not yet begun.
[[nodiscard]] Progress progress_after(const WorkLeft& work, SimDuration elapsed);

}  // namespace stockout::reference

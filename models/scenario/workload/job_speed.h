#pragma once

#include <optional>
#include <span>
#include <string>

#include "models/scenario/draft/draft.h"

namespace stockout {

/// How fast a job runs on machines, against what its work was measured on.
struct JobSpeed {
  double times = 0;                    // work per time; 0: it does not run there
  std::optional<Bandwidth> bandwidth;  // where several nodes exchange
  std::string why_not;                 // why `times` is not known, as a sentence; else empty
};

/// Whether jobs with the profile run on GPUs of the type at all.
[[nodiscard]] bool runs_on(const SpeedProfile& profile, const std::string& gpu);

/// Whether each GPU of the machine has the memory that the jobs need. What the catalogue does not know fits.
[[nodiscard]] bool fits_memory(const SpeedProfile& profile, const MachineType& machine);

/// The speed of a job of that shape on `machines` of one family, one for each kind of node it has. A step
/// takes step / speed + (1 - overlap) x exchange, the exchange being a ring all-reduce over all the gang's
/// GPUs, and nothing if there is one node; the speed is that of a step on the reference over that of a step
/// here, so that more nodes make a job neither faster nor slower than it was measured on as many.
[[nodiscard]] JobSpeed job_speed(const Catalog& catalog, const SpeedProfile& profile, const Shape& shape,
                                 std::span<const MachineId> machines);

}  // namespace stockout

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

/// Reads `speed` and `gpu_memory` of a source whose own GPU type is `gpu` (may be empty) and whose machine is
/// of `family` (may be empty). 0 if it says neither.
[[nodiscard]] SpeedId read_speed(Draft& draft, const Node& source, const std::string& gpu,
                                 const std::string& family);

/// Words of a row of a trace about where its job runs, as its file writes it (workload/speed_text.h); any may
/// be empty.
struct RowSpeed {
  std::string gpu;      // several types: the job runs on these; the first is what its work was measured on
  std::string machine;  // if named, its GPU type is that
  std::string speed;    // against what its work was measured on
  std::string gpu_memory;
};

/// The speeds of the source, what the row says in their place, against `measured_on` (may be empty). A type
/// of the row without a speed anywhere is as fast as that. Throws InputError if the job has a speed nowhere
/// on the type that it was measured on.
[[nodiscard]] SpeedId row_speed(Draft& draft, const Node& source, SpeedId speed, const RowSpeed& row,
                                const std::string& measured_on);

/// A speed more. Throws InputError if they are too many.
[[nodiscard]] SpeedId add_speed(Draft& draft, const Node& source, SpeedProfile profile);

/// The machine family on which work measured on `gpu` was done: `family` if it has that type, else the only
/// one that does. Throws InputError at `node` if there are several.
[[nodiscard]] std::string reference_family(const Draft& draft, const Node& node, const std::string& gpu,
                                           const std::string& family);

/// The rate of a job on the machines of a candidate. Throws InputError if it cannot be worked out or leaves
/// the bounds of a rate.
[[nodiscard]] Rate rate_on(Draft& draft, const Shape& shape, std::span<const MachineId> machines);

/// Every number that rates were worked out from goes to the scenario's assumptions. Throws InputError if jobs
/// need more GPU memory than any place of any leg has.
void tell_speeds(Draft& draft);

}  // namespace stockout

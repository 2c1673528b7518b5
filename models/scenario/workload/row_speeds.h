#pragma once

#include <string>

#include "models/scenario/draft/draft.h"

namespace stockout {

/// What a row of a trace says of where its job runs, as its file writes it (workload/speed_text.h); any may
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

}  // namespace stockout

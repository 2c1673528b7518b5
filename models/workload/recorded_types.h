#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/catalog/catalog.h"
#include "models/workload/trace.h"

namespace stockout {

/// A GPU or machine type that jobs of a trace name.
struct RecordedType {
  std::string name;  // as the file writes it
  bool is_machine = false;
  std::uint64_t jobs = 0;  // of those that can be simulated; each of several types counts
  bool is_in_catalog = false;
};

/// Those of all jobs: GPU types, then machine types, those with the most jobs first.
[[nodiscard]] std::vector<RecordedType> recorded_types(const Trace& trace, const Catalog& catalog);

}  // namespace stockout

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/workload/length_summary.h"
#include "models/workload/trace.h"

namespace stockout {

/// How long jobs of one kind waited when they were recorded, and how many never started.
struct RecordedWaits {
  std::string name;         // of the class or GPU type; "" where rows name none
  std::uint64_t jobs = 0;   // that started
  std::uint64_t known = 0;  // of these, those whose wait is known ...
  LengthSummary wait;       // ... and those waits, to the first start
  std::uint64_t refused = 0;
  std::uint64_t expired = 0;    // at a limit of their waiting time
  std::uint64_t cancelled = 0;  // while they waited
  std::uint64_t unstarted = 0;  // otherwise: they still waited, or the file does not say why

  /// All that never started.
  [[nodiscard]] std::uint64_t unserved() const { return refused + expired + cancelled + unstarted; }
};

[[nodiscard]] RecordedWaits waits_of_all(const Trace& trace);

/// By class, or by GPU type, in order of name. Empty where no row names one.
[[nodiscard]] std::vector<RecordedWaits> waits_by_class(const Trace& trace);
[[nodiscard]] std::vector<RecordedWaits> waits_by_gpu(const Trace& trace);

}  // namespace stockout

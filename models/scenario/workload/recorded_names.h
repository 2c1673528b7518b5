#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "models/scenario/draft/draft.h"
#include "models/scenario/workload/workload.h"
#include "models/workload/trace.h"

namespace stockout {

/// Where the row of a trace says that its job runs, in names of the catalogue; both empty: it does not say.
struct RecordedPlace {
  std::string gpu;      // a GPU type, or several: speed_text.h
  std::string machine;  // a machine type
};

/// The GPU and machine types that a trace names, as the catalogue calls them. `names` of the trace says what
/// a recorded name means; "*" any that is not listed. Else a name of the catalogue means itself, and any
/// other gives way to the `machine` or `gpu` of the source, with a warning, and is an InputError where the
/// source has neither.
class RecordedNames {
 public:
  /// Of `node`, the `trace` of a source; `trace` must outlive this.
  RecordedNames(Draft& draft, const SourceTerms& source, const Node& node, const Trace& trace);

  [[nodiscard]] RecordedPlace at(std::size_t job) const;

 private:
  const Trace& trace_;
  std::vector<RecordedPlace> gpus_;      // by code of the GPU column
  std::vector<RecordedPlace> machines_;  // by code of the machine column
};

}  // namespace stockout

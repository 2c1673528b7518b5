#include "models/sweep/documentation.h"

#include "models/scenario/format/reference.h"
#include "models/scenario/format/schema.h"
#include "models/sweep/keys.h"

namespace stockout {
namespace {

constexpr const char* kSweepHead =
    R"(# Sweep files: every key

Generated from `models/sweep/keys.cpp`, which the reader itself uses; a test keeps this page equal. Do not edit:
`STOCKOUT_UPDATE_GOLDEN=1 ctest -R "sweep reference page"` writes it anew. [README.md](README.md) explains the format by example.

A sweep is one JSON object. A key that is not listed here is an error, and so is a key that comes twice. Paths are relative to the
folder of the file they stand in; a path that a sweep puts into a scenario is relative to the scenario's.

)";

}  // namespace

std::string sweep_schema() {
  return format_schema("stockout sweep", "models/sweep/keys.cpp", all_sweep_keys());
}

std::string sweep_reference() { return format_reference(kSweepHead, all_sweep_keys()); }

}  // namespace stockout

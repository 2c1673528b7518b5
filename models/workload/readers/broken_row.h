#pragma once

#include <cstdint>
#include <string>

namespace stockout {

/// A row breaks its format. Thrown by whatever reads a part of it, and caught by TraceBuilder::read_row(),
/// which drops the row and counts it by its reason.
struct BrokenRow {
  std::string reason;      // without what the file has there: `column "gpus": must be a whole number`
  std::string text = {};   // which is this, as messages write it: `"eight"`; empty: nothing to show
  std::uint64_t line = 0;  // where that stands; 0: where the row begins
};

}  // namespace stockout

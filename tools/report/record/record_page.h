#pragma once

#include <string>
#include <vector>

#include "models/repricing/break_even.h"
#include "models/repricing/stored_comparison.h"
#include "tools/page/page.h"

namespace stockout {

/// Subject of a page on a recorded comparison.
struct RecordStory {
  const StoredComparison& record;
  const Comparison& comparison;  // of the record, at its own prices
  const BreakEvens& break_evens;
  std::string file;     // of the record
  std::string version;  // of the program that writes the page
};

/// Names of all its strategies.
[[nodiscard]] std::vector<std::string> strategy_names(const Comparison& comparison);

/// A recorded comparison as a report for a browser: the answer, costs by what they were for, prices at which
/// the answer changes, and what a record does not keep.
[[nodiscard]] Page record_page(const RecordStory& story);

}  // namespace stockout

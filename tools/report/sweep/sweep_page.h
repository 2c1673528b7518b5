#pragma once

#include <string>

#include "models/sweep/impact.h"
#include "models/sweep/stored_sweep.h"
#include "tools/page/page.h"

namespace stockout {

/// Subject of a page on a sweep.
struct SweepStory {
  const StoredSweep& sweep;  // with a point that is done
  const SweepFindings& findings;
  std::string file;     // of the store
  std::string version;  // of the program that writes the page
};

/// A sweep as a report for a browser: who is the cheapest where, what flips it, what each axis moves, every
/// point, and how the numbers were made.
[[nodiscard]] Page sweep_page(const SweepStory& story);

}  // namespace stockout

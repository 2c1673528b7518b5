#pragma once

#include <string>
#include <vector>

#include "models/supply/fit_check.h"
#include "models/supply/forecast_score.h"
#include "tools/table/text_layout.h"

namespace stockout {

/// Origin of a fit, for people.
struct FitSource {
  std::string file;
  std::string zone;           // empty: the file has none
  std::size_t samples = 0;    // of the file
  std::string span;           // of the file: "2025-10-04 00:10:00 UTC to ..."
  std::size_t fitted_on = 0;  // samples, from the first on
  SimDuration tick{};
  std::size_t zones = 1;  // of the file that were fitted together, or scored
};

/// The page of `stockout supply fit`.
[[nodiscard]] std::string fit_page(const FitSource& source, const FittedChain& fit, const FitCheck& check,
                                   const TextLayout& layout);

/// The page of `stockout supply score`, as a Markdown table under a line that says what it is made from.
[[nodiscard]] std::string score_page(const FitSource& source, const std::vector<Score>& scores);

}  // namespace stockout

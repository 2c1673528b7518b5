#pragma once

#include <string>
#include <vector>

#include "models/measures/measure_table.h"

namespace stockout {

/// A column of the store's table of results. Those of a measure are as in the CSV of `compare`.
struct ResultColumn {
  enum class Kind : std::uint8_t {
    mean,            // of the replications
    plus_minus,      // half-width of its 95 % interval
    replications,    // in which there is a value
    is_lower_bound,  // 1: it is more than the mean says
  };
  std::string name;  // "wait_mean_h", "wait_mean_h_plus_minus"
  Measure measure{};
  Kind kind = Kind::mean;
};

/// Of every measure, in the order of the measures.
[[nodiscard]] const std::vector<ResultColumn>& result_columns();

/// Names that no parameter's column can have.
[[nodiscard]] std::vector<std::string> reserved_columns();

}  // namespace stockout

#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "models/repricing/break_even.h"
#include "tools/table/relation.h"

namespace stockout {

/// Up to which price of each model which strategy is the cheapest, a row for each range. README.md of this
/// folder has the columns.
[[nodiscard]] Relation break_even_table(const BreakEvens& found, const Comparison& comparison);

/// How to read it, and which strategies are left out, a line each.
[[nodiscard]] std::vector<std::string> break_even_remarks(const BreakEvens& found,
                                                          const Comparison& comparison);

/// The same as text: a table and what it rests on. The strategies are those of the comparison.
[[nodiscard]] std::string write_break_evens(const BreakEvens& found, const Comparison& comparison,
                                            const TextLayout& layout);

/// The same for programs.
[[nodiscard]] nlohmann::ordered_json break_even_json(const BreakEvens& found, const Comparison& comparison);

}  // namespace stockout

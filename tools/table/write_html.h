#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tools/table/relation.h"

namespace stockout {

/// A table with its title as a caption of this id, every row with its names. A row that names one of these
/// strategies in a column headed "strategy" is marked with its place among them.
[[nodiscard]] std::string write_html(const Relation& relation, std::string_view caption_id,
                                     const std::vector<std::string>& strategies);

}  // namespace stockout

#pragma once

#include <cstddef>
#include <vector>

#include "tools/table/text_table.h"

namespace stockout {

/// Which columns of a table stand beside one another, and how wide each is.
struct TableBlocks {
  std::vector<std::size_t> widths;               // by column
  std::vector<std::vector<std::size_t>> blocks;  // of columns; each begins with those that name the rows
};

/// Fits a table into `width` columns of a terminal: in one block if it can, else in as few as it takes. The
/// columns that name the rows are the words before the first number; words are cut only where they take
/// more than two fifths of the width and a block would not fit else. A ± stays beside what it belongs to.
[[nodiscard]] TableBlocks fit_blocks(const TextTable& table, std::size_t width);

}  // namespace stockout

#pragma once

#include <string>

#include "tools/table/relation.h"
#include "tools/table/text_layout.h"

namespace stockout {

/// Below its title, if it has one, columns padded with blanks, two between them. If they are wider than the
/// layout has room for, in several blocks of columns, each with the columns that name its rows, and with long
/// words in several lines: nothing is left out. A single column wider than the layout stays as wide as it is.
[[nodiscard]] std::string write_text(const Relation& relation, const TextLayout& layout = {});

/// As a table of Markdown, every row with its names.
[[nodiscard]] std::string write_markdown(const Relation& relation);

/// One of the two, as the layout says, below an empty line; nothing if there is no row.
[[nodiscard]] std::string write_section(const Relation& relation, const TextLayout& layout);

}  // namespace stockout

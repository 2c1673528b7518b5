#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/table/relation.h"

namespace stockout {

/// Text where there is no value, or no interval.
inline constexpr std::string_view kNone = "-";

/// In front of a bound from below.
inline constexpr std::string_view kAtLeast = "> ";

/// Behind a difference that may be chance.
inline constexpr std::string_view kChanceSign = "~";

/// A relation as people read it, before it is laid out: every cell is a text, and half-widths have a column.
struct TextTable {
  enum class Align : std::uint8_t { left, right };
  struct Column {
    std::vector<std::string> header;  // its lines
    Align align = Align::left;
    bool belongs_to_last = false;  // half-widths: not parted from the column before
  };
  struct Cell {
    std::string text;
    std::optional<Tone> tone;
  };

  std::string title;
  std::vector<Column> columns;
  std::vector<std::vector<Cell>> rows;
};

/// Part of a relation for people: without columns that are for files only or say nothing. `every_row_named`
/// repeats names that else stand once above their block. Control characters become blanks.
[[nodiscard]] TextTable text_table(const Relation& relation, bool every_row_named);

/// One value as text_table() writes it in a column of its own.
[[nodiscard]] std::string cell_text(const Cell& cell, const Style& style);

/// The same with half of its interval behind it, in one text: "3.98 ± 0.12".
[[nodiscard]] std::string estimate_text(const Cell& cell, const Style& style);

/// The lines of a header as one; a word that was parted at a hyphen is whole again.
[[nodiscard]] std::string joined_header(const TextTable::Column& column);

}  // namespace stockout

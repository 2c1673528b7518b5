#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "tools/report/text_layout.h"

namespace stockout {

/// A table for people: a title, a header of one or more lines a column, rows of text.
class TextTable {
 public:
  enum class Align { left, right };
  struct Column {
    std::vector<std::string> header;  // its lines
    Align align = Align::left;
  };

  explicit TextTable(std::string title) : title_{std::move(title)} {}

  /// `header` may have several lines, parted by '\n'; they stand above one another.
  void add_column(const std::string& header, Align align);

  /// Several of them, side by side.
  void add_columns(Align align, std::initializer_list<const char*> headers);

  /// One cell a column. Control characters become blanks.
  void add_row(std::vector<std::string> cells);

  /// The last row, or one cell of it, in the colour of `tone`, where there are colours.
  void paint_row(Tone tone);
  void paint_cell(std::size_t column, Tone tone);

  /// Below its title, if it has one, columns padded with blanks, two between them. If they are wider than the
  /// layout has room for, in several blocks of columns, each with the columns that name its rows, and with
  /// long words in several lines: nothing is left out. A single column wider than the layout stays as wide as
  /// it is.
  [[nodiscard]] std::string to_text(const TextLayout& layout = {}) const;
  [[nodiscard]] std::string to_markdown() const;
  /// One of the two, below an empty line.
  [[nodiscard]] std::string to_section(const TextLayout& layout) const;

  [[nodiscard]] const std::string& title() const { return title_; }
  [[nodiscard]] const std::vector<Column>& columns() const { return columns_; }
  [[nodiscard]] const std::vector<std::vector<std::string>>& rows() const { return rows_; }
  [[nodiscard]] std::optional<Tone> tone(std::size_t row, std::size_t column) const {
    return tones_[row][column];
  }

 private:
  std::string title_;
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
  std::vector<std::vector<std::optional<Tone>>> tones_;  // by row and column
};

/// The lines of a header as one; a word that was parted at a hyphen is whole again.
[[nodiscard]] std::string joined_header(const TextTable::Column& column);

}  // namespace stockout

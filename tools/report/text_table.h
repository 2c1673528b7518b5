#pragma once

#include <initializer_list>
#include <string>
#include <vector>

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

  /// One cell a column.
  void add_row(std::vector<std::string> cells);

  /// Columns padded with blanks, two between them.
  [[nodiscard]] std::string to_text() const;
  [[nodiscard]] std::string to_markdown() const;
  /// One of the two, below an empty line.
  [[nodiscard]] std::string to_section(bool markdown) const;

  [[nodiscard]] const std::string& title() const { return title_; }
  [[nodiscard]] const std::vector<Column>& columns() const { return columns_; }
  [[nodiscard]] const std::vector<std::vector<std::string>>& rows() const { return rows_; }

 private:
  [[nodiscard]] std::vector<std::size_t> widths() const;

  std::string title_;
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

/// The lines of a header as one; a word that was parted at a hyphen is whole again.
[[nodiscard]] std::string joined_header(const TextTable::Column& column);

}  // namespace stockout

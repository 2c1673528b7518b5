#pragma once

#include <string>
#include <vector>

namespace stockout {

/// A table for people: a title, a header of one or more lines a column, rows of text.
class TextTable {
 public:
  enum class Align { left, right };

  explicit TextTable(std::string title) : title_{std::move(title)} {}

  /// `header` may have several lines, parted by '\n'; they stand above one another.
  void add_column(const std::string& header, Align align);

  /// One cell a column.
  void add_row(std::vector<std::string> cells);

  /// Columns padded with blanks, two between them.
  [[nodiscard]] std::string to_text() const;
  [[nodiscard]] std::string to_markdown() const;

 private:
  struct Column {
    std::vector<std::string> header;
    Align align = Align::left;
  };

  [[nodiscard]] std::vector<std::size_t> widths() const;

  std::string title_;
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace stockout

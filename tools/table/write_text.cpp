#include "tools/table/write_text.h"

#include <algorithm>
#include <utility>

#include "tools/table/table_blocks.h"
#include "tools/table/text_table.h"
#include "tools/table/wrap_text.h"

namespace stockout {
namespace {

std::string trim_end(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

/// Some columns of a table, as a text.
class BlockText {
 public:
  BlockText(const TextTable& table, const std::vector<std::size_t>& block,
            const std::vector<std::size_t>& widths, bool colour)
      : table_{table}, block_{block}, widths_{widths}, colour_{colour} {}

  void add_header();
  void add_row(const std::vector<TextTable::Cell>& row);

  [[nodiscard]] std::string text() const { return text_; }

 private:
  // `cell` says what stands in a column, padded.
  template <typename CellOf>
  void add_line(CellOf cell) {
    std::string line;
    for (const std::size_t c : block_) line += (c == block_.front() ? "" : "  ") + cell(c);
    text_ += trim_end(std::move(line)) + '\n';
  }

  [[nodiscard]] std::string padded(std::size_t column, const std::string& text,
                                   std::optional<Tone> tone = std::nullopt) const {
    const std::string blanks(widths_[column] - std::min(widths_[column], text_width(text)), ' ');
    const std::string shown = tone ? painted(text, *tone, colour_) : text;
    return table_.columns[column].align == TextTable::Align::left ? shown + blanks : blanks + shown;
  }

  const TextTable& table_;
  const std::vector<std::size_t>& block_;
  const std::vector<std::size_t>& widths_;
  bool colour_;
  std::string text_;
};

// Headers stand on the rule.
void BlockText::add_header() {
  std::size_t height = 1;
  for (const std::size_t c : block_) height = std::max(height, table_.columns[c].header.size());
  for (std::size_t h = 0; h < height; ++h) {
    add_line([&](std::size_t c) {
      const auto& header = table_.columns[c].header;
      const std::size_t above = height - header.size();
      return padded(c, h < above ? std::string{} : header[h - above]);
    });
  }
  add_line([&](std::size_t c) { return std::string(widths_[c], '-'); });
}

void BlockText::add_row(const std::vector<TextTable::Cell>& row) {
  std::vector<std::vector<std::string>> pieces(row.size());
  std::size_t lines = 1;
  for (const std::size_t c : block_) {
    pieces[c] = cut_to_width(row[c].text, widths_[c]);
    lines = std::max(lines, pieces[c].size());
  }
  for (std::size_t line = 0; line < lines; ++line) {
    add_line([&](std::size_t c) {
      return padded(c, line < pieces[c].size() ? pieces[c][line] : std::string{}, row[c].tone);
    });
  }
}

std::string wrapped_title(const std::string& title, const TextLayout& layout) {
  if (title.empty()) return {};
  return text_width(title) <= layout.table_width ? title + '\n' : wrap_text(title, layout.width, "");
}

std::string escape_markdown(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '|' || c == '\\' || c == '*' || c == '_' || c == '<' || c == '>') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

}  // namespace

std::string write_text(const Relation& relation, const TextLayout& layout) {
  const TextTable table = text_table(relation, false);
  const TableBlocks fitted = fit_blocks(table, layout.table_width);
  std::string text;
  for (const std::vector<std::size_t>& block : fitted.blocks) {
    const bool is_first = text.empty();
    if (!is_first) text += '\n';
    text +=
        wrapped_title(is_first || table.title.empty() ? table.title : table.title + ", continued", layout);
    BlockText lines{table, block, fitted.widths, layout.colour};
    lines.add_header();
    for (const auto& row : table.rows) lines.add_row(row);
    text += lines.text();
  }
  return text;
}

std::string write_markdown(const Relation& relation) {
  const TextTable table = text_table(relation, true);
  std::string text = table.title.empty() ? "|" : "**" + escape_markdown(table.title) + "**\n\n|";
  for (const TextTable::Column& column : table.columns)
    text += ' ' + escape_markdown(joined_header(column)) + " |";
  text += "\n|";
  for (const TextTable::Column& column : table.columns)
    text += column.align == TextTable::Align::left ? ":--|" : "--:|";
  text += '\n';
  for (const auto& row : table.rows) {
    text += '|';
    for (const TextTable::Cell& cell : row) text += ' ' + escape_markdown(cell.text) + " |";
    text += '\n';
  }
  return text;
}

std::string write_section(const Relation& relation, const TextLayout& layout) {
  if (relation.empty()) return {};
  return '\n' + (layout.markdown ? write_markdown(relation) : write_text(relation, layout));
}

}  // namespace stockout

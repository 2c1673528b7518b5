#include "tools/report/text_table.h"

#include <algorithm>
#include <utility>

#include "sim/core/check.h"
#include "tools/report/table_blocks.h"
#include "tools/report/wrap_text.h"

namespace stockout {
namespace {

std::vector<std::string> split_lines(const std::string& text) {
  std::vector<std::string> lines(1);
  for (const char c : text) {
    if (c == '\n') {
      lines.emplace_back();
    } else {
      lines.back() += c;
    }
  }
  return lines;
}

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
  void add_row(std::size_t row);

  [[nodiscard]] std::string text() const { return text_; }

 private:
  // `cell` says what stands in a column, padded.
  template <typename Cell>
  void add_line(Cell cell) {
    std::string line;
    for (const std::size_t c : block_) line += (c == block_.front() ? "" : "  ") + cell(c);
    text_ += trim_end(std::move(line)) + '\n';
  }

  [[nodiscard]] std::string padded(std::size_t column, const std::string& text,
                                   std::optional<Tone> tone = std::nullopt) const {
    const std::string blanks(widths_[column] - std::min(widths_[column], text_width(text)), ' ');
    const std::string shown = tone ? painted(text, *tone, colour_) : text;
    return table_.columns()[column].align == TextTable::Align::left ? shown + blanks : blanks + shown;
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
  for (const std::size_t c : block_) height = std::max(height, table_.columns()[c].header.size());
  for (std::size_t h = 0; h < height; ++h) {
    add_line([&](std::size_t c) {
      const auto& header = table_.columns()[c].header;
      const std::size_t above = height - header.size();
      return padded(c, h < above ? std::string{} : header[h - above]);
    });
  }
  add_line([&](std::size_t c) { return std::string(widths_[c], '-'); });
}

void BlockText::add_row(std::size_t row) {
  std::vector<std::vector<std::string>> pieces(table_.columns().size());
  std::size_t lines = 1;
  for (const std::size_t c : block_) {
    pieces[c] = cut_to_width(table_.rows()[row][c], widths_[c]);
    lines = std::max(lines, pieces[c].size());
  }
  for (std::size_t line = 0; line < lines; ++line) {
    add_line([&](std::size_t c) {
      return padded(c, line < pieces[c].size() ? pieces[c][line] : std::string{}, table_.tone(row, c));
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

std::string joined_header(const TextTable::Column& column) {
  std::string header;
  for (const std::string& line : column.header) {
    const bool hyphenated = !header.empty() && header.back() == '-';
    if (hyphenated) header.pop_back();
    header += (header.empty() || hyphenated ? "" : " ") + line;
  }
  return header;
}

void TextTable::add_column(const std::string& header, Align align) {
  STOCKOUT_CHECK(rows_.empty());
  columns_.push_back({.header = split_lines(header), .align = align});
}

void TextTable::add_columns(Align align, std::initializer_list<const char*> headers) {
  for (const char* header : headers) add_column(header, align);
}

void TextTable::add_row(std::vector<std::string> cells) {
  STOCKOUT_CHECK(cells.size() == columns_.size());
  for (std::string& cell : cells) {  // a name from a trace may hold a tab
    std::ranges::replace_if(
        cell, [](char c) { return static_cast<unsigned char>(c) < ' '; }, ' ');
  }
  rows_.push_back(std::move(cells));
  tones_.emplace_back(columns_.size());
}

void TextTable::paint_row(Tone tone) { tones_.back().assign(columns_.size(), tone); }

void TextTable::paint_cell(std::size_t column, Tone tone) { tones_.back()[column] = tone; }

std::string TextTable::to_text(const TextLayout& layout) const {
  const TableBlocks fitted = fit_blocks(*this, layout.table_width);
  std::string text;
  for (const std::vector<std::size_t>& block : fitted.blocks) {
    const bool is_first = text.empty();
    if (!is_first) text += '\n';
    text += wrapped_title(is_first || title_.empty() ? title_ : title_ + ", continued", layout);
    BlockText lines{*this, block, fitted.widths, layout.colour};
    lines.add_header();
    for (std::size_t row = 0; row < rows_.size(); ++row) lines.add_row(row);
    text += lines.text();
  }
  return text;
}

std::string TextTable::to_markdown() const {
  std::string text = "**" + escape_markdown(title_) + "**\n\n|";
  for (const Column& column : columns_) {
    text += ' ' + escape_markdown(joined_header(column)) + " |";
  }
  text += "\n|";
  for (const Column& column : columns_) text += column.align == Align::left ? ":--|" : "--:|";
  text += '\n';
  for (const auto& row : rows_) {
    text += '|';
    for (const std::string& cell : row) text += ' ' + escape_markdown(cell) + " |";
    text += '\n';
  }
  return text;
}

std::string TextTable::to_section(const TextLayout& layout) const {
  return '\n' + (layout.markdown ? to_markdown() : to_text(layout));
}

}  // namespace stockout

#include "tools/report/text_table.h"

#include <algorithm>
#include <utility>

#include "sim/core/check.h"
#include "tools/report/wrap_text.h"

namespace stockout {
namespace {

std::string pad(const std::string& text, std::size_t width, TextTable::Align align) {
  const std::string blanks(width - std::min(width, text_width(text)), ' ');
  return align == TextTable::Align::left ? text + blanks : blanks + text;
}

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
}

std::vector<std::size_t> TextTable::widths() const {
  std::vector<std::size_t> widths(columns_.size());
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    for (const std::string& line : columns_[c].header) widths[c] = std::max(widths[c], text_width(line));
    for (const auto& row : rows_) widths[c] = std::max(widths[c], text_width(row[c]));
  }
  return widths;
}

std::string TextTable::to_text() const {
  const std::vector<std::size_t> width = widths();
  std::size_t height = 1;
  for (const Column& column : columns_) height = std::max(height, column.header.size());

  const auto line_of = [&](auto cell) {
    std::string line;
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      line += (c == 0 ? "" : "  ") + pad(cell(c), width[c], columns_[c].align);
    }
    return trim_end(line) + '\n';
  };
  std::string text = title_ + '\n';
  for (std::size_t h = 0; h < height; ++h) {
    text += line_of([&](std::size_t c) {
      const auto& header = columns_[c].header;
      const std::size_t above = height - header.size();  // headers stand on the rule
      return h < above ? std::string{} : header[h - above];
    });
  }
  text += line_of([&](std::size_t c) { return std::string(width[c], '-'); });
  for (const auto& row : rows_) text += line_of([&](std::size_t c) { return row[c]; });
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

std::string TextTable::to_section(bool markdown) const {
  return '\n' + (markdown ? to_markdown() : to_text());
}

}  // namespace stockout

#include "tools/table/write_html.h"

#include <algorithm>

#include <fmt/format.h>

#include "tools/table/html_text.h"
#include "tools/table/text_table.h"

namespace stockout {
namespace {

using HtmlAlign = TextTable::Align;

std::string head_html(const TextTable& table) {
  std::string html = "<thead><tr>";
  for (const TextTable::Column& column : table.columns) {
    html += column.align == HtmlAlign::left ? "<th scope=\"col\">" : "<th scope=\"col\" class=\"number\">";
    html += html_text(joined_header(column)) + "</th>";
  }
  return html + "</tr></thead>\n";
}

// A very long name is cut by the style sheet; the whole of it is in its title.
std::string long_text(const std::string& text) {
  constexpr std::size_t kLong = 48;
  if (text.size() <= kLong) return html_text(text);
  return "<span class=\"long\"" + html_attribute("title", text) + '>' + html_text(text) + "</span>";
}

std::string cell_html(HtmlAlign align, bool is_first, const std::string& text) {
  if (align == HtmlAlign::right) return "<td class=\"number\">" + html_text(text) + "</td>";
  if (!is_first || text.empty()) return "<td>" + long_text(text) + "</td>";
  return "<th scope=\"row\">" + long_text(text) + "</th>";
}

std::string strategy_mark(const TextTable& table, const std::vector<TextTable::Cell>& row,
                          const std::vector<std::string>& strategies) {
  const auto column = std::ranges::find(table.columns, "strategy", joined_header);
  if (column == table.columns.end()) return {};
  const std::string& name = row[static_cast<std::size_t>(column - table.columns.begin())].text;
  const auto place = std::ranges::find(strategies, name);
  if (place == strategies.end()) return {};
  return fmt::format(" data-strategy=\"{}\"", place - strategies.begin());
}

}  // namespace

std::string write_html(const Relation& relation, std::string_view caption_id,
                       const std::vector<std::string>& strategies) {
  const TextTable table = text_table(relation, true);
  std::string html = "<div class=\"table\" role=\"region\"" + html_attribute("aria-labelledby", caption_id) +
                     ">\n<table>\n<caption" + html_attribute("id", caption_id) + "><span>" +
                     html_text(table.title) + "</span></caption>\n" + head_html(table) + "<tbody>\n";
  for (const auto& row : table.rows) {
    html += "<tr" + strategy_mark(table, row, strategies) + '>';
    for (std::size_t c = 0; c < row.size(); ++c)
      html += cell_html(table.columns[c].align, c == 0, row[c].text);
    html += "</tr>\n";
  }
  return html + "</tbody>\n</table>\n</div>\n";
}

}  // namespace stockout

#include "tools/page/page_blocks.h"

#include <algorithm>
#include <variant>

#include <fmt/format.h>

#include "tools/page/html_text.h"
#include "tools/page/strategy_key.h"

namespace stockout {
namespace {

std::string head(const TextTable& table) {
  std::string html = "<thead><tr>";
  for (const TextTable::Column& column : table.columns()) {
    html +=
        column.align == TextTable::Align::left ? "<th scope=\"col\">" : "<th scope=\"col\" class=\"number\">";
    html += html_text(joined_header(column)) + "</th>";
  }
  return html + "</tr></thead>\n";
}

// A very long name is cut by the style sheet; the whole of it is in its title.
std::string cell_text(const std::string& text) {
  constexpr std::size_t kLong = 48;
  if (text.size() <= kLong) return html_text(text);
  return "<span class=\"long\"" + html_attribute("title", text) + '>' + html_text(text) + "</span>";
}

std::string cell(const TextTable& table, std::size_t column, const std::string& text) {
  if (table.columns()[column].align == TextTable::Align::right) {
    return "<td class=\"number\">" + html_text(text) + "</td>";
  }
  if (column > 0 || text.empty()) return "<td>" + cell_text(text) + "</td>";
  return "<th scope=\"row\">" + cell_text(text) + "</th>";
}

// Whether strategies are told apart by colour and no legend says which is which.
bool lacks_legend(const nlohmann::json& spec) {
  if (!spec.is_structured()) return false;
  if (const auto colour = spec.find("color");
      spec.is_object() && colour != spec.end() && colour->is_object()) {
    const bool has_legend = !colour->contains("legend") || !colour->at("legend").is_null();
    if (colour->value("field", nlohmann::json{}) == "strategy" && !has_legend) return true;
  }
  return std::any_of(spec.begin(), spec.end(), lacks_legend);
}

}  // namespace

std::string PageBlocks::section(const PageSection& section) {
  const std::string title_id = section.id + "_title";
  std::string html = "<section" + html_attribute("id", section.id) +
                     html_attribute("aria-labelledby", title_id) + ">\n<h2" + html_attribute("id", title_id) +
                     '>' + html_text(section.title) + "</h2>\n";
  for (const PageBlock& part : section.blocks) html += block(part);
  return html + "</section>\n";
}

std::string PageBlocks::block(const PageBlock& block) {
  if (const auto* paragraph = std::get_if<Paragraph>(&block)) return html_paragraph(paragraph->text);
  if (const auto* rows = std::get_if<TextTable>(&block)) return table(*rows);
  if (const auto* picture = std::get_if<Chart>(&block)) return chart(*picture);
  if (const auto* list = std::get_if<RankedList>(&block)) return ranked_list(*list);
  return details(std::get<Details>(block));
}

std::string PageBlocks::ranked_list(const RankedList& list) {
  const std::string title_id = fmt::format("list_{}", ++lists_);
  std::string html = "<div class=\"ranked\">\n<p" + html_attribute("id", title_id) + '>' +
                     html_text(list.title) + "</p>\n<ol" + html_attribute("aria-labelledby", title_id) +
                     ">\n";
  for (const std::string& item : list.items) html += html_element("li", item) + '\n';
  return html + "</ol>\n</div>\n";
}

std::string PageBlocks::table(const TextTable& table) {
  const std::string caption_id = fmt::format("table_{}", ++tables_);
  return "<div class=\"table\" role=\"region\"" + html_attribute("aria-labelledby", caption_id) +
         ">\n<table>\n<caption" + html_attribute("id", caption_id) + "><span>" + html_text(table.title()) +
         "</span></caption>\n" + head(table) + body(table) + "</table>\n</div>\n";
}

std::string PageBlocks::body(const TextTable& table) const {
  std::string html = "<tbody>\n";
  for (const std::vector<std::string>& row : table.rows()) {
    html += "<tr" + strategy_mark(table, row) + '>';
    for (std::size_t c = 0; c < row.size(); ++c) html += cell(table, c, row[c]);
    html += "</tr>\n";
  }
  return html + "</tbody>\n";
}

std::string PageBlocks::strategy_mark(const TextTable& table, const std::vector<std::string>& row) const {
  for (std::size_t c = 0; c < row.size(); ++c) {
    if (joined_header(table.columns()[c]) != "strategy") continue;
    const auto place = std::ranges::find(strategies_, row[c]);
    if (place != strategies_.end()) return fmt::format(" data-strategy=\"{}\"", place - strategies_.begin());
  }
  return {};
}

std::string PageBlocks::chart(const Chart& chart) {
  const std::string title_id = chart.id + "_title";
  return "<figure" + html_attribute("id", chart.id) + html_attribute("aria-labelledby", title_id) +
         ">\n<figcaption" + html_attribute("id", title_id) + '>' + html_text(chart.title) +
         "</figcaption>\n<div class=\"picture\" role=\"img\"" +
         html_attribute("aria-label", chart.description) + "></div>\n" + keys(chart) +
         "<script type=\"application/json\" class=\"spec\">" + html_json(chart.spec) + "</script>\n" +
         "<details><summary>The numbers behind this picture</summary>\n" +
         html_paragraph(chart.description, "description") + table(chart.table) + "</details>\n</figure>\n";
}

std::string PageBlocks::keys(const Chart& chart) const {
  if (strategies_.empty() || !lacks_legend(chart.spec)) return {};
  std::string html = "<ul class=\"keys\">\n";
  for (std::size_t place = 0; place < strategies_.size(); ++place) {
    html += fmt::format("<li data-strategy=\"{}\">{}<span>{}</span></li>\n", place, strategy_key(place),
                        html_text(strategies_[place]));
  }
  return html + "</ul>\n";
}

std::string PageBlocks::details(const Details& details) {
  std::string html = "<details>" + html_element("summary", details.summary) + '\n';
  for (const auto& part : details.blocks) {
    html += std::visit([this](const auto& value) { return block(value); }, part);
  }
  return html + "</details>\n";
}

}  // namespace stockout

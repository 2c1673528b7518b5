#include "tools/page/page_blocks.h"

#include <algorithm>
#include <variant>

#include <fmt/format.h>

#include "tools/page/strategy_key.h"
#include "tools/table/html_text.h"
#include "tools/table/write_html.h"

namespace stockout {
namespace {

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
                     (section.summary ? html_attribute("class", "summary") : std::string{}) +
                     html_attribute("aria-labelledby", title_id) + ">\n<h2" + html_attribute("id", title_id) +
                     '>' + html_text(section.title) + "</h2>\n";
  for (const PageBlock& part : section.blocks) html += block(part);
  return html + "</section>\n";
}

std::string PageBlocks::block(const PageBlock& block) {
  if (const auto* paragraph = std::get_if<Paragraph>(&block)) return html_paragraph(paragraph->text);
  if (const auto* rows = std::get_if<Relation>(&block)) return table(*rows);
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

std::string PageBlocks::table(const Relation& table) {
  return write_html(table, fmt::format("table_{}", ++tables_), strategies_);
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

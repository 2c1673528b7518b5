#include "tools/page/page.h"

#include <algorithm>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include "sim/core/check.h"
#include "tools/page/choice_html.h"
#include "tools/page/page_blocks.h"
#include "tools/page/page_runtime.h"
#include "tools/page/strategy_key.h"
#include "tools/table/html_text.h"

namespace stockout {
namespace {

void check_id(const std::string& id, std::set<std::string>& ids) {
  constexpr std::string_view kAllowed = "abcdefghijklmnopqrstuvwxyz0123456789-";
  STOCKOUT_CHECK(!id.empty() && id.find_first_not_of(kAllowed) == std::string::npos, id);
  STOCKOUT_CHECK(ids.insert(id).second, id + " twice in a page");
}

void check_ids(const Page& page) {
  std::set<std::string> ids{"answer", "choice", "filter", "theme"};
  for (const PageSection& section : page.sections) {
    check_id(section.id, ids);
    for (const PageBlock& block : section.blocks) {
      if (const auto* chart = std::get_if<Chart>(&block)) check_id(chart->id, ids);
    }
  }
}

std::string page_head(const Page& page, const PageRuntime& runtime) {
  std::string html = "<head>\n<meta charset=\"utf-8\">\n<meta http-equiv=\"Content-Security-Policy\"";
  html += html_attribute("content", runtime.content_policy) +
          ">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
          "<meta name=\"color-scheme\" content=\"light dark\">\n"
          "<link rel=\"icon\" href=\"data:,\">\n";
  html += html_element("title", page.title) + "\n<style>\n";
  html += runtime.style;
  return html + "</style>\n</head>\n";
}

std::string navigation(const Page& page) {
  std::string html = "<header>\n<nav aria-label=\"Sections\"><ul>\n<li><a href=\"#answer\">Answer</a></li>\n";
  for (const PageSection& section : page.sections) {
    html += "<li><a" + html_attribute("href", '#' + section.id) + '>' +
            html_text(section.menu.empty() ? section.title : section.menu) + "</a></li>\n";
  }
  return html + "</ul></nav>\n<button type=\"button\" id=\"theme\" hidden></button>\n</header>\n";
}

std::string strategy_filter(const std::vector<std::string>& strategies) {
  if (strategies.empty()) return {};
  std::string html = "<fieldset id=\"filter\" hidden><legend>Show</legend>\n";
  for (std::size_t place = 0; place < strategies.size(); ++place) {
    html += fmt::format("<label><input type=\"checkbox\" value=\"{}\" checked>{}<span>{}</span></label>\n",
                        place, strategy_key(place), html_text(strategies[place]));
  }
  return html + "</fieldset>\n<p id=\"not_shown\" role=\"status\"></p>\n";
}

std::string answer_section(const Page& page) {
  return "<section id=\"answer\" tabindex=\"-1\">\n<hgroup>\n" + html_element("h1", page.title) + '\n' +
         html_paragraph(page.question, "question") + "</hgroup>\n" + html_paragraph(page.answer, "answer") +
         html_paragraph(page.hangs_on, "hangs-on") + html_paragraph(page.caution, "caution") +
         (page.choice ? choice_html(*page.choice) : std::string{}) + strategy_filter(page.strategies) +
         "</section>\n";
}

std::string page_data(const Page& page) {
  const nlohmann::json data{
      {"data", page.data},
      {"strategies", page.strategies},
      {"choice", page.choice ? choice_json(*page.choice) : nlohmann::json{}},
  };
  return "<script type=\"application/json\" id=\"page_data\">" + html_json(data) + "</script>\n";
}

}  // namespace

std::string write_page(const Page& page) {
  check_ids(page);
  const PageRuntime runtime = page_runtime();
  PageBlocks blocks{page.strategies};
  std::string html = "<!DOCTYPE html>\n<html lang=\"en\">\n" + page_head(page, runtime);
  html += "<body>\n<a class=\"skip\" href=\"#answer\">Skip to the answer</a>\n" + navigation(page) +
          "<main>\n<noscript><p>Without scripts this page has no pictures and nothing to choose; every "
          "number is in its tables.</p></noscript>\n" +
          answer_section(page);
  for (const PageSection& section : page.sections) html += blocks.section(section);
  html += "</main>\n" + page_data(page) + "<script>";
  html += runtime.script;
  return html + "</script>\n</body>\n</html>\n";
}

}  // namespace stockout

#include "tools/page/choice_html.h"

#include <algorithm>

#include <fmt/format.h>

#include "tools/page/choice_text.h"
#include "tools/table/html_text.h"

namespace stockout {
namespace {

std::string option_html(std::size_t place, const std::string& text, bool selected) {
  return fmt::format("<option value=\"{}\"{}>{}</option>", place, selected ? " selected" : "",
                     html_text(text));
}

std::string share_select(const WaitChoice& choice) {
  std::string html = "<select id=\"choice_share\">";
  const std::vector<double> shares = offered_shares(choice);
  for (std::size_t i = 0; i < shares.size(); ++i) {
    html += option_html(i, wanted_share_text(shares[i]), shares[i] == choice.share);
  }
  return html + "</select>";
}

std::string limit_select(const WaitChoice& choice) {
  std::string html = "<select id=\"choice_limit\">";
  for (std::size_t i = 0; i < choice.within_h.size(); ++i) {
    html += option_html(i, wait_limit_text(choice.within_h[i]), i == choice.limit);
  }
  return html + "</select>";
}

nlohmann::json answer_json(const ChoiceAnswer& answer) {
  return {{"text", answer.text},
          {"cheapest", answer.cheapest ? nlohmann::json(*answer.cheapest) : nlohmann::json{}},
          {"same", answer.costs_the_same},
          {"misses", answer.misses}};
}

}  // namespace

std::string choice_html(const WaitChoice& choice) {
  return "<div id=\"choice\" role=\"group\" aria-label=\"Wait limit\">\n<p id=\"choice_asked\" hidden><label "
         "for=\"choice_share\">Cheapest that starts</label> " +
         share_select(choice) + " <label for=\"choice_limit\">of the " + html_text(choice.jobs) +
         " within</label> " + limit_select(choice) +
         "</p>\n<p id=\"choice_answer\" role=\"status\" aria-live=\"polite\">" +
         html_text(choose_by_wait(choice, choice.limit, choice.share).text) + "</p>\n</div>\n";
}

nlohmann::json choice_json(const WaitChoice& choice) {
  const std::vector<double> shares = offered_shares(choice);
  nlohmann::json answers = nlohmann::json::array();
  for (std::size_t limit = 0; limit < choice.within_h.size(); ++limit) {
    nlohmann::json by_share = nlohmann::json::array();
    for (const double share : shares) {
      by_share.push_back(answer_json(choose_by_wait(choice, limit, share)));
    }
    answers.push_back(std::move(by_share));
  }
  nlohmann::json names = nlohmann::json::array();
  for (const ChoiceRow& row : choice.rows) names.push_back(row.strategy);
  return {{"within_h", choice.within_h},
          {"shares", shares},
          {"strategies", std::move(names)},
          {"answers", std::move(answers)}};
}

}  // namespace stockout

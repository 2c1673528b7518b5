#include "tools/page/choice_text.h"

#include <algorithm>

#include <fmt/format.h>

#include "models/measures/number_text.h"
#include "sim/core/check.h"
#include "tools/table/html_text.h"

namespace stockout {
namespace {

using Rows = std::vector<std::size_t>;

bool contains(const Rows& rows, std::size_t row) { return std::ranges::find(rows, row) != rows.end(); }

std::string name_text(const ChoiceRow& row) {
  constexpr std::size_t kLongest = 60;
  return cut_text(row.strategy, kLongest);
}

std::string names_text(const WaitChoice& choice, const Rows& rows) {
  constexpr std::size_t kMost = 3;
  std::string text;
  for (std::size_t i = 0; i < std::min(rows.size(), kMost); ++i) {
    const bool is_last = i + 1 == rows.size();
    text += (i == 0 ? "" : is_last ? " and " : ", ") + name_text(choice.rows[rows[i]]);
  }
  return rows.size() <= kMost ? text : fmt::format("{} and {} more", text, rows.size() - kMost);
}

std::string cost_text(const ChoiceRow& row) {
  return with_noise(dollar_text(row.cost_usd),
                    row.cost_half_width ? dollar_text(*row.cost_half_width).substr(1) : "");
}

std::string nobody_text(const WaitChoice& choice, std::size_t limit, const std::string& asked) {
  const auto closest =
      std::ranges::max_element(choice.rows, {}, [limit](const ChoiceRow& row) { return row.share[limit]; });
  if (closest == choice.rows.end()) return fmt::format("No strategy starts {}.", asked);
  return fmt::format("No strategy starts {}. The closest is {}, with {} for {}.", asked, name_text(*closest),
                     share_text(closest->share[limit]), cost_text(*closest));
}

// By how much the cheapest beats the next one that is dearer by more than chance.
std::string margin_text(const WaitChoice& choice, const ChoiceAnswer& answer, const Rows& meets) {
  if (meets.size() == 1) return " No other strategy does.";
  std::string text;
  if (!answer.costs_the_same.empty()) {
    text = fmt::format(" Within chance, {} {} the same.", names_text(choice, answer.costs_the_same),
                       answer.costs_the_same.size() == 1 ? "costs" : "cost");
  }
  const auto next = std::ranges::find_if(meets, [&](std::size_t row) {
    return row != *answer.cheapest && !contains(answer.costs_the_same, row);
  });
  if (next == meets.end()) return text;
  const ChoiceRow& dearer = choice.rows[*next];
  const double more = dearer.cost_usd - choice.rows[*answer.cheapest].cost_usd;
  text += fmt::format(" The next, {}, costs {} more", name_text(dearer), dollar_text(more));
  const double cheapest_cost = choice.rows[*answer.cheapest].cost_usd;
  return text +
         (cheapest_cost > 0 ? fmt::format(" (+{} %).", number_text(100 * more / cheapest_cost, 1)) : ".");
}

Rows by_cost(const WaitChoice& choice, std::size_t limit, double share) {
  constexpr double kRounding = 1e-9;  // a mean of shares is not exact
  Rows meets;
  for (std::size_t row = 0; row < choice.rows.size(); ++row) {
    if (choice.rows[row].share[limit] >= share - kRounding) meets.push_back(row);
  }
  std::ranges::stable_sort(meets, {}, [&](std::size_t row) { return choice.rows[row].cost_usd; });
  return meets;
}

}  // namespace

ChoiceAnswer choose_by_wait(const WaitChoice& choice, std::size_t limit, double share) {
  STOCKOUT_CHECK(limit < choice.within_h.size());
  for (const ChoiceRow& row : choice.rows) STOCKOUT_CHECK(row.share.size() == choice.within_h.size());
  const std::string asked = fmt::format("{} of the {} within {}", wanted_share_text(share), choice.jobs,
                                        wait_limit_text(choice.within_h[limit]));
  const Rows meets = by_cost(choice, limit, share);
  ChoiceAnswer answer;
  for (std::size_t row = 0; row < choice.rows.size(); ++row) {
    if (!contains(meets, row)) answer.misses.push_back(row);
  }
  if (meets.empty()) {
    answer.text = nobody_text(choice, limit, asked);
    return answer;
  }
  answer.cheapest = meets.front();
  const ChoiceRow& cheapest = choice.rows[meets.front()];
  for (const std::size_t row : meets) {
    if (row != meets.front() && contains(cheapest.costs_the_same, row)) answer.costs_the_same.push_back(row);
  }
  answer.text = fmt::format("The cheapest strategy that starts {} is {}: {}, {} of them in time.", asked,
                            name_text(cheapest), cost_text(cheapest), share_text(cheapest.share[limit])) +
                margin_text(choice, answer, meets);
  return answer;
}

std::vector<double> offered_shares(const WaitChoice& choice) {
  std::vector<double> shares{0.5, 0.75, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.999, 1};
  const auto place = std::ranges::lower_bound(shares, choice.share);
  if (place == shares.end() || *place != choice.share) shares.insert(place, choice.share);
  return shares;
}

std::string wait_limit_text(double hours) {
  if (hours < 1) return fmt::format("{:.4g} min", hours * 60);
  if (hours < 48) return fmt::format("{:.4g} h", hours);
  return fmt::format("{:.4g} days", hours / 24);
}

std::string wanted_share_text(double share) { return fmt::format("{:.6g} %", 100 * share); }

}  // namespace stockout

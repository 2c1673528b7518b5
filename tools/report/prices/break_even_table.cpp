#include "tools/report/prices/break_even_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "models/measures/number_text.h"
#include "tools/report/prices/price_words.h"
#include "tools/table/wrap_text.h"
#include "tools/table/write_json.h"
#include "tools/table/write_text.h"

namespace stockout {
namespace {

std::string_view model_text(PriceModel model) { return kPriceModelNames[static_cast<std::size_t>(model)]; }

// Cents are what prices of machines are told apart by.
std::string price_text(double usd) { return number_text(usd, 2); }

Cell doubt_cell(const WinningRange& range, double usd_per_hour) {
  if (!range.until || !range.doubt_from) return {};
  const std::string from = price_text(*range.doubt_from * usd_per_hour);
  return Cell::said(range.doubt_until
                        ? fmt::format("{} to {}", from, price_text(*range.doubt_until * usd_per_hour))
                        : from + " and more");
}

std::string quoted_names(const std::vector<std::size_t>& strategies, const Comparison& comparison) {
  std::vector<std::string> names;
  for (const std::size_t i : strategies)
    names.push_back(fmt::format("\"{}\"", comparison.strategies[i].name));
  return fmt::format("{}", fmt::join(names, ", "));
}

// The machine, with a star where prices of others move with it.
Cell machine_cell(const BreakEven& model) {
  return Cell{model.machine}.as(
      fmt::format("{}, {}{}", model.machine, model.region, model.is_one_of_several ? " *" : ""));
}

// "below $9.31", "between $2 and $9.31", "at any price".
std::string where_text(const WouldWin& one) {
  const auto usd = [&](double factor) { return "$" + price_text(factor * one.price.usd_per_hour); };
  if (!one.until) return one.from > 0 ? "above " + usd(one.from) : "at any price";
  return one.from > 0 ? fmt::format("between {} and {}", usd(one.from), usd(*one.until))
                      : "below " + usd(*one.until);
}

// "a Spot hour of a3-highgpu-8g in us-central1 (now $12.00)".
std::string hour_text(const BreakEven& price) {
  return fmt::format("an hour of {} in {} by {} (now ${}{})", price.machine, price.region,
                     price_words(price.model), price_text(price.usd_per_hour),
                     price.is_one_of_several ? ", others in proportion" : "");
}

std::string would_win_text(const WouldWin& one, const Comparison& comparison) {
  const std::string name = fmt::format("\"{}\"", comparison.strategies[one.strategy].name);
  return one.at_no_price ? fmt::format("{} would win at no price of {}, even if it {}; today {}.", name,
                                       hour_text(one.price), one.condition, one.today)
                         : fmt::format("{} would win {} for {} if it {}; today {}.", name, where_text(one),
                                       hour_text(one.price), one.condition, one.today);
}

void add_budget_remarks(const BreakEvens& found, std::vector<std::string>& lines) {
  for (const BreakEven& model : found.models) {
    if (!model.over_budget_from) continue;
    lines.push_back(
        *model.over_budget_from > 0
            ? fmt::format("Above ${} for {} no strategy keeps to the budget.",
                          price_text(*model.over_budget_from * model.usd_per_hour), hour_text(model))
            : fmt::format("At no price of {} does a strategy keep to the budget.", hour_text(model)));
  }
}

nlohmann::ordered_json would_win_json(const BreakEvens& found, const Comparison& comparison) {
  nlohmann::ordered_json array = nlohmann::ordered_json::array();
  for (const WouldWin& one : found.would_win) {
    const auto usd = [&](const std::optional<double>& factor) {
      return factor && !one.at_no_price ? nlohmann::ordered_json(*factor * one.price.usd_per_hour)
                                        : nlohmann::ordered_json{};
    };
    array.push_back({{"strategy", comparison.strategies[one.strategy].name},
                     {"model", model_text(one.price.model)},
                     {"machine", one.price.machine},
                     {"region", one.price.region},
                     {"usd_per_hour", one.price.usd_per_hour},
                     {"at_no_price", one.at_no_price},
                     {"from_usd_per_hour", usd(one.from)},
                     {"until_usd_per_hour", usd(one.until)},
                     {"if_it", one.condition},
                     {"today", one.today}});
  }
  return array;
}

}  // namespace

Relation break_even_table(const BreakEvens& found, const Comparison& comparison) {
  constexpr Style kPrice = kHundredths;
  Relation table{.title = "Which strategy is the cheapest, by the price of a machine-hour in US dollars",
                 .columns = {{.key = "model", .title = "price of", .once = true},
                             {.key = "machine", .title = "machine", .once = true},
                             {.key = "region"},
                             {.key = "usd_per_hour", .title = "now", .style = kPrice, .once = true},
                             {.key = "moves_others"},
                             {.key = "strategy", .title = "cheapest"},
                             {.key = "from_usd_per_hour"},
                             {.key = "until_usd_per_hour", .title = "up to", .style = kPrice},
                             {.title = "95 %\ninterval", .style = kPrice},
                             {.key = "until_usd_per_hour_low_95"},
                             {.key = "until_usd_per_hour_high_95"},
                             {.key = "until_times_now", .title = "times\nnow", .style = kHundredths}}};
  for (const BreakEven& model : found.models) {
    const auto usd = [&](const std::optional<double>& factor) {
      return factor ? Cell{*factor * model.usd_per_hour} : Cell{};
    };
    for (const WinningRange& range : model.ranges) {
      table.add({Cell{model_text(model.model)}.as(std::string{price_words(model.model)}), machine_cell(model),
                 model.region, model.usd_per_hour, model.is_one_of_several,
                 comparison.strategies[range.strategy].name, usd(range.from),
                 range.until ? usd(range.until) : Cell::said("any price"),
                 doubt_cell(range, model.usd_per_hour), usd(range.doubt_from), usd(range.doubt_until),
                 range.until});
    }
  }
  return table;
}

std::vector<std::string> break_even_remarks(const BreakEvens& found, const Comparison& comparison) {
  std::vector<std::string> lines;
  const std::size_t contenders =
      comparison.strategies.size() - found.not_qualifying.size() - found.looking.size();
  if (found.models.empty()) {
    lines.emplace_back("No price decides: no strategy that may win pays any.");
  } else if (contenders == 1) {
    lines.emplace_back(
        "No other strategy may win, at any price. If that is too strict, ask with another goal.");
  } else {
    lines.emplace_back(
        "One price model at a time, all other prices as they are now; waits and use are those that were "
        "simulated. *: the model's prices of other machines and regions move in proportion.");
    lines.emplace_back(
        "Interval: the prices at which the two strategies' costs, paired by replication, differ by no more "
        "than chance (Fieller).");
  }
  if (!found.not_qualifying.empty()) {
    lines.push_back("They miss a goal or do less of the work, at any price: " +
                    quoted_names(found.not_qualifying, comparison) + ".");
  }
  for (const WouldWin& one : found.would_win) lines.push_back(would_win_text(one, comparison));
  add_budget_remarks(found, lines);
  if (!found.looking.empty()) {
    lines.push_back("Left out, since they look at prices and would buy otherwise: " +
                    quoted_names(found.looking, comparison) + ".");
  }
  return lines;
}

std::string write_break_evens(const BreakEvens& found, const Comparison& comparison,
                              const TextLayout& layout) {
  const Relation table = break_even_table(found, comparison);
  std::string text = table.empty() ? "\n" : write_section(table, layout);
  if (layout.markdown) text += '\n';
  for (const std::string& line : break_even_remarks(found, comparison)) text += list_line(line, layout);
  return text;
}

nlohmann::ordered_json break_even_json(const BreakEvens& found, const Comparison& comparison) {
  const auto names = [&](const std::vector<std::size_t>& strategies) {
    nlohmann::ordered_json array = nlohmann::ordered_json::array();
    for (const std::size_t i : strategies) array.push_back(comparison.strategies[i].name);
    return array;
  };
  constexpr std::size_t kOfModel = 5;
  const Relation ranges =
      pick(break_even_table(found, comparison), {{"model"},
                                                 {"machine"},
                                                 {"region"},
                                                 {"usd_per_hour"},
                                                 {"moves_others"},
                                                 {"strategy"},
                                                 {"from_usd_per_hour"},
                                                 {"until_usd_per_hour"},
                                                 {"until_usd_per_hour_low_95", "until_low_95"},
                                                 {"until_usd_per_hour_high_95", "until_high_95"},
                                                 {"until_times_now"}});
  return {{"models", write_nested_json(ranges, kOfModel, "ranges")},
          {"not_qualifying", names(found.not_qualifying)},
          {"would_win", would_win_json(found, comparison)},
          {"looks_at_prices", names(found.looking)}};
}

}  // namespace stockout

#include "tools/report/break_even_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "models/measures/number_text.h"
#include "tools/report/csv_text.h"
#include "tools/report/price_words.h"
#include "tools/report/text_table.h"
#include "tools/report/wrap_text.h"

namespace stockout {
namespace {

using RangeAlign = TextTable::Align;

std::string_view model_text(PriceModel model) { return kPriceModelNames[static_cast<std::size_t>(model)]; }

// Cents are what prices of machines are told apart by.
std::string price_text(double usd) { return number_text(usd, 2); }

std::string doubt_text(const WinningRange& range, double usd_per_hour) {
  if (!range.until || !range.doubt_from) return "-";
  const std::string from = price_text(*range.doubt_from * usd_per_hour);
  return range.doubt_until ? fmt::format("{} to {}", from, price_text(*range.doubt_until * usd_per_hour))
                           : from + " and more";
}

std::string quoted_names(const std::vector<std::size_t>& strategies, const Comparison& comparison) {
  std::vector<std::string> names;
  for (const std::size_t i : strategies)
    names.push_back(fmt::format("\"{}\"", comparison.strategies[i].name));
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

TextTable break_even_table(const BreakEvens& found, const Comparison& comparison, bool every_row_named,
                           bool planner_words) {
  TextTable table{"Which strategy is the cheapest, by the price of a machine-hour in US dollars"};
  table.add_columns(RangeAlign::left, {"price of", "machine"});
  table.add_column("now", RangeAlign::right);
  table.add_column("cheapest", RangeAlign::left);
  table.add_columns(RangeAlign::right, {"up to", "95 %\ninterval", "times\nnow"});
  for (const BreakEven& model : found.models) {
    bool is_first = true;
    for (const WinningRange& range : model.ranges) {
      const bool named = is_first || every_row_named;
      table.add_row(
          {named ? std::string{planner_words ? price_words(model.model) : model_text(model.model)} : "",
           named ? fmt::format("{}, {}{}", model.machine, model.region, model.is_one_of_several ? " *" : "")
                 : "",
           named ? price_text(model.usd_per_hour) : "", comparison.strategies[range.strategy].name,
           range.until ? price_text(*range.until * model.usd_per_hour) : "any price",
           doubt_text(range, model.usd_per_hour), range.until ? number_text(*range.until, 2) : "-"});
      is_first = false;
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
    lines.push_back("They miss the goal or do less of the work, at any price: " +
                    quoted_names(found.not_qualifying, comparison) + ".");
  }
  if (!found.looking.empty()) {
    lines.push_back("Left out, since they look at prices and would buy otherwise: " +
                    quoted_names(found.looking, comparison) + ".");
  }
  return lines;
}

std::string write_break_evens(const BreakEvens& found, const Comparison& comparison,
                              const TextLayout& layout) {
  std::string text = "\n";
  if (!found.models.empty()) {
    const TextTable table = break_even_table(found, comparison, layout.markdown, false);
    text += layout.markdown ? table.to_markdown() : table.to_text(layout);
  }
  if (layout.markdown) text += '\n';
  for (const std::string& line : break_even_remarks(found, comparison)) text += list_line(line, layout);
  return text;
}

std::string write_break_even_csv(const BreakEvens& found, const Comparison& comparison) {
  std::string text =
      "model,machine,region,usd_per_hour,moves_others,strategy,from_usd_per_hour,until_usd_per_hour,"
      "until_usd_per_hour_low_95,until_usd_per_hour_high_95,until_times_now\n";
  for (const BreakEven& model : found.models) {
    const auto usd = [&](const std::optional<double>& factor) {
      return factor ? fmt::format("{}", *factor * model.usd_per_hour) : "";
    };
    for (const WinningRange& range : model.ranges) {
      text += fmt::format(
          "{},{},{},{},{},{},{},{},{},{},{}\n", model_text(model.model), csv_text(model.machine),
          csv_text(model.region), model.usd_per_hour, model.is_one_of_several ? 1 : 0,
          csv_text(comparison.strategies[range.strategy].name), usd(range.from), usd(range.until),
          usd(range.doubt_from), usd(range.doubt_until), range.until ? fmt::format("{}", *range.until) : "");
    }
  }
  return text;
}

nlohmann::ordered_json break_even_json(const BreakEvens& found, const Comparison& comparison) {
  using RangeJson = nlohmann::ordered_json;
  const auto names = [&](const std::vector<std::size_t>& strategies) {
    RangeJson array = RangeJson::array();
    for (const std::size_t i : strategies) array.push_back(comparison.strategies[i].name);
    return array;
  };
  RangeJson models = RangeJson::array();
  for (const BreakEven& model : found.models) {
    const auto usd = [&](const std::optional<double>& factor) {
      return factor ? RangeJson(*factor * model.usd_per_hour) : RangeJson{};
    };
    RangeJson ranges = RangeJson::array();
    for (const WinningRange& range : model.ranges) {
      ranges.push_back({{"strategy", comparison.strategies[range.strategy].name},
                        {"from_usd_per_hour", usd(range.from)},
                        {"until_usd_per_hour", usd(range.until)},
                        {"until_low_95", usd(range.doubt_from)},
                        {"until_high_95", usd(range.doubt_until)},
                        {"until_times_now", range.until ? RangeJson(*range.until) : RangeJson{}}});
    }
    models.push_back({{"model", model_text(model.model)},
                      {"machine", model.machine},
                      {"region", model.region},
                      {"usd_per_hour", model.usd_per_hour},
                      {"moves_others", model.is_one_of_several},
                      {"ranges", std::move(ranges)}});
  }
  return {{"models", std::move(models)},
          {"not_qualifying", names(found.not_qualifying)},
          {"looks_at_prices", names(found.looking)}};
}

}  // namespace stockout

#include "tools/report/prices/break_even_chart.h"

#include <algorithm>

#include <fmt/format.h>

#include "tools/page/chart_spec.h"
#include "tools/report/prices/break_even_table.h"
#include "tools/report/prices/price_words.h"
#include "tools/table/write_json.h"

namespace stockout {
namespace {

std::string model_label(const BreakEven& model) {
  return fmt::format("{}, {}", price_words(model.model), model.machine);
}

// Up to where the picture goes: beyond the last price at which the answer changes, if it is not too far.
double farthest(const BreakEvens& found) {
  constexpr double kFarthest = 100;
  double most = 1.6;
  for (const BreakEven& model : found.models) {
    for (const WinningRange& range : model.ranges) most = std::max(most, range.until.value_or(0));
  }
  return std::min(most * 1.25, kFarthest);
}

Relation range_rows(const BreakEvens& found, const Comparison& comparison) {
  const double end = farthest(found);
  Relation rows{.columns = files_only({"model", "strategy", "from", "until", "from_usd", "until_usd"})};
  for (const BreakEven& model : found.models) {
    for (const WinningRange& range : model.ranges) {
      const double until = std::min(range.until.value_or(end), end);
      if (range.from >= end) continue;
      rows.add({model_label(model), comparison.strategies[range.strategy].name, range.from, until,
                range.from * model.usd_per_hour, until * model.usd_per_hour});
    }
  }
  return rows;
}

}  // namespace

Chart break_even_chart(const BreakEvens& found, const Comparison& comparison,
                       const std::vector<std::string>& strategies) {
  std::vector<std::string> models;
  for (const BreakEven& model : found.models) models.push_back(model_label(model));
  return {
      .id = "break-even",
      .title = "Which strategy is the cheapest as one price moves",
      .description =
          "A bar for each way of buying: from a price of nothing on the left to a multiple of that of now. "
          "Its colours say which strategy is the cheapest at that price, all others staying as they are. The "
          "dashed line is the price of now.",
      .spec = ChartSpec{"break-even"}
                  .rows(write_chart_rows(range_rows(found, comparison)))
                  .strategies(strategies)
                  .names("model", models)
                  .take(),
      .table = break_even_table(found, comparison)};
}

}  // namespace stockout

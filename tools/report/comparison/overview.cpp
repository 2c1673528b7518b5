#include "tools/report/comparison/overview.h"

#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tools/report/comparison/measure_columns.h"
#include "tools/table/small_charts.h"
#include "tools/table/wrap_text.h"
#include "tools/table/write_text.h"

namespace stockout {
namespace {

constexpr double kCent = 0.01;

using CostBar = std::array<BarPart, 4>;

constexpr std::array<std::string_view, 4> kPartNames{"paid by use", "held and used", "held and idle",
                                                     "other"};

double mean_of(const StrategyResult& strategy, Measure measure) {
  const Summary& summary = strategy.total[measure];
  return summary.is_absent() ? 0 : summary.mean;
}

// Whether credits and what existing commitments cover are more than all that is paid beside the machines.
bool is_lowered(const StrategyResult& strategy) {
  const double machines = mean_of(strategy, Measure::cost_direct) + mean_of(strategy, Measure::cost_held);
  return machines > 0 && mean_of(strategy, Measure::cost) < machines - kCent;
}

// A bar is as long as the cost: each part is lowered by the same share.
CostBar parts_of(const StrategyResult& strategy) {
  const double direct = mean_of(strategy, Measure::cost_direct);
  const double held = mean_of(strategy, Measure::cost_held);
  const double idle = std::clamp(mean_of(strategy, Measure::cost_idle), 0.0, std::max(held, 0.0));
  const double cost = mean_of(strategy, Measure::cost);
  const double rest = cost - direct - held;
  const double other = rest < kCent ? 0 : rest;  // sums are rounded
  const double left = is_lowered(strategy) ? std::max(cost, 0.0) / (direct + held) : 1;
  return {BarPart{.value = left * std::max(direct, 0.0), .sign = '#', .block = "█"},
          BarPart{.value = left * std::max(held - idle, 0.0), .sign = '=', .block = "▓"},
          BarPart{.value = left * idle, .sign = '.', .block = "░"},
          BarPart{.value = other, .sign = '+', .block = "▒"}};
}

// The parts that any strategy has, and their signs.
std::string legend(const std::vector<CostBar>& bars, bool are_lowered, bool utf8) {
  std::vector<std::string> said;
  for (std::size_t part = 0; part < kPartNames.size(); ++part) {
    if (!std::ranges::any_of(bars, [&](const CostBar& bar) { return bar[part].value > 0; })) continue;
    const BarPart& drawn = bars.front()[part];
    said.push_back(
        fmt::format("{} {}", utf8 ? std::string{drawn.block} : std::string(1, drawn.sign), kPartNames[part]));
  }
  return fmt::format(
      "Cost: {}.{}", fmt::join(said, ", "),
      are_lowered ? " Credits and cover by existing commitments are taken off each part alike." : "");
}

/// Subject of the second bar of a row.
struct Service {
  std::string title;
  Measure measure;
  std::optional<double> full;  // none: the largest of all strategies
};

Service service_of(const Report& report) {
  if (report.scenario.goal) return {"goal\nmet", Measure::goal_met_share, 1};
  return {"p95 wait", Measure::wait_p95, std::nullopt};
}

bool is_open(const Summary& summary) { return summary.known == Value::Known::at_least; }

// Of which all bars are parts: all of a share, else the longest wait that is known.
double full_service(const std::vector<StrategyResult>& strategies, const Service& service) {
  if (service.full) return *service.full;
  double longest = 0;
  for (const StrategyResult& strategy : strategies) {
    if (!is_open(strategy.total[service.measure]))
      longest = std::max(longest, mean_of(strategy, service.measure));
  }
  return longest > 0 ? longest : 1;
}

// A wait that is known only to be longer than a number may be longer than all others.
BarPart service_part(const StrategyResult& strategy, const Service& service, double full) {
  if (is_open(strategy.total[service.measure])) return {.value = full, .sign = '>', .block = "░"};
  return {.value = mean_of(strategy, service.measure)};
}

std::string open_waits(const std::vector<StrategyResult>& strategies, const Service& service, bool utf8) {
  const auto waits_openly = [&](const StrategyResult& strategy) {
    return is_open(strategy.total[service.measure]);
  };
  if (std::ranges::none_of(strategies, waits_openly)) return {};
  return fmt::format(" Waits: {} longer than the number, since some jobs never start.", utf8 ? "░" : ">");
}

// What is left for both bars beside names, numbers and gaps.
std::size_t bar_columns(const Report& report, const TextLayout& layout) {
  constexpr std::size_t kBesides = 30;
  std::size_t names = 0;
  for (const StrategyResult& strategy : report.comparison.strategies)
    names = std::max(names, text_width(strategy.name));
  const std::size_t taken = std::min(names, layout.table_width * 2 / 5) + kBesides;
  const std::size_t left = layout.table_width - std::min(layout.table_width, taken);
  return std::clamp<std::size_t>(left / 2, 8, 30);
}

// A number and its bar, or the bar alone.
void add_bar_columns(Relation& table, Column number, bool numbers) {
  Column bar{.title = " "};
  if (numbers) {
    table.columns.push_back(std::move(number));
  } else {
    bar.title = std::move(number.title);
    std::ranges::replace(bar.title, '\n', ' ');
  }
  table.columns.push_back(std::move(bar));
}

// `numbers`: beside the bars.
std::string bars_table(const Report& report, const TextLayout& layout, Relation table, bool numbers) {
  const std::vector<StrategyResult>& strategies = report.comparison.strategies;
  if (!layout.charts || layout.markdown || report.verdict == nullptr || strategies.size() < 2) return {};
  const Service service = service_of(report);
  std::vector<CostBar> bars;
  double most_cost = 0;
  for (const StrategyResult& strategy : strategies) {
    bars.push_back(parts_of(strategy));
    most_cost = std::max(most_cost, mean_of(strategy, Measure::cost));
  }
  table.columns.push_back(name_column("strategy"));
  add_bar_columns(table, shown_column(Measure::cost, "cost"), numbers);
  add_bar_columns(table, shown_column(service.measure, service.title), numbers);
  const std::size_t columns = bar_columns(report, layout);
  const double full = full_service(strategies, service);
  for (std::size_t i = 0; i < strategies.size(); ++i) {
    const std::array<BarPart, 1> bar{service_part(strategies[i], service, full)};
    std::vector<Cell> cells{strategies[i].name};
    if (numbers) cells.emplace_back(mean_of(strategies[i], Measure::cost));
    cells.emplace_back(bar_of(bars[i], most_cost, columns, layout.utf8));
    if (numbers) cells.push_back(measure_cell(strategies[i].total[service.measure], 0));
    cells.emplace_back(bar_of(bar, full, columns, layout.utf8));
    table.add(std::move(cells),
              i == report.verdict->strategy ? std::optional{Tone::recommended} : std::nullopt);
  }
  return write_section(table, layout) +
         list_line(legend(bars, std::ranges::any_of(strategies, is_lowered), layout.utf8) +
                       open_waits(strategies, service, layout.utf8),
                   layout);
}

}  // namespace

std::string write_overview(const Report& report, const TextLayout& layout) {
  return bars_table(report, layout, {.title = "At a glance"}, true);
}

std::string write_bars(const Report& report, const TextLayout& layout) {
  return bars_table(report, layout, {}, false);
}

}  // namespace stockout

#include "tools/report/comparison/short_text.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "models/measures/grouping.h"
#include "models/measures/measures.h"
#include "tools/report/comparison/assumption_tables.h"
#include "tools/report/comparison/bound_tables.h"
#include "tools/report/comparison/comparison_tables.h"
#include "tools/report/comparison/goal_tables.h"
#include "tools/report/comparison/heading.h"
#include "tools/report/comparison/notes.h"
#include "tools/report/comparison/overview.h"
#include "tools/report/comparison/precision_text.h"
#include "tools/report/comparison/world_tables.h"
#include "tools/table/wrap_text.h"
#include "tools/table/write_text.h"

namespace stockout {
namespace {

constexpr std::size_t kMostWarnings = 3;
constexpr double kMuchMore = 0.05;  // of the work done

std::string write_warnings(const Report& report, const TextLayout& layout) {
  const std::vector<std::string> warnings = all_warnings(report);
  if (warnings.empty()) return {};
  const std::size_t shown = std::min(warnings.size(), kMostWarnings);
  std::string text =
      '\n' + painted("Warnings", Tone::warning, layout.colour) +
      (shown < warnings.size() ? fmt::format(", the first {} of {} (--full has all)", shown, warnings.size())
                               : "") +
      '\n';
  for (std::size_t i = 0; i < shown; ++i) text += list_line(warnings[i], layout);
  return text;
}

// "Work done" is that of one GPU type where another got more of it done.
std::string write_least_type(const Report& report, const TextLayout& layout) {
  const std::vector<std::string> names = group_names(report.scenario.world, GroupBy::gpu);
  for (const StrategyResult& strategy : report.comparison.strategies) {
    const Summary& said = strategy.total[Measure::work_done_share];
    std::optional<std::size_t> least;
    bool differs = false;
    for (std::size_t i = 0; i < strategy.gpus.size(); ++i) {
      const Summary& of_type = strategy.gpus[i][Measure::work_done_share];
      if (of_type.is_absent()) continue;
      differs = differs || of_type.mean > said.mean + kMuchMore;
      if (!least || of_type.mean < strategy.gpus[*least][Measure::work_done_share].mean) least = i;
    }
    if (!differs || !least) continue;
    return list_line(
        fmt::format("Work done is that of the GPU type which got the least done, {} under \"{}\" "
                    "(--by gpu has all).",
                    names[*least], strategy.name),
        layout);
  }
  return {};
}

// How exact the means are, where that was asked for.
std::string write_exactness(const Report& report, const TextLayout& layout) {
  std::string text;
  if (report.comparison.precision) text += list_line(precision_note(report.comparison), layout);
  if (report.comparison.controls) text += list_line(controls_note(report.comparison), layout);
  return text;
}

// What there is besides, unless it was asked for.
std::string write_more(const Report& report, const TextLayout& layout) {
  std::string text = "More: --full (every table, prices, assumptions, notes)";
  const World& world = report.scenario.world;
  if (report.by == GroupBy::nothing)
    text += fmt::format(", --by class (or user, gpu, pool{}{})", world.kueue ? ", cluster_queue, cohort" : "",
                        world.slurm ? ", partition, account" : "");
  text += ", --report FILE.html (pictures)";
  if (report.band == nullptr && !report.scenario.alternatives.empty())
    text += ", --assumptions (does the answer survive?)";
  return '\n' + wrap_text(text + ".", layout.width, "");
}

}  // namespace

std::string short_text(const Report& report, TextLayout layout) {
  layout.charts = true;
  layout.table_width = layout.width;
  std::string goals;
  for (const Relation& table : goal_tables(report)) goals += write_section(table, layout);
  return heading(report, layout) + write_bars(report, layout) + write_section(answer_table(report), layout) +
         write_least_type(report, layout) + goals + write_exactness(report, layout) +
         write_bounds(report, layout) + write_worlds(report, layout) + write_band(report, layout) +
         write_warnings(report, layout) + write_more(report, layout);
}

}  // namespace stockout

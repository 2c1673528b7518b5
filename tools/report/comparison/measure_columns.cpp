#include "tools/report/comparison/measure_columns.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace stockout {
namespace {

/// A unit of measures, and how people read it.
struct UnitForm {
  std::string_view unit;
  std::string_view shown;
  Style style;
};

// All others are counts.
constexpr std::array kUnits{
    UnitForm{"share", "%", kPercent},      UnitForm{"h", "h", kHundredths},
    UnitForm{"per job", "", kThousandths}, UnitForm{"GPU-h", "GPU-h", kGpuHours},
    UnitForm{"USD", "USD", kUsd},          UnitForm{"USD per GPU-h", "USD", kHundredths},
};

UnitForm form_of(const MeasureInfo& measure) {
  const auto* const found = std::ranges::find(kUnits, measure.unit, &UnitForm::unit);
  return found == kUnits.end() ? UnitForm{measure.unit, "", kCount} : *found;
}

}  // namespace

Column measure_column(Measure measure) {
  const MeasureInfo& of = info(measure);
  return {.key = std::string{of.name},
          .style = form_of(of).style,
          .interval = Interval::in_files,
          .replications = of.may_be_missing(),
          .bound = of.may_be_bound()};
}

Column shown_column(Measure measure, std::string title) {
  const UnitForm form = form_of(info(measure));
  return {.key = std::string{info(measure).name},
          .title = std::move(title),
          .unit = std::string{form.shown},
          .style = form.style};
}

Cell measure_cell(const Summary& summary, std::size_t replications_run) {
  Cell cell;
  if (!summary.is_absent()) cell.value = summary.mean;
  cell.half_width = summary.half_width;
  cell.at_least = summary.known == Value::Known::at_least;
  cell.replications = summary.replications;
  cell.replications_run = replications_run;
  return cell;
}

}  // namespace stockout

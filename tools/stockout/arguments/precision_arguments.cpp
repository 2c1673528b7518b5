#include "tools/stockout/arguments/precision_arguments.h"

#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "models/scenario/format/keys.h"
#include "sim/core/error.h"
#include "sim/io/number.h"
#include "tools/stockout/arguments/scenario_arguments.h"
#include "tools/stockout/arguments/whole_number.h"

namespace stockout {
namespace {

// "2%", "0.5 %": without the sign it might be a share of 1.
double parse_percent(std::string_view text) {
  constexpr std::int64_t kScale = 1'000'000;
  std::string_view number = text;
  std::int64_t scaled = 0;
  const bool has_sign = number.ends_with('%');
  if (has_sign) number.remove_suffix(1);
  while (number.ends_with(' ')) number.remove_suffix(1);
  const bool is_number = has_sign && parse_scaled(number, kScale, 1, scaled) == std::errc{};
  if (!is_number || scaled <= 0 || scaled > 100 * kScale) {
    throw InputError{
        {.file = "command line", .pointer = "--precision"},
        fmt::format("must be a share of the mean from above 0% to 100%, as in 2%, but is \"{}\"", text)};
  }
  return static_cast<double>(scaled) / (100.0 * kScale);
}

std::vector<Measure> parse_measures(std::string_view text) {
  std::vector<std::string_view> names;
  for (const MeasureInfo& measure : measure_table()) names.push_back(measure.name);
  std::vector<Measure> measures;
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t comma = std::min(text.find(',', from), text.size());
    measures.push_back(static_cast<Measure>(
        choose("--precision-of", "measure", std::string{text.substr(from, comma - from)}, names)));
    from = comma + 1;
  }
  return measures;
}

}  // namespace

void PrecisionArguments::add_to(CLI::App& command) {
  command
      .add_option("--precision", half_width,
                  "As many replications as it takes to know means to so much, as in 2%, instead of a number")
      ->excludes("--replications")
      ->type_name("PERCENT");
  command
      .add_option("--precision-of", of,
                  "Measures that --precision is about, parted by commas, by their names in the "
                  "CSV; default: cost_usd")
      ->type_name("MEASURES");
  command.add_option("--most-replications", most, "Where --precision gives up; default: 1000")
      ->check(whole_number(kFirstLook, static_cast<std::uint64_t>(kMostReplications)));
  command.add_flag("--control-variates", control_variates,
                   "Adjusts results by how much demand was drawn against what is expected of it");
}

void PrecisionArguments::apply(Scenario& scenario) const {
  if (control_variates) scenario.control_variates = true;
  if (!half_width.empty()) {
    if (!scenario.precision) scenario.precision.emplace();
    scenario.precision->half_width = parse_percent(half_width);
  }
  if (!scenario.precision && (!of.empty() || most)) {
    throw InputError{
        {.file = "command line", .pointer = of.empty() ? "--most-replications" : "--precision-of"},
        "requires --precision, or a scenario that says a precision"};
  }
  if (!of.empty()) scenario.precision->of = parse_measures(of);
  if (most) scenario.precision->most = static_cast<std::size_t>(*most);
}

}  // namespace stockout

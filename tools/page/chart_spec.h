#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

namespace stockout {

/// A Vega-Lite specification of charts/NAME.vl.json, into which data and titles are put. The file is
/// complete: its own data is an example, so that it opens as it is in Vega's editor. That a name, field or
/// parameter is not in it is a mistake of ours.
class ChartSpec {
 public:
  explicit ChartSpec(std::string_view name);

  /// Its rows.
  ChartSpec& rows(nlohmann::json rows);
  /// The rows of that name in Page::data: for charts that share them, or have many.
  ChartSpec& rows_of_page(std::string_view name);

  /// The names that a field may have, in their order: of its colours, symbols, dashes, rows.
  ChartSpec& names(std::string_view field, const std::vector<std::string>& names);
  /// The same of "strategy" for those that the page shows.
  ChartSpec& strategies(const std::vector<std::string>& names);

  /// Title at the axis of a field.
  ChartSpec& title(std::string_view field, const std::string& title);

  /// A parameter as it is at first.
  ChartSpec& param(std::string_view name, nlohmann::json value);
  /// A parameter that the reader chooses above the picture: the first is chosen, unless `value` is set after.
  ChartSpec& choice(std::string_view name, const std::string& title, const nlohmann::json& options);
  /// Label of each of the options of a choice.
  ChartSpec& choice_labels(std::string_view name, const std::vector<std::string>& labels);

  [[nodiscard]] nlohmann::json take() { return std::move(spec_); }

 private:
  [[nodiscard]] nlohmann::json& param_of(std::string_view name);

  nlohmann::json spec_;
};

}  // namespace stockout

#include "tools/page/chart_spec.h"

#include <algorithm>
#include <functional>

#include "sim/core/check.h"
#include "tools/page/page_runtime.h"

namespace stockout {
namespace {

using SpecJson = nlohmann::json;

// Every channel of a field, but what is shown where the pointer is.
std::size_t for_channels(SpecJson& part, std::string_view field,
                         const std::function<void(SpecJson&)>& change) {
  if (!part.is_structured()) return 0;
  std::size_t found = 0;
  if (part.is_object() && part.contains("field") && part["field"] == field) {
    change(part);
    ++found;
  }
  for (auto it = part.begin(); it != part.end(); ++it) {
    const bool is_skipped = part.is_object() && (it.key() == "tooltip" || it.key() == "values");
    if (!is_skipped) found += for_channels(*it, field, change);
  }
  return found;
}

}  // namespace

ChartSpec::ChartSpec(std::string_view name)
    : spec_(SpecJson::parse(page_runtime().charts).at(std::string{name})) {}

ChartSpec& ChartSpec::rows(SpecJson rows) {
  spec_["data"] = SpecJson{{"values", std::move(rows)}};
  return *this;
}

ChartSpec& ChartSpec::rows_of_page(std::string_view name) {
  spec_["data"] = SpecJson{{"name", name}};
  return *this;
}

ChartSpec& ChartSpec::names(std::string_view field, const std::vector<std::string>& names) {
  const std::size_t found = for_channels(spec_, field, [&](SpecJson& channel) {
    if (channel.contains("scale")) channel["scale"]["domain"] = names;
    if (channel.contains("sort") && channel["sort"].is_array()) channel["sort"] = names;
  });
  STOCKOUT_CHECK(found > 0, std::string{field});
  return *this;
}

ChartSpec& ChartSpec::strategies(const std::vector<std::string>& names) {
  this->names("strategy", names);
  const auto is_shown = [](const SpecJson& param) { return param["name"] == "shown"; };
  if (spec_.contains("params") && std::ranges::any_of(spec_["params"], is_shown)) param("shown", names);
  return *this;
}

ChartSpec& ChartSpec::title(std::string_view field, const std::string& title) {
  const std::size_t found = for_channels(spec_, field, [&](SpecJson& channel) {
    if (channel.contains("title")) channel["title"] = title;
  });
  STOCKOUT_CHECK(found > 0, std::string{field});
  return *this;
}

ChartSpec& ChartSpec::param(std::string_view name, SpecJson value) {
  param_of(name)["value"] = std::move(value);
  return *this;
}

ChartSpec& ChartSpec::choice(std::string_view name, const std::string& title, const SpecJson& options) {
  SpecJson& param = param_of(name);
  param["value"] = options.front();
  param["bind"] = SpecJson{{"input", "select"}, {"name", title + ' '}, {"options", options}};
  return *this;
}

ChartSpec& ChartSpec::choice_labels(std::string_view name, const std::vector<std::string>& labels) {
  param_of(name)["bind"]["labels"] = labels;
  return *this;
}

SpecJson& ChartSpec::param_of(std::string_view name) {
  const auto param =
      std::ranges::find_if(spec_["params"], [&](const SpecJson& one) { return one["name"] == name; });
  STOCKOUT_CHECK(param != spec_["params"].end(), std::string{name});
  return *param;
}

}  // namespace stockout

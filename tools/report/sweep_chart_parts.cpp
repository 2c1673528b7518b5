#include "tools/report/sweep_chart_parts.h"

#include <cmath>

namespace stockout {

ChartJson dropdown(const std::string& name, const std::string& title, const std::vector<std::string>& options,
                   const std::string& chosen) {
  return {{"name", name},
          {"value", chosen},
          {"bind", {{"input", "select"}, {"name", title + " "}, {"options", options}}}};
}

double rounded_to(double value, int decimals) {
  const double scale = std::pow(10, decimals);
  return std::round(value * scale) / scale;
}

std::vector<std::string> texts_of(const SweepAxis& axis) {
  std::vector<std::string> texts;
  for (const AxisValue& value : axis.values) texts.push_back(value.text);
  return texts;
}

}  // namespace stockout

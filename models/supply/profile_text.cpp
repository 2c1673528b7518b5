#include "models/supply/profile_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "sim/core/duration_text.h"

namespace stockout {
namespace {

// To eight digits, so that rows still sum to 1 for the reader.
std::string row_text(const std::vector<double>& row) {
  std::string text;
  for (const double value : row) text += fmt::format("{}{:.8g}", text.empty() ? "" : ", ", value);
  return '[' + text + ']';
}

std::string rows_text(const std::vector<std::vector<double>>& rows) {
  std::string text;
  for (const auto& row : rows) text += fmt::format("{}    {}", text.empty() ? "" : ",\n", row_text(row));
  return text;
}

std::string quoted(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace

std::string profile_text(const MarkovProfile& profile, const std::string& made_by) {
  std::string text = fmt::format(
      "{{\n  \"source\": {},\n  \"made_by\": {},\n  \"cap\": {},\n  \"tick\": \"{}\",\n  \"machines\": "
      "[{}],\n"
      "  \"transitions\": [\n{}\n  ]",
      quoted(profile.source), quoted(made_by), profile.cap, format_duration(profile.tick),
      fmt::join(profile.machines, ", "), rows_text(profile.transitions));
  if (profile.is_hidden()) text += fmt::format(",\n  \"shows\": [\n{}\n  ]", rows_text(profile.shows));
  if (!profile.now.empty()) text += ",\n  \"now\": " + row_text(profile.now);
  if (!profile.upward.empty()) text += ",\n  \"upward\": " + row_text(profile.upward);
  return text + "\n}\n";
}

}  // namespace stockout

#include "models/sweep/parameter.h"

#include <fmt/format.h>

#include "models/scenario/format/varied_value.h"
#include "sim/core/digit.h"

namespace stockout {
namespace {

constexpr std::size_t kLongestColumn = 60;

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
void check_name(const Node& node, const std::string& name) {
  bool fits = !name.empty() && name.size() <= kLongestColumn && is_letter(name.front());
  for (const char c : name) fits = fits && (is_letter(c) || is_digit(c));
  if (fits) return;
  node.fail(fmt::format(
      "must be 1 to {} letters, digits and \"_\", no digit first: it names a column, but is \"{}\"",
      kLongestColumn, name.substr(0, 2 * kLongestColumn)));
}

// "/pools/0/gpus" as "pools_0_gpus".
std::string column_of(const std::string& pointer) {
  std::string name;
  for (const char c : pointer.substr(1)) name += is_letter(c) || is_digit(c) ? c : '_';
  return name;
}

}  // namespace

std::string place_text(const SourceRef& where) {
  return where.line > 0 ? fmt::format("{}:{}: {}", where.file, where.line, where.pointer)
                        : fmt::format("{}: {}", where.file, where.pointer);
}

Parameter read_parameter(const Node& node) {
  Parameter parameter{
      .column = {}, .pointers = read_pointers(node.at("at")), .said_in = place_text(node.where())};
  if (node.has("name")) {
    parameter.column = node.text("name");
    check_name(node.at("name"), parameter.column);
  } else {
    parameter.column = column_of(parameter.pointers.front());
    if (parameter.column.size() > kLongestColumn || parameter.column.empty() ||
        !is_letter(parameter.column.front()))
      node.fail("needs a \"name\": its pointer makes no name of a column");
  }
  if (!node.has("unit")) return parameter;
  parameter.unit = read_unit(node.at("unit"));
  const std::string suffix = "_" + node.text("unit");
  if (!parameter.column.ends_with(suffix)) parameter.column += suffix;
  return parameter;
}

void check_value(const Parameter& parameter, const Node& node) {
  if (parameter.unit == SimDuration::zero()) return;
  if (is_in_units(node.value(), parameter.unit)) return;
  node.fail(fmt::format("must be a number from 0 to {:.0f}, as it has a \"unit\", but is {}",
                        most_units(parameter.unit), to_text(node.value())));
}

std::vector<PlacedValue> place(const Parameter& parameter, const JsonValue& value,
                               const std::string& said_in) {
  const JsonValue placed = parameter.unit == SimDuration::zero() ? value : length_of(value, parameter.unit);
  std::vector<PlacedValue> all;
  for (const std::string& pointer : parameter.pointers) {
    all.push_back({.pointer = pointer, .value = placed, .said_in = fmt::format("{}: {}", said_in, pointer)});
  }
  return all;
}

}  // namespace stockout

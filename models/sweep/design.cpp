#include "models/sweep/design.h"

#include <algorithm>
#include <cctype>
#include <map>

#include <fmt/format.h>

#include "models/sweep/columns.h"
#include "models/sweep/hypercube.h"
#include "models/sweep/keys.h"
#include "sim/core/check.h"
#include "sim/core/error.h"

namespace stockout {
namespace {

DesignPart read_grid_list(const Node& node) {
  DesignPart part;
  part.parameters.push_back(read_parameter(node));
  for (const Node& value : node.list("values")) {
    check_value(part.parameters.front(), value);
    part.values.push_back(value.value());
  }
  return part;
}

DesignPart read_points(const Node& node) {
  DesignPart part;
  for (const Node& parameter : node.list("parameters")) part.parameters.push_back(read_parameter(parameter));
  const auto rows = node.list("rows");
  if (static_cast<double>(rows.size() * part.parameters.size()) > kMostValuesOfAPart) {
    node.fail(fmt::format("has {} rows of {} values: at most {:.0f} values in all are taken", rows.size(),
                          part.parameters.size(), kMostValuesOfAPart));
  }
  for (const Node& row : rows) {
    const auto values = row.items();
    if (values.size() != part.parameters.size()) {
      row.fail(fmt::format("must have a value for each of the {} \"parameters\", but has {}",
                           part.parameters.size(), values.size()));
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
      check_value(part.parameters[i], values[i]);
      part.values.push_back(values[i].value());
    }
  }
  return part;
}

std::string lower_case(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

// SQLite does not tell columns apart by the case of their letters.
void check_columns(const std::vector<Parameter>& parameters) {
  std::map<std::string, std::string> taken;
  for (const std::string& name : reserved_columns()) taken.emplace(lower_case(name), "the store itself");
  for (const Parameter& parameter : parameters) {
    const auto [other, is_new] = taken.emplace(lower_case(parameter.column), parameter.said_in);
    if (is_new) continue;
    throw InputError{{.file = parameter.said_in},
                     fmt::format("the column \"{}\" is taken by {}: give it another \"name\"",
                                 parameter.column, other->second)};
  }
}

// A place within another would depend on which of the two is put there first.
void check_places(const std::vector<Parameter>& parameters) {
  std::map<std::string, const Parameter*> places;
  for (const Parameter& parameter : parameters) {
    for (const std::string& pointer : parameter.pointers) {
      const auto [other, is_new] = places.emplace(pointer, &parameter);
      if (is_new) continue;
      throw InputError{{.file = parameter.said_in},
                       fmt::format("{} is varied twice, also by {}", pointer, other->second->said_in)};
    }
  }
  for (const auto& [pointer, parameter] : places) {
    for (std::size_t at = pointer.rfind('/'); at != 0; at = pointer.rfind('/', at - 1)) {
      const auto outer = places.find(pointer.substr(0, at));
      if (outer == places.end()) continue;
      throw InputError{
          {.file = parameter->said_in},
          fmt::format("{} lies within {}, which {} varies", pointer, outer->first, outer->second->said_in)};
    }
  }
}

}  // namespace

Design Design::read(const Node& vary) {
  Design design;
  if (vary.has("points")) design.add(vary.at("points"), read_points(vary.at("points")));
  if (vary.has("latin_hypercube"))
    design.add(vary.at("latin_hypercube"), read_hypercube(vary.at("latin_hypercube")));
  for (const Node& values : vary.list("grid")) design.add(values, read_grid_list(values));
  if (design.parts_.empty()) vary.fail("one of \"points\", \"latin_hypercube\", \"grid\" is missing");
  check_columns(design.parameters_);
  check_places(design.parameters_);
  return design;
}

void Design::add(const Node& node, DesignPart part) {
  const double points = static_cast<double>(points_) * static_cast<double>(part.rows());
  if (points > kMostPoints) {
    node.fail(fmt::format("makes more than {:.0f} points, all combinations counted", kMostPoints));
  }
  points_ *= part.rows();
  parameters_.insert(parameters_.end(), part.parameters.begin(), part.parameters.end());
  if (static_cast<double>(parameters_.size()) > kMostParameters)
    node.fail(fmt::format("makes more than {:.0f} parameters in all", kMostParameters));
  parts_.push_back(std::move(part));
}

std::vector<const JsonValue*> Design::values(std::size_t point) const {
  STOCKOUT_CHECK(point < points_);
  std::vector<const JsonValue*> values(parameters_.size());
  std::size_t end = values.size();
  for (auto part = parts_.rbegin(); part != parts_.rend(); ++part) {
    const std::size_t width = part->parameters.size();
    const std::size_t row = point % part->rows();
    point /= part->rows();
    end -= width;
    for (std::size_t i = 0; i < width; ++i) values[end + i] = &part->values[row * width + i];
  }
  return values;
}

std::vector<PlacedValue> Design::placed(std::size_t point) const {
  const auto of_point = values(point);
  std::vector<PlacedValue> all;
  for (std::size_t i = 0; i < of_point.size(); ++i) {
    const Parameter& parameter = parameters_[i];
    for (PlacedValue& value : place(parameter, *of_point[i], parameter.said_in))
      all.push_back(std::move(value));
  }
  return all;
}

}  // namespace stockout

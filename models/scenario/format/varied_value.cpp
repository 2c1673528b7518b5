#include "models/scenario/format/varied_value.h"

#include <array>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "sim/core/check.h"

namespace stockout {
namespace {

// By the choices of the key `unit`.
constexpr std::array<SimDuration, 4> kUnits{std::chrono::seconds{1}, std::chrono::minutes{1},
                                            std::chrono::hours{1}, std::chrono::hours{24}};

std::optional<double> number_of(const JsonValue& value) {
  if (const auto* whole = value.get<std::int64_t>()) return static_cast<double>(*whole);
  const auto* number = value.get<double>();
  return number != nullptr ? std::optional{*number} : std::nullopt;
}

}  // namespace

JsonValue number_value_of(double number) {
  constexpr double kExact = 9e15;
  if (number == std::floor(number) && std::abs(number) < kExact)
    return JsonValue{static_cast<std::int64_t>(number)};
  return JsonValue{number};
}

std::vector<std::string> read_pointers(const Node& at) {
  std::vector<std::string> pointers;
  if (at.kind() == ValueKind::list) {
    for (const Node& pointer : at.items()) pointers.push_back(pointer.as_text());
  } else {
    pointers.push_back(at.as_text());
  }
  for (const std::string& pointer : pointers) {
    if (!pointer.starts_with('/')) at.fail("must be a JSON pointer such as /pools/0/gpus");
  }
  return pointers;
}

SimDuration read_unit(const Node& unit) { return kUnits.at(unit.choice_index()); }

double most_units(SimDuration unit) {
  return static_cast<double>(kLongestRun.count()) / static_cast<double>(unit.count());
}

bool is_in_units(const JsonValue& value, SimDuration unit) {
  const auto number = number_of(value);
  return number && *number >= 0 && *number <= most_units(unit);
}

JsonValue length_of(const JsonValue& value, SimDuration unit) {
  const auto number = number_of(value);
  STOCKOUT_CHECK(number.has_value());
  JsonValue length = value;
  length.content = fmt::format("{}ms", std::llround(*number * static_cast<double>(unit.count())));
  return length;
}

}  // namespace stockout

#include "models/workload/readers/json_row.h"

#include <fmt/format.h>

#include "models/workload/readers/broken_row.h"
#include "models/workload/recorded_row.h"
#include "models/workload/trace.h"
#include "sim/io/number.h"

namespace stockout {
namespace {

// The value, or nullptr where there is none.
const JsonValue* value_at(const JsonValue* value, std::string_view path) {
  while (value != nullptr && !path.empty()) {
    const std::size_t dot = path.find('.');
    value = value->find(path.substr(0, dot));
    path.remove_prefix(dot == std::string_view::npos ? path.size() : dot + 1);
  }
  return value;
}

}  // namespace

std::string_view name_in(const JsonValue& value, std::string_view path) {
  const JsonValue* const found = value_at(&value, path);
  const auto* const text = found == nullptr ? nullptr : found->get<std::string>();
  return text == nullptr ? std::string_view{} : *text;
}

JsonRow::JsonRow(const JsonValue& object, TimeStampReader& stamps) : object_{object}, stamps_{stamps} {
  if (object.get<JsonValue::Members>() != nullptr) return;
  throw BrokenRow{.reason = "it must be an object",
                  .text = to_text(object),
                  .line = static_cast<std::uint64_t>(object.line)};
}

void JsonRow::fail(const JsonValue& value, std::string_view path, std::string_view wanted) {
  throw BrokenRow{.reason = fmt::format("{}: must be {}", path, wanted),
                  .text = to_text(value),
                  .line = static_cast<std::uint64_t>(value.line)};
}

const JsonValue* JsonRow::find(std::string_view path) const {
  const JsonValue* const value = value_at(&object_, path);
  return value == nullptr || value->get<JsonValue::Null>() != nullptr ? nullptr : value;
}

std::string_view JsonRow::as_text(const JsonValue& value, std::string_view path) {
  const auto* const text = value.get<std::string>();
  if (text == nullptr) fail(value, path, "text");
  return *text;
}

std::string_view JsonRow::text(std::string_view path) const {
  const JsonValue* const value = find(path);
  return value == nullptr ? std::string_view{} : as_text(*value, path);
}

std::int64_t JsonRow::time(std::string_view path) const {
  const JsonValue* const value = find(path);
  if (value == nullptr) return kUnknownMs;
  const auto at = stamps_.parse(as_text(*value, path));
  if (!at) fail(*value, path, "a date and time such as 2026-08-03T09:00:00Z");
  return *at;
}

std::int32_t JsonRow::count(std::string_view path, std::int32_t none) const {
  const JsonValue* const value = find(path);
  return value == nullptr ? none : as_count(*value, path);
}

std::int32_t JsonRow::as_count(const JsonValue& value, std::string_view path) {
  std::int64_t number = -1;
  if (const auto* const whole = value.get<std::int64_t>()) number = *whole;
  if (const auto* const text = value.get<std::string>()) static_cast<void>(parse_integer(*text, number));
  if (number < 0 || number > kMostJobGpus) fail(value, path, "a whole number from 0 to 1048576");
  return static_cast<std::int32_t>(number);
}

const JsonValue::List& JsonRow::list(std::string_view path) const {
  static const JsonValue::List kNothing;
  const JsonValue* const value = find(path);
  if (value == nullptr) return kNothing;
  const auto* const items = value->get<JsonValue::List>();
  if (items == nullptr) fail(*value, path, "a list");
  return *items;
}

std::string_view JsonRow::label(std::string_view path, std::string_view name) const {
  const JsonValue* const labels = find(path);
  const JsonValue* const value = labels == nullptr ? nullptr : labels->find(name);
  return value == nullptr ? std::string_view{} : as_text(*value, name);
}

}  // namespace stockout

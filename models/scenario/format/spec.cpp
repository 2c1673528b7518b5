#include "models/scenario/format/spec.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/core/error.h"
#include "sim/core/time.h"
#include "sim/io/json_reader.h"

namespace stockout {
namespace {

constexpr auto kLongestMs = static_cast<double>(kLongestRun.count());

ValueSpec of_kind(ValueKind kind) {
  ValueSpec value;
  value.kind = kind;
  return value;
}

ValueSpec in_range(ValueKind kind, double least, double most, std::string unit) {
  ValueSpec value = of_kind(kind);
  value.least = least;
  value.most = most;
  value.unit = std::move(unit);
  return value;
}

JsonValue json_or_text(std::string_view fallback) {
  try {
    return parse_json(fallback, "default");
  } catch (const InputError&) {
    return JsonValue{std::string{fallback}};
  }
}

}  // namespace

ValueSpec text_value() { return of_kind(ValueKind::text); }
ValueSpec flag_value() { return of_kind(ValueKind::flag); }
ValueSpec date_value() { return of_kind(ValueKind::date); }
ValueSpec clock_value() { return of_kind(ValueKind::clock); }
ValueSpec clock_span_value() { return of_kind(ValueKind::clock_span); }

ValueSpec integer_value(double least, double most, std::string unit) {
  return in_range(ValueKind::integer, least, most, std::move(unit));
}

ValueSpec number_value(double least, double most, std::string unit) {
  return in_range(ValueKind::number, least, most, std::move(unit));
}

ValueSpec number_above(double bound, double most, std::string unit) {
  ValueSpec value = number_value(bound, most, std::move(unit));
  value.more_than_least = true;
  return value;
}

ValueSpec duration_value() { return in_range(ValueKind::duration, 0, kLongestMs, {}); }

ValueSpec positive_duration_value() {
  ValueSpec value = duration_value();
  value.more_than_least = true;
  return value;
}

ValueSpec window_value() {
  ValueSpec value = positive_duration_value();
  value.kind = ValueKind::window;
  return value;
}

ValueSpec duration_at_least(SimDuration least) {
  return in_range(ValueKind::duration, static_cast<double>(least.count()), kLongestMs, {});
}

ValueSpec duration_or_forever() {
  ValueSpec value = duration_value();
  value.forever = true;
  return value;
}

ValueSpec choice_value(std::vector<std::string> choices) {
  ValueSpec value = of_kind(ValueKind::choice);
  value.choices = std::move(choices);
  return value;
}

ValueSpec name_value(std::string what, std::vector<std::string> names) {
  ValueSpec value = choice_value(std::move(names));
  value.what = std::move(what);
  return value;
}

ValueSpec name_value(std::string what, std::span<const std::string_view> names) {
  return name_value(std::move(what), std::vector<std::string>{names.begin(), names.end()});
}

ValueSpec choice_of(std::span<const std::string_view> names) {
  return choice_value({names.begin(), names.end()});
}

ValueSpec object_value(const ObjectSpec& object) {
  ValueSpec value = of_kind(ValueKind::object);
  value.object = &object;
  return value;
}

ValueSpec list_value(ValueSpec item, double least, double most) {
  ValueSpec value = in_range(ValueKind::list, least, most, {});
  value.parts.push_back(std::move(item));
  return value;
}

ValueSpec table_value(const ObjectSpec& object) {
  ValueSpec value = of_kind(ValueKind::table);
  value.object = &object;
  value.parts.push_back(object_value(object));
  return value;
}

ValueSpec table_of(ValueSpec item) {
  ValueSpec value = of_kind(ValueKind::table);
  value.parts.push_back(std::move(item));
  return value;
}

ValueSpec either_value(std::vector<ValueSpec> kinds) {
  ValueSpec value = of_kind(ValueKind::either);
  value.parts = std::move(kinds);
  return value;
}

ValueSpec any_value() { return of_kind(ValueKind::any); }

ValueSpec known_value(const KnownNames& names) { return by_name(names, text_value()); }

ValueSpec by_name(const KnownNames& names, ValueSpec table) {
  table.known = &names;
  return table;
}

KeySpec optional_key(std::string name, ValueSpec value, std::string doc) {
  return {.name = std::move(name), .value = std::move(value), .doc = std::move(doc), .fallback = {}};
}

KeySpec required_key(std::string name, ValueSpec value, std::string doc) {
  KeySpec key = optional_key(std::move(name), std::move(value), std::move(doc));
  key.required = true;
  return key;
}

KeySpec default_key(std::string name, ValueSpec value, std::string_view fallback, std::string doc) {
  KeySpec key = optional_key(std::move(name), std::move(value), std::move(doc));
  key.fallback = json_or_text(fallback);
  return key;
}

const KeySpec* ObjectSpec::find(std::string_view key) const {
  const auto found = std::ranges::find(keys, key, &KeySpec::name);
  return found == keys.end() ? nullptr : &*found;
}

const KeySpec* ObjectSpec::find_path(std::string_view path) const {
  const std::size_t slash = path.find('/');
  const KeySpec* key = find(path.substr(0, slash));
  if (key == nullptr || slash == std::string_view::npos) return key;
  const ObjectSpec* within = objects_in(key->value);
  return within == nullptr ? nullptr : within->find_path(path.substr(slash + 1));
}

const ObjectSpec* objects_in(const ValueSpec& value) {
  if (value.kind == ValueKind::object) return value.object;
  return value.kind == ValueKind::list ? value.parts.front().object : nullptr;
}

std::vector<std::string> ObjectSpec::key_names() const {
  std::vector<std::string> names;
  for (const KeySpec& key : keys) names.push_back(key.name);
  return names;
}

std::string describe(const ValueSpec& value) {
  switch (value.kind) {
    case ValueKind::text:
      return "a text";
    case ValueKind::flag:
      return "true or false";
    case ValueKind::integer:
      return "a whole number";
    case ValueKind::number:
      return "a number";
    case ValueKind::duration:
      return value.forever ? R"(a duration such as "30min", or "forever")" : R"(a duration such as "30min")";
    case ValueKind::window:
      return R"(a length such as "30d", "3 months" or "1 quarter")";
    case ValueKind::date:
      return R"(a date from 1990-01-01 to 2199-12-31, such as "2026-08-03")";
    case ValueKind::clock:
      return R"(a time of day such as "18:00")";
    case ValueKind::clock_span:
      return R"(a span of the day such as "09:00-18:00")";
    case ValueKind::choice:
      return fmt::format("one of \"{}\"", fmt::join(value.choices, "\", \""));
    case ValueKind::object:
      return fmt::format("an object ({})", value.object->name);
    case ValueKind::list:
      return fmt::format("a list, each item {}", describe(value.parts.front()));
    case ValueKind::table:
      if (value.object == nullptr)
        return fmt::format("an object whose values are each {}", describe(value.parts.front()));
      return fmt::format("an object of named objects ({})", value.object->name);
    case ValueKind::any:
      return "any JSON value";
    case ValueKind::either:
      break;
  }
  std::vector<std::string> kinds;
  for (const ValueSpec& kind : value.parts) kinds.push_back(describe(kind));
  return fmt::format("{}", fmt::join(kinds, ", or "));
}

}  // namespace stockout

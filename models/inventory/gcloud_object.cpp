#include "models/inventory/gcloud_object.h"

#include <algorithm>
#include <chrono>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "sim/core/error.h"
#include "sim/io/number.h"

namespace stockout {

GcloudObject::GcloudObject(const JsonValue& object, const std::string& file, std::string pointer)
    : object_{object}, file_{file}, pointer_{std::move(pointer)} {
  if (object.get<JsonValue::Members>() == nullptr)
    fail({}, fmt::format("must be an object, but is {}", to_text(object)));
}

const JsonValue* GcloudObject::find(std::string_view path) const {
  const JsonValue* value = &object_;
  while (value != nullptr && !path.empty()) {
    const std::size_t end = std::min(path.find('.'), path.size());
    value = value->find(path.substr(0, end));
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return value == nullptr || value->get<JsonValue::Null>() != nullptr ? nullptr : value;
}

std::string GcloudObject::text(std::string_view path) const {
  const JsonValue* value = find(path);
  if (value == nullptr) return {};
  const auto* text = value->get<std::string>();
  if (text == nullptr) fail(path, fmt::format("must be a text, but is {}", to_text(*value)));
  return *text;
}

std::string GcloudObject::last_part(std::string_view path) const {
  const std::string url = text(path);
  return url.substr(url.rfind('/') + 1);
}

bool GcloudObject::flag(std::string_view path) const {
  const JsonValue* value = find(path);
  if (value == nullptr) return false;
  const auto* flag = value->get<bool>();
  if (flag == nullptr) fail(path, fmt::format("must be true or false, but is {}", to_text(*value)));
  return *flag;
}

std::optional<std::int64_t> GcloudObject::whole(std::string_view path) const {
  const JsonValue* value = find(path);
  if (value == nullptr) return std::nullopt;
  std::int64_t number = -1;
  if (const auto* count = value->get<std::int64_t>()) number = *count;
  if (const auto* text = value->get<std::string>()) static_cast<void>(parse_integer(*text, number));
  if (number < 0) fail(path, fmt::format("must be a whole number from 0 on, but is {}", to_text(*value)));
  return number;
}

std::optional<Date> GcloudObject::day(std::string_view path) const {
  constexpr std::size_t kDay = 10;
  const std::string stamp = text(path);
  if (stamp.empty()) return std::nullopt;
  const auto day = parse_date(std::string_view{stamp}.substr(0, kDay));
  if (!day || stamp.size() == kDay || stamp[kDay] != 'T')
    fail(path,
         fmt::format("must be an instant such as 2026-07-30T00:00:00.000-07:00, but is \"{:.60}\"", stamp));
  return day;
}

std::optional<Date> GcloudObject::first_whole_day(std::string_view path) const {
  constexpr std::size_t kClock = 11;  // behind "2026-07-30T"
  const auto begun = day(path);
  if (!begun) return std::nullopt;
  const std::string stamp = text(path);
  const std::string_view clock = std::string_view{stamp}.substr(kClock);
  const std::size_t later = clock.substr(0, clock.find_first_of("Z+-")).find_first_of("123456789");
  return later == std::string_view::npos ? begun : *begun + std::chrono::days{1};
}

const JsonValue::List& GcloudObject::list(std::string_view path) const {
  static const JsonValue::List kNone;
  const JsonValue* value = find(path);
  if (value == nullptr) return kNone;
  const auto* items = value->get<JsonValue::List>();
  if (items == nullptr) fail(path, fmt::format("must be a list, but is {}", to_text(*value)));
  return *items;
}

std::string GcloudObject::pointer_of(std::string_view path) const {
  if (path.empty()) return pointer_;
  std::string pointer = fmt::format("{}/{}", pointer_, path);
  std::ranges::replace(pointer, '.', '/');
  return pointer;
}

void GcloudObject::fail(std::string_view path, std::string_view problem) const {
  const JsonValue* value = find(path);
  throw InputError{{.file = file_, .pointer = pointer_of(path), .line = (value ? *value : object_).line},
                   problem};
}

}  // namespace stockout

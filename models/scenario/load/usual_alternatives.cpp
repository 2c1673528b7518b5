#include "models/scenario/load/usual_alternatives.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace stockout {
namespace {

std::optional<double> number_in(const JsonValue* value) {
  if (value == nullptr) return std::nullopt;
  if (const auto* whole = value->get<std::int64_t>()) return static_cast<double>(*whole);
  const auto* number = value->get<double>();
  return number == nullptr ? std::nullopt : std::optional{*number};
}

/// A number of each pool, times a factor.
struct PoolNumber {
  std::string_view key;    // "tenants"
  std::string_view inner;  // "load" in it; empty: the number itself
  bool is_whole = false;
};

std::vector<PlacedValue> times(const JsonValue::List& pools, const PoolNumber& of, double factor) {
  std::vector<PlacedValue> changes;
  for (std::size_t i = 0; i < pools.size(); ++i) {
    const JsonValue* value = pools[i].find(of.key);
    if (value != nullptr && !of.inner.empty()) value = value->find(of.inner);
    const auto number = number_in(value);
    if (!number || *number <= 0) continue;
    const double changed = of.is_whole ? std::max(1.0, std::round(*number * factor)) : *number * factor;
    const std::string pointer =
        fmt::format("/pools/{}/{}{}{}", i, of.key, of.inner.empty() ? "" : "/", of.inner);
    changes.push_back(
        {.pointer = pointer,
         .value = of.is_whole ? JsonValue{static_cast<std::int64_t>(changed)} : JsonValue{changed},
         .said_in = "the usual alternatives: " + pointer});
  }
  return changes;
}

void add(const std::string& rule, const std::string& name, std::vector<PlacedValue> changes,
         std::vector<Alternative>& to) {
  if (!changes.empty()) to.push_back({.rule = rule, .name = name, .changes = std::move(changes)});
}

bool holds_any(const JsonValue& root) {
  const JsonValue* held = root.find("reservations");
  const auto* list = held == nullptr ? nullptr : held->get<JsonValue::List>();
  return list != nullptr && !list->empty();
}

}  // namespace

std::vector<Alternative> usual_alternatives(const JsonValue& scenario) {
  const JsonValue* value = scenario.find("pools");
  const auto* pools = value == nullptr ? nullptr : value->get<JsonValue::List>();
  std::vector<Alternative> usual;
  if (pools == nullptr) return usual;
  const PoolNumber load{.key = "tenants", .inner = "load"};
  add("load of other tenants", "a quarter less load", times(*pools, load, 0.75), usual);
  add("load of other tenants", "a quarter more load", times(*pools, load, 1.25), usual);
  if (holds_any(scenario)) return usual;
  const PoolNumber hosts{.key = "hosts", .inner = {}, .is_whole = true};
  add("size of the pools", "half as large", times(*pools, hosts, 0.5), usual);
  add("size of the pools", "twice as large", times(*pools, hosts, 2), usual);
  return usual;
}

}  // namespace stockout

#include "models/sweep/stored_texts.h"

#include <algorithm>

#include <fmt/format.h>
#include <boost/algorithm/string/replace.hpp>

#include "models/scenario/format/keys.h"
#include "models/scenario/format/spec_check.h"
#include "models/sweep/keys.h"
#include "sim/io/json_reader.h"
#include "sim/io/number.h"

namespace stockout {
namespace {

std::string text_of(const JsonValue& root, std::string_view key) {
  const JsonValue* value = root.find(key);
  const auto* text = value == nullptr ? nullptr : value->get<std::string>();
  return text == nullptr ? "" : *text;
}

const JsonValue* child_of(const JsonValue& value, const std::string& key) {
  const auto* list = value.get<JsonValue::List>();
  if (list == nullptr) return value.find(key);
  std::int64_t at = -1;
  const bool is_item = parse_integer(key, at) == std::errc{} && at >= 0 && at < std::ssize(*list);
  return is_item ? &(*list)[static_cast<std::size_t>(at)] : nullptr;
}

// What a JSON pointer leads to; "~1" and "~0" are "/" and "~".
const JsonValue* value_at(const JsonValue& root, std::string_view pointer) {
  const JsonValue* value = &root;
  while (value != nullptr && !pointer.empty()) {
    pointer.remove_prefix(1);
    const std::size_t end = std::min(pointer.find('/'), pointer.size());
    std::string key{pointer.substr(0, end)};
    pointer.remove_prefix(end);
    boost::replace_all(key, "~1", "/");
    boost::replace_all(key, "~0", "~");
    value = child_of(*value, key);
  }
  return value;
}

void add_texts(const JsonValue* value, std::vector<std::string>& texts) {
  if (value == nullptr) return;
  if (const auto* text = value->get<std::string>()) texts.push_back(*text);
  if (const auto* list = value->get<JsonValue::List>())
    for (const JsonValue& item : *list) add_texts(&item, texts);
}

// The places that the `decide` of a scenario changes.
std::vector<std::string> decided_places(const JsonValue& scenario) {
  std::vector<std::string> places;
  const JsonValue* decide = scenario.find("decide");
  const auto* decisions = decide == nullptr ? nullptr : decide->get<JsonValue::List>();
  if (decisions == nullptr) return places;
  for (const JsonValue& decision : *decisions) {
    add_texts(decision.find("at"), places);
    const JsonValue* choices = decision.find("choices");
    const auto* list = choices == nullptr ? nullptr : choices->get<JsonValue::List>();
    if (list == nullptr) continue;
    for (const JsonValue& choice : *list) {
      const JsonValue* set = choice.find("set");
      const auto* members = set == nullptr ? nullptr : set->get<JsonValue::Members>();
      if (members == nullptr) continue;
      for (const auto& member : *members) places.push_back(member.key);
    }
  }
  return places;
}

// "/reservations/0/count": somebody buys so many, and owes for them.
bool is_reserved_count(std::string_view pointer) {
  return pointer.starts_with("/reservations/") && pointer.ends_with("/count") &&
         std::ranges::count(pointer, '/') == 3;
}

std::string text_as_written(const JsonValue& scenario, const Parameter& parameter) {
  const JsonValue* value = value_at(scenario, parameter.pointers.front());
  if (value == nullptr) return {};
  const auto* text = value->get<std::string>();
  return text == nullptr ? to_text(*value) : *text;
}

std::vector<std::string> columns_of(const Design& design) {
  std::vector<std::string> columns;
  for (const Parameter& parameter : design.parameters()) columns.push_back(parameter.column);
  return columns;
}

std::vector<std::string> columns_of(const StoreHead& head) {
  std::vector<std::string> columns;
  for (const StoredParameter& parameter : head.parameters) columns.push_back(parameter.column);
  return columns;
}

bool varies_in(const Design& design, bool (*is_it)(const std::string&)) {
  return std::ranges::any_of(design.parameters(), [&](const Parameter& parameter) {
    return std::ranges::any_of(parameter.pointers, is_it);
  });
}

}  // namespace

StoredTexts::StoredTexts(const std::string& path, const StoreHead& head) : path_{path} {
  read_sweep_text(head);
  read_scenario_text(head);
}

void StoredTexts::read_sweep_text(const StoreHead& head) {
  const ScenarioText text{
      .file = path_, .root = parse_json(head.sweep_text, path_, kWrittenByHand), .overrides = {}};
  const ValueSpec whole_file = object_value(sweep_keys());
  const Node root = check_scenario(text, whole_file);
  question_ = root.text("question");
  scenario_file_ = root.text("scenario");
  if (root.has("seed")) seed_ = fmt::format("{}", root.integer("seed"));
  design_ = Design::read(root.at("vary"));
  if (design_.points() != head.points || columns_of(design_) != columns_of(head))
    throw InputError{{.file = path_}, "is damaged: it is not what its sweep file says"};
}

void StoredTexts::read_scenario_text(const StoreHead& head) {
  const JsonValue scenario = parse_json(head.scenario_text, path_, kWrittenByHand);
  scenario_name_ = text_of(scenario, "name");
  if (varies_in(design_, [](const std::string& pointer) { return pointer == "/seed"; })) {
    seed_.clear();
  } else if (seed_.empty()) {
    const JsonValue* seed = scenario.find("seed");
    seed_ = to_text(seed != nullptr ? *seed : scenario_keys().find("seed")->fallback.value());
  }
  for (const Parameter& parameter : design_.parameters())
    as_written_.push_back(text_as_written(scenario, parameter));
  const std::vector<std::string> places = decided_places(scenario);
  for (const Parameter& parameter : design_.parameters())
    decides_.push_back(std::ranges::all_of(parameter.pointers, [&](const std::string& pointer) {
      return is_reserved_count(pointer) || std::ranges::find(places, pointer) != places.end();
    }));
}

}  // namespace stockout

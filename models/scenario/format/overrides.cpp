#include "models/scenario/format/overrides.h"

#include <fmt/format.h>

#include "models/scenario/format/json_pointer.h"
#include "sim/core/error.h"
#include "sim/core/unknown_name.h"
#include "sim/io/json_reader.h"
#include "sim/io/utf8.h"

namespace stockout {
namespace {

[[noreturn]] void fail(const AppliedOverride& change, std::string_view problem) {
  throw InputError{SourceRef{.file = change.said_in}, problem};
}

std::vector<std::string> tokens(const AppliedOverride& change) {
  const std::string_view pointer = change.pointer;
  if (!pointer.starts_with('/') || first_not_utf8(pointer) != pointer.size())
    fail(change, "must be a JSON pointer such as /pools/0/gpus");
  std::vector<std::string> keys;
  for (const std::string_view token : pointer_tokens(pointer)) {
    const auto key = unescaped_token(token);
    if (!key) fail(change, "\"~\" must be written \"~0\", \"/\" in a key \"~1\"");
    keys.push_back(*key);
  }
  return keys;
}

// Where `token` leads from `parent`. A place that is not there yet may be made if the token is the last.
JsonValue& step(const AppliedOverride& change, JsonValue& parent, const std::string& token, bool is_last) {
  if (auto* list = parent.get<JsonValue::List>()) {
    if (token == "-" && is_last) return list->emplace_back();
    if (token == "-") {
      fail(change,
           fmt::format("\"-\" stands for a new item, which must be given whole (end the pointer with it: "
                       "/-={{...}}); to change one of the {} that are there, give its number, from 0",
                       list->size()));
    }
    const auto at = list_index(token);
    if (at && *at < list->size()) return (*list)[*at];
    fail(change,
         fmt::format("there is no item \"{}\": the list has {} (\"-\" adds one)", token, list->size()));
  }
  auto* members = parent.get<JsonValue::Members>();
  if (members == nullptr)
    fail(change, fmt::format("\"{}\" leads nowhere: there is {}", token, to_text(parent)));
  if (JsonValue* value = parent.find(token)) return *value;
  if (!is_last) {
    std::vector<std::string> known;
    for (const JsonValue::Member& member : *members) known.push_back(member.key);
    fail(change, unknown_name("key", token, known));
  }
  JsonValue::Member& added = members->emplace_back();
  added.key = token;
  return added.value;
}

void set_origin(JsonValue& value, int origin) {
  value.origin = origin;
  value.line = 0;
  if (auto* list = value.get<JsonValue::List>()) {
    for (JsonValue& item : *list) set_origin(item, origin);
  }
  if (auto* members = value.get<JsonValue::Members>()) {
    for (JsonValue::Member& member : *members) set_origin(member.value, origin);
  }
}

JsonValue json_or_text(const AppliedOverride& change, const std::string& text) {
  if (first_not_utf8(text) != text.size()) fail(change, "the value is not UTF-8 text");
  try {
    return parse_json(text, "");
  } catch (const InputError&) {
    return JsonValue{text};
  }
}

void put(ScenarioText& text, const AppliedOverride& change, JsonValue value) {
  const auto path = tokens(change);
  JsonValue* place = &text.root;
  for (std::size_t i = 0; i < path.size(); ++i) place = &step(change, *place, path[i], i + 1 == path.size());
  text.overrides.push_back(change);
  set_origin(value, static_cast<int>(text.overrides.size()));
  *place = std::move(value);
}

}  // namespace

void apply_override(ScenarioText& text, const Override& change) {
  const AppliedOverride applied{.pointer = change.pointer,
                                .said_in = "command line: --set " + change.pointer,
                                .from_command_line = true};
  put(text, applied, json_or_text(applied, change.value));
}

void place_value(ScenarioText& text, const PlacedValue& change) {
  put(text, {.pointer = change.pointer, .said_in = change.said_in}, change.value);
}

}  // namespace stockout

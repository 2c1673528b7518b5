#include "tools/stockout/winner_scenario.h"

#include <algorithm>
#include <variant>

#include <nlohmann/json.hpp>

#include "models/scenario/format/overrides.h"
#include "sim/io/input_file.h"
#include "sim/io/json_reader.h"

namespace stockout {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(const JsonValue& value) {
  return std::visit(
      [](const auto& content) -> Json {
        using Content = std::decay_t<decltype(content)>;
        if constexpr (std::is_same_v<Content, JsonValue::Null>) {
          return nullptr;
        } else if constexpr (std::is_same_v<Content, JsonValue::List>) {
          Json list = Json::array();
          for (const JsonValue& item : content) list.push_back(json_of(item));
          return list;
        } else if constexpr (std::is_same_v<Content, JsonValue::Members>) {
          Json object = Json::object();
          for (const JsonValue::Member& member : content) object[member.key] = json_of(member.value);
          return object;
        } else {
          return content;
        }
      },
      value.content);
}

}  // namespace

std::string winner_scenario(const std::string& file, const ScenarioOptions& options,
                            const std::vector<PlacedValue>& choices) {
  constexpr std::size_t kMostBytes = 64 << 20;
  ScenarioText text{.file = file,
                    .root = parse_json(read_text_file(file, kMostBytes), file, kWrittenByHand),
                    .overrides = {}};
  for (const Override& change : options.overrides) apply_override(text, change);
  for (const PlacedValue& change : choices) place_value(text, change);
  Json json = json_of(text.root);
  json.erase("decide");
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace stockout

#include "sim/io/json_document.h"

#include <variant>

namespace stockout {

nlohmann::ordered_json json_document(const JsonValue& value) {
  using Json = nlohmann::ordered_json;
  return std::visit(
      [](const auto& content) -> Json {
        using Content = std::decay_t<decltype(content)>;
        if constexpr (std::is_same_v<Content, JsonValue::Null>) {
          return nullptr;
        } else if constexpr (std::is_same_v<Content, JsonValue::List>) {
          Json list = Json::array();
          for (const JsonValue& item : content) list.push_back(json_document(item));
          return list;
        } else if constexpr (std::is_same_v<Content, JsonValue::Members>) {
          Json object = Json::object();
          for (const JsonValue::Member& member : content) object[member.key] = json_document(member.value);
          return object;
        } else {
          return content;
        }
      },
      value.content);
}

}  // namespace stockout

#include "sim/io/json_value.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace stockout {
namespace {

// Stops as soon as the text is long enough, so that a huge value costs no more than a small one.
struct Writer {
  std::string text;
  std::size_t most;

  void operator()(JsonValue::Null) { text += "null"; }
  void operator()(bool value) { text += value ? "true" : "false"; }
  void operator()(std::int64_t value) { text += fmt::format("{}", value); }
  void operator()(double value) { text += fmt::format("{}", value); }
  void operator()(const std::string& value) {
    text +=
        nlohmann::json(value.substr(0, most)).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  }
  void operator()(const JsonValue::List& list) {
    text += '[';
    for (const JsonValue& value : list) {
      if (text.size() > most) break;
      if (&value != &list.front()) text += ", ";
      std::visit(*this, value.content);
    }
    text += ']';
  }
  void operator()(const JsonValue::Members& members) {
    text += '{';
    for (const JsonValue::Member& member : members) {
      if (text.size() > most) break;
      if (&member != &members.front()) text += ", ";
      (*this)(member.key);
      text += ": ";
      std::visit(*this, member.value.content);
    }
    text += '}';
  }
};

}  // namespace

const JsonValue* JsonValue::find(std::string_view key) const {
  if (const Members* members = get<Members>()) {
    for (const Member& member : *members) {
      if (member.key == key) return &member.value;
    }
  }
  return nullptr;
}

JsonValue* JsonValue::find(std::string_view key) {
  return const_cast<JsonValue*>(
      std::as_const(*this).find(key));  // NOLINT(cppcoreguidelines-pro-type-const-cast)
}

std::string to_text(const JsonValue& value, std::size_t most) {
  Writer writer{.text = {}, .most = most};
  std::visit(writer, value.content);
  if (writer.text.size() <= most) return writer.text;
  std::size_t end = most;
  while (end > 0 && (static_cast<unsigned char>(writer.text[end]) & 0xc0U) == 0x80U)
    --end;  // whole characters only
  return writer.text.substr(0, end) + "...";
}

}  // namespace stockout

#include "tools/table/html_text.h"

#include <charconv>
#include <cstdint>
#include <optional>

#include "sim/io/utf8.h"

namespace stockout {
namespace {

bool is_shown(std::uint32_t value) {
  if (value == '\t' || value == '\n') return true;
  const bool is_control = value < 0x20 || (value >= 0x7F && value < 0xA0);
  const bool turns_direction = (value >= 0x202A && value <= 0x202E) || (value >= 0x2066 && value <= 0x2069) ||
                               value == 0x200E || value == 0x200F;
  const bool is_noncharacter = (value & 0xFFFEU) == 0xFFFEU || (value >= 0xFDD0 && value <= 0xFDEF);
  return !is_control && !turns_direction && !is_noncharacter;
}

std::string_view html_entity(std::uint32_t value) {
  switch (value) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    case '\'':
      return "&#39;";
    default:
      return {};
  }
}

// A character of JSON, or an escape of one. What ends a script or a line of a Vega expression stands only in
// strings.
std::string_view in_script(std::string_view piece) {
  if (piece == "<") return "\\u003c";
  if (piece == ">") return "\\u003e";
  if (piece == "&") return "\\u0026";
  if (piece.size() < 6) return piece;
  std::uint32_t value = 0;
  std::from_chars(piece.data() + 2, piece.data() + 6, value, 16);
  if (value == 0x2028 || value == 0x2029) return " ";
  return is_shown(value) ? piece : "\\ufffd";
}

}  // namespace

std::string html_text(std::string_view text) {
  constexpr std::string_view kReplacement = "\xEF\xBF\xBD";
  std::string html;
  html.reserve(text.size());
  while (!text.empty()) {
    const std::optional<Utf8Character> first = first_utf8(text);
    const std::size_t bytes = first ? first->bytes : 1;
    if (!first || !is_shown(first->code_point)) {
      html += kReplacement;
    } else if (const std::string_view entity = html_entity(first->code_point); !entity.empty()) {
      html += entity;
    } else {
      html += text.substr(0, bytes);
    }
    text.remove_prefix(bytes);
  }
  return html;
}

std::string html_attribute(std::string_view name, std::string_view text) {
  return ' ' + std::string{name} + "=\"" + html_text(text) + '"';
}

std::string html_element(std::string_view name, std::string_view text) {
  const std::string tag{name};
  return '<' + tag + '>' + html_text(text) + "</" + tag + '>';
}

std::string html_paragraph(std::string_view text, std::string_view kind) {
  if (text.empty()) return {};
  return "<p" + (kind.empty() ? std::string{} : html_attribute("class", kind)) + '>' + html_text(text) +
         "</p>\n";
}

std::string cut_text(std::string_view text, std::size_t longest) {
  std::size_t end = 0;
  for (std::size_t characters = 0; end < text.size() && characters < longest; ++characters) {
    const auto character = first_utf8(text.substr(end));
    end += character ? character->bytes : 1;
  }
  return end == text.size() ? std::string{text} : std::string{text.substr(0, end)} + "…";
}

std::string html_json(const nlohmann::json& value) {
  constexpr bool kAsciiOnly = true;
  const std::string json = value.dump(-1, ' ', kAsciiOnly, nlohmann::json::error_handler_t::replace);
  std::string safe;
  safe.reserve(json.size());
  for (std::string_view rest = json; !rest.empty();) {
    const std::size_t length = rest.front() != '\\' ? 1 : rest[1] == 'u' ? 6 : 2;
    safe += in_script(rest.substr(0, length));
    rest.remove_prefix(length);
  }
  return safe;
}

}  // namespace stockout

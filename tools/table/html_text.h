#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace stockout {

/// `text` so that a browser shows it as it is, between tags or in a quoted attribute. What is not UTF-8,
/// control characters and characters that turn the direction of what follows become U+FFFD.
[[nodiscard]] std::string html_text(std::string_view text);

/// ` name="text"`, with the blank before it.
[[nodiscard]] std::string html_attribute(std::string_view name, std::string_view text);

/// `<name>text</name>`
[[nodiscard]] std::string html_element(std::string_view name, std::string_view text);

/// `<p>text</p>`, or nothing where there is no text. `kind` is its class; none if empty.
[[nodiscard]] std::string html_paragraph(std::string_view text, std::string_view kind = {});

/// `text`, or its first `longest` characters and "…".
[[nodiscard]] std::string cut_text(std::string_view text, std::size_t longest);

/// `value` for a script that is data: ASCII only, and nothing in it ends the script. In strings, what
/// html_text() would not show is replaced as there; U+2028 and U+2029, which end a line of a Vega expression,
/// are blanks. Numbers that are not finite become null.
[[nodiscard]] std::string html_json(const nlohmann::json& value);

}  // namespace stockout

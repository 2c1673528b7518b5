#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace stockout {

struct Utf8Character {
  std::uint32_t code_point = 0;
  std::size_t bytes = 0;
};

/// The first character of a text that is not empty; none if it is not well-formed.
[[nodiscard]] std::optional<Utf8Character> first_utf8(std::string_view text);

/// Where the first byte stands that is no part of well-formed UTF-8; the size of the text if all of it is.
[[nodiscard]] std::size_t first_not_utf8(std::string_view text);

/// Where the first control character of a UTF-8 text stands (U+0000 to U+001F, U+007F to U+009F; tab and line
/// end are among them); the size of the text if there is none.
[[nodiscard]] std::size_t first_control(std::string_view text);

}  // namespace stockout

#pragma once

#include <cstddef>
#include <string_view>

namespace stockout {

/// Where the first byte stands that is no part of well-formed UTF-8; the size of the text if all of it is.
[[nodiscard]] std::size_t first_not_utf8(std::string_view text);

}  // namespace stockout

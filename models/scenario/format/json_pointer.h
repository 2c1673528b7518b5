#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace stockout {

// JSON pointers, RFC 6901: "/pools/0/gpus".

/// A key as a token of a pointer: "~" and "/" escaped.
[[nodiscard]] std::string escaped_token(std::string_view key);

/// The key of a token; nothing where "~" stands before anything but 0 and 1.
[[nodiscard]] std::optional<std::string> unescaped_token(std::string_view token);

/// The tokens as they are written; none of an empty pointer. It begins with "/" else.
[[nodiscard]] std::vector<std::string_view> pointer_tokens(std::string_view pointer);

/// The place in a list that a token says: digits without a zero before them.
[[nodiscard]] std::optional<std::size_t> list_index(std::string_view token);

}  // namespace stockout

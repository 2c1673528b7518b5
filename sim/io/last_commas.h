#pragma once

#include <string>
#include <string_view>

namespace stockout {

/// JSON with a blank for each comma behind the last item of a list or an object: "[1, 2,]" is "[1, 2 ]". No
/// other byte changes, so that places in it are those of `text`. Strings and comments (`//`, `/* */`) are
/// passed over.
[[nodiscard]] std::string without_last_commas(std::string_view text);

}  // namespace stockout

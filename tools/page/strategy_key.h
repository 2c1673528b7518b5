#pragma once

#include <cstddef>
#include <string>

namespace stockout {

/// The colour, the line and the symbol that charts give to the strategy in this place, as a small picture.
[[nodiscard]] std::string strategy_key(std::size_t place);

}  // namespace stockout

#include "tools/page/strategy_key.h"

#include <array>

#include <fmt/format.h>

namespace stockout {

std::string strategy_key(std::size_t place) {
  // The order of colours, symbols and dashes is that of chart_config.js.
  constexpr std::size_t kColours = 8;
  constexpr std::array kDashes{"none", "8 3", "2 3", "9 3 2 3", "14 4"};
  constexpr std::array kSymbols{
      "<circle cx='14' cy='6' r='4'/>",
      "<rect x='10' y='2' width='8' height='8'/>",
      "<path d='M14 1l5 9h-10z'/>",
      "<path d='M14 0l5 6-5 6-5-6z'/>",
      "<path d='M12 1h4v3h3v4h-3v3h-4v-3h-3v-4h3z'/>",
      "<path d='M14 11l5-9h-10z'/>",
  };
  return fmt::format(
      "<svg class='key' viewBox='0 0 28 12' aria-hidden='true' style='--key: var(--c{})'><path d='M0 6h28' "
      "stroke-dasharray='{}'/>{}</svg>",
      place % kColours + 1, kDashes[place % kDashes.size()], kSymbols[place % kSymbols.size()]);
}

}  // namespace stockout

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "models/measures/number_text.h"

namespace stockout {

/// "1 job", "2,345 jobs": of a noun whose plural ends in s.
[[nodiscard]] inline std::string counted(std::uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", number_text(static_cast<double>(count)), noun, count == 1 ? "" : "s");
}

}  // namespace stockout

#pragma once

#include <cstdint>

namespace stockout::test {

/// Of so many random cases a tenth with sanitizers, under which each takes ten times as long: they look for
/// errors of memory and arithmetic, and the release judges the numbers.
constexpr std::uint64_t fewer(std::uint64_t cases) {
#ifdef STOCKOUT_SANITIZED
  return cases / 10;
#else
  return cases;
#endif
}

}  // namespace stockout::test

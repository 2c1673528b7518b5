#pragma once

#include <cstdint>

namespace stockout {

/// How far the file is read that InputFile opened last, for who tells a user of it.
struct ReadSoFar {
  std::uint64_t bytes = 0;
  std::uint64_t of = 0;  // its size when it was opened; 0: none was opened
};

/// From any thread.
[[nodiscard]] ReadSoFar read_so_far();

}  // namespace stockout

#pragma once

#include <cstdint>
#include <limits>

#include <CLI/CLI.hpp>

namespace stockout {

/// For options that take a whole number from `least` to `most`, of up to 64 bits: says what is expected. The
/// library of the command line itself takes "-1" for the largest number, and does not say what it expects.
[[nodiscard]] CLI::Validator whole_number(std::uint64_t least = 0,
                                          std::uint64_t most = std::numeric_limits<std::uint64_t>::max());

}  // namespace stockout

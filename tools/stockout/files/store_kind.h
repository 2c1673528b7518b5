#pragma once

#include <cstdint>
#include <string>

namespace stockout {

/// Kind of a file that the program wrote.
enum class StoreKind : std::uint8_t { none, sweep, record };

/// By the application number in the first 100 bytes of an SQLite file; what follows may still be anything.
/// Throws InputError for a file that is not there or cannot be read.
[[nodiscard]] StoreKind kind_of_store(const std::string& path);

}  // namespace stockout

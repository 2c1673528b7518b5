#pragma once

#include <cstdint>
#include <string_view>

namespace stockout {

inline constexpr std::uint64_t kFnv1aBegin = 0xcbf29ce484222325U;

/// FNV-1a in 64 bits, gone on with from `hash`. It tells what changed by accident, and nothing of an attack.
[[nodiscard]] constexpr std::uint64_t fnv1a(std::uint64_t hash, std::string_view bytes) {
  for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3U;
  return hash;
}

}  // namespace stockout

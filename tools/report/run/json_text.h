#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace stockout {

/// A text as a string of a JSON file, quotes included, without any \u escape, which not every reader of
/// traces knows: control characters become spaces. What is no UTF-8 is replaced, and of a text longer than
/// `most` bytes the rest is "...".
[[nodiscard]] inline std::string json_text(std::string_view text, std::size_t most = 100) {
  std::size_t size = std::min(text.size(), most);
  const bool is_cut = size < text.size();
  const auto continues = [text](std::size_t at) {
    return (static_cast<unsigned char>(text[at]) & 0xc0U) == 0x80U;
  };
  while (is_cut && size > 0 && continues(size)) --size;
  std::string shown = std::string{text.substr(0, size)} + (is_cut ? "..." : "");
  std::ranges::replace_if(
      shown, [](char c) { return (c >= 0 && c < ' ') || c == '\x7f'; }, ' ');
  return nlohmann::json(shown).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace stockout

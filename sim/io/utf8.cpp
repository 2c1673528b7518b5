#include "sim/io/utf8.h"

namespace stockout {
namespace {

// What may follow a first byte: how many bytes, and the range of the next one, which keeps out overlong
// forms, surrogates and values beyond U+10FFFF (Unicode standard, table 3-7).
struct Sequence {
  std::size_t more = 0;
  std::uint8_t least = 0x80;
  std::uint8_t most = 0xbf;
  bool valid = true;
};

Sequence after(std::uint8_t first) {
  if (first < 0x80) return {};
  if (first < 0xc2 || first > 0xf4) return {.valid = false};
  if (first < 0xe0) return {.more = 1};
  if (first == 0xe0) return {.more = 2, .least = 0xa0};
  if (first == 0xed) return {.more = 2, .most = 0x9f};
  if (first < 0xf0) return {.more = 2};
  if (first == 0xf0) return {.more = 3, .least = 0x90};
  if (first == 0xf4) return {.more = 3, .most = 0x8f};
  return {.more = 3};
}

}  // namespace

std::optional<Utf8Character> first_utf8(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
  const Sequence sequence = after(byte(0));
  if (!sequence.valid || sequence.more >= text.size()) return std::nullopt;
  if (sequence.more == 0) return Utf8Character{.code_point = byte(0), .bytes = 1};
  std::uint32_t code_point = byte(0) & (0x3fU >> sequence.more);
  for (std::size_t i = 1; i <= sequence.more; ++i) {
    const std::uint8_t least = i == 1 ? sequence.least : 0x80;
    const std::uint8_t most = i == 1 ? sequence.most : 0xbf;
    if (byte(i) < least || byte(i) > most) return std::nullopt;
    code_point = code_point << 6U | (byte(i) & 0x3fU);
  }
  return Utf8Character{.code_point = code_point, .bytes = sequence.more + 1};
}

std::size_t first_not_utf8(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    const auto character = first_utf8(text.substr(at));
    if (!character) return at;
    at += character->bytes;
  }
  return at;
}

std::size_t first_control(std::string_view text) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    const auto byte = static_cast<std::uint8_t>(text[at]);
    if (byte < 0x20 || byte == 0x7f) return at;
    const bool starts_two = byte == 0xc2 && at + 1 < text.size();
    if (starts_two && static_cast<std::uint8_t>(text[at + 1]) < 0xa0) return at;
  }
  return text.size();
}

}  // namespace stockout

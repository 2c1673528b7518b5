#include "tools/stockout/terminal/printable.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "sim/io/utf8.h"

namespace stockout {
namespace {

// U+061C, U+200E, U+200F, U+2028 to U+202E, U+2066 to U+2069: marks of direction, and ends of lines.
constexpr std::array<std::string_view, 14> kTurning{
    "\xd8\x9c",     "\xe2\x80\x8e", "\xe2\x80\x8f", "\xe2\x80\xa8", "\xe2\x80\xa9",
    "\xe2\x80\xaa", "\xe2\x80\xab", "\xe2\x80\xac", "\xe2\x80\xad", "\xe2\x80\xae",
    "\xe2\x81\xa6", "\xe2\x81\xa7", "\xe2\x81\xa8", "\xe2\x81\xa9"};

std::size_t first_turning(std::string_view text) {
  for (std::size_t at = text.find_first_of("\xd8\xe2"); at != std::string_view::npos;
       at = text.find_first_of("\xd8\xe2", at + 1)) {
    const auto is_here = [&](std::string_view mark) { return text.substr(at).starts_with(mark); };
    if (std::ranges::any_of(kTurning, is_here)) return at;
  }
  return text.size();
}

/// The next place at which a search finds something. Asked again only once the text is read beyond it, so
/// that a text is read once.
class Next {
 public:
  using Search = std::size_t (*)(std::string_view);

  explicit Next(Search search) : search_{search} {}

  std::size_t from(std::string_view text, std::size_t at) {
    if (!known_ || at_ < at) at_ = at + search_(text.substr(at));
    known_ = true;
    return at_;
  }

 private:
  Search search_;
  std::size_t at_ = 0;
  bool known_ = false;
};

// The length of an escape sequence that chooses a colour (ESC [ digits and ; m), 0 if there is none here.
std::size_t colour_length(std::string_view text) {
  if (!text.starts_with("\x1b[")) return 0;
  const std::size_t end = text.find_first_not_of("0123456789;", 2);
  return end != std::string_view::npos && text[end] == 'm' ? end + 1 : 0;
}

// Bytes of a well-formed character, by its first.
std::size_t character_length(char first) {
  const auto byte = static_cast<unsigned char>(first);
  if (byte < 0x80) return 1;
  return byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
}

std::string shown(std::string_view text, bool with_colours) {
  Next control{first_control};
  Next invalid{first_not_utf8};
  Next turning{first_turning};
  std::string result;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t next =
        std::min({control.from(text, at), invalid.from(text, at), turning.from(text, at)});
    result += text.substr(at, next - at);
    if (next == text.size()) break;
    if (const std::size_t length = with_colours ? colour_length(text.substr(next)) : 0; length > 0) {
      result += text.substr(next, length);
      at = next + length;
      continue;
    }
    at = next + (next == invalid.from(text, next) ? 1 : character_length(text[next]));
    for (const char byte : text.substr(next, at - next))
      result += fmt::format("\\x{:02x}", static_cast<unsigned char>(byte));
  }
  return result;
}

}  // namespace

std::string printable(std::string_view text) { return shown(text, false); }

std::string printable_page(std::string_view page) {
  std::string result;
  while (!page.empty()) {
    const std::size_t end = std::min(page.find('\n'), page.size());
    result += shown(page.substr(0, end), true);
    if (end < page.size()) result += '\n';
    page.remove_prefix(std::min(end + 1, page.size()));
  }
  return result;
}

}  // namespace stockout

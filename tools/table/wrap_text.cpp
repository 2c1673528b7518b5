#include "tools/table/wrap_text.h"

#include <clocale>
#include <cwchar>

#include <algorithm>

#include <fmt/format.h>

namespace stockout {
namespace {

/// While it lives, this thread's characters are those of UTF-8, whatever the user's locale is.
class Utf8Characters {
 public:
  Utf8Characters() : before_{::uselocale(utf8())} {}
  ~Utf8Characters() { ::uselocale(before_); }
  Utf8Characters(const Utf8Characters&) = delete;
  Utf8Characters& operator=(const Utf8Characters&) = delete;

 private:
  static locale_t utf8() {
    static const locale_t kUtf8 = ::newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
    return kUtf8;
  }

  locale_t before_;
};

struct Character {
  std::size_t bytes = 1;
  std::size_t columns = 1;
};

// The first one of a text that is not empty; needs Utf8Characters.
Character first_character(std::string_view text) {
  if (static_cast<unsigned char>(text.front()) < 0x80) return {};
  std::mbstate_t state{};
  wchar_t character = 0;
  const std::size_t bytes = std::mbrtowc(&character, text.data(), text.size(), &state);
  if (bytes == 0 || bytes > text.size()) return {};  // no UTF-8
  const int columns = ::wcwidth(character);
  return {.bytes = bytes, .columns = columns < 0 ? 1 : static_cast<std::size_t>(columns)};
}

bool ends_piece(char c) { return std::string_view{" _-+,;:/.|"}.find(c) != std::string_view::npos; }

// How many bytes of the text go into `width` columns: up to the last good place in the second half, if any.
std::size_t piece_length(std::string_view text, std::size_t width) {
  std::size_t bytes = 0;
  std::size_t columns = 0;
  std::size_t good = 0;
  while (bytes < text.size()) {
    const Character next = first_character(text.substr(bytes));
    if (columns + next.columns > width) return good > 0 && text[bytes] != ' ' ? good : bytes;
    bytes += next.bytes;
    columns += next.columns;
    if (columns * 2 > width && ends_piece(text[bytes - 1])) good = bytes;
  }
  return bytes;
}

}  // namespace

std::size_t text_width(std::string_view text) {
  const Utf8Characters characters;
  std::size_t width = 0;
  while (!text.empty()) {
    const Character next = first_character(text);
    width += next.columns;
    text.remove_prefix(next.bytes);
  }
  return width;
}

std::vector<std::string> cut_to_width(std::string_view text, std::size_t width) {
  const Utf8Characters characters;
  std::vector<std::string> pieces;
  do {
    const std::size_t length = piece_length(text, width);
    std::string_view piece = text.substr(0, length);
    text.remove_prefix(length);
    if (!text.empty() && piece.ends_with(' ')) piece.remove_suffix(1);
    if (text.starts_with(' ')) text.remove_prefix(1);
    pieces.emplace_back(piece);
  } while (!text.empty());
  return pieces;
}

std::string wrap_text(std::string_view text, std::size_t width, std::string_view indent) {
  std::string wrapped;
  std::string line{indent};
  bool is_empty = true;  // no word in the line yet
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!is_empty && text_width(line) + 1 + text_width(word) > width) {
      wrapped += line + '\n';
      line = std::string{indent} + "  ";
      is_empty = true;
    }
    if (!is_empty) line += ' ';
    line += word;
    is_empty = false;
  }
  return wrapped + line + '\n';
}

std::string list_line(std::string_view line, const TextLayout& layout) {
  return layout.markdown ? "- " + std::string{line} + '\n' : wrap_text(line, layout.width, "  ");
}

std::string list_section(std::string_view title, const std::vector<std::string>& lines,
                         const TextLayout& layout) {
  if (lines.empty()) return {};
  std::string text = layout.markdown ? fmt::format("\n{}\n\n", title) : fmt::format("\n{}\n", title);
  for (const std::string& line : lines) text += list_line(line, layout);
  return text;
}

}  // namespace stockout

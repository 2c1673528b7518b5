#include "tools/report/wrap_text.h"

#include <algorithm>

namespace stockout {

std::size_t text_width(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U; }));
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

std::string list_line(std::string_view line, bool markdown) {
  return markdown ? "- " + std::string{line} + '\n' : wrap_text(line, kPageWidth, "  ");
}

}  // namespace stockout

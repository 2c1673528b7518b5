#include "sim/io/last_commas.h"

#include <algorithm>
#include <cstddef>

namespace stockout {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

// Behind the string that begins at `at`.
std::size_t after_string(std::string_view text, std::size_t at) {
  for (++at; at < text.size() && text[at] != '"'; ++at) {
    if (text[at] == '\\') ++at;
  }
  return std::min(at + 1, text.size());
}

// Behind the comment that begins at `at`; `at` if none does.
std::size_t after_comment(std::string_view text, std::size_t at) {
  const std::string_view lead = text.substr(at, 2);
  if (lead != "//" && lead != "/*") return at;
  const std::string_view last = lead == "//" ? "\n" : "*/";
  const std::size_t end = text.find(last, at + 2);
  return end == std::string_view::npos ? text.size() : end + last.size();
}

}  // namespace

std::string without_last_commas(std::string_view text) {
  std::string changed{text};
  std::size_t comma = text.size();  // the last thing seen, behind an item
  bool is_behind_item = false;
  for (std::size_t at = 0; at < text.size();) {
    if (const std::size_t after = after_comment(text, at); after > at) {
      at = after;
      continue;
    }
    const char c = text[at];
    if (kBlanks.find(c) != std::string_view::npos) {
      ++at;
      continue;
    }
    if ((c == ']' || c == '}') && comma < text.size()) changed[comma] = ' ';
    comma = c == ',' && is_behind_item ? at : text.size();
    is_behind_item = c != ',' && c != '[' && c != '{' && c != ':';
    at = c == '"' ? after_string(text, at) : at + 1;
  }
  return changed;
}

}  // namespace stockout

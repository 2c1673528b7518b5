#include "sim/io/formula_text.h"

#include <algorithm>
#include <charconv>

namespace stockout {
namespace {

constexpr char kTextMark = '\'';

// "-0.5", and not "-inf": a spreadsheet would look for something of that name.
bool is_plain_number(std::string_view text) {
  double value = 0;
  const char* end = text.data() + text.size();
  return text.find_first_not_of("0123456789.eE+-") == std::string_view::npos &&
         std::from_chars(text.data(), end, value).ptr == end;
}

// Also behind marks, so that what was marked already is marked once more, and nothing is taken for marked
// that was not.
bool would_be_run(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(kTextMark), text.size()));
  const bool is_nobody = text == "-";  // a sign alone is a text: where nobody is named
  return text.find_first_of("=+-@\t\r\n") == 0 && !is_plain_number(text) && !is_nobody;
}

}  // namespace

std::string disarmed(std::string_view text) {
  return would_be_run(text) ? kTextMark + std::string{text} : std::string{text};
}

std::string_view rearmed(std::string_view text) {
  return text.starts_with(kTextMark) && would_be_run(text) ? text.substr(1) : text;
}

}  // namespace stockout

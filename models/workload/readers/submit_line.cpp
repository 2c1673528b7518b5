#include "models/workload/readers/submit_line.h"

#include <algorithm>
#include <charconv>

namespace stockout {
namespace {

// The next word of the line, which loses it.
std::string_view take_word(std::string_view& line) {
  line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
  const std::string_view word = line.substr(0, line.find(' '));
  line.remove_prefix(word.size());
  return word;
}

// The value of an option that is written "--name=value", "--name value" or "-n value"; else nothing.
std::string_view value_of(std::string_view word, std::string_view name, std::string_view letter,
                          std::string_view rest) {
  if (word.starts_with(name) && word.substr(name.size()).starts_with('='))
    return word.substr(name.size() + 1);
  return word == name || word == letter ? take_word(rest) : std::string_view{};
}

std::uint32_t limit_of(std::string_view array) {
  const std::size_t percent = array.find('%');
  if (percent == std::string_view::npos) return 0;
  std::uint32_t limit = 0;
  const std::string_view digits = array.substr(percent + 1);
  std::from_chars(digits.data(), digits.data() + digits.size(), limit);
  return limit;
}

}  // namespace

SubmitLine parse_submit_line(std::string_view line) {
  SubmitLine found;
  while (!line.empty()) {
    const std::string_view word = take_word(line);
    const std::string_view dependency = value_of(word, "--dependency", "-d", line);
    if (word != "-d" || dependency.starts_with("after")) {
      if (!dependency.empty()) found.dependency = dependency;
    }
    const std::string_view array = value_of(word, "--array", "-a", line);
    if (!array.empty()) found.tasks_at_once = limit_of(array);
  }
  return found;
}

}  // namespace stockout

#include "tools/slurm_replay/conf_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "sim/io/line_reader.h"
#include "sim/io/number.h"

namespace stockout::slurm {
namespace {

constexpr std::int64_t kMostSeconds = std::int64_t{1} << 31;  // Slurm's own numbers end there

char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

}  // namespace

bool is_same_word(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return lower(x) == lower(y); });
}

bool begins_with_word(std::string_view text, std::string_view word) {
  return is_same_word(text.substr(0, word.size()), word);
}

std::string in_lower_case(std::string_view text) {
  std::string word{text};
  std::ranges::transform(word, word.begin(), lower);
  return word;
}

std::string at_line(const SourceRef& where, std::string_view text) {
  return fmt::format("{}:{}: {}", where.file, where.line, text);
}

std::vector<std::string> split_words(std::string_view text, char separator) {
  std::vector<std::string> words;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(separator), text.size());
    words.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

bool ConfField::is(std::string_view name) const { return is_same_word(key, name); }

void ConfField::fail(std::string_view needed) const {
  throw InputError{where, fmt::format("must be {}, but is {}", needed, in_quotes(value))};
}

std::int64_t ConfField::whole_number(std::int64_t least, std::int64_t most) const {
  std::int64_t number = 0;
  const bool is_number = parse_integer(value, number) == std::errc{};
  if (!is_number || number < least || number > most) {
    fail(fmt::format("a whole number from {} to {}", least, most));
  }
  return number;
}

SimDuration ConfField::seconds() const {
  if (is_same_word(value, "infinite") || value == "-1") return kForever;
  return std::chrono::seconds{whole_number(0, kMostSeconds)};
}

SimDuration ConfField::time() const {
  if (is_same_word(value, "infinite") || is_same_word(value, "unlimited") || value == "-1") return kForever;
  const std::size_t dash = value.find('-');
  const bool has_days = dash != std::string::npos;
  std::vector<std::string> words = split_words(has_days ? value.substr(dash + 1) : value, ':');
  if (has_days) words.insert(words.begin(), value.substr(0, dash));
  constexpr std::array<std::int64_t, 4> kUnits{86'400, 3'600, 60, 1};
  // Days come first if there are any; else one or two words begin with minutes, three with hours.
  const std::size_t first = has_days ? 0 : words.size() == 3 ? 1 : 2;
  std::int64_t sum = 0;
  bool is_time = !words.empty() && first + words.size() <= kUnits.size();
  for (std::size_t i = 0; is_time && i < words.size(); ++i) {
    std::int64_t number = 0;
    is_time = parse_integer(words[i], number) == std::errc{} && number >= 0 && number <= kMostSeconds;
    if (is_time) sum += number * kUnits[first + i];
  }
  if (!is_time || sum > kMostSeconds) fail("a time such as \"30\" (minutes), \"1:30:00\" or \"7-0\"");
  return std::chrono::ceil<std::chrono::minutes>(std::chrono::seconds{sum});
}

bool ConfField::yes() const {
  constexpr std::array<std::string_view, 4> kYes{"yes", "up", "true", "1"};
  constexpr std::array<std::string_view, 4> kNo{"no", "down", "false", "0"};
  const auto is_value = [&](std::string_view word) { return is_same_word(value, word); };
  if (std::ranges::any_of(kYes, is_value)) return true;
  if (std::ranges::any_of(kNo, is_value)) return false;
  fail("YES or NO");
}

}  // namespace stockout::slurm

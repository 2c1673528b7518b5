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
constexpr std::size_t kLongestJoined = std::size_t{1} << 20;  // characters of lines that are joined

char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

bool is_blank(char c) { return c == ' ' || c == '\t'; }

// The end of a value that begins at `begin`; quotes hold blanks together.
std::size_t end_of_value(std::string_view line, std::size_t begin) {
  bool quoted = false;
  for (std::size_t i = begin; i < line.size(); ++i) {
    if (line[i] == '"') quoted = !quoted;
    if (is_blank(line[i]) && !quoted) return i;
  }
  return line.size();
}

ConfLine read_fields(std::string_view line, const SourceRef& where) {
  ConfLine fields;
  std::size_t at = 0;
  while (true) {
    while (at < line.size() && is_blank(line[at])) ++at;
    if (at == line.size()) return fields;
    const std::size_t end = end_of_value(line, at);
    const std::string_view word = line.substr(at, end - at);
    const std::size_t equals = word.find('=');
    if (equals == std::string_view::npos || equals == 0) {
      throw InputError{where, fmt::format("{} is no \"Key=value\"", in_quotes(word))};
    }
    ConfField field{.key = std::string{word.substr(0, equals)},
                    .value = std::string{word.substr(equals + 1)},
                    .where = where};
    std::erase(field.value, '"');
    field.where.pointer = field.key;
    fields.push_back(std::move(field));
    at = end;
  }
}

}  // namespace

bool is_same_word(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return lower(x) == lower(y); });
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
  return std::chrono::seconds{sum};
}

bool ConfField::yes() const {
  if (is_same_word(value, "yes")) return true;
  if (is_same_word(value, "no")) return false;
  fail("YES or NO");
}

std::vector<ConfLine> read_conf_lines(const std::string& file) {
  std::vector<ConfLine> lines;
  LineReader reader{file};
  std::string joined;
  SourceRef where{.file = file};
  std::string_view line;
  while (reader.next(line)) {
    if (joined.empty()) where.line = static_cast<int>(reader.line_number());
    joined += line.substr(0, line.find('#'));
    if (joined.size() > kLongestJoined)
      throw InputError{where, "the lines that are joined here are too long"};
    if (!joined.empty() && joined.back() == '\\') {
      joined.back() = ' ';
      continue;
    }
    ConfLine fields = read_fields(joined, where);
    if (!fields.empty()) lines.push_back(std::move(fields));
    joined.clear();
  }
  if (!joined.empty()) throw InputError{where, "the last line ends in a backslash"};
  return lines;
}

}  // namespace stockout::slurm

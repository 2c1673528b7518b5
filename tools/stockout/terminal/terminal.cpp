#include "tools/stockout/terminal/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <string>
#include <string_view>

namespace stockout {
namespace {

constexpr std::size_t kNarrowest = 20;
constexpr std::size_t kWidest = 10'000;  // that COLUMNS may say

std::string_view text_of(const Environment& environment, const char* name) {
  const char* value = environment(name);
  return value == nullptr ? std::string_view{} : std::string_view{value};
}

}  // namespace

ColourChoice colour_choice(const Environment& environment) {
  if (!text_of(environment, "NO_COLOR").empty()) return ColourChoice::never;
  const std::string_view forced = text_of(environment, "CLICOLOR_FORCE");
  if (!forced.empty() && forced != "0") return ColourChoice::always;
  if (text_of(environment, "CLICOLOR") == "0") return ColourChoice::never;
  const std::string_view terminal = text_of(environment, "TERM");
  return terminal.empty() || terminal == "dumb" ? ColourChoice::never : ColourChoice::automatic;
}

std::optional<std::size_t> asked_width(const Environment& environment) {
  const std::string_view text = text_of(environment, "COLUMNS");
  std::size_t columns = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), columns);
  const bool is_number = error == std::errc{} && end == text.data() + text.size() && columns > 0;
  return is_number ? std::optional{std::clamp(columns, kNarrowest, kWidest)} : std::nullopt;
}

std::size_t terminal_width(int file, const Environment& environment) {
  if (const auto asked = asked_width(environment)) return *asked;
  winsize size{};
  const bool is_known = ::ioctl(file, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return is_known ? std::max<std::size_t>(size.ws_col, kNarrowest) : kPageWidth;
}

bool is_utf8_locale(const Environment& environment) {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    std::string locale{text_of(environment, name)};
    if (locale.empty()) continue;
    std::ranges::transform(locale, locale.begin(), [](unsigned char c) { return std::tolower(c); });
    return locale.find("utf-8") != std::string::npos || locale.find("utf8") != std::string::npos;
  }
  return false;
}

void describe_terminal(Console& console, const Environment& environment) {
  console.out_is_terminal = ::isatty(STDOUT_FILENO) == 1;
  console.err_is_terminal = ::isatty(STDERR_FILENO) == 1;
  console.out_fits = asked_width(environment).has_value();
  console.out_width = terminal_width(STDOUT_FILENO, environment);
  console.err_width = terminal_width(STDERR_FILENO, environment);
  console.utf8 = is_utf8_locale(environment);
  console.colour = colour_choice(environment);
}

}  // namespace stockout

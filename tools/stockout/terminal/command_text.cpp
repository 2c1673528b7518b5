#include "tools/stockout/terminal/command_text.h"

#include <algorithm>

namespace stockout {
namespace {

std::string shell_word(const std::string& text) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=:,%+@";
  if (!text.empty() && text.find_first_not_of(kPlain) == std::string::npos) return text;
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'') {
      quoted += "'\\''";
    } else {
      quoted += c;
    }
  }
  return quoted + '\'';
}

std::string option_text(const CLI::Option& option) {
  if (option.get_expected_max() == 0) return ' ' + option.get_name();
  std::string text;
  for (const std::string& value : option.results()) {
    if (!option.get_positional()) text += ' ' + option.get_name();
    text += ' ' + shell_word(value);
  }
  return text;
}

}  // namespace

std::string command_text(const CLI::App& command, std::initializer_list<std::string_view> but) {
  const auto is_told = [&](const CLI::Option& option) {
    return option.count() > 0 && std::ranges::find(but, option.get_name()) == but.end();
  };
  std::string text = "stockout " + command.get_name();
  const std::vector<const CLI::Option*> options = command.get_options();
  for (const bool positional : {true, false}) {
    for (const CLI::Option* option : options) {
      if (option->get_positional() == positional && is_told(*option)) text += option_text(*option);
    }
  }
  return text;
}

}  // namespace stockout

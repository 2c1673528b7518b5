#include "tools/stockout/shell/completion_zsh.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tools/stockout/shell/completion.h"

namespace stockout {
namespace {

constexpr const char* kZshHead = R"zsh(#compdef stockout
# Completion of stockout for zsh. Written by `stockout completion zsh`: the program's own list of commands and options.

# The names of the strategies of the first scenario on the command line.
_stockout_strategies() {
  local file=${${(M)words:#*.json}[1]}
  local -a names
  [[ -n $file ]] || return 1
  names=(${(f)"$(_call_program strategies $service completion strategies $file 2>/dev/null)"})
  compadd -a names
}

)zsh";

constexpr const char* kZshTail = R"zsh(if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
  _stockout "$@"
else
  compdef _stockout stockout
fi
)zsh";

// For a word in single quotes, with a backslash before each of `special`.
std::string zsh_quoted(const std::string& text, std::string_view special) {
  std::string quoted;
  for (const char c : text) {
    if (c == '\'') {
      quoted += "'\\''";
      continue;
    }
    if (special.find(c) != std::string_view::npos) quoted += '\\';
    quoted += c;
  }
  return quoted;
}

std::string function_name(const CommandShape& command) {
  std::string name = "_stockout";
  for (const std::string& word : command.path) name += '_' + word;
  return name;
}

std::string zsh_offer(const OptionShape& option) {
  switch (offer_of(option)) {
    case Completes::choices:
      return fmt::format("({})", fmt::join(option.choices(), " "));
    case Completes::files:
      return "_files";
    case Completes::json_files:
      return "_files -g \"*.json\"";
    case Completes::folders:
      return "_files -/";
    case Completes::strategies:
      return "_stockout_strategies";
    case Completes::nothing:
      break;
  }
  return " ";
}

std::string message_of(const OptionShape& option) {
  return option.choices().empty()
             ? zsh_quoted(option.value.empty() ? option.names.front() : option.value, ":[]\\")
             : "value";
}

// A line of _arguments for each name of an option; each keeps the others from being offered.
std::string option_lines(const OptionShape& option) {
  std::string text;
  const std::string others = option.names.size() > 1 ? fmt::format("({})", fmt::join(option.names, " ")) : "";
  for (const std::string& name : option.names) {
    text += fmt::format(" \\\n    '{}{}{}[{}]", others, name, option.value.empty() ? "" : "=",
                        zsh_quoted(option.help, "[]\\"));
    if (!option.value.empty()) text += fmt::format(":{}:{}", message_of(option), zsh_offer(option));
    text += '\'';
  }
  return text;
}

std::string argument_lines(const CommandShape& command) {
  std::string text;
  std::size_t place = 1;
  for (const OptionShape& argument : command.arguments) {
    const std::string where = argument.is_list ? "*" : fmt::format("{}", place++);
    text += fmt::format(" \\\n    '{}:{}:{}'", where, argument.names.front(), zsh_offer(argument));
  }
  return text;
}

std::string command_list(const CommandShape& command) {
  std::string text = "    local -a commands=(\n";
  for (const CommandShape& below : command.commands)
    text += fmt::format("      '{}:{}'\n", below.path.back(), zsh_quoted(below.about, ":\\"));
  return text + "    )\n";
}

// A command with commands below it: its first word chooses one of them, or is its argument.
std::string function_with_commands(const CommandShape& command) {
  std::string text =
      function_name(command) + "() {\n  local curcontext=$curcontext state line\n  _arguments -C -S";
  for (const OptionShape& option : command.options) text += option_lines(option);
  text += " \\\n    '1: :->command' \\\n    '*:: :->below'\n  case $state in\n  command)\n" +
          command_list(command) + "    _describe -t commands command commands\n";
  for (const OptionShape& argument : command.arguments) text += fmt::format("    {}\n", zsh_offer(argument));
  text += "    ;;\n  below)\n    case $line[1] in\n";
  for (const CommandShape& below : command.commands)
    text += fmt::format("    {}) {} ;;\n", below.path.back(), function_name(below));
  if (!command.arguments.empty()) {
    text += "    *)\n      _arguments -S";
    for (const OptionShape& option : command.options) text += option_lines(option);
    text += "\n      ;;\n";
  }
  return text + "    esac\n    ;;\n  esac\n}\n\n";
}

std::string zsh_function(const CommandShape& command) {
  if (!command.commands.empty()) return function_with_commands(command);
  std::string text = function_name(command) + "() {\n  _arguments -S";
  for (const OptionShape& option : command.options) text += option_lines(option);
  return text + argument_lines(command) + "\n}\n\n";
}

}  // namespace

std::string zsh_completion(const CommandShape& program) {
  std::string text = kZshHead;
  for (const CommandShape* command : all_commands(program)) text += zsh_function(*command);
  return text + kZshTail;
}

}  // namespace stockout

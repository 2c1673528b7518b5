#include "tools/stockout/shell/completion_bash.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tools/stockout/shell/completion.h"

namespace stockout {
namespace {

constexpr const char* kBashHead =
    R"(# Completion of stockout for bash. Written by `stockout completion bash`: the program's own list of commands and options.

_stockout_files() {
  compopt -o filenames 2>/dev/null
  mapfile -t COMPREPLY < <(compgen -f -- "$1")
}

_stockout_json_files() {
  compopt -o filenames 2>/dev/null
  mapfile -t COMPREPLY < <(
    compgen -f -X '!*.json' -- "$1"
    compgen -d -- "$1"
  )
}

_stockout_folders() {
  compopt -o filenames 2>/dev/null
  mapfile -t COMPREPLY < <(compgen -d -- "$1")
}

# The names of the strategies of the first scenario on the command line.
_stockout_strategies() {
  local word name begun=${1#[\"\']}
  begun=${begun//\\/}
  compopt -o filenames 2>/dev/null # names may have blanks, and are quoted as file names are
  for word in "${COMP_WORDS[@]:1}"; do
    [[ $word == *.json ]] || continue
    while IFS= read -r name; do
      [[ $name == "$begun"* ]] && COMPREPLY+=("$name")
    done < <("${COMP_WORDS[0]}" completion strategies "${word//\\/}" 2>/dev/null)
    return
  done
}

_stockout_words() { mapfile -t COMPREPLY < <(compgen -W "$2" -- "$1"); }

_stockout() {
  local current=${COMP_WORDS[COMP_CWORD]} previous='' command='' word
  local -i before=COMP_CWORD-1
  COMPREPLY=()
  if [[ $current == = ]]; then current=''; fi
  if [[ ${COMP_WORDS[before]} == = ]]; then before+=-1; fi
  if ((before >= 0)); then previous=${COMP_WORDS[before]}; fi
  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$command $word" in
)";

constexpr const char* kBashTail = R"(  esac
}

complete -F _stockout stockout
)";

std::string key_of(const CommandShape& command) {
  std::string key;
  for (const std::string& word : command.path) key += ' ' + word;
  return key;
}

std::string bash_offer(const OptionShape& option) {
  switch (offer_of(option)) {
    case Completes::choices:
      return fmt::format("_stockout_words \"$current\" '{}'", fmt::join(option.choices(), " "));
    case Completes::files:
      return "_stockout_files \"$current\"";
    case Completes::json_files:
      return "_stockout_json_files \"$current\"";
    case Completes::folders:
      return "_stockout_folders \"$current\"";
    case Completes::strategies:
      return "_stockout_strategies \"$current\"";
    case Completes::nothing:
      break;
  }
  return ":";
}

// What follows an option that takes a value.
std::string value_cases(const CommandShape& command) {
  std::string text;
  for (const OptionShape& option : command.options) {
    if (option.value.empty()) continue;
    std::vector<std::string> patterns;
    for (const std::string& name : option.names)
      patterns.push_back(fmt::format("'{}:{}'", key_of(command), name));
    text += fmt::format("    {})\n      {}\n      return\n      ;;\n", fmt::join(patterns, " | "),
                        bash_offer(option));
  }
  return text;
}

// What stands anywhere else: an option, a command below, or an argument.
std::string word_case(const CommandShape& command) {
  std::vector<std::string> options;
  for (const OptionShape& option : command.options)
    options.insert(options.end(), option.names.begin(), option.names.end());
  std::vector<std::string> commands;
  for (const CommandShape& below : command.commands) commands.push_back(below.path.back());
  std::string otherwise = ":";
  if (!command.arguments.empty()) otherwise = bash_offer(command.arguments.front());
  if (command.arguments.size() > 1 && command.arguments.front().choices().empty())
    otherwise = "_stockout_files \"$current\"";  // which argument it is depends on the options before
  std::string text = fmt::format("    '{}')\n      if [[ $current == -* ]]; then\n", key_of(command));
  text += fmt::format("        _stockout_words \"$current\" '{}'\n      else\n        {}\n",
                      fmt::join(options, " "), otherwise);
  if (!commands.empty()) {
    text += fmt::format(
        "        mapfile -t -O ${{#COMPREPLY[@]}} COMPREPLY < <(compgen -W '{}' -- \"$current\")\n",
        fmt::join(commands, " "));
  }
  return text + "      fi\n      ;;\n";
}

}  // namespace

std::string bash_completion(const CommandShape& program) {
  std::string known;
  std::string values;
  std::string words;
  for (const CommandShape* command : all_commands(program)) {
    if (!command->path.empty())
      known += fmt::format("{}'{}'", known.empty() ? "      " : " | ", key_of(*command));
    values += value_cases(*command);
    words += word_case(*command);
  }
  return kBashHead + known +
         ") command+=\" $word\" ;;\n    esac\n  done\n  case \"$command:$previous\" in\n" + values +
         "  esac\n  case \"$command\" in\n" + words + kBashTail;
}

}  // namespace stockout

#include <array>
#include <memory>
#include <ostream>

#include "sim/io/json_reader.h"
#include "tools/stockout/arguments/scenario_arguments.h"
#include "tools/stockout/commands.h"
#include "tools/stockout/shell/completion_bash.h"
#include "tools/stockout/shell/completion_zsh.h"
#include "tools/stockout/shell/manual_page.h"

namespace stockout {
namespace {

constexpr std::array<std::string_view, 3> kCompletionNames{"bash", "zsh", "strategies"};

constexpr const char* kCompletionHelp =
    "Examples:\n"
    "  source <(stockout completion bash)\n"
    "      for this shell; for all: into ~/.local/share/bash-completion/completions/stockout\n"
    "  stockout completion zsh > ~/.zfunc/_stockout\n"
    "      with fpath=(~/.zfunc $fpath) before compinit in ~/.zshrc\n"
    "  stockout completion strategies scenarios/quickstart.json\n"
    "      the names of its strategies, one a line, as these scripts ask for them\n"
    "`cmake --install` puts them, and the manual page, where shells and man look for them.";

struct CompletionArguments {
  std::string what;
  std::string scenario;
};

// Straight from the file, which need not be sound yet: reading all it names would take too long for a key.
void list_strategies(const std::string& file, std::ostream& out) {
  const JsonValue scenario = read_json_file(file, kWrittenByHand);
  const JsonValue* strategies = scenario.find("strategies");
  const auto* list = strategies == nullptr ? nullptr : strategies->get<JsonValue::List>();
  if (list == nullptr) return;
  for (const JsonValue& strategy : *list) {
    const JsonValue* name = strategy.find("name");
    const auto* text = name == nullptr ? nullptr : name->get<std::string>();
    if (text != nullptr && text->find('\n') == std::string::npos) out << *text << '\n';
  }
}

void complete(const CompletionArguments& arguments, const CLI::App& app, Console& console) {
  switch (choose("SHELL", "shell", arguments.what, kCompletionNames)) {
    case 0:
      console.out << bash_completion(shape_of(app));
      return;
    case 1:
      console.out << zsh_completion(shape_of(app));
      return;
    default:
      if (arguments.scenario.empty()) {
        throw InputError{{.file = "command line", .pointer = "SCENARIO"},
                         "is required: whose strategies are to be listed"};
      }
      list_strategies(arguments.scenario, console.out);
  }
}

}  // namespace

CLI::App* add_completion_command(CLI::App& app, Console& console) {
  CLI::App* command = app.add_subcommand("completion", "Completes command lines: a script for bash or zsh");
  const auto arguments = std::make_shared<CompletionArguments>();
  command->add_option("SHELL", arguments->what, "bash or zsh; or what their scripts ask for")
      ->required()
      ->type_name(choices(kCompletionNames));
  command->add_option("SCENARIO", arguments->scenario, "Whose strategies");
  command->footer(kCompletionHelp);
  command->callback([arguments, &app, &console] { complete(*arguments, app, console); });
  return command;
}

CLI::App* add_manual_command(CLI::App& app, Console& console) {
  CLI::App* command = app.add_subcommand("manual", "The manual page, stockout(1), for man");
  command->footer(
      "Examples:\n"
      "  stockout manual | man -l -\n"
      "  stockout manual > ~/.local/share/man/man1/stockout.1");
  command->callback([&app, &console] { console.out << manual_page(shape_of(app), STOCKOUT_VERSION); });
  return command;
}

}  // namespace stockout

#include "tools/stockout/shell/command_shape.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace stockout {
namespace {

// CLI11's type name of an option with a check is "INT:1 to 10000".
void set_value(OptionShape& shape, const std::string& type) {
  const std::size_t colon = type.find(':');
  shape.value = type.substr(0, colon);
  if (shape.value == "INT" || shape.value == "UINT" || shape.value == "FLOAT") shape.value = "NUMBER";
  if (colon != std::string::npos) shape.range = type.substr(colon + 1);
}

CommandShape shape_below(const CLI::App& app, const std::vector<std::string>& path) {
  CommandShape shape{.path = path,
                     .about = app.get_description(),
                     .footer = app.get_footer(),
                     .options = {},
                     .arguments = {},
                     .commands = {}};
  for (const CLI::Option* option : app.get_options())
    (option->get_positional() ? shape.arguments : shape.options).push_back(shape_of(*option));
  for (const CLI::App* command : app.get_subcommands({})) {
    std::vector<std::string> longer = path;
    longer.push_back(command->get_name());
    shape.commands.push_back(shape_below(*command, longer));
  }
  return shape;
}

}  // namespace

OptionShape shape_of(const CLI::Option& option) {
  OptionShape shape{.names = {},
                    .value = {},
                    .range = {},
                    .help = option.get_description(),
                    .default_value = option.get_default_str(),
                    .is_required = option.get_required(),
                    .is_list = option.get_items_expected_max() > 1};
  if (option.get_items_expected_max() > 0) set_value(shape, option.get_type_name());
  if (option.get_positional()) {
    shape.names.push_back(option.get_name(true));
    return shape;
  }
  for (const std::string& name : option.get_snames()) shape.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) shape.names.push_back("--" + name);
  return shape;
}

std::vector<std::string> OptionShape::choices() const {
  std::vector<std::string> words;
  const auto is_capital = [](char c) { return c >= 'A' && c <= 'Z'; };
  if (value.empty() || std::ranges::any_of(value, is_capital)) return words;  // FILE stands for any
  for (std::size_t at = 0; at <= value.size();) {
    const std::size_t end = std::min(value.find('|', at), value.size());
    words.push_back(value.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

std::string CommandShape::full_name() const {
  return path.empty() ? "stockout" : fmt::format("stockout {}", fmt::join(path, " "));
}

CommandShape shape_of(const CLI::App& app) { return shape_below(app, {}); }

std::vector<const CommandShape*> all_commands(const CommandShape& command) {
  std::vector<const CommandShape*> all{&command};
  for (const CommandShape& below : command.commands) {
    const auto more = all_commands(below);
    all.insert(all.end(), more.begin(), more.end());
  }
  return all;
}

}  // namespace stockout

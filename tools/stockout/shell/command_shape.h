#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace stockout {

/// An option of a command, or one of its arguments.
struct OptionShape {
  std::vector<std::string> names;  // "-h", "--help"; of an argument its name: "SCENARIO"
  std::string value;               // "FILE", "csv|json", "NUMBER"; empty: it takes none
  std::string range;               // of a number: "1 to 10000"; may be empty
  std::string help;
  std::string default_value;  // empty: there is none
  bool is_required = false;
  bool is_list = false;  // an argument that takes all that follow

  /// The values it may have, if they can be listed.
  [[nodiscard]] std::vector<std::string> choices() const;
};

/// A command as the program itself reads it: the one source of help, completion and manual.
struct CommandShape {
  std::vector<std::string> path;  // {"sweep", "merge"}; empty: the program
  std::string about;
  std::string footer;  // what stands below its options
  std::vector<OptionShape> options;
  std::vector<OptionShape> arguments;
  std::vector<CommandShape> commands;

  /// "stockout sweep merge".
  [[nodiscard]] std::string full_name() const;
};

[[nodiscard]] CommandShape shape_of(const CLI::App& app);
[[nodiscard]] OptionShape shape_of(const CLI::Option& option);

/// The command and all below it, each before its own.
[[nodiscard]] std::vector<const CommandShape*> all_commands(const CommandShape& command);

}  // namespace stockout

#include <array>
#include <memory>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ostream.h>

#include "models/sweep/export.h"
#include "sim/core/counted.h"
#include "sim/io/whole_file.h"
#include "tools/stockout/arguments/scenario_arguments.h"
#include "tools/stockout/commands.h"
#include "tools/stockout/files/output_files.h"
#include "tools/stockout/terminal/printable.h"
#include "tools/stockout/terminal/progress.h"
#include "tools/table/csv_text.h"

namespace stockout {
namespace {

struct ExportArguments {
  std::string store;
  std::string format = "csv";
  std::string output;
};

void export_store(const ExportArguments& arguments, Console& console) {
  static_cast<void>(choose("--format", "format", arguments.format, std::array<std::string_view, 1>{"csv"}));
  check_outputs(std::array{OutputFile{.option = "--output", .path = arguments.output}},
                std::array{arguments.store});
  std::unique_ptr<WholeFile> file;
  if (!arguments.output.empty()) file = std::make_unique<WholeFile>(arguments.output);
  const auto write_row = [&](const std::vector<std::string>& cells) {
    const std::string line = csv_row([&](auto add) {
      for (const std::string& cell : cells) add(csv_text(cell));
    });
    if (file != nullptr) {
      file->write(line);
    } else {
      console.out << line;
    }
  };
  const ExportOutcome outcome = with_status(console, "exporting " + arguments.store,
                                            [&] { return export_rows(arguments.store, write_row); });
  if (file != nullptr) file->commit();
  if (outcome.points < outcome.of)
    fmt::print(console.err, "stockout: note: {} of {} done\n", outcome.points, counted(outcome.of, "point"));
  if (outcome.worlds > 0)
    fmt::print(console.err, "stockout: note: each row is over {} that {}\n", counted(outcome.worlds, "world"),
               printable(outcome.agreement));
}

}  // namespace

CLI::App* add_sweep_export_command(CLI::App& sweep, Console& console) {
  CLI::App* command = sweep.add_subcommand("export", "The results in a store as text");
  const auto arguments = std::make_shared<ExportArguments>();
  command->add_option("STORE", arguments->store, "The store of a sweep")->required();
  command->add_option("--format", arguments->format, "How they are written")
      ->capture_default_str()
      ->type_name("csv");
  command->add_option("--output", arguments->output, "A file to write to, instead of standard output")
      ->type_name("FILE");
  command->footer(
      "Example:\n  stockout sweep export load.sqlite --output load.csv\n"
      "\nA row for each point and strategy, by point, and one for each failed point. Columns: point, state, "
      "error,\n"
      "fingerprint, what is varied, then those of `compare --format csv`. No times of the clock are in it: "
      "equal\n"
      "results are equal bytes.");
  command->callback([arguments, &console] { export_store(*arguments, console); });
  return command;
}

}  // namespace stockout

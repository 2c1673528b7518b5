#include <array>
#include <filesystem>
#include <memory>
#include <string>

#include <fmt/format.h>
#include <fmt/ostream.h>

#include "models/sweep/impact.h"
#include "models/sweep/stored_sweep.h"
#include "sim/core/error.h"
#include "sim/io/whole_file.h"
#include "tools/report/sweep_page.h"
#include "tools/stockout/commands.h"
#include "tools/stockout/output_files.h"
#include "tools/stockout/scenario_arguments.h"

namespace stockout {
namespace {

constexpr const char* kReportHelp =
    "One HTML file that opens in any browser, offline: the answer in a sentence, what could flip it, "
    "pictures with\n"
    "their numbers behind them, and how the numbers were made. Nothing is simulated again.\n"
    "\n"
    "Examples:\n"
    "  stockout sweep scenarios/sweeps/quickstart-load.json --store load.sqlite\n"
    "  stockout report load.sqlite\n"
    "      writes load.html: who is the cheapest where, and which assumption decides it\n"
    "\n"
    "A sweep that is not finished, and a shard, are reported as far as they are, and the page says so.";

struct PageArguments {
  std::string store;
  std::string output;
};

// "runs/load.sqlite" becomes "runs/load.html".
std::string page_path(const PageArguments& arguments) {
  if (!arguments.output.empty()) return arguments.output;
  return std::filesystem::path{arguments.store}.replace_extension(".html").string();
}

std::string page_of_sweep(const std::string& path) {
  const StoredSweep sweep = read_stored_sweep(path);
  if (sweep.points.empty()) {
    throw InputError{
        {.file = path},
        fmt::format("has no point that is done: {} failed, {} are missing. `stockout sweep` with --resume "
                    "goes on; `SELECT * FROM failed` says why points failed",
                    sweep.failed.size(), sweep.missing())};
  }
  const SweepFindings findings = find_out(sweep);
  return write_page(
      sweep_page({.sweep = sweep, .findings = findings, .file = path, .version = STOCKOUT_VERSION}));
}

void write_report_page(const PageArguments& arguments, Console& console) {
  const std::string path = page_path(arguments);
  check_outputs(std::array{OutputFile{.option = "--output", .path = path}}, std::array{arguments.store});
  const std::string html = page_of_sweep(arguments.store);
  WholeFile file{path};
  file.write(html);
  file.commit();
  fmt::print(console.out, "Report: {}\n", path);
}

}  // namespace

CLI::App* add_report_command(CLI::App& app, Console& console) {
  CLI::App* command = app.add_subcommand("report", "A sweep as a page for the browser");
  const auto arguments = std::make_shared<PageArguments>();
  command->add_option("STORE", arguments->store, "What `sweep --store` wrote")->required();
  command->add_option("--output", arguments->output,
                      "The file to write, instead of STORE with .html at its end");
  for (CLI::Option* option : command->get_options()) option->check(check_not_empty);
  command->footer(kReportHelp);
  command->callback([arguments, &console] { write_report_page(*arguments, console); });
  return command;
}

}  // namespace stockout

#include <array>
#include <filesystem>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ostream.h>

#include "models/repricing/break_even.h"
#include "models/repricing/record_reader.h"
#include "models/repricing/repricing.h"
#include "models/sweep/impact.h"
#include "models/sweep/stored_sweep.h"
#include "sim/core/error.h"
#include "sim/io/whole_file.h"
#include "tools/report/record/record_page.h"
#include "tools/report/sweep/sweep_page.h"
#include "tools/stockout/arguments/scenario_arguments.h"
#include "tools/stockout/commands.h"
#include "tools/stockout/files/output_files.h"
#include "tools/stockout/files/store_kind.h"

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
    "  stockout compare scenarios/quickstart.json --record runs.sqlite\n"
    "  stockout report runs.sqlite --output quickstart.html\n"
    "      which strategy to buy, where every dollar went, and at which prices that changes\n"
    "\n"
    "A sweep that is not finished, and a shard, are reported as far as they are, and the page says so.";

struct PageArguments {
  std::string store;
  std::string output;
};

// "runs/load.sqlite" becomes "runs/load.html". Any other ending is part of the name: that of
// "load.shard-0-of-2" tells it from the other shards.
std::string page_path(const PageArguments& arguments) {
  if (!arguments.output.empty()) return arguments.output;
  std::filesystem::path page{arguments.store};
  if (page.extension() == ".sqlite" || page.extension() == ".db") page.replace_extension();
  return page.string() + ".html";
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

std::string page_of_record(const std::string& path) {
  const StoredComparison record = read_record(path);
  const Comparison comparison = recorded_comparison(record);
  std::vector<std::size_t> places(record.strategies.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  const BreakEvens found = break_evens(record, comparison, places, record.price_lines(), record.terms);
  return write_page(record_page({.record = record,
                                 .comparison = comparison,
                                 .break_evens = found,
                                 .file = path,
                                 .version = STOCKOUT_VERSION}));
}

// By the first bytes, before anything is trusted to the file.
std::string page_of(const std::string& path) {
  switch (kind_of_store(path)) {
    case StoreKind::sweep:
      return page_of_sweep(path);
    case StoreKind::record:
      return page_of_record(path);
    case StoreKind::none:
      break;
  }
  throw InputError{
      {.file = path},
      "is neither the store of a sweep nor the record of a comparison: `stockout sweep --store FILE` and "
      "`stockout compare --record FILE` make them"};
}

void write_report_page(const PageArguments& arguments, Console& console) {
  const std::string path = page_path(arguments);
  check_outputs(std::array{OutputFile{.option = "--output", .path = path}}, std::array{arguments.store});
  const std::string html = page_of(arguments.store);
  WholeFile file{path};
  file.write(html);
  file.commit();
  fmt::print(console.out, "Report: {}\n", path);
}

}  // namespace

CLI::App* add_report_command(CLI::App& app, Console& console) {
  CLI::App* command =
      app.add_subcommand("report", "A sweep or a recorded comparison as a page for the browser");
  const auto arguments = std::make_shared<PageArguments>();
  command->add_option("STORE", arguments->store, "The file that `sweep --store` or `compare --record` wrote")
      ->required();
  command
      ->add_option("--output", arguments->output, "The file to write, instead of STORE with .html at its end")
      ->type_name("FILE");
  command->footer(kReportHelp);
  command->callback([arguments, &console] { write_report_page(*arguments, console); });
  return command;
}

}  // namespace stockout

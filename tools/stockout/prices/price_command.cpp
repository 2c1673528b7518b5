#include <array>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "tools/report/record/price_report.h"
#include "tools/stockout/arguments/report_arguments.h"
#include "tools/stockout/arguments/scenario_arguments.h"
#include "tools/stockout/commands.h"
#include "tools/stockout/files/output_files.h"
#include "tools/stockout/prices/price_run.h"

namespace stockout {
namespace {

constexpr const char* kPriceHelp =
    "Costs of recorded runs at other prices, at once: nothing is simulated again.\n"
    "\n"
    "Examples:\n"
    "  stockout compare scenarios/quickstart.json --record runs.sqlite\n"
    "  stockout price runs.sqlite --date 2025-03-15\n"
    "  stockout price runs.sqlite --prices offer.json\n"
    "      a list as under \"prices\" in a scenario, or as `stockout prices --out` writes it; on top of "
    "those\n"
    "      of the scenario, the last that fits counts\n"
    "  stockout price runs.sqlite --break-even\n"
    "      up to which Spot, flex-start, commitment or other price which strategy is the cheapest\n"
    "\n"
    "A strategy that looked at prices (order: cheapest_first) would have bought otherwise, and is left out, "
    "as\n"
    "is one that used a machine without a price. models/repricing/README.md says what a record holds.";

struct PriceOptions {
  PriceArguments asked;
  std::string format = "table";
  std::string output;
};

void price_record(const PriceOptions& options, Console& console) {
  const auto format =
      static_cast<ReportFormat>(choose("--format", "format", options.format, kReportFormatNames));
  static_cast<void>(options.asked.day());
  std::vector<std::string> inputs{options.asked.record};
  inputs.insert(inputs.end(), options.asked.prices.begin(), options.asked.prices.end());
  check_outputs(std::array{OutputFile{.option = "--output", .path = options.output}}, inputs);
  ReportTarget target{{.format = options.format, .output = options.output}, console};
  const PriceRun run{options.asked, console};
  target.write(write_price_report(run.report(), format, target.layout()));
}

}  // namespace

CLI::App* add_price_command(CLI::App& app, Console& console) {
  CLI::App* command = app.add_subcommand("price", "Costs of recorded runs at other prices");
  const auto arguments = std::make_shared<PriceOptions>();
  command
      ->add_option("RECORD", arguments->asked.record, "The file that `compare` or `run` wrote with --record")
      ->required();
  command
      ->add_option("--date", arguments->asked.date,
                   "The day whose prices count; without it as the scenario says, by the catalogue of now")
      ->type_name("DATE");
  add_prices_to(*command, arguments->asked.prices);
  command
      ->add_option("--catalog", arguments->asked.catalog_dir,
                   "A folder with the catalogue's files, instead of the built-in one")
      ->type_name("FOLDER");
  command->add_option("--format", arguments->format, "How the report is written")
      ->capture_default_str()
      ->type_name(choices(kReportFormatNames));
  command->add_option("--output", arguments->output, "Writes the report to this file, whole or not at all")
      ->type_name("FILE");
  command->add_flag("--break-even", arguments->asked.break_even,
                    "Up to which price of Spot, flex-start, a commitment ... which strategy is the cheapest");
  command->footer(kPriceHelp);
  command->callback([arguments, &console] { price_record(*arguments, console); });
  return command;
}

}  // namespace stockout

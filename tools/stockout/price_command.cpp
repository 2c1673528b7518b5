#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "models/repricing/break_even.h"
#include "models/repricing/record_file.h"
#include "models/repricing/repricing.h"
#include "models/scenario/buying/price_file.h"
#include "sim/core/error.h"
#include "tools/report/record/price_report.h"
#include "tools/stockout/commands.h"
#include "tools/stockout/output_files.h"
#include "tools/stockout/progress.h"
#include "tools/stockout/report_arguments.h"
#include "tools/stockout/scenario_arguments.h"

namespace stockout {
namespace {

constexpr const char* kPriceHelp =
    "What recorded runs cost at other prices, at once: nothing is simulated again.\n"
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

struct PriceArguments {
  std::string record;
  std::string catalog_dir;
  std::string date;
  std::string prices;
  std::string format = "table";
  std::string output;
  bool break_even = false;
};

std::optional<Date> date_of(const PriceArguments& arguments) {
  if (arguments.date.empty()) return std::nullopt;
  const auto date = parse_date(arguments.date);
  if (date) return date;
  throw InputError{{.file = "command line", .pointer = "--date"},
                   fmt::format("must be {}, but is \"{}\"", kDayForm, arguments.date)};
}

// With every reason once.
void check_any_priced(const PriceArguments& arguments, const Repricing& repricing) {
  if (!repricing.now.strategies.empty()) return;
  std::string reasons;
  std::vector<std::string> told;
  for (const StrategyNow& strategy : repricing.strategies) {
    if (std::ranges::find(told, strategy.why_not) != told.end()) continue;
    told.push_back(strategy.why_not);
    reasons += (reasons.empty() ? "" : "; ") + strategy.why_not;
  }
  throw InputError{{.file = arguments.record},
                   fmt::format("no strategy of it can be priced so: {}", reasons)};
}

void price_record(const PriceArguments& arguments, Console& console) {
  const auto format = static_cast<ReportFormat>(choose("--format", arguments.format, kReportFormatNames));
  const auto date = date_of(arguments);
  check_outputs(std::array{OutputFile{.option = "--output", .path = arguments.output}},
                std::array{arguments.record, arguments.prices});
  ReportTarget target{{.format = arguments.format, .output = arguments.output}, console};
  const Catalog catalog =
      arguments.catalog_dir.empty() ? Catalog::embedded() : Catalog::from_folder(arguments.catalog_dir);
  const StoredComparison record =
      with_status(console, "reading " + arguments.record, [&] { return read_record(arguments.record); });
  PriceQuestion question{.date = date, .own = {}, .billing = {}};
  if (!arguments.prices.empty()) {
    PriceFile file = read_price_file(arguments.prices, catalog, record.overlays);
    question.own = std::move(file.prices);
    question.billing = file.billing;
  }
  const Repricing repricing = with_status(console, "pricing the runs of " + arguments.record,
                                          [&] { return reprice(record, catalog, question); });
  check_any_priced(arguments, repricing);
  std::optional<BreakEvens> found;
  if (arguments.break_even) {
    found = with_status(console, "looking for break-even prices", [&] {
      return break_evens(record, repricing.now, repricing.of_record(), repricing.price_lines(),
                         repricing.terms);
    });
  }
  const bool follows = record.prices_follow_calendar && !date;
  const auto day = follows ? std::nullopt : date ? date : parse_date(record.prices_as_of);
  target.write(
      write_price_report({.record = record,
                          .repricing = repricing,
                          .file = arguments.record,
                          .prices_now = day ? "of " + stockout::to_text(*day) : "of each simulated day",
                          .day = day,
                          .version = STOCKOUT_VERSION,
                          .break_evens = found ? &*found : nullptr},
                         format, target.layout()));
}

}  // namespace

CLI::App* add_price_command(CLI::App& app, Console& console) {
  CLI::App* command = app.add_subcommand("price", "What recorded runs cost at other prices");
  const auto arguments = std::make_shared<PriceArguments>();
  command->add_option("RECORD", arguments->record, "What `compare` or `run` wrote with --record")->required();
  command
      ->add_option("--date", arguments->date,
                   "The day whose prices count; without it as the scenario says, by the catalogue of now")
      ->type_name("DATE");
  command->add_option("--prices", arguments->prices, "The planner's own prices (JSON), on top")
      ->type_name("FILE");
  command
      ->add_option("--catalog", arguments->catalog_dir,
                   "A folder with the catalogue's files, instead of the built-in one")
      ->type_name("FOLDER");
  command->add_option("--format", arguments->format, "How the report is written")
      ->capture_default_str()
      ->type_name(choices(kReportFormatNames));
  command->add_option("--output", arguments->output, "Writes the report to this file, whole or not at all")
      ->type_name("FILE");
  command->add_flag("--break-even", arguments->break_even,
                    "Up to which price of Spot, flex-start, a commitment ... which strategy is the cheapest");
  command->footer(kPriceHelp);
  command->callback([arguments, &console] { price_record(*arguments, console); });
  return command;
}

}  // namespace stockout

#include <array>
#include <memory>
#include <optional>
#include <ostream>
#include <string>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "models/billing/billing_export.h"
#include "models/billing/billing_query.h"
#include "models/billing/billing_rows.h"
#include "sim/core/counted.h"
#include "sim/core/error.h"
#include "sim/io/line_reader.h"
#include "sim/io/whole_file.h"
#include "tools/stockout/arguments/scenario_arguments.h"
#include "tools/stockout/arguments/usd_rate.h"
#include "tools/stockout/commands.h"
#include "tools/stockout/files/output_files.h"
#include "tools/stockout/terminal/progress.h"
#include "tools/table/write_text.h"

namespace stockout {
namespace {

constexpr const char* kPricesHelp =
    "Real prices of machines per hour, out of a billing export: for a scenario, with all discounts and\n"
    "credits in them.\n"
    "\n"
    "Examples:\n"
    "  stockout prices --query --table acme.billing.gcp_billing_export_v1_0A --from 2026-07-01 --until 2026-08-01\n"
    "      the query that makes july.csv, for BigQuery: paste it there, or pipe it to `bq query --format=csv`\n"
    "  stockout prices july.csv\n"
    "  stockout prices focus.csv.gz --out prices.json\n"
    "      the list that goes under \"prices\" in a scenario; keep the lines that you want to plan with\n"
    "\n"
    "models/billing/README.md has the columns of each layout.";

constexpr const char* kAnyTable = "PROJECT.DATASET.gcp_billing_export_v1_ACCOUNT";

struct PricesArguments {
  std::string file;
  std::string format;
  std::string folder;
  std::string out;
  std::optional<double> usd_rate;
  bool query = false;
  std::string table = kAnyTable;
  std::string from;
  std::string until;
};

[[noreturn]] void refuse_query(const char* option, const std::string& problem) {
  throw InputError{{.file = "command line", .pointer = option}, problem};
}

Date query_day(const char* option, const std::string& text) {
  const auto day = parse_date(text);
  if (!day) refuse_query(option, fmt::format("must be a day as 2026-07-01, but is {}", in_quotes(text)));
  return *day;
}

// Half-open, as the export's own times: a month is from its first day until the first of the next.
void print_query(const PricesArguments& arguments, Console& console) {
  if (!arguments.file.empty())
    refuse_query("--query", "prints a query and reads no file: leave one of the two out");
  if (arguments.from.empty()) refuse_query("--from", "is missing: the first day whose charges count");
  if (arguments.until.empty())
    refuse_query("--until", "is missing: the first day whose charges do not count");
  const Date from = query_day("--from", arguments.from);
  const Date until = query_day("--until", arguments.until);
  if (until <= from) refuse_query("--until", fmt::format("must be later than {}", arguments.from));
  if (!is_table_name(arguments.table))
    refuse_query("--table",
                 fmt::format("must be PROJECT.DATASET.TABLE, but is {}", in_quotes(arguments.table)));
  console.out << billing_query(arguments.table, from, until);
}

std::string_view name_of(PriceModel model) { return kPriceModelNames[static_cast<std::size_t>(model)]; }

Cell list_price_of(const Catalog& catalog, const EffectivePrice& price) {
  const PriceLookup found = catalog.price(price.machine, price.region, price.model, catalog.latest());
  return found ? Cell{static_cast<double>(found.row->price.count()) / 1e9} : Cell{};
}

std::string page_of(const BillingExport& bill, const Catalog& catalog, const TextLayout& layout) {
  const auto usd = [](const char* title, const Style& style) {
    return Column{.title = title, .unit = "USD", .style = style};
  };
  Relation table{.title = "Charges for a machine-hour"};
  table.add_columns(kText, {"machine", "region", "model"});
  table.add_columns(kHundredths, {"machine-\nhours"});
  table.columns.insert(table.columns.end(), {usd("charged", kHundredths), usd("per hour", kUnitPrice),
                                             usd("list price", kUnitPrice)});
  for (const EffectivePrice& price : bill.prices) {
    table.add({catalog.machine(price.machine).name, price.region, name_of(price.model), price.machine_hours,
               price.usd, price.usd_per_hour(), list_price_of(catalog, price)});
  }
  std::string page = write_text(table, layout);
  page += fmt::format("\nList prices as of {}; a dash where the catalogue has none.\n",
                      to_text(catalog.latest()));
  if (!bill.first.empty()) page += fmt::format("Charges from {} to {}.\n", bill.first, bill.last);
  for (const UsedRate& rate : bill.rates) page += text_of(rate) + ".\n";
  for (const SkippedCharges& skipped : bill.skipped) {
    page += fmt::format("Not used: {}, {:.2f} USD: {}.\n", counted(skipped.rows, "row"), skipped.usd,
                        skipped.reason);
  }
  return page;
}

std::string list_of(const BillingExport& bill, const Catalog& catalog, std::string_view file) {
  const std::string label = bill.first.empty() ? fmt::format("charged, {}", file)
                                               : fmt::format("charged {} to {}, {}", bill.first.substr(0, 10),
                                                             bill.last.substr(0, 10), file);
  const std::string day = bill.last.substr(0, 10);
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const EffectivePrice& price : bill.prices) {
    list.push_back({{"machine", catalog.machine(price.machine).name},
                    {"region", price.region},
                    {"model", name_of(price.model)},
                    {"usd_per_hour", std::stod(fmt::format("{:.6f}", price.usd_per_hour()))},
                    {"label", label}});
    if (parse_date(day)) list.back()["as_of"] = day;
  }
  return list.dump(2) + "\n";
}

void show(const PricesArguments& arguments, Console& console) {
  if (arguments.query) return print_query(arguments, console);
  if (arguments.file.empty())
    refuse_query(
        "FILE", "is missing: name a billing export as CSV, or ask for the query that makes one with --query");
  check_outputs(std::array{OutputFile{.option = "--out", .path = arguments.out}}, std::array{arguments.file});
  const Catalog catalog =
      arguments.folder.empty() ? Catalog::embedded() : Catalog::from_folder(arguments.folder);
  const BillingFormat format =
      arguments.format.empty()
          ? billing_format_of(arguments.file)
          : static_cast<BillingFormat>(choose("--format", "format", arguments.format, kBillingFormatNames));
  const BillingExport bill = with_status(console, "reading " + arguments.file, [&] {
    return read_billing_export(arguments.file, format, catalog, arguments.usd_rate);
  });
  console.out << page_of(bill, catalog, console.layout());
  if (arguments.out.empty()) return;
  WholeFile file{arguments.out};
  file.write(list_of(bill, catalog, arguments.file.substr(arguments.file.find_last_of('/') + 1)));
  file.commit();
}

}  // namespace

CLI::App* add_prices_command(CLI::App& app, Console& console) {
  CLI::App* command = app.add_subcommand("prices", "Effective prices out of a billing export");
  const auto arguments = std::make_shared<PricesArguments>();
  command->add_option("FILE", arguments->file, "Billing export as CSV, plain or gzip");
  command->add_option("--format", arguments->format, "Format of the file; default: recognised by its columns")
      ->type_name(choices(kBillingFormatNames));
  command
      ->add_option("--catalog", arguments->folder,
                   "Folder with a catalogue to use instead of the built-in one")
      ->type_name("FOLDER");
  command->add_option("--out", arguments->out, "Write the prices here, for \"prices\" in a scenario")
      ->type_name("FILE");
  add_usd_rate(*command, arguments->usd_rate);
  command->add_flag("--query", arguments->query, "Prints the BigQuery query that makes such a file instead");
  command->add_option("--table", arguments->table, "Of the query: the export's table")
      ->capture_default_str()
      ->type_name("TABLE");
  command->add_option("--from", arguments->from, "Of the query: the first day (UTC)")->type_name("DATE");
  command->add_option("--until", arguments->until, "Of the query: the first day no more (UTC)")
      ->type_name("DATE");
  command->footer(kPricesHelp);
  command->callback([arguments, &console] { show(*arguments, console); });
  return command;
}

}  // namespace stockout

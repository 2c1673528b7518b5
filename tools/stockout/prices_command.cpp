#include <array>
#include <memory>
#include <ostream>
#include <string>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "models/billing/billing_export.h"
#include "sim/core/counted.h"
#include "sim/io/whole_file.h"
#include "tools/stockout/commands.h"
#include "tools/stockout/output_files.h"
#include "tools/stockout/progress.h"
#include "tools/stockout/scenario_arguments.h"
#include "tools/table/write_text.h"

namespace stockout {
namespace {

constexpr const char* kPricesHelp =
    "What machines were really charged per hour, out of a billing export: prices for a scenario, with all\n"
    "discounts and credits in them.\n"
    "\n"
    "Examples:\n"
    "  stockout prices july.csv --format bigquery\n"
    "  stockout prices focus.csv.gz --format focus --out prices.json\n"
    "      the list that goes under \"prices\" in a scenario; keep the lines that you want to plan with\n"
    "\n"
    "models/billing/README.md has the query that makes such a file.";

struct PricesArguments {
  std::string file;
  std::string format;
  std::string folder;
  std::string out;
};

std::string_view name_of(PriceModel model) { return kPriceModelNames[static_cast<std::size_t>(model)]; }

Cell list_price_of(const Catalog& catalog, const EffectivePrice& price) {
  const PriceLookup found = catalog.price(price.machine, price.region, price.model, catalog.latest());
  return found ? Cell{static_cast<double>(found.row->price.count()) / 1e9} : Cell{};
}

std::string page_of(const BillingExport& bill, const Catalog& catalog, const TextLayout& layout) {
  const auto usd = [](const char* title, const Style& style) {
    return Column{.title = title, .unit = "USD", .style = style};
  };
  Relation table{.title = "What a machine-hour was charged"};
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
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const EffectivePrice& price : bill.prices) {
    list.push_back({{"machine", catalog.machine(price.machine).name},
                    {"region", price.region},
                    {"model", name_of(price.model)},
                    {"usd_per_hour", std::stod(fmt::format("{:.6f}", price.usd_per_hour()))},
                    {"label", label}});
  }
  return list.dump(2) + "\n";
}

void show(const PricesArguments& arguments, Console& console) {
  check_outputs(std::array{OutputFile{.option = "--out", .path = arguments.out}}, std::array{arguments.file});
  const Catalog catalog =
      arguments.folder.empty() ? Catalog::embedded() : Catalog::from_folder(arguments.folder);
  const auto format = static_cast<BillingFormat>(choose("--format", arguments.format, kBillingFormatNames));
  const BillingExport bill = with_status(console, "reading " + arguments.file, [&] {
    return read_billing_export(arguments.file, format, catalog);
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
  command->add_option("FILE", arguments->file, "Billing export as CSV, plain or gzip")->required();
  command->add_option("--format", arguments->format, "What the file is")
      ->required()
      ->type_name(choices(kBillingFormatNames));
  command
      ->add_option("--catalog", arguments->folder,
                   "Folder with a catalogue to use instead of the built-in one")
      ->type_name("FOLDER");
  command->add_option("--out", arguments->out, "Write the prices here, for \"prices\" in a scenario")
      ->type_name("FILE");
  command->footer(kPricesHelp);
  command->callback([arguments, &console] { show(*arguments, console); });
  return command;
}

}  // namespace stockout

#include <memory>
#include <optional>
#include <ostream>

#include <fmt/format.h>

#include "models/catalog/catalog.h"
#include "sim/core/error.h"
#include "sim/core/unknown_name.h"
#include "tools/stockout/arguments/scenario_arguments.h"
#include "tools/stockout/commands.h"
#include "tools/stockout/prices/catalog_listing.h"

namespace stockout {

namespace {

constexpr std::string_view kCatalogHelp =
    "Examples:\n"
    "  stockout catalog\n"
    "      every machine type, and what it is sold as\n"
    "  stockout catalog --gpu H100 --region us-central1 --date 2026-07-30\n"
    "      machines and prices, as a scenario with prices_as_of 2026-07-30 uses them\n"
    "  stockout catalog --orchestrators\n"
    "      which consumption model can be used with which orchestrator since when, and its retries, waits "
    "and bounds\n"
    "  stockout catalog --catalog my_prices --region us-east4\n"
    "      the same from a folder with machines.csv, places.csv, prices.csv, sources.csv and what there is "
    "of\n"
    "      collectives.csv and orchestrators.csv\n"
    "  stockout catalog cheapest scenarios/which-gpu.json\n"
    "      what an hour of each job's work costs on each GPU it runs on\n"
    "\n"
    "A price is that of the latest row on or before the date. \"known\" says how well: documented by the "
    "provider,\n"
    "secondary (quoted by others), computed from parts, inferred, or low.";

struct CatalogOptions {
  std::string gpu;
  std::string region;
  std::string date;
  std::string folder;
  bool orchestrators = false;
};

Date date_of(const CatalogOptions& options, const Catalog& catalog) {
  if (options.date.empty()) return catalog.latest();
  const auto date = parse_date(options.date);
  if (date) return *date;
  throw InputError{{.file = "command line", .pointer = "--date"},
                   fmt::format("must be {}, but is \"{}\"", kDayForm, options.date)};
}

void check_region(const CatalogOptions& options, const Catalog& catalog) {
  if (options.region.empty() || catalog.find_place(options.region) != nullptr) return;
  throw InputError{{.file = "command line", .pointer = "--region"},
                   unknown_name("zone or region", options.region, catalog.place_names())};
}

void show(const CatalogOptions& options, Console& console) {
  std::ostream& out = console.out;
  const TextLayout layout = console.layout();
  const Catalog catalog = options.folder.empty() ? Catalog::embedded() : Catalog::from_folder(options.folder);
  if (options.orchestrators) {
    out << list_orchestrators(catalog, layout);
    return;
  }
  check_region(options, catalog);
  CatalogQuery query{.gpus = {}, .place = options.region, .date = date_of(options, catalog)};
  if (!options.gpu.empty()) query.gpus = gpus_named(catalog, options.gpu);
  out << list_machines(catalog, query, layout);
  if (options.gpu.empty() && options.region.empty()) {
    out << fmt::format("\n{} prices up to {}: name a --gpu or a --region to see them.\n",
                       catalog.prices().size(), to_text(catalog.latest()));
    return;
  }
  out << fmt::format("\nPrices as of {}{}\n", to_text(query.date),
                     options.date.empty() ? ", the latest day in the catalogue" : "")
      << list_prices(catalog, query, layout);
}

}  // namespace

CLI::App* add_catalog_command(CLI::App& app, Console& console) {
  CLI::App* command =
      app.add_subcommand("catalog", "Shows machines, places and prices, and which GPU does a job cheapest");
  auto options = std::make_shared<CatalogOptions>();
  command->add_option("--gpu", options->gpu, "GPU type, or how its name begins: H100, A100-80GB")
      ->type_name("GPU");
  command->add_option("--region", options->region, "Region or zone: us-central1, us-east4-b")
      ->type_name("REGION");
  command
      ->add_option("--date", options->date,
                   "Prices of this day, YYYY-MM-DD; default: the latest in the catalogue")
      ->type_name("DATE");
  command
      ->add_option("--catalog", options->folder, "Folder with a catalogue to use instead of the built-in one")
      ->type_name("FOLDER");
  command
      ->add_flag("--orchestrators", options->orchestrators,
                 "Which model can be used with which orchestrator since when, and by which rules, "
                 "instead of machines")
      ->excludes("--gpu")
      ->excludes("--region")
      ->excludes("--date");
  command->footer(std::string{kCatalogHelp});
  command->callback([command, options, &console] {
    if (command->get_subcommands().empty()) show(*options, console);
  });
  add_cheapest_command(*command, console);
  return command;
}

}  // namespace stockout

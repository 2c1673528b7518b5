#include <memory>
#include <ostream>

#include <fmt/format.h>

#include "models/scenario/buying/cheapest.h"
#include "sim/core/counted.h"
#include "sim/core/error.h"
#include "sim/core/unknown_name.h"
#include "tools/stockout/arguments/scenario_arguments.h"
#include "tools/stockout/commands.h"
#include "tools/table/write_text.h"

namespace stockout {
namespace {

constexpr std::size_t kMostShapes = 50;

constexpr std::string_view kCheapestHelp =
    "Examples:\n"
    "  stockout catalog cheapest scenarios/which-gpu.json\n"
    "      for each size of job with speeds, what an hour of its work costs on each GPU, in its cheapest "
    "region\n"
    "  stockout catalog cheapest scenarios/which-gpu.json --region us-central1\n"
    "      the same in one region\n"
    "\n"
    "From prices and speeds alone: nothing waits, nothing is lost, and machines cost nothing before work "
    "begins.\n"
    "`stockout compare` plays what that leaves out.";

struct CheapestOptions {
  ScenarioArguments scenario;
  std::string region;
};

void check_region(const std::string& region, const Catalog& catalog) {
  if (region.empty()) return;
  const Place* place = catalog.find_place(region);
  if (place != nullptr && place->name == place->region) return;
  throw InputError{{.file = "command line", .pointer = "--region"},
                   place != nullptr ? fmt::format("is a zone; its region is \"{}\"", place->region)
                                    : unknown_name("region", region, catalog.place_names())};
}

std::string title_of(const Shape& shape, const SpeedProfile& profile) {
  const std::string tail = shape.tail_gpus > 0 ? fmt::format(" and one of {}", shape.tail_gpus) : "";
  const std::string memory =
      profile.gpu_memory_gb > 0 ? fmt::format(", {:.6g} GB of memory each", profile.gpu_memory_gb) : "";
  return fmt::format("{}, {} of {}{}{}: $ per GPU-hour of work as on {}", profile.source,
                     counted(static_cast<std::uint64_t>(shape.nodes), "node"),
                     counted(static_cast<std::uint64_t>(shape.gpus_per_node), "GPU"), tail, memory,
                     profile.reference);
}

std::string table_of(const Catalog& catalog, const std::vector<JobOffer>& offers, const std::string& title,
                     const TextLayout& layout) {
  Relation table{.title = title};
  table.add_columns(kHundredths, {"$ per\nreference\nGPU-h", "speed", "$/h, all\nmachines"});
  table.add_columns(kText, {"machine", "GPU", "price", "region", "fits in\nmemory"});
  for (const JobOffer& offer : offers) {
    const MachineType& machine = catalog.machine(offer.machine);
    table.add({offer.usd_per_reference_hour, fmt::format("{:.3g}", offer.speed),
               fmt::format("{:.2f}{}", offer.usd_per_hour, offer.overlaid ? "*" : ""), machine.name,
               catalog.gpu_name(machine.gpu), kPriceModelNames[static_cast<std::size_t>(offer.model)],
               offer.region, offer.fits});
  }
  return write_text(table, layout);
}

void show_shape(const Catalog& catalog, const Scenario& scenario, const Shape& shape,
                const std::string& region, Console& console) {
  std::ostream& out = console.out;
  const SpeedProfile& profile = scenario.world.speeds[index(shape.speed)];
  const JobOffers found = job_offers(catalog, scenario, shape, region);
  if (found.offers.empty()) {
    out << title_of(shape, profile) << "\nNo machine on which it runs has a known price there.\n";
  } else {
    out << table_of(catalog, found.offers, title_of(shape, profile), console.layout());
  }
  for (const std::string& why : found.why_not) out << "Left out: " << why << ".\n";
  out << '\n';
}

void show(const CheapestOptions& options, Console& console) {
  const Scenario scenario = options.scenario.load(console);
  const std::string& folder = options.scenario.catalog_dir;
  const Catalog catalog = folder.empty() ? Catalog::embedded() : Catalog::from_folder(folder);
  check_region(options.region, catalog);
  std::vector<const Shape*> shapes;
  for (const Shape& shape : scenario.world.shapes) {
    const bool is_asked_for = shape.of_nodes == 0;
    if (is_asked_for && !scenario.world.speeds[index(shape.speed)].gpus.empty()) shapes.push_back(&shape);
  }
  if (shapes.empty()) {
    throw InputError{{.file = scenario.file, .pointer = "/workload"},
                     "no source has \"speed\": which GPU types its jobs run on, and how fast"};
  }
  for (std::size_t i = 0; i < std::min(shapes.size(), kMostShapes); ++i)
    show_shape(catalog, scenario, *shapes[i], options.region, console);
  if (shapes.size() > kMostShapes)
    console.out << fmt::format("Left out: {}.\n\n", counted(shapes.size() - kMostShapes, "more size"));
  console.out << fmt::format(
      "From prices {} and speeds alone{}: nothing waits, nothing is lost, and machines\n"
      "cost nothing before work begins. `stockout compare` plays what this leaves out.\n",
      scenario.prices_follow_calendar ? "of the first day" : "as of " + scenario.prices_as_of,
      options.region.empty() ? ", each in its cheapest region" : "");
}

}  // namespace

CLI::App* add_cheapest_command(CLI::App& catalog, Console& console) {
  CLI::App* command =
      catalog.add_subcommand("cheapest", "Cost of an hour of a job's work on each GPU it runs on");
  auto options = std::make_shared<CheapestOptions>();
  options->scenario.add_to(*command);
  command->add_option("--region", options->region, "This region only; default: the cheapest of each")
      ->type_name("REGION");
  command->footer(std::string{kCheapestHelp});
  command->callback([options, &console] { show(*options, console); });
  return command;
}

}  // namespace stockout

#include <array>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "models/inventory/inventory_part.h"
#include "sim/core/counted.h"
#include "sim/core/error.h"
#include "tools/stockout/commands.h"
#include "tools/stockout/files/import_output.h"
#include "tools/stockout/files/output_files.h"
#include "tools/table/write_text.h"

namespace stockout {
namespace {

constexpr const char* kReservationsHelp =
    "Each FILE is a list that gcloud prints as JSON, of reservations or of commitments. The tables show what\n"
    "they hold. Below them stands what a scenario has not of that, and why. --out writes the rest: the keys\n"
    "\"reservations\" and \"commitments\" of a scenario, for its pools and legs to use.\n"
    "\n"
    "Examples:\n"
    "  gcloud compute reservations list --format=json > reservations.json\n"
    "  gcloud compute commitments list --format=json > commitments.json\n"
    "  stockout reservations import reservations.json commitments.json --out held.json";

struct HeldArguments {
  std::vector<std::string> files;
  std::string out;
};

Cell day_cell(const std::optional<Date>& day) { return day ? Cell{to_text(*day)} : Cell{}; }

std::string reservations_table(const Inventory& inventory, const TextLayout& layout) {
  Relation table{.title = "Reservations"};
  table.add_columns(kText, {"name", "zone", "machine"});
  table.add_columns(kWhole, {"count", "in use"});
  table.add_columns(kText, {"until", "by name only", "status"});
  for (const ListedReservation& one : inventory.reservations) {
    table.add({one.name, one.zone, one.machine, one.count, one.in_use, day_cell(one.until),
               one.only_by_name ? "yes" : "no", one.status});
  }
  return write_section(table, layout);
}

std::string commitments_table(const Inventory& inventory, const Catalog& catalog, const TextLayout& layout) {
  Relation table{.title = "Commitments"};
  table.add_columns(kText, {"name", "region", "GPUs"});
  table.add_columns(kWhole, {"vCPUs", "machines"});
  table.add_columns(kText, {"machine", "plan", "start", "end", "status"});
  for (const ListedCommitment& one : inventory.commitments) {
    std::string gpus;
    for (const CommittedGpus& some : one.gpus)
      gpus += fmt::format("{}{} x {}", gpus.empty() ? "" : ", ", some.count, some.gpu);
    const auto machines = committed_machines(one, inventory, catalog);
    table.add({one.name, one.region, gpus, one.vcpus, machines ? Cell{machines->count} : Cell{},
               machines ? Cell{catalog.machine(machines->machine).name} : Cell{}, one.plan,
               day_cell(one.start), day_cell(one.end), one.status});
  }
  return write_section(table, layout);
}

void import_held(const HeldArguments& arguments, Console& console) {
  if (!arguments.out.empty())
    check_outputs(std::array{OutputFile{.option = "--out", .path = arguments.out}}, arguments.files);
  const Inventory inventory = read_inventory(arguments.files);
  const Catalog catalog = Catalog::embedded();
  const InventoryPart part = inventory_part(inventory, catalog);
  const TextLayout layout = console.layout();
  console.out << reservations_table(inventory, layout) << commitments_table(inventory, catalog, layout);
  if (!part.left_out.empty()) console.out << '\n' << list_left_out(part.left_out);
  console.out << fmt::format("\n{}, {}\n", counted(inventory.reservations.size(), "reservation"),
                             counted(inventory.commitments.size(), "commitment"));
  if (arguments.out.empty()) return;
  if (part.json.empty())
    throw InputError{{.file = arguments.files.front()},
                     "has no reservation and no commitment that a scenario can hold: nothing is written"};
  write_scenario_part(part.json.dump(2) + '\n', arguments.out);
}

}  // namespace

CLI::App* add_reservations_command(CLI::App& app, Console& console) {
  CLI::App* reservations = app.add_subcommand(
      "reservations", "Reservations and commitments that exist already, as gcloud lists them");
  reservations->require_subcommand(1);
  reservations->footer(kReservationsHelp);
  CLI::App* command = reservations->add_subcommand("import", "Reads them, as a part of a scenario");
  const auto arguments = std::make_shared<HeldArguments>();
  command->add_option("FILE", arguments->files, "Lists of reservations or commitments, as JSON")->required();
  command->add_option("--out", arguments->out, "The scenario's part is written to this file")
      ->type_name("FILE");
  command->footer(kReservationsHelp);
  command->callback([arguments, &console] { import_held(*arguments, console); });
  return reservations;
}

}  // namespace stockout

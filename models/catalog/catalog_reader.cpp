#include "models/catalog/catalog_reader.h"

#include <algorithm>
#include <sstream>

#include <fmt/format.h>

#include "sim/core/error.h"
#include "sim/core/unknown_name.h"

namespace stockout {

namespace {

constexpr std::size_t kMostMachines = 10'000;
constexpr std::int64_t kMostGpus = 1'024;
constexpr std::int64_t kMostVcpus = 100'000;

std::vector<std::string> words(const std::string& text) {
  std::istringstream in{text};
  return {std::istream_iterator<std::string>{in}, {}};
}

std::vector<std::string> names_of(const auto& map) {
  std::vector<std::string> names;
  names.reserve(map.size());
  for (const auto& [name, rest] : map) names.push_back(name);
  return names;
}

}  // namespace

Catalog CatalogReader::read(const CatalogTables& tables) {
  CatalogReader reader;
  reader.read_sources(tables[0]);
  reader.read_machines(tables[1]);
  reader.add_generic();
  reader.read_places(tables[2]);
  reader.read_prices(tables[3]);
  reader.read_collectives(tables[4], 4);
  reader.read_orchestrators(tables[5]);
  return std::move(reader.catalog_);
}

void CatalogReader::begin(std::size_t file, const CatalogTable& table) {
  file_ = &kCatalogFiles[file];
  table_ = &table;
  if (table.records.empty()) throw InputError{{.file = table.file}, "has a header and nothing else"};
}

void CatalogReader::read_sources(const CatalogTable& table) {
  begin(0, table);
  for (const Record& record : table.records) {
    record_ = &record;
    if (text(1).empty()) fail(1, "must not be empty");
    if (!catalog_.sources_.emplace(name(0), text(1)).second)
      fail(0, fmt::format("\"{}\" is there twice", text(0)));
  }
}

void CatalogReader::read_machines(const CatalogTable& table) {
  begin(1, table);
  for (const Record& record : table.records) {
    record_ = &record;
    if (catalog_.machines_.size() == kMostMachines) fail_line(record.line, "more than 10000 machine types");
    if (catalog_.find_machine(name(0))) fail(0, fmt::format("\"{}\" is there twice", text(0)));
    const bool has_gpus = text(2) != kNoGpu;
    MachineType machine{.name = name(0),
                        .family = name(1),
                        .gpu = gpu_type(name(2)),
                        .has_gpus = has_gpus,
                        .gpus = GpuCount{whole(has_gpus ? 3 : 6, 1, kMostGpus)},
                        .host_gpus = GpuCount{whole(4, 1, kMostGpus)},
                        .gpu_memory_gb = number(5),
                        .vcpus = static_cast<int>(whole(6, 0, kMostVcpus)),
                        .memory_gb = number(7),
                        .network_gbps = number(8),
                        .accepts = {},
                        .source = source(14),
                        .note = text(15)};
    if (!has_gpus && text(3) != "0") fail(3, "must be 0: the machine has no GPUs");
    for (std::size_t offer = 0; offer < kOfferNames.size(); ++offer) read_offer(9 + offer, offer, machine);
    check_family(machine);
    catalog_.machines_.push_back(std::move(machine));
  }
}

GpuTypeId CatalogReader::gpu_type(const std::string& gpu) {
  if (const auto known = catalog_.find_gpu(gpu)) return *known;
  catalog_.gpu_types_.push_back(gpu);
  return GpuTypeId{static_cast<std::uint16_t>(catalog_.gpu_types_.size() - 1)};
}

void CatalogReader::check_family(const MachineType& machine) {
  for (const std::string_view reserved : {machine.name, machine.family, catalog_.gpu_name(machine.gpu)}) {
    if (reserved == kGeneric)
      fail_line(record_->line, "the name \"generic\" belongs to the built-in machine");
  }
  if (machine.host_gpus.count() % machine.gpus.count() != 0) {
    fail(4, fmt::format("must be a multiple of the {} {} of the machine", machine.gpus.count(),
                        machine.has_gpus ? "GPUs" : "vCPUs"));
  }
  if (!catalog_.has_family(machine.family)) {
    catalog_.families_.push_back(machine.family);
    return;
  }
  const auto first = std::ranges::find(catalog_.machines_, machine.family, &MachineType::family);
  if (first->gpu != machine.gpu || first->host_gpus != machine.host_gpus) {
    fail(1, fmt::format("a family has one GPU type and one host size, but {} has {} on hosts of {}",
                        first->name, catalog_.gpu_name(first->gpu), first->host_gpus.count()));
  }
}

void CatalogReader::add_generic() {
  const std::string generic{kGeneric};
  MachineType machine{.name = generic,
                      .family = generic,
                      .gpu = gpu_type(generic),
                      .gpus = GpuCount{1},
                      .host_gpus = GpuCount{1},
                      .accepts = {},
                      .source = "built-in",
                      .note = "for theory and foreign traces; the scenario gives its price"};
  machine.accepts.fill(true);
  catalog_.machines_.push_back(std::move(machine));
  catalog_.families_.push_back(generic);
  catalog_.places_.push_back(
      {.name = generic, .region = generic, .families = {generic}, .source = "built-in"});
  catalog_.sources_.emplace("built-in", "part of the program, no product of a provider");
}

void CatalogReader::read_places(const CatalogTable& table) {
  begin(2, table);
  for (const Record& record : table.records) {
    record_ = &record;
    Place place{.name = name(0), .region = name(1), .families = words(text(2)), .source = text(3)};
    if (place.name == kGeneric) fail(0, "the name \"generic\" belongs to the built-in place");
    if (place.families.empty()) fail(2, "must name at least one machine family");
    for (const std::string& family : place.families) {
      if (!catalog_.has_family(family)) {
        fail(2, unknown_name("machine family", family, catalog_.families_));
      }
    }
    for (const std::string& key : words(place.source)) {
      if (!catalog_.sources_.contains(key)) {
        fail(3, unknown_name("source", key, names_of(catalog_.sources_)));
      }
    }
    if (!place_lines_.emplace(place.name, record.line).second)
      fail(0, fmt::format("\"{}\" is there twice", place.name));
    catalog_.places_.push_back(std::move(place));
  }
  std::ranges::sort(catalog_.places_, {}, &Place::name);
  for (const Place& place : catalog_.places_) check_zone(place);
}

void CatalogReader::check_zone(const Place& zone) {
  if (zone.name == zone.region) return;
  const int line = place_lines_.at(zone.name);
  const Place* region = catalog_.find_place(zone.region);
  if (region == nullptr || region->region != region->name) {
    fail_line(line, fmt::format("region: \"{}\" must have a line of its own as a region", zone.region));
  }
  for (const std::string& family : zone.families) {
    if (!Catalog::offers(*region, family)) {
      fail_line(line, fmt::format("families: the region {} must have \"{}\" too", zone.region, family));
    }
  }
}

void CatalogReader::read_prices(const CatalogTable& table) {
  begin(3, table);
  for (const Record& record : table.records) {
    record_ = &record;
    const auto machine = catalog_.find_machine(text(0));
    if (!machine) fail(0, unknown_name("machine type", text(0), catalog_.machine_names()));
    if (text(0) == kGeneric) fail(0, "generic is no product and has no price: a scenario gives it one");
    const Place* region = catalog_.find_place(text(1));
    if (region == nullptr || region->name != region->region) {
      fail(1, unknown_name("region", text(1), catalog_.place_names()));
    }
    if (!Catalog::offers(*region, catalog_.machine(*machine).family)) {
      fail(1, fmt::format("places.csv does not know {} in {}", catalog_.machine(*machine).family, text(1)));
    }
    prices_.emplace_back(PriceRow{.machine = *machine,
                                  .region = text(1),
                                  .model = model(2),
                                  .price = price(3),
                                  .as_of = day(4),
                                  .confidence = confidence(5),
                                  .source = source(6),
                                  .note = text(7)},
                         record.line);
  }
  check_duplicates(table);
}

void CatalogReader::check_duplicates(const CatalogTable& table) {
  const auto key = [](const auto& entry) {
    const PriceRow& row = entry.first;
    return std::tie(row.machine, row.region, row.model, row.as_of);
  };
  std::ranges::stable_sort(prices_, {}, key);
  const auto twin = std::ranges::adjacent_find(prices_, {}, key);
  if (twin != prices_.end()) {
    throw InputError{{.file = table.file, .line = std::next(twin)->second},
                     fmt::format("has the same machine, region, model and day as line {}", twin->second)};
  }
  for (auto& [row, line] : prices_) {
    catalog_.latest_ = std::max(catalog_.latest_, row.as_of);
    catalog_.prices_.push_back(std::move(row));
  }
}

}  // namespace stockout

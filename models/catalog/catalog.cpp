#include "models/catalog/catalog.h"

#include <algorithm>

#include "models/catalog/catalog_reader.h"
#include "models/catalog/embedded.h"
#include "models/catalog/tables.h"

namespace stockout {

namespace {

using PriceKey = std::tuple<MachineId, std::string_view, PriceModel>;

PriceKey key_of(const PriceRow& row) { return {row.machine, row.region, row.model}; }

}  // namespace

Catalog Catalog::embedded() { return CatalogReader::read(embedded_catalog_tables()); }

Catalog Catalog::from_folder(const std::string& folder) {
  return CatalogReader::read(read_catalog_tables(folder));
}

std::optional<MachineId> Catalog::find_machine(std::string_view name) const {
  const auto found = std::ranges::find(machines_, name, &MachineType::name);
  if (found == machines_.end()) return std::nullopt;
  return MachineId{static_cast<std::uint16_t>(found - machines_.begin())};
}

std::vector<std::string> Catalog::machine_names() const {
  std::vector<std::string> names;
  for (const MachineType& machine : machines_) names.push_back(machine.name);
  return names;
}

std::optional<GpuTypeId> Catalog::find_gpu(std::string_view name) const {
  const auto found = std::ranges::find(gpu_types_, name);
  if (found == gpu_types_.end()) return std::nullopt;
  return GpuTypeId{static_cast<std::uint16_t>(found - gpu_types_.begin())};
}

std::vector<std::string> Catalog::families_of_gpu(GpuTypeId gpu) const {
  std::vector<std::string> names;
  for (const MachineType& machine : machines_) {
    if (machine.gpu == gpu && std::ranges::find(names, machine.family) == names.end())
      names.push_back(machine.family);
  }
  return names;
}

bool Catalog::has_family(std::string_view family) const {
  return std::ranges::find(families_, family) != families_.end();
}

std::optional<MachineId> Catalog::smallest_machine(std::string_view family, Offer offer,
                                                   GpuCount gpus) const {
  std::optional<MachineId> best;
  for (std::size_t i = 0; i < machines_.size(); ++i) {
    const MachineType& machine = machines_[i];
    if (machine.family != family || machine.gpus < gpus || !machine.accepts[static_cast<std::size_t>(offer)])
      continue;
    if (best && std::pair{machines_[index(*best)].gpus, machines_[index(*best)].vcpus} <=
                    std::pair{machine.gpus, machine.vcpus}) {
      continue;
    }
    best = MachineId{static_cast<std::uint16_t>(i)};
  }
  return best;
}

const Place* Catalog::find_place(std::string_view name) const {
  const auto found = std::ranges::lower_bound(places_, name, {}, &Place::name);
  return found != places_.end() && found->name == name ? &*found : nullptr;
}

std::vector<std::string> Catalog::place_names() const {
  std::vector<std::string> names;
  for (const Place& place : places_) names.push_back(place.name);
  return names;
}

std::vector<const Place*> Catalog::zones_of(std::string_view region) const {
  std::vector<const Place*> zones;
  for (const Place& place : places_) {
    if (place.region == region && place.name != region) zones.push_back(&place);
  }
  return zones;
}

bool Catalog::offers(const Place& place, std::string_view family) {
  return family == kGeneric || std::ranges::find(place.families, family) != place.families.end();
}

std::vector<std::string> Catalog::places_with(std::string_view family) const {
  std::vector<std::string> names;
  for (const Place& place : places_) {
    if (offers(place, family)) names.push_back(place.name);
  }
  return names;
}

std::span<const PriceRow> Catalog::price_history(MachineId machine, std::string_view region,
                                                 PriceModel model) const {
  const PriceKey key{machine, region, model};
  const auto first = std::ranges::lower_bound(prices_, key, {}, key_of);
  const auto last = std::ranges::upper_bound(first, prices_.end(), key, {}, key_of);
  return {first, last};
}

PriceLookup Catalog::price(MachineId machine, std::string_view region, PriceModel model, Date day) const {
  const auto rows = price_history(machine, region, model);
  const auto later = std::ranges::upper_bound(rows, day, {}, &PriceRow::as_of);
  if (later != rows.begin()) return {.row = &*std::prev(later), .first = std::nullopt};
  return {.row = nullptr, .first = rows.empty() ? std::optional<Date>{} : rows.front().as_of};
}

std::span<const BusBandwidth> Catalog::collectives(std::string_view family) const {
  const auto first = std::ranges::lower_bound(collectives_, family, {}, &BusBandwidth::family);
  const auto last = std::ranges::upper_bound(collectives_, family, {}, &BusBandwidth::family);
  return {first, last};
}

}  // namespace stockout

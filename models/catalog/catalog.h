#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "models/catalog/collectives.h"
#include "models/catalog/date.h"
#include "models/catalog/types.h"
#include "models/catalog/validity.h"
#include "sim/core/ids.h"
#include "sim/core/quantity.h"

namespace stockout {

/// The built-in machine without a product: family, machine, GPU type and place of this name. One GPU, sold
/// under every offer, found in every place, and without a catalogue price: the scenario gives one. For theory
/// and foreign traces.
inline constexpr std::string_view kGeneric = "generic";

/// One dated price of one machine type in one region.
struct PriceRow {
  MachineId machine{};
  std::string region;
  PriceModel model = PriceModel::on_demand;
  MachineHourPrice price{};  // more than 0
  Date as_of{};              // the day from which the row is used, until the day of the next row
  std::string confidence;    // how well it is known: "documented", "secondary", "computed", "inferred", "low"
  std::string source;        // key into sources()
  std::string note;          // what a reader must know: the original wording of a vague date, an inference
};

/// Knowledge of the catalogue about a price on a day.
struct PriceLookup {
  const PriceRow* row = nullptr;  // the latest row not after the day; owned by the catalogue; nullptr: none
  std::optional<Date> first;      // only without `row`: the earliest later row, if there is any

  explicit operator bool() const { return row != nullptr; }
};

/// Machine types, places and dated prices: what the provider sells, where, and for how much. Immutable.
///
/// Regions and zones share one name space. A price belongs to a region and holds in all its zones.
class Catalog {
 public:
  /// The catalogue compiled into the binary (models/catalog/data).
  [[nodiscard]] static Catalog embedded();

  /// Reads machines.csv, places.csv, prices.csv, sources.csv and, if they are there, collectives.csv
  /// and orchestrators.csv of a folder. Checks everything: unknown names, duplicate rows, numbers out of
  /// range, impossible dates. Throws InputError with file and line.
  [[nodiscard]] static Catalog from_folder(const std::string& folder);

  /// By MachineId. The generic machine is the last.
  [[nodiscard]] std::span<const MachineType> machines() const { return machines_; }
  [[nodiscard]] const MachineType& machine(MachineId id) const { return machines_.at(index(id)); }
  [[nodiscard]] std::optional<MachineId> find_machine(std::string_view name) const;
  [[nodiscard]] std::vector<std::string> machine_names() const;

  /// By GpuTypeId: "H100-80GB", ..., and "generic" last.
  [[nodiscard]] std::span<const std::string> gpu_types() const { return gpu_types_; }
  [[nodiscard]] const std::string& gpu_name(GpuTypeId id) const { return gpu_types_.at(index(id)); }
  [[nodiscard]] std::optional<GpuTypeId> find_gpu(std::string_view name) const;

  /// Every machine family once, in the order of the machines.
  [[nodiscard]] std::span<const std::string> families() const { return families_; }
  /// The families whose machines have this GPU, in the same order; H100-80GB has two.
  [[nodiscard]] std::vector<std::string> families_of_gpu(GpuTypeId gpu) const;
  [[nodiscard]] bool has_family(std::string_view family) const;

  /// The machine of the family with the fewest GPUs, then the fewest vCPUs, that is sold under `offer` and
  /// has at least `gpus` GPUs. Nothing if there is none (or no such family).
  [[nodiscard]] std::optional<MachineId> smallest_machine(std::string_view family, Offer offer,
                                                          GpuCount gpus) const;

  /// Regions and zones, sorted by name.
  [[nodiscard]] std::span<const Place> places() const { return places_; }
  [[nodiscard]] const Place* find_place(std::string_view name) const;
  [[nodiscard]] std::vector<std::string> place_names() const;
  /// The region's zones in order of name, without the region itself.
  [[nodiscard]] std::vector<const Place*> zones_of(std::string_view region) const;
  /// True if the place is known to have the family; always true for the generic family.
  [[nodiscard]] static bool offers(const Place& place, std::string_view family);
  /// The names of the places, regions and zones, that have the family.
  [[nodiscard]] std::vector<std::string> places_with(std::string_view family) const;

  /// The price of a machine in a region on a day. No silent substitute: neither another region, nor another
  /// model, nor a later day.
  [[nodiscard]] PriceLookup price(MachineId machine, std::string_view region, PriceModel model,
                                  Date day) const;
  /// All rows of one machine, region and model, oldest first: the history of a price.
  [[nodiscard]] std::span<const PriceRow> price_history(MachineId machine, std::string_view region,
                                                        PriceModel model) const;
  /// Every row, sorted by machine, region, model and date.
  [[nodiscard]] std::span<const PriceRow> prices() const { return prices_; }
  /// The day of the latest row.
  [[nodiscard]] Date latest() const { return latest_; }

  /// Which consumption model can be used with which orchestrator, in the order of the file; a pair is there
  /// once.
  [[nodiscard]] std::span<const ValidityRow> validity() const { return validity_; }
  /// Measured collectives between nodes of the family, in order of size. One row without a busbw: measured,
  /// and the figures are withheld.
  [[nodiscard]] std::span<const BusBandwidth> collectives(std::string_view family) const;

  /// From the key of a source to its full wording.
  [[nodiscard]] const std::map<std::string, std::string, std::less<>>& sources() const { return sources_; }

 private:
  friend class CatalogReader;
  Catalog() = default;

  std::vector<MachineType> machines_;
  std::vector<std::string> gpu_types_;
  std::vector<std::string> families_;
  std::vector<Place> places_;
  std::vector<PriceRow> prices_;
  std::vector<ValidityRow> validity_;
  std::vector<BusBandwidth> collectives_;
  std::map<std::string, std::string, std::less<>> sources_;
  Date latest_{};
};

}  // namespace stockout

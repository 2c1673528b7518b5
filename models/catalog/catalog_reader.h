#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "models/catalog/catalog.h"
#include "models/catalog/tables.h"

namespace stockout {

/// From the tables of a catalogue to a Catalog, everything checked. Used once, then dropped.
class CatalogReader {
 public:
  /// Throws InputError with the file and line of the first thing that is wrong.
  [[nodiscard]] static Catalog read(const CatalogTables& tables);

 private:
  using Record = CatalogTable::Record;

  void read_sources(const CatalogTable& table);
  void read_machines(const CatalogTable& table);
  void read_places(const CatalogTable& table);
  void read_prices(const CatalogTable& table);
  void read_orchestrators(const CatalogTable& table);
  [[nodiscard]] ValidityRow validity_row() const;
  void read_collectives(const CatalogTable& table, std::size_t file);
  void check_family(const MachineType& machine);
  void check_zone(const Place& zone);
  void check_duplicates(const CatalogTable& table);
  void add_generic();

  // Fields of the record that is being read, by position. Each throws InputError that names the column.
  [[nodiscard]] const std::string& text(std::size_t column) const;
  [[nodiscard]] const std::string& name(std::size_t column) const;
  [[nodiscard]] std::int64_t whole(std::size_t column, std::int64_t least, std::int64_t most) const;
  [[nodiscard]] double number(std::size_t column) const;
  [[nodiscard]] double above_zero(std::size_t column) const;
  void read_offer(std::size_t column, std::size_t offer, MachineType& machine) const;
  [[nodiscard]] const std::string& source(std::size_t column) const;
  [[nodiscard]] MachineHourPrice price(std::size_t column) const;
  [[nodiscard]] Date day(std::size_t column) const;
  [[nodiscard]] PriceModel model(std::size_t column) const;
  [[nodiscard]] const std::string& confidence(std::size_t column) const;

  [[nodiscard]] GpuTypeId gpu_type(const std::string& gpu);
  [[noreturn]] void fail(std::size_t column, std::string_view problem) const;
  [[noreturn]] void fail_line(int line, std::string_view problem) const;
  void begin(std::size_t file, const CatalogTable& table);

  Catalog catalog_;
  const CatalogFile* file_ = nullptr;  // of the table being read
  const CatalogTable* table_ = nullptr;
  const Record* record_ = nullptr;
  std::map<std::string, int, std::less<>> place_lines_;
  std::vector<std::pair<PriceRow, int>> prices_;  // with their lines
};

}  // namespace stockout

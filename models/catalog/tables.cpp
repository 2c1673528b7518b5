#include "models/catalog/tables.h"

#include <filesystem>

#include <fmt/format.h>

#include "sim/core/error.h"
#include "sim/io/csv_reader.h"

namespace stockout {

namespace {

// A catalogue is read whole; more than this is some other file.
constexpr std::size_t kMostRecords = 1'000'000;

CatalogTable read_table(const std::string& path, std::span<const std::string_view> columns) {
  CsvReader csv{path};
  if (!csv.next())
    throw InputError{{.file = path},
                     fmt::format("is empty; expected the header {}", fmt::join(columns, ","))};
  const std::vector<std::string> known{columns.begin(), columns.end()};
  const auto places = find_columns(csv, known);
  for (std::size_t i = 0; i < known.size(); ++i) {
    if (places[i] == kNoColumn) csv.fail(fmt::format("column \"{}\" is missing", known[i]));
  }
  CatalogTable table{.file = path, .records = {}};
  while (csv.next()) {
    if (csv.fields().size() != known.size()) {
      csv.fail(fmt::format("has {} fields, but the header has {}", csv.fields().size(), known.size()));
    }
    if (table.records.size() == kMostRecords) csv.fail(fmt::format("more than {} records", kMostRecords));
    CatalogTable::Record record{.line = static_cast<int>(csv.line()), .fields = {}};
    for (const std::size_t place : places) record.fields.emplace_back(csv.fields()[place]);
    table.records.push_back(std::move(record));
  }
  return table;
}

}  // namespace

CatalogTables read_catalog_tables(const std::string& folder) {
  CatalogTables tables;
  for (std::size_t i = 0; i < kCatalogFiles.size(); ++i) {
    const std::string path = fmt::format("{}/{}", folder, kCatalogFiles[i].name);
    std::error_code unreadable;
    const bool optional = i >= kNeededFiles;
    if (optional && !std::filesystem::exists(path, unreadable) && !unreadable) continue;
    tables[i] = read_table(path, kCatalogFiles[i].columns);
  }
  return tables;
}

}  // namespace stockout

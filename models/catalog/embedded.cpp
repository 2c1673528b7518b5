#include "models/catalog/embedded.h"

#include <fmt/format.h>

namespace stockout {

namespace {

CatalogTable embedded_table(const CatalogFile& file, std::span<const std::string_view> cells) {
  CatalogTable table{.file = fmt::format("built-in {}", file.name), .records = {}};
  const std::size_t width = file.columns.size();
  for (std::size_t begin = 0; begin + width <= cells.size(); begin += width) {
    CatalogTable::Record record{.line = static_cast<int>(begin / width) + 2, .fields = {}};
    for (const std::string_view cell : cells.subspan(begin, width)) record.fields.emplace_back(cell);
    table.records.push_back(std::move(record));
  }
  return table;
}

}  // namespace

CatalogTables embedded_catalog_tables() {
  CatalogTables tables;
  for (std::size_t i = 0; i < kCatalogFiles.size(); ++i) {
    tables[i] = embedded_table(kCatalogFiles[i], embedded_cells(i));
  }
  return tables;
}

}  // namespace stockout

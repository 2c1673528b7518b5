#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "models/catalog/tables.h"

namespace stockout {

/// The fields of file `file` of kCatalogFiles as compiled into the binary, record after record, without the
/// header. Generated at build time from models/catalog/data by embed_catalog.cpp.
[[nodiscard]] std::span<const std::string_view> embedded_cells(std::size_t file);

/// The tables compiled into the binary.
[[nodiscard]] CatalogTables embedded_catalog_tables();

}  // namespace stockout

#pragma once

#include <string>
#include <vector>

#include "models/catalog/catalog.h"
#include "tools/table/text_layout.h"

namespace stockout {

/// Part of the catalogue that is to be shown.
struct CatalogQuery {
  std::vector<GpuTypeId> gpus;  // empty: all
  std::string place;            // region or zone; empty: all
  Date date{};                  // prices of this day
};

/// The GPU types a user means by `text`: the one of that name, else all whose name begins with it ("H100"
/// means H100-80GB and H100-MEGA-80GB), in any case of letters. Throws InputError if there is none.
[[nodiscard]] std::vector<GpuTypeId> gpus_named(const Catalog& catalog, const std::string& text);

/// The machine types that match, with what they are sold under and where, as a table.
[[nodiscard]] std::string list_machines(const Catalog& catalog, const CatalogQuery& query,
                                        const TextLayout& layout);

/// The prices that match, a row a price, with their age, how well they are known, and their sources as
/// footnotes.
[[nodiscard]] std::string list_prices(const Catalog& catalog, const CatalogQuery& query,
                                      const TextLayout& layout);

/// Which consumption model can be used with which orchestrator, and since when, with notes and sources as
/// footnotes.
[[nodiscard]] std::string list_orchestrators(const Catalog& catalog, const TextLayout& layout);

}  // namespace stockout

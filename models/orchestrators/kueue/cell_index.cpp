#include "models/orchestrators/kueue/cell_index.h"

#include <algorithm>

namespace stockout::kueue {

void add_to(Usage& usage, CellId cell, Amount amount) {
  const auto entry =
      std::find_if(usage.begin(), usage.end(), [&](const CellAmount& one) { return one.cell == cell; });
  if (entry == usage.end()) {
    usage.push_back({cell, amount});
  } else {
    entry->amount += amount;
  }
}

Amount amount_of(const Usage& usage, CellId cell) {
  const auto entry =
      std::find_if(usage.begin(), usage.end(), [&](const CellAmount& one) { return one.cell == cell; });
  return entry == usage.end() ? Amount{} : entry->amount;
}

CellId CellIndex::number(const std::string& flavor, const std::string& resource) {
  const auto [entry, is_new] =
      numbers_.try_emplace({flavor, resource}, CellId{static_cast<std::uint32_t>(cells_.size())});
  if (!is_new) return entry->second;
  const auto known =
      resources_.try_emplace(resource, ResourceId{static_cast<std::uint32_t>(resources_.size())}).first;
  cells_.push_back({flavor, resource, known->second});
  return entry->second;
}

}  // namespace stockout::kueue

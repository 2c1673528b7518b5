#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "models/orchestrators/kueue/amount.h"

namespace stockout::kueue {

/// One resource in one flavor.
enum class CellId : std::uint32_t {};
enum class ResourceId : std::uint32_t {};

struct Cell {
  std::string flavor;
  std::string resource;
  ResourceId resource_id{};
};

struct CellAmount {
  CellId cell{};
  Amount amount;
};

/// Amounts by cell; no cell comes twice.
using Usage = std::vector<CellAmount>;

/// Adds to the amount of the cell.
void add_to(Usage& usage, CellId cell, Amount amount);
[[nodiscard]] Amount amount_of(const Usage& usage, CellId cell);

/// Numbers cells and resources, in the order in which they are first asked for.
class CellIndex {
 public:
  CellId number(const std::string& flavor, const std::string& resource);
  [[nodiscard]] const Cell& at(CellId id) const { return cells_[static_cast<std::size_t>(id)]; }
  /// How many resources there are.
  [[nodiscard]] std::size_t resources() const { return resources_.size(); }

 private:
  std::vector<Cell> cells_;
  std::map<std::pair<std::string, std::string>, CellId> numbers_;
  std::map<std::string, ResourceId> resources_;
};

}  // namespace stockout::kueue

#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "models/catalog/catalog.h"
#include "models/inventory/inventory.h"

namespace stockout {

/// Holdings of a planner as the keys `reservations` and `commitments` of a scenario.
struct InventoryPart {
  nlohmann::ordered_json json = {};  // {"reservations": [...], "commitments": [...]}, without empty lists
  nlohmann::ordered_json begins_when = {};       // reservations of the future whose first day no list says
  std::map<std::string, std::string> asks = {};  // what lists should say of a reservation; by its name there
  std::vector<std::string> left_out = {};        // what a scenario has not of it, and why, one line each
};

/// models/inventory/README.md says what becomes what. Lines of `left_out` begin with the object they are
/// about.
[[nodiscard]] InventoryPart inventory_part(const Inventory& inventory, const Catalog& catalog);

/// Whole machines that a commitment pays for.
struct CommittedMachines {
  MachineId machine{};
  std::int64_t count = 0;
};

/// The machines whose GPUs and vCPUs together are those of the commitment; nothing if there are none.
/// `inventory`: with the reservations that it may be attached to.
[[nodiscard]] std::optional<CommittedMachines> committed_machines(const ListedCommitment& commitment,
                                                                  const Inventory& inventory,
                                                                  const Catalog& catalog);

}  // namespace stockout

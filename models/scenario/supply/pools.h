#pragma once

#include <string>
#include <vector>

#include "models/scenario/draft/draft.h"

namespace stockout {

/// The place of that name; throws, with the nearest name, if the cloud has none.
[[nodiscard]] const Place& find_place(const Draft& draft, const Node& node);

/// The region of a pool's place.
[[nodiscard]] const std::string& region_of(const Draft& draft, const Pool& pool);

/// GPUs of a host of the family.
[[nodiscard]] GpuCount host_gpus(const Draft& draft, const std::string& family);

/// The GPU type of the family.
[[nodiscard]] const std::string& gpu_of_family(const Draft& draft, const std::string& family);

/// The pool's `machine`, of its family; without one the family's largest machine.
[[nodiscard]] MachineId pool_machine(const Draft& draft, const Node& node, const Pool& pool);

/// How a pool or reservation ages, if its discipline does.
void read_ageing(const Node& node, Pool& pool);

/// Zone pools, without their capacity. Throws InputError.
void build_pools(Draft& draft);

}  // namespace stockout

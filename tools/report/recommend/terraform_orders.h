#pragma once

#include <string>

#include "tools/report/recommend/held_orders.h"

namespace stockout {

/// How it is ordered with Terraform's google provider: its resources, with a last line break. In words, as a
/// comment, where the provider has no resource for it.
[[nodiscard]] std::string terraform_blocks(const HeldOrder& order);

}  // namespace stockout

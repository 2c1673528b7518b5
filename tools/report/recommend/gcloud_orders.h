#pragma once

#include <string>
#include <vector>

#include "tools/report/recommend/held_orders.h"

namespace stockout {

/// The commands of `gcloud` that order it, each as words that are quoted for a shell. None where it has none.
[[nodiscard]] std::vector<std::vector<std::string>> gcloud_commands(const HeldOrder& order);

}  // namespace stockout

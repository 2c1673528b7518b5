#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "models/orchestrators/kueue/amount.h"
#include "models/orchestrators/kueue/configuration.h"
#include "sim/io/json_value.h"

namespace stockout::kueue {

/// The queues of a cluster out of what `kubectl get clusterqueues,cohorts,resourceflavors,localqueues -A -o
/// json` prints (API versions v1beta1 and v1beta2). Other objects in the list are left out. Policies that are
/// not set have Kueue's defaults. Throws InputError with the place for what is no such list.
[[nodiscard]] Configuration read_cluster(const JsonValue& root, const std::string& file);

/// A Kubernetes quantity ("4", "500m", "16Gi", "1e3") in thousandths for "cpu", else in whole units, rounded
/// up. Nothing if it is none; unlimited if it is too large.
[[nodiscard]] std::optional<Amount> parse_quantity(std::string_view text, bool in_thousandths);

}  // namespace stockout::kueue

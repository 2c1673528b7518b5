#pragma once

#include <string>

#include "models/orchestrators/kueue/amount.h"

namespace stockout::kueue {

/// Unit in which people count a resource: "vCPUs", "GiB of memory", else its own name.
[[nodiscard]] inline std::string unit_of(const std::string& resource) {
  if (resource == "memory") return "GiB of memory";
  return resource == "cpu" ? "vCPUs" : resource;
}

/// How much an Amount counts for one of these: thousandths of a vCPU, bytes of a GiB, else `other`.
[[nodiscard]] inline double counted_in_unit(const std::string& resource, double other) {
  if (resource == "memory") return 0x1p30;
  return resource == "cpu" ? 1'000 : other;
}

}  // namespace stockout::kueue

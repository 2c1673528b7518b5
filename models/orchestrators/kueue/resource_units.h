#pragma once

#include <string>

#include "models/orchestrators/kueue/amount.h"

namespace stockout::kueue {

/// The resource of which Kueue counts one for each pod, where a queue has a quota of it.
inline constexpr const char* kPods = "pods";

/// Unit in which people count a resource: "vCPUs", "GiB of memory", else its own name.
[[nodiscard]] inline std::string unit_of(const std::string& resource) {
  if (resource == "memory") return "GiB of memory";
  return resource == "cpu" ? "vCPUs" : resource;
}

/// How much an Amount counts for one of these: thousandths of a vCPU, bytes of a GiB, whole pods, else
/// `other`.
[[nodiscard]] inline double counted_in_unit(const std::string& resource, double other) {
  if (resource == "memory") return 0x1p30;
  if (resource == kPods) return 1;
  return resource == "cpu" ? 1'000 : other;
}

}  // namespace stockout::kueue

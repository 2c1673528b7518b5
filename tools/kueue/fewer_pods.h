#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "tools/kueue/case_value.h"

namespace stockout::kueue {

/// Partial admission of the workloads of one priority class.
struct FewerPods {
  std::int64_t workloads = 0;      // that may be admitted with fewer pods
  std::int64_t others = 0;         // that may not, and have several
  std::set<std::int64_t> least{};  // their minCounts
  double greatest_share = 0;       // the greatest part of its pods that one of them needs
};

/// By the name of the priority class; "" for those without one.
using FewerPodsByClass = std::map<std::string, FewerPods>;

/// Adds a Workload object of Kueue. Pods without GPUs do not count, and those of several pod sets count
/// together, as nodes of a job in a scenario do.
/// Throws InputError with the place for what is none.
void add_workload(const CaseValue& object, FewerPodsByClass& classes);

}  // namespace stockout::kueue

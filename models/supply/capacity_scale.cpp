#include "models/supply/capacity_scale.h"

#include <algorithm>

#include <fmt/format.h>

#include "sim/core/error.h"

namespace stockout {

CapacityScale::CapacityScale(const std::string& file, std::int32_t file_cap, std::int32_t most,
                             const CapacityRules& rules)
    : file_{file}, rules_{rules}, cap_{rules.cap != 0 ? rules.cap : file_cap} {
  if (rules.cap < 0) fail("the cap must be at least 1");
  if (rules.cap != 0 && file_cap != 0 && rules.cap != file_cap) {
    fail(fmt::format("the cap is said to be {}, but the file asked for {} each time", rules.cap, file_cap));
  }
  if (rules.shape_gpus < GpuCount{1}) fail("the probed machine must have at least 1 GPU");
  if (rules.means == Means::any) return;
  check_cap(most);
  if (rules.means == Means::fraction && rules.fleet < GpuCount{1}) {
    fail("a fraction needs a fleet of at least 1 GPU");
  }
  if (rules.at_cap == AtCap::machines && rules.at_cap_machines < cap_) {
    fail(fmt::format("a value at the cap means at least {} machines, but {} were stated", cap_,
                     rules.at_cap_machines));
  }
  check_size();
}

CapacityLevel CapacityScale::level(std::int32_t value) const {
  if (rules_.means == Means::any) return {.gpus = value >= 1 ? kUnlimitedGpus : GpuCount{0}};
  if (value == cap_) return {.gpus = at_cap(), .censored = true};
  return {.gpus = below_cap(value)};
}

void CapacityScale::fail(std::string_view problem) const { throw InputError{{.file = file_}, problem}; }

void CapacityScale::check_cap(std::int32_t most) const {
  if (cap_ == 0) fail("does not say how many machines were asked for each time: state the cap");
  if (most > cap_) fail(fmt::format("has a value {} beyond the cap {}", most, cap_));
}

// Nothing but kUnlimitedGpus itself may be as large: areas over a whole run must fit 64 bits.
void CapacityScale::check_size() const {
  const std::int64_t limit = kUnlimitedGpus.count();
  const std::int32_t machines = std::max(cap_, rules_.at_cap == AtCap::machines ? rules_.at_cap_machines : 0);
  if (rules_.fleet.count() > limit || rules_.shape_gpus.count() > limit / std::max(machines, 1)) {
    fail(fmt::format("makes a capacity of more than {} GPUs", limit));
  }
}

GpuCount CapacityScale::at_cap() const {
  if (rules_.at_cap == AtCap::unlimited) return kUnlimitedGpus;
  if (rules_.at_cap == AtCap::machines) return rules_.shape_gpus * rules_.at_cap_machines;
  return below_cap(cap_);
}

GpuCount CapacityScale::below_cap(std::int32_t value) const {
  if (rules_.means == Means::machines) return rules_.shape_gpus * value;
  return GpuCount{rules_.fleet.count() * value / cap_};
}

}  // namespace stockout

#include "models/record/wait_cause.h"

#include <algorithm>

namespace stockout {

std::optional<WaitCause> WaitTimes::main_cause() const {
  const auto* const longest = std::ranges::max_element(by_cause_);
  if (*longest == SimDuration::zero()) return std::nullopt;
  return static_cast<WaitCause>(longest - by_cause_.begin());
}

WaitTimes& WaitTimes::operator+=(const WaitTimes& other) {
  for (std::size_t i = 0; i < kWaitCauses; ++i) by_cause_[i] += other.by_cause_[i];
  return *this;
}

WaitTimes& WaitTimes::operator-=(const WaitTimes& other) {
  for (std::size_t i = 0; i < kWaitCauses; ++i) by_cause_[i] -= other.by_cause_[i];
  return *this;
}

}  // namespace stockout

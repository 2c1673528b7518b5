#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "models/supply/availability.h"
#include "models/supply/markov_capacity.h"

namespace stockout {

/// Turns values of a measured series, or levels of a profile, into GPUs. Checks the rules once, beforehand.
class CapacityScale {
 public:
  /// `file` is named in errors; `file_cap` is how many machines it says were asked for, 0 if it does not;
  /// `most` is its greatest value. `rules` must outlive the scale.
  CapacityScale(const std::string& file, std::int32_t file_cap, std::int32_t most,
                const CapacityRules& rules);

  [[nodiscard]] CapacityLevel level(std::int32_t value) const;

 private:
  [[noreturn]] void fail(std::string_view problem) const;
  void check_cap(std::int32_t most) const;
  void check_size() const;
  [[nodiscard]] GpuCount at_cap() const;
  [[nodiscard]] GpuCount below_cap(std::int32_t value) const;

  std::string file_;
  const CapacityRules& rules_;
  std::int32_t cap_ = 0;
};

}  // namespace stockout

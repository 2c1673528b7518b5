#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "sim/core/time.h"

namespace stockout::slurm {

using PartJson = nlohmann::ordered_json;

/// Parts of a cluster's configuration that a scenario has not, and why, one line each.
using LeftOut = std::vector<std::string>;

/// The largest number of a scenario's keys that have no limit of their own.
inline constexpr std::int64_t kMostNumber = 1'000'000'000;

/// Puts values into an object of a scenario, as far as that may have them.
class ScenarioValues {
 public:
  ScenarioValues(PartJson& object, LeftOut& left_out) : object_{object}, left_out_{left_out} {}

  /// Unless it is that of Slurm. What is above the values of a scenario is written as the largest, and said.
  void put_number(const char* key, std::int64_t value, std::int64_t of_slurm,
                  std::int64_t most = kMostNumber);
  /// A length below `least` is written as that, and said.
  void put_length(const char* key, SimDuration value, SimDuration of_slurm, SimDuration least = {});
  void put_flag(const char* key, bool value, bool of_slurm);
  /// A value that a scenario has no key for is said, unless it is that of Slurm.
  template <typename Value>
  void has_not(const char* key, const Value& value, const Value& of_slurm) {
    if (value != of_slurm) left_out_.push_back(std::string{key} + ": a scenario takes Slurm's default");
  }

 private:
  PartJson& object_;
  LeftOut& left_out_;
};

}  // namespace stockout::slurm

#include "tools/slurm_replay/scenario_values.h"

#include <algorithm>

#include <fmt/format.h>

#include "sim/core/duration_text.h"

namespace stockout::slurm {
namespace {

constexpr std::int64_t kMostInScenario = 1'000'000'000;

}  // namespace

void ScenarioValues::put_number(const char* key, std::int64_t value, std::int64_t of_slurm) {
  if (value == of_slurm) return;
  if (value > kMostInScenario)
    left_out_.push_back(fmt::format("{}: more than {} is written as that", key, kMostInScenario));
  object_[key] = std::min(value, kMostInScenario);
}

void ScenarioValues::put_length(const char* key, SimDuration value, SimDuration of_slurm) {
  if (value == of_slurm) return;
  const SimDuration most = kLongestRun;
  if (value > most)
    left_out_.push_back(fmt::format("{}: more than {} is written as that", key, format_duration(most)));
  object_[key] = format_duration(std::min(value, most));
}

void ScenarioValues::put_flag(const char* key, bool value, bool of_slurm) {
  if (value != of_slurm) object_[key] = value;
}

}  // namespace stockout::slurm

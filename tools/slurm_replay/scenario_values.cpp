#include "tools/slurm_replay/scenario_values.h"

#include <algorithm>

#include <fmt/format.h>

#include "sim/core/duration_text.h"

namespace stockout::slurm {

void ScenarioValues::put_number(const char* key, std::int64_t value, std::int64_t of_slurm,
                                std::int64_t most) {
  if (value == of_slurm) return;
  if (value > most) left_out_.push_back(fmt::format("{}: more than {} is written as that", key, most));
  object_[key] = std::min(value, most);
}

void ScenarioValues::put_length(const char* key, SimDuration value, SimDuration of_slurm, SimDuration least) {
  if (value == of_slurm) return;
  const SimDuration most = kLongestRun;
  if (value > most)
    left_out_.push_back(fmt::format("{}: more than {} is written as that", key, format_duration(most)));
  if (value < least)
    left_out_.push_back(fmt::format("{}: less than {} is written as that", key, format_duration(least)));
  object_[key] = format_duration(std::clamp(value, least, most));
}

void ScenarioValues::put_flag(const char* key, bool value, bool of_slurm) {
  if (value != of_slurm) object_[key] = value;
}

}  // namespace stockout::slurm

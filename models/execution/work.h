#pragma once

#include "sim/core/check.h"
#include "sim/core/time.h"

namespace stockout {

/// How a job writes checkpoints: one after every `every` of work, each taking `cost`. `every` 0: none.
struct Checkpoints {
  SimDuration every{};
  SimDuration cost{};
};

/// What became of the time a job has run.
struct Progress {
  SimDuration kept{};  // work saved by checkpoints
  SimDuration lost{};  // work done since the last one
};

/// How long `work` takes from its first instant: the work and the checkpoints written on the way, none at the
/// end.
/// Longer than kLongestRun counts as that: no run sees its end.
[[nodiscard]] constexpr SimDuration run_time(SimDuration work, Checkpoints rule) {
  if (rule.every == SimDuration::zero() || work == SimDuration::zero()) return work;
  const std::int64_t written = (work - SimDuration{1}) / rule.every;
  if (rule.cost > SimDuration::zero() && written > (kLongestRun - work) / rule.cost) return kLongestRun;
  return work + written * rule.cost;
}

/// What an interruption `ran` after work began leaves. A checkpoint counts when it is completely written.
[[nodiscard]] constexpr Progress interrupted_after(SimDuration ran, Checkpoints rule) {
  if (ran <= SimDuration::zero()) return {};
  if (rule.every == SimDuration::zero()) return {.kept = {}, .lost = ran};
  const SimDuration cycle = rule.every + rule.cost;
  const std::int64_t written = ran / cycle;
  const SimDuration since = ran - written * cycle;
  return {.kept = written * rule.every, .lost = since < rule.every ? since : rule.every};
}

}  // namespace stockout

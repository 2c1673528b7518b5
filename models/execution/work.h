#pragma once

#include <algorithm>
#include <cstdint>

#include "sim/core/time.h"

namespace stockout {

/// Work done per time, in millionths of what is done on the reference: what a job's work was measured on.
using Rate = std::uint32_t;
inline constexpr Rate kReferenceRate = 1'000'000;
/// The bounds of a rate. The longest work at the least rate is 2^50 ms.
inline constexpr Rate kLeastRate = 1'000;
inline constexpr Rate kMostRate = 1'000'000'000;

__extension__ using WideWork = __int128;

/// How long `work`, measured on the reference, takes at a rate. Rounded up; kForever stays.
[[nodiscard]] constexpr SimDuration time_at(Rate rate, SimDuration work) {
  if (rate == kReferenceRate || work == kForever) return work;
  const WideWork scaled = static_cast<WideWork>(work.count()) * kReferenceRate + (rate - 1);
  return SimDuration{static_cast<std::int64_t>(scaled / rate)};
}

/// How much of `left` is done after working for `time` at a rate. Rounded down, at most all of it.
[[nodiscard]] constexpr SimDuration work_done(Rate rate, SimDuration time, SimDuration left) {
  if (rate == kReferenceRate) return std::min(time, left);
  const WideWork done = static_cast<WideWork>(time.count()) * rate / kReferenceRate;
  return done < left.count() ? SimDuration{static_cast<std::int64_t>(done)} : left;
}

/// The rate of `machines` of `asked` machines of a job that runs at `rate` on all of them: in proportion, at
/// least the smallest there is.
[[nodiscard]] constexpr Rate rate_on(Rate rate, std::int64_t machines, std::int64_t asked) {
  return std::max(Rate{1}, static_cast<Rate>(std::int64_t{rate} * machines / asked));
}

/// How a job writes checkpoints: one after every `every` of work, each taking `cost`. `every` 0: none.
struct Checkpoints {
  SimDuration every{};
  SimDuration cost{};
};

/// Results of the time a job has run.
struct Progress {
  SimDuration kept{};  // work saved by checkpoints
  SimDuration lost{};  // work done since the last one
};

/// How long `work`, in time on the machine, takes from its first instant: the work and the checkpoints
/// written on the way, none at the end. Longer than kLongestRun counts as that: no run sees its end.
[[nodiscard]] constexpr SimDuration run_time(SimDuration work, Checkpoints rule) {
  if (rule.every == SimDuration::zero() || work == SimDuration::zero()) return work;
  const std::int64_t written = (work - SimDuration{1}) / rule.every;
  if (rule.cost > SimDuration::zero() && written > (kLongestRun - work) / rule.cost) return kLongestRun;
  return work + written * rule.cost;
}

/// Progress left by an interruption `ran` after work began. A checkpoint counts when it is completely
/// written.
[[nodiscard]] constexpr Progress interrupted_after(SimDuration ran, Checkpoints rule) {
  if (ran <= SimDuration::zero()) return {};
  if (rule.every == SimDuration::zero()) return {.kept = {}, .lost = ran};
  const SimDuration cycle = rule.every + rule.cost;
  const std::int64_t written = ran / cycle;
  const SimDuration since = ran - written * cycle;
  return {.kept = written * rule.every, .lost = since < rule.every ? since : rule.every};
}

}  // namespace stockout

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "models/history/bins.h"
#include "sim/core/time.h"

namespace stockout {

/// A count times milliseconds: wide enough for any level over any run.
__extension__ using WideArea = __int128;

/// Height of a level from `at` on.
struct LevelStep {
  SimTime at{};
  std::int64_t level = 0;
};

/// A level over the bins of a run: none of it is negative. Both columns are empty if it was 0 all the time.
struct LevelHistory {
  std::vector<double> mean;  // by bin: time-weighted; of the last bin, over the part that the run has
  std::vector<std::int64_t> highest;  // by bin: of the levels that lasted for any time, not of moments
  WideArea area = 0;                  // exact, over [kStart, end of the run]
  std::optional<std::vector<LevelStep>>
      steps;  // from 0 at kStart on, if they were asked for and not too many

  [[nodiscard]] bool is_zero() const { return mean.empty(); }
};

/// Makes a LevelHistory of changes in order of time. What was before kStart has no part in it.
class Level {
 public:
  /// `most_steps`: so many steps are kept, and none if there are more.
  explicit Level(std::size_t most_steps = 0) : most_steps_{most_steps} {}

  [[nodiscard]] std::int64_t now() const { return level_; }

  /// The level is `by` more from `at` on. `bins` reach it, and are the same in every call, joined at times.
  void change(std::int64_t by, SimTime at, const Bins& bins);

  /// Each `count` bins have become one.
  void join(std::size_t count);

  /// `end`, not before kStart: of the run.
  [[nodiscard]] LevelHistory finish(SimTime end, const Bins& bins, std::size_t count);

 private:
  void settle(SimTime at, const Bins& bins);
  void add_step(SimTime at);

  std::size_t most_steps_;
  std::vector<LevelStep> steps_;
  std::int64_t level_ = 0;
  SimTime since_ = kStart;
  std::vector<WideArea> area_;
  std::vector<std::int64_t> highest_;
};

/// How often something happened, by bin; empty if it never did.
class EventCount {
 public:
  void add(std::uint64_t count, std::size_t bin);
  void join(std::size_t count);

  /// Events at the very end of a run that ends with a bin are part of that bin.
  [[nodiscard]] std::vector<std::uint64_t> finish(std::size_t count);

 private:
  std::vector<std::uint64_t> counts_;
};

}  // namespace stockout

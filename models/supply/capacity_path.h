#pragma once

#include <cstddef>

#include "models/supply/pool.h"
#include "sim/random/draw.h"

namespace stockout {

/// The capacity of one source over one run, in order of time and in constant memory: given steps, or levels
/// drawn on the way.
class CapacityPath {
 public:
  /// A path without anything, for a pool that has no source.
  CapacityPath() = default;

  /// Stands at what is there at `begin`. Nothing is drawn for later than `end`, when the run is over.
  /// `source` must outlive the path.
  CapacityPath(const CapacitySource& source, const RandomStreams& random, SimTime begin, SimTime end);

  [[nodiscard]] GpuCount gpus() const { return now_.gpus; }
  [[nodiscard]] bool is_censored() const { return now_.censored; }

  /// When the capacity changes next; kNever if it does not.
  [[nodiscard]] SimTime next_at() const { return next_at_; }

  /// Goes on to next_at(), which must not be kNever.
  void advance();

 private:
  void find_next();
  void find_next_level();
  [[nodiscard]] std::size_t next_state() const;
  [[nodiscard]] std::size_t level_shown() const;
  [[nodiscard]] double quantile(std::int64_t tick) const;

  const CapacitySource* source_ = nullptr;
  RandomStreams random_;
  SimTime end_{};
  CapacityLevel now_;
  SimTime next_at_ = kNever;
  std::size_t place_ = 0;       // the step, or the level
  std::size_t state_ = 0;       // a chain: at tick_
  std::size_t next_level_ = 0;  // a chain: at next_at_
  std::int64_t tick_ = 0;       // a chain: the tick of next_at_
};

}  // namespace stockout

#pragma once

#include <cstdint>
#include <vector>

#include "sim/core/time.h"

namespace stockout {

/// A length of time that may be known only from below.
struct KnownDuration {
  SimDuration value{};
  bool at_least = false;  // the true one is longer than `value`
  friend bool operator==(const KnownDuration&, const KnownDuration&) = default;
};

/// How long a set of things took, where some of them never ended while we looked (censored). A censored one
/// counts as longer than all that ended: a job that never starts waits for ever, however early it gave up.
class CensoredSample {
 public:
  /// One that ended after `length`, at least 0.
  void add(SimDuration length);
  /// One that had not ended when it was last seen, after `seen`, at least 0.
  void add_censored(SimDuration seen);

  [[nodiscard]] std::size_t size() const { return ended_.size() + censored_.size(); }
  [[nodiscard]] std::size_t censored() const { return censored_.size(); }

  /// The inverse of the empirical distribution: the shortest length that a share `q` of the sample does not
  /// exceed, so that the answer is a length that occurred. `q` in [0, 1]; the sample is not empty.
  /// Where the rank falls on a censored one, the value is a bound from below: the longest of what ended and
  /// of the censored ones up to the rank, in order of the time for which they were seen.
  [[nodiscard]] KnownDuration quantile(double q) const;

  /// In milliseconds, with censored ones at the time for which they were seen; the sample is not empty. A
  /// bound from below if there are any.
  [[nodiscard]] double mean_ms() const;

 private:
  // Sorted on the first question after an add.
  mutable std::vector<SimDuration> ended_;
  mutable std::vector<SimDuration> censored_;
  mutable bool sorted_ = true;

  void sort() const;
};

}  // namespace stockout

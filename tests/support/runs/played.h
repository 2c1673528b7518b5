#pragma once

#include <cstdint>
#include <string>

#include "tests/support/runs/agreement.h"
#include "tests/support/worlds/world_builder.h"

namespace stockout::test {

/// A hand-made world, run by both implementations. That they agree is part of every test that uses it: if
/// they do not, the constructor throws and tells the difference.
class Played {
 public:
  explicit Played(const World& world);
  explicit Played(const WorldBuilder& make) : Played{make.build()} {}

  /// Fate of recorded job `number` (in order of arrival), in seconds: its leases, then its end.
  ///   "leg 0 pool 1: 0 to 10 preempted, lost 4 | leg 0 pool 1: 20 works 25 to 31 | completed at 31"
  /// "works" stands where work began later than the lease; "to 10 preempted" means that it was reclaimed
  /// at 10, "to 10 expired" that it was given back then.
  [[nodiscard]] std::string job(std::uint64_t number) const;

  /// Usage of a price line by user 0 in class 0, in seconds: "used 10 billed 60 | useful 8 redone 2 ...",
  /// parts that are 0 left out. The first pair counts machine-seconds, the others GPU-seconds.
  [[nodiscard]] std::string usage(std::uint32_t line) const;

  /// When the run ended, in seconds.
  [[nodiscard]] std::string end() const;

  [[nodiscard]] const RunRecord& record() const { return runs_.record; }

 private:
  BothRuns runs_;
};

}  // namespace stockout::test

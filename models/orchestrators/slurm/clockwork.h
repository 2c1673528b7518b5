#pragma once

#include <optional>

#include "models/orchestrators/slurm/settings.h"
#include "sim/core/time.h"

namespace stockout::slurm {

/// When the schedulers of slurmctld work. Its main loop comes round each second. It runs a short cycle if
/// something has asked for one and the last is batch_sched_delay ago, and each sched_interval one over the
/// full queue. Backfill sleeps bf_interval after each cycle. If nothing has changed by then it looks again
/// every second. Both count from the start of the controller, SimTime 0.
class Clockwork {
 public:
  enum class MainCycle : std::uint8_t { none, short_one, full };

  explicit Clockwork(const Settings& settings) : settings_{settings} {}

  /// Something has asked the main scheduler to look at the queue.
  void ask(SimTime now);

  /// The main cycle that is due now, as done.
  [[nodiscard]] MainCycle take_main_cycle(SimTime now, SimTime changed);
  /// A cycle of backfill is over. `planned`: the queue was not empty.
  void backfilled(SimTime now, bool planned);

  /// When the next of them is due; kNever: not before something happens. `changed`: when anything last did.
  /// Of cycles that somebody has asked for: they are played also if nobody waits.
  [[nodiscard]] SimTime asked_for() const;
  [[nodiscard]] SimTime next_main_cycle(SimTime changed) const;
  [[nodiscard]] SimTime next_backfill(SimTime changed) const;

 private:
  // The next round of the main loop, at `at` or later.
  [[nodiscard]] static SimTime round_at(SimTime at);
  // When the full queue is next looked at; kNever: that would come to nothing new.
  [[nodiscard]] SimTime next_full(SimTime changed) const;
  // When the full queue was last due at `at` or before.
  [[nodiscard]] SimTime last_full(SimTime at) const;
  const Settings& settings_;
  std::optional<SimTime> asked_;
  SimTime last_main_{};
  SimTime last_played_full_{};
  SimTime last_backfill_{};
  bool is_planning_ = false;  // the last cycle of backfill had somebody to plan for
};

}  // namespace stockout::slurm

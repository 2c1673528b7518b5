#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "models/orchestrators/orchestrator.h"
#include "models/simulation/books/run_clerk.h"
#include "models/simulation/ground/run_events.h"

namespace stockout {

/// An orchestrator of a run, and the clerk that carries out its calls.
struct Seat {
  std::unique_ptr<Orchestrator> orchestrator;
  std::unique_ptr<RunClerk> clerk;
};

/// When orchestrators act of themselves: as the run begins, at times for which they asked, and in their
/// turns.
class OrchestratorTurns {
 public:
  /// `seats` outlive it.
  explicit OrchestratorTurns(const std::vector<Seat>& seats) : seats_{seats} {}

  /// Where clerks leave what they are told in a turn.
  [[nodiscard]] RunClerk::Turn& turn() { return turn_; }

  /// The run begins.
  void begin();
  /// A time has come for which one of them asked to be woken.
  void play_timer(Event event);
  /// Whether any of them wants a turn.
  [[nodiscard]] bool is_due() const { return !seats_.empty() && next_due() != seats_.size(); }
  /// The next step that is told in a turn, to be played at once. False: nobody is due any more.
  [[nodiscard]] bool take(Due& due) { return !seats_.empty() && find_told(due); }

 private:
  [[nodiscard]] std::size_t next_due() const;
  [[nodiscard]] bool find_told(Due& due);

  const std::vector<Seat>& seats_;
  RunClerk::Turn turn_;
};

}  // namespace stockout

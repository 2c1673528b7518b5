#include "models/simulation/books/orchestrator_turns.h"

#include <algorithm>

namespace stockout {

void OrchestratorTurns::begin() {
  for (const Seat& seat : seats_) seat.orchestrator->begins(*seat.clerk);
}

void OrchestratorTurns::play_timer(Event event) {
  const Seat& seat = seats_[event.subject];
  seat.orchestrator->timer(Token{event.detail}, *seat.clerk);
}

std::size_t OrchestratorTurns::next_due() const {
  const auto due = std::ranges::find_if(seats_, [](const Seat& seat) { return seat.orchestrator->is_due(); });
  return static_cast<std::size_t>(due - seats_.begin());
}

bool OrchestratorTurns::find_told(Due& due) {
  while (turn_.told.empty()) {
    const std::size_t next = next_due();
    if (next == seats_.size()) return false;
    const Seat& seat = seats_[next];
    turn_.is_on = true;
    seat.orchestrator->turn(*seat.clerk);
    turn_.is_on = false;
    STOCKOUT_CHECK(!turn_.told.empty() || !seat.orchestrator->is_due(),
                   "an orchestrator makes nothing of its turn");
  }
  due = turn_.told.front();
  turn_.told.pop_front();
  return true;
}

}  // namespace stockout

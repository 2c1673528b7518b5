#pragma once

#include <cstddef>
#include <vector>

#include "models/simulation/ground/run_events.h"

namespace stockout {

/// Events set for the very instant that is played: it comes up in the next round. Ends of leases, and begins
/// of work, can be preempted.
class ThisInstant {
 public:
  void add(Phase phase, Event event) { soon_.push_back({.phase = phase, .event = event}); }
  void add_ending(Event event) { ending_.push_back(event); }
  void unset_ending(LeaseSlot lease);

  /// Whether anything waits for a further round.
  [[nodiscard]] bool has_more() const { return !ending_.empty() || !soon_.empty(); }
  /// A round begins, in which all that comes up: ends in order from take_ending(), the rest is handed to
  /// `play(Phase, Event)`.
  template <typename Play>
  void begin_round(Play play) {
    if (soon_.empty() && ending_.empty() && ending_now_.empty()) return;
    for (const Soon& soon : soon_) play(soon.phase, soon.event);
    soon_.clear();
    ending_now_.swap(ending_);
    ending_.clear();
    next_ending_ = 0;
  }
  /// False: there is none left in this round.
  bool take_ending(Event& event) { return next_ending_ < ending_now_.size() && take_next_ending(event); }

 private:
  struct Soon {
    Phase phase;
    Event event;
  };

  bool take_next_ending(Event& event);

  std::vector<Soon> soon_;
  std::vector<Event> ending_;
  std::vector<Event> ending_now_;  // of this round
  std::size_t next_ending_ = 0;    // of those
};

}  // namespace stockout

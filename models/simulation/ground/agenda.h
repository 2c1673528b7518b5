#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/simulation/ground/run_events.h"
#include "models/simulation/ground/slot.h"
#include "models/simulation/ground/this_instant.h"
#include "models/world/world.h"
#include "sim/core/time.h"
#include "sim/engine/delay_lanes.h"
#include "sim/engine/event_queue.h"

namespace stockout {

/// The clock of a run and all that is set for later: events by (time, phase, order of setting), patience, and
/// the steps of jobs in the next round. It knows no rule: those who set something play it when its time has
/// come.
class Agenda {
 public:
  Agenda(SimTime begin, Ties ties);

  [[nodiscard]] SimTime now() const { return now_; }
  /// False before the first instant.
  [[nodiscard]] bool has_begun() const { return has_begun_; }

  /// Sets `event` for a time after now; before the first instant, for the begin of the run too.
  EventHandle at(SimTime time, Phase phase, Event event) {
    return events_.schedule(time, rank_[static_cast<std::size_t>(phase)], event);
  }
  /// The end of a plain job's lease, which nothing can preempt. After now.
  void at_flight_end(SimTime time, JobSlot slot) {
    events_.schedule_fixed(time, rank_[static_cast<std::size_t>(Phase::releases)],
                           static_cast<std::uint32_t>(slot));
  }
  /// An event for a time that may be now: then it comes in the next round, and cannot be cancelled.
  EventHandle at_or_soon(SimTime time, Phase phase, Event event) {
    if (time > now_ || !has_begun_) return at(time, phase, event);
    instant_.add(phase, event);
    return {};
  }
  /// Sets an end of a lease, or the begin of its work. At now it comes in the next round, and unset_ending()
  /// takes it back.
  EventHandle at_end(SimTime time, Event event) {
    if (time > now_) return at(time, Phase::releases, event);
    instant_.add_ending(event);
    return {};
  }
  void unset_ending(LeaseSlot lease) { instant_.unset_ending(lease); }
  /// A handle of something that has come or was cancelled is no mistake.
  void cancel(EventHandle handle) { events_.cancel(handle); }

  /// A job's patience ends `delay` after now, if `stay` is still its stay then. `delay` above 0.
  void wait(SimDuration delay, JobStay stay) { patience_.set(now_, delay, stay); }

  /// In the timer phase of the next round.
  void plan(const Due& due) { due_.push_back(due); }

  // What the loop asks, in this order.

  /// The next time for which an event is set; kNever: none is.
  [[nodiscard]] SimTime next_event() const { return events_.next_time(); }
  /// The next end of anybody's patience; kNever as above. `is_live(JobStay)` tells void ones.
  template <typename IsLive>
  [[nodiscard]] SimTime next_patience(IsLive is_live) {
    return patience_.next_time(is_live);
  }
  /// The clock moves on to an instant.
  void begin_instant(SimTime at) {
    now_ = at;
    has_begun_ = true;
    rounds_ = 0;
  }
  /// A round of the instant begins: what was set for this very instant since the last one began comes up in
  /// it. More than `most` rounds since the last progress are a mistake of ours.
  void begin_round(std::size_t most) {
    if (++rounds_ > most) fail_to_end();
    instant_.begin_round([this](Phase phase, Event event) { at(now_, phase, event); });
  }
  /// A job was released, granted, or has become final.
  void note_progress() { rounds_ = 0; }
  /// The next event of the phase at this instant; false: there is none.
  bool take(Phase phase, Event& event) {
    if (events_.is_next(now_, rank_[static_cast<std::size_t>(phase)])) {
      if (events_.is_next_fixed()) {
        event = Event::of(EventKind::flight_ends, take_flight());
        return true;
      }
      ++taken_;
      event = events_.pop();
      return true;
    }
    if (phase != Phase::releases || !instant_.take_ending(event)) return false;
    ++taken_;
    return true;
  }
  /// The next event is the end of a plain job's lease.
  [[nodiscard]] bool is_flight_next() const { return events_.is_next_fixed(); }
  /// It, which there must be.
  JobSlot take_flight() {
    ++taken_;
    return JobSlot{events_.pop_fixed()};
  }
  /// The next patience that ends at this instant, void ones too.
  bool take_patience(JobStay& stay) { return patience_.pop(now_, stay); }
  /// Moves the steps that are due into `due`, which is empty.
  void take_due(std::vector<Due>& due) {
    if (!due_.empty()) due.swap(due_);
  }
  /// Whether this instant needs a further round.
  [[nodiscard]] bool has_more() const { return !due_.empty() || instant_.has_more(); }

  /// Events that have taken effect.
  [[nodiscard]] std::uint64_t taken() const { return taken_; }
  /// The run ends: at an instant that may lie beyond the last one.
  void stop(SimTime at) { now_ = at; }

 private:
  [[noreturn]] void fail_to_end() const;

  SimTime now_;
  bool has_begun_ = false;
  std::array<std::uint8_t, kPhases> rank_;  // by Phase: its place in a round
  EventQueue<Event> events_;
  DelayLanes<JobStay> patience_;
  ThisInstant instant_;
  std::vector<Due> due_;
  std::size_t rounds_ = 0;  // of this instant, since the last progress
  std::uint64_t taken_ = 0;
};

}  // namespace stockout

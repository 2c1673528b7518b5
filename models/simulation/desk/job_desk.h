#pragma once

#include <cstddef>
#include <cstdint>

#include "models/simulation/books/orchestration.h"
#include "models/simulation/books/recorder.h"
#include "models/simulation/books/route.h"
#include "models/simulation/desk/asking.h"
#include "models/simulation/desk/deadline_moves.h"
#include "models/simulation/ground/agenda.h"
#include "models/simulation/ground/outcome.h"
#include "models/simulation/ground/tables.h"
#include "models/simulation/lives/lease_life.h"
#include "models/simulation/lives/requests.h"
#include "models/world/world.h"

namespace stockout {

/// A job between its leases: submission, attempts, legs, waiting, trying again, giving up.
class JobDesk {
 public:
  JobDesk(const World& world, Tables& tables, Agenda& agenda, Recorder& recorder, Route& route,
          Requests& requests, LeaseLife& lives, DeadlineMoves& deadlines, Orchestration& orchestration,
          Asking& asking)
      : world_{world},
        tables_{tables},
        agenda_{agenda},
        recorder_{recorder},
        route_{route},
        requests_{requests},
        lives_{lives},
        deadlines_{deadlines},
        orchestration_{orchestration},
        asking_{asking} {}

  /// A job has come that follows the strategy of that number; it gets a row in the record if that is the one
  /// under test.
  void submit(const Job& job, std::uint32_t strategy);
  /// An outcome that concerns a job.
  void hear(const Outcome& outcome);
  /// Its patience in the leg it is in is over.
  void patience_over(JobSlot slot);
  /// Its own maximum wait is over.
  void own_wait_over(JobSlot slot);
  /// A request that it kept when it passed on has reached its end.
  void kept_over(RequestSlot request);
  /// A step that was planned or set.
  void play(const Due& due);
  /// The run is over; how many requests of the job were open still.
  [[nodiscard]] std::uint64_t close(JobSlot slot);

 private:
  void release(JobSlot slot);
  void begin_attempt(JobSlot slot);
  void admit(JobSlot slot);
  void stop(JobSlot slot, Step why);
  void enter_leg(JobSlot slot, std::size_t leg);
  void granted(const Outcome& outcome);
  void refused(JobSlot slot);
  void stocked_out(JobSlot slot);
  void lost(const Outcome& outcome);
  void interrupted(JobSlot slot, Outcome::Kind why, SimDuration pause);
  void decide(JobSlot slot);
  void set_tick(JobSlot slot);
  void attempt_at(JobSlot slot, SimTime at);
  void exhaust(JobSlot slot, Exhaustion why);
  void end_of_legs(JobSlot slot, Exhaustion why);
  bool resubmit(JobSlot slot);
  void finish(JobSlot slot, FinalState state);
  void plan(JobSlot slot, Step step) { agenda_.plan({.stay = tables_.stay_of(slot), .step = step}); }

  const World& world_;
  Tables& tables_;
  Agenda& agenda_;
  Recorder& recorder_;
  Route& route_;
  Requests& requests_;
  LeaseLife& lives_;
  DeadlineMoves& deadlines_;
  Orchestration& orchestration_;
  Asking& asking_;
};

}  // namespace stockout

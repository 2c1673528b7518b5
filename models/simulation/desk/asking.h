#pragma once

#include <utility>

#include "models/simulation/books/orchestration.h"
#include "models/simulation/books/route.h"
#include "models/simulation/ground/agenda.h"
#include "models/simulation/ground/tables.h"
#include "models/simulation/lives/requests.h"

namespace stockout {

/// How a job asks in the leg that it is in: in all places of a queueing leg, in one place of another; as soon
/// as its orchestrators let it.
class Asking {
 public:
  Asking(Tables& tables, Agenda& agenda, const Route& route, Requests& requests, Orchestration& orchestration)
      : tables_{tables}, agenda_{agenda}, route_{route}, requests_{requests}, orchestration_{orchestration} {}

  /// The job has entered a usable leg. Its patience runs. If it is refused, a step will turn it away.
  void enter(JobSlot slot);
  /// The orchestrator that it waits for has admitted it.
  void go_on(JobSlot slot);
  /// None of its requests in a queueing leg is left, and it stays there: a step will ask its orchestrators.
  void ask_anew(JobSlot slot);
  /// An at-once leg: it asks in its place, or in the next one in which it may. If there is none, a step will
  /// turn it away.
  void ask_place(JobSlot slot);
  /// It leaves the leg: what was due there is void.
  void leave(JobSlot slot) {
    JobState& job = tables_.jobs[slot];
    ++job.asks.stay;
    job.orchestrators.are_asked_anew = false;
    if (std::exchange(job.asks.stage, Stage::moving) == Stage::in_line)
      orchestration_.happened(News::Kind::left, slot);
  }

 private:
  void ask(JobSlot slot, const Leg& leg);
  void make_requests(JobSlot slot, const Leg& leg);
  void set_patience(JobSlot slot, SimDuration patience);
  void plan(JobSlot slot, Step step) { agenda_.plan({.stay = tables_.stay_of(slot), .step = step}); }

  Tables& tables_;
  Agenda& agenda_;
  const Route& route_;
  Requests& requests_;
  Orchestration& orchestration_;
};

}  // namespace stockout

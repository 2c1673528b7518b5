#pragma once

#include "models/execution/work.h"
#include "models/simulation/books/books.h"
#include "models/simulation/books/orchestration.h"
#include "models/simulation/books/recorder.h"
#include "models/simulation/ground/agenda.h"
#include "models/simulation/ground/outcome.h"
#include "models/simulation/ground/tables.h"
#include "models/simulation/ground/touched_pools.h"
#include "models/simulation/lives/gangs.h"
#include "models/simulation/lives/lease_start.h"
#include "models/simulation/lives/spreads.h"
#include "models/simulation/lives/workers.h"

namespace stockout {

/// The end of a lease: where its time went, what is left of its job's work, and its machines released. What
/// became of the job is an outcome. A partial lease may go on with fewer machines.
class LeaseEnd {
 public:
  LeaseEnd(Tables& tables, Agenda& agenda, TouchedPools& touched, Books& books, Recorder& recorder,
           Gangs& gangs, Spreads& spreads, Workers& workers, LeaseStart& starts, Orchestration& orchestration,
           Outcomes& outcomes)
      : tables_{tables},
        agenda_{agenda},
        touched_{touched},
        books_{books},
        recorder_{recorder},
        gangs_{gangs},
        spreads_{spreads},
        workers_{workers},
        starts_{starts},
        orchestration_{orchestration},
        outcomes_{outcomes} {}

  /// An end that was set has come, the begin of its work in a race, or machines join those at work.
  void play_release(Event event);
  /// It is running when the run ends: what it has done counts as useful.
  void close_at_end(LeaseSlot slot);

 private:
  void end(LeaseSlot slot);
  void join(LeaseSlot slot);
  void go_on_with_fewer(LeaseSlot slot, Progress progress);
  void close(LeaseSlot slot, SimDuration kept, SimDuration lost, bool completes);
  void close_one(LeaseSlot slot, SimDuration kept, SimDuration lost, bool completes);
  void close_gang(LeaseSlot slot, SimDuration kept, SimDuration lost, bool completes);
  void add_past(const Lease& lease, SimDuration& kept, Closed& closed);
  void take_off(JobState& job, LeaseSlot slot);
  void record(const Lease& lease, const Closed& closed, const JobState& job);
  void release(LeaseSlot slot, GpuTime held);
  [[nodiscard]] Progress progress_of(const Lease& lease) const;
  [[nodiscard]] Closed closed_after(const Lease& lease, SimDuration kept, SimDuration lost, bool was_running);
  [[nodiscard]] SimTime now() const { return agenda_.now(); }

  Tables& tables_;
  Agenda& agenda_;
  TouchedPools& touched_;
  Books& books_;
  Recorder& recorder_;
  Gangs& gangs_;
  Spreads& spreads_;
  Workers& workers_;
  LeaseStart& starts_;
  Orchestration& orchestration_;
  Outcomes& outcomes_;
};

}  // namespace stockout

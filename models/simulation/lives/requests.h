#pragma once

#include <cstdint>

#include "models/simulation/books/books.h"
#include "models/simulation/books/orchestration.h"
#include "models/simulation/books/recorder.h"
#include "models/simulation/ground/agenda.h"
#include "models/simulation/ground/outcome.h"
#include "models/simulation/ground/tables.h"
#include "models/simulation/ground/touched_pools.h"

namespace stockout {

/// Open requests: a job's, and in the queue or among the at-once requests of a pool.
class Requests {
 public:
  Requests(Tables& tables, Agenda& agenda, TouchedPools& touched, Books& books, Recorder& recorder,
           Orchestration& orchestration, Outcomes& outcomes)
      : tables_{tables},
        agenda_{agenda},
        touched_{touched},
        books_{books},
        recorder_{recorder},
        orchestration_{orchestration},
        outcomes_{outcomes} {}

  /// The job, in one of its legs, asks for the candidate: it waits in the pool's queue, or is decided at
  /// once.
  void open(JobSlot slot, const Candidate& candidate, bool waits);
  /// Takes it out of its pool and its job: it is granted, refused, or the run ends.
  Request close(RequestSlot slot);
  /// Whether the orchestrators of its job let a waiting request be granted.
  [[nodiscard]] bool may_start(RequestSlot slot) { return orchestration_.may_start(tables_.requests[slot]); }
  /// Nothing came of it.
  void withdraw(RequestSlot slot);
  void withdraw_all(JobSlot slot);
  /// Its time is over.
  void expire(RequestSlot slot);
  void expire_all(JobSlot slot);
  void expire_leg(JobSlot slot, std::uint8_t leg);
  /// Those of the leg stay open although the job passes on, at the latest until the model's own maximum wait.
  void keep_leg(JobSlot slot, std::uint8_t leg);
  /// A request of the job was granted: its others go, but for rivals in a race to boot, which wait on without
  /// an end.
  void withdraw_losers(const Request& granted);
  /// A lease of the job has won its race: they all go.
  void lose_all(JobSlot slot);
  /// The pool is over: all that wait there are withdrawn, in order of entry. Outcomes: lost.
  void empty_queue(PoolId pool);

  [[nodiscard]] bool has_of_leg(const JobState& job, const Leg& leg) const;

 private:
  void lose(RequestSlot slot);
  [[nodiscard]] SimTime now() const { return agenda_.now(); }

  Tables& tables_;
  Agenda& agenda_;
  TouchedPools& touched_;
  Books& books_;
  Recorder& recorder_;
  Orchestration& orchestration_;
  Outcomes& outcomes_;
};

}  // namespace stockout

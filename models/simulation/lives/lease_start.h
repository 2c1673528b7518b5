#pragma once

#include <cstdint>

#include "models/execution/work.h"
#include "models/simulation/books/books.h"
#include "models/simulation/books/draws.h"
#include "models/simulation/books/orchestration.h"
#include "models/simulation/books/recorder.h"
#include "models/simulation/ground/agenda.h"
#include "models/simulation/ground/outcome.h"
#include "models/simulation/ground/tables.h"
#include "models/simulation/lives/fates.h"
#include "models/simulation/lives/gangs.h"
#include "models/simulation/lives/spreads.h"
#include "models/simulation/lives/workers.h"
#include "models/world/world.h"

namespace stockout {

/// How jobs of the class write checkpoints.
[[nodiscard]] inline Checkpoints checkpoints_of(const JobClass& job_class) {
  return {.every = job_class.checkpoint_every, .cost = job_class.checkpoint_cost};
}

/// A lease from its grant to its own end: its machines come up, are tested, the job is loaded and works, and
/// when it ends if nothing takes it before is known.
class LeaseStart {
 public:
  LeaseStart(const World& world, Tables& tables, Agenda& agenda, Books& books, Recorder& recorder,
             Draws& draws, Gangs& gangs, Spreads& spreads, Fates& fates, Workers& workers,
             Orchestration& orchestration, Outcomes& outcomes)
      : world_{world},
        tables_{tables},
        agenda_{agenda},
        books_{books},
        recorder_{recorder},
        draws_{draws},
        gangs_{gangs},
        spreads_{spreads},
        fates_{fates},
        workers_{workers},
        orchestration_{orchestration},
        outcomes_{outcomes} {}

  /// Machines with so many GPUs are free for the lease: they start up.
  void start(LeaseSlot slot, GpuCount gpus);
  /// A partial lease has gathered what it gets; it starts if all its machines are coming.
  void start_gang(LeaseSlot slot);
  /// Machines have gone or come: leases that were granted and wait for them start, in order of grant. Those
  /// of held pools are outcomes.
  void start_ready(PoolState& pool, SourceState& source);

  /// It ends when its work is done, its model's maximum run is over, or the window of its held pool; or when
  /// a last checkpoint before that is written.
  void set_own_end(LeaseSlot slot);
  /// Its work, which was not let begin, begins now.
  void work_now(LeaseSlot slot);
  /// Its work is interrupted, and it keeps its machines.
  void interrupt(LeaseSlot slot);
  /// After that its work goes on, without a start-up.
  void work_on(LeaseSlot slot);
  /// After that it starts up again, or at once if `in_place`, and its work has to be let begin.
  void start_anew(LeaseSlot slot, bool in_place);
  /// It ends then, and not when its end was set for.
  void move_end(LeaseSlot slot, SimTime at);

  [[nodiscard]] const JobClass& class_of(const Lease& lease) const {
    return world_.classes[index(tables_.job_of(lease).job.job_class)];
  }

 private:
  void start_share(LeaseSlot slot);
  void set_join(LeaseSlot slot, const Gangs::Start& start);
  void begin_work(LeaseSlot slot, Gangs::Batch untested);
  void wait(LeaseSlot slot);
  void note_past(LeaseSlot slot, Progress progress);
  void wait_in_vain(LeaseSlot slot);
  void unset_end(LeaseSlot slot);
  [[nodiscard]] SimDuration start_up(const Lease& lease);
  [[nodiscard]] SimDuration pods_after(const Lease& lease);
  [[nodiscard]] SimDuration reload(const Lease& lease) const;
  void set_end(LeaseSlot slot, SimTime at);

  const World& world_;
  Tables& tables_;
  Agenda& agenda_;
  Books& books_;
  Recorder& recorder_;
  Draws& draws_;
  Gangs& gangs_;
  Spreads& spreads_;
  Fates& fates_;
  Workers& workers_;
  Orchestration& orchestration_;
  Outcomes& outcomes_;
};

}  // namespace stockout

#pragma once

#include <cstdint>

#include "models/execution/work.h"
#include "models/simulation/agenda.h"
#include "models/simulation/books.h"
#include "models/simulation/draws.h"
#include "models/simulation/fates.h"
#include "models/simulation/gangs.h"
#include "models/simulation/orchestration.h"
#include "models/simulation/outcome.h"
#include "models/simulation/recorder.h"
#include "models/simulation/tables.h"
#include "models/simulation/touched_pools.h"
#include "models/world/world.h"

namespace stockout {

/// A lease from its grant to its release: start-up, work, notice, end. A gang of any size is the same life,
/// machine by machine where that matters. What became of a lease's job is an outcome.
class LeaseLife {
 public:
  LeaseLife(const World& world, Tables& tables, Agenda& agenda, TouchedPools& touched, Books& books,
            Recorder& recorder, Draws& draws, Gangs& gangs, Orchestration& orchestration, Outcomes& outcomes);

  // From grant to work.

  /// Machines with so many GPUs are free for the lease: they come up, are tested, the job is loaded, and when
  /// it ends by itself is known.
  void start(LeaseSlot slot, GpuCount gpus);
  /// A partial lease has gathered what it gets; it starts if all its machines are coming.
  void start_gang(LeaseSlot slot);
  /// Machines have gone or come: leases that were granted and wait for them start, in order of grant.
  void start_ready(PoolState& pool, SourceState& source);

  // What ends it before its own end.

  /// The provider takes GPUs of it for others: the lease, or machines of a partial one.
  void take(LeaseSlot slot, GpuCount gpus);
  /// All of it.
  void take(LeaseSlot slot) { preempt(slot, Interruption::preempted, notice_of(slot)); }
  /// A machine's lifetime is over, or it breaks.
  void play_fate(Event event);
  /// Its job leaves it of its own will, with a last checkpoint if it writes any.
  void give_up(LeaseSlot slot);
  /// An orchestrator ends what the job has: leases of it that are not leaving are taken.
  void evict(JobSlot slot);
  /// A partial lease got too few machines in time.
  void disband(LeaseSlot slot) {
    interrupt(slot, Interruption::gathered_too_few, SimDuration::zero(), false);
  }
  /// The first of a job's leases to begin its work has won: the job's others end now.
  void win_race(LeaseSlot slot);

  // Its end.

  /// An end that was set has come, or the begin of its work in a race.
  void play_release(Event event);
  /// It is running when the run ends: what it has done counts as useful.
  void close_at_end(LeaseSlot slot);

  /// Work done on the lease so far, as on the reference, whether an interruption would keep it or not.
  [[nodiscard]] SimDuration progress_now(const Lease& lease) const;
  /// GPU-time of work that would be lost if the lease were taken back and interrupted now.
  [[nodiscard]] std::uint64_t loss_if_taken(const Lease& lease) const;

 private:
  void begin_work(LeaseSlot slot, std::int64_t machines);
  void set_own_end(LeaseSlot slot, Checkpoints rule);
  void set_end(LeaseSlot slot, SimTime at);
  void unset_end(LeaseSlot slot);
  void preempt(LeaseSlot slot, Interruption why, SimDuration notice);
  void interrupt(LeaseSlot slot, Interruption why, SimDuration notice, bool saves);
  void hasten_end(LeaseSlot slot, SimTime latest);
  void lose_race(LeaseSlot slot);
  void fate_of_whole(Event event);
  void fate_of_machine(Event event);
  void lose_machines(LeaseSlot slot, GpuCount gpus, SimDuration notice);
  void go_on_with_fewer(LeaseSlot slot, Progress progress);
  void ends(LeaseSlot slot);
  void close(LeaseSlot slot, SimDuration kept, SimDuration lost, bool completes);
  void take_off(JobState& job, LeaseSlot slot);
  [[nodiscard]] bool saves_within(const Lease& lease, SimDuration notice) const;

  [[nodiscard]] SimTime now() const { return agenda_.now(); }
  [[nodiscard]] JobState& job_of(const Lease& lease) const { return tables_.jobs[lease.job]; }
  [[nodiscard]] const JobClass& class_of(const Lease& lease) const {
    return world_.classes[index(job_of(lease).job.job_class)];
  }
  [[nodiscard]] Checkpoints checkpoints_of(const Lease& lease) const {
    return {.every = class_of(lease).checkpoint_every, .cost = class_of(lease).checkpoint_cost};
  }
  [[nodiscard]] SimDuration notice_of(LeaseSlot slot) { return books_.leases()[slot].leg->policy.notice; }

  const World& world_;
  Tables& tables_;
  Agenda& agenda_;
  TouchedPools& touched_;
  Books& books_;
  Recorder& recorder_;
  Draws& draws_;
  Gangs& gangs_;
  Fates fates_;
  Orchestration& orchestration_;
  Outcomes& outcomes_;
};

}  // namespace stockout

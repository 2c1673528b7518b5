#pragma once

#include <cstdint>

#include "models/execution/work.h"
#include "models/simulation/books/books.h"
#include "models/simulation/books/orchestration.h"
#include "models/simulation/ground/agenda.h"
#include "models/simulation/ground/tables.h"
#include "models/simulation/ground/touched_pools.h"
#include "models/simulation/lives/fates.h"
#include "models/simulation/lives/gangs.h"
#include "models/simulation/lives/lease_start.h"
#include "models/simulation/lives/spreads.h"
#include "models/simulation/lives/workers.h"
#include "models/world/world.h"

namespace stockout {

/// Events of a lease between its start and its end: it is reclaimed or given up, machines of it break
/// or are missing, another lease wins the race. Each moves its end; a gang loses machines one by one.
class LeaseLife {
 public:
  LeaseLife(const World& world, Tables& tables, Agenda& agenda, TouchedPools& touched, Books& books,
            Gangs& gangs, Spreads& spreads, Fates& fates, Workers& workers, LeaseStart& starts,
            Orchestration& orchestration)
      : world_{world},
        tables_{tables},
        agenda_{agenda},
        touched_{touched},
        books_{books},
        gangs_{gangs},
        spreads_{spreads},
        fates_{fates},
        workers_{workers},
        starts_{starts},
        orchestration_{orchestration} {}

  /// A partial lease of the job asks for more machines in the next dispatch. Or it has waited for them long
  /// enough: it starts with what it has, or ends if they are too few.
  void gather(JobSlot slot);
  /// The provider takes GPUs of it for others: the lease, or machines of a partial one.
  void take(LeaseSlot slot, GpuCount gpus);
  /// All of it.
  void take(LeaseSlot slot) { preempt(slot, Interruption::preempted, notice_of(slot)); }
  /// A machine's lifetime is over, it breaks, or its worker exits.
  void play_fate(Event event);
  /// Its job leaves it of its own will, with a last checkpoint if it writes any.
  void give_up(LeaseSlot slot);
  /// An orchestrator ends what the job has: leases of it that are not leaving are taken.
  void evict(JobSlot slot);
  /// Ends the job's lease now, without a last checkpoint, unless it is leaving; that is no preemption.
  void drop(JobSlot slot);
  /// The work of its lease begins now, unless that is leaving or works.
  void work(JobSlot slot);
  /// The work of its lease is interrupted, which keeps its machines, unless it is leaving or does not work.
  void begin_anew(JobSlot slot, bool in_place);
  /// The first of a job's leases to begin its work has won: the job's others end now.
  void win_race(LeaseSlot slot);

  /// Work done on the lease so far, as on the reference, whether an interruption would keep it or not.
  [[nodiscard]] SimDuration progress_now(const Lease& lease) const;
  /// GPU-time of work that would be lost if the lease were preempted and interrupted now.
  [[nodiscard]] std::uint64_t loss_if_taken(const Lease& lease) const;

 private:
  void preempt(LeaseSlot slot, Interruption why, SimDuration notice);
  void interrupt(LeaseSlot slot, Interruption why, SimDuration notice, bool saves);
  void leave_along_with(LeaseSlot slot);
  void lose_machines(LeaseSlot slot, GpuCount gpus, SimDuration notice);
  void end_early(LeaseSlot slot, Interruption why, SimDuration notice, bool saves);
  void lose_race(LeaseSlot slot);
  void fate_of_whole(Event event);
  void fate_of_machine(Event event);
  void worker_exits(LeaseSlot slot);
  [[nodiscard]] bool saves_within(const Lease& lease, SimDuration notice) const;
  [[nodiscard]] Progress interrupted_now(const Lease& lease) const;

  [[nodiscard]] SimTime now() const { return agenda_.now(); }
  [[nodiscard]] SimDuration notice_of(LeaseSlot slot) {
    return books_.leases()[slot].asked.leg->policy.notice;
  }

  const World& world_;
  Tables& tables_;
  Agenda& agenda_;
  TouchedPools& touched_;
  Books& books_;
  Gangs& gangs_;
  Spreads& spreads_;
  Fates& fates_;
  Workers& workers_;
  LeaseStart& starts_;
  Orchestration& orchestration_;
};

}  // namespace stockout

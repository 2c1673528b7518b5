#pragma once

#include <cstddef>
#include <cstdint>

#include "models/simulation/books/books.h"
#include "models/simulation/books/recorder.h"
#include "models/simulation/ground/agenda.h"
#include "models/simulation/ground/tables.h"
#include "models/simulation/lives/partial_state.h"

namespace stockout {

/// GPUs that a request is granted at once of the `room` there is: all it asks for, or of a partial leg as
/// many machines as fit; 0: it is refused.
[[nodiscard]] GpuCount grantable_gpus(const Request& request, GpuCount room);

/// The machines of partial leases: gangs that take fewer machines than they ask for, gather more, and lose
/// them one by one. It knows machines and where their time went; when leases start, stop and end is not its
/// business.
class Gangs {
 public:
  Gangs(Tables& tables, Agenda& agenda, Books& books, Recorder& recorder)
      : tables_{tables}, agenda_{agenda}, books_{books}, recorder_{recorder} {}

  // While it gathers.

  /// A lease was just granted. If its request takes fewer machines, too, it is partial from now on, and
  /// gathers what is missing.
  void begin(LeaseSlot slot);
  /// It has lost machines, and gathers what is missing anew if the rule of its leg says so. True: those that
  /// are left wait for it.
  bool gather_anew(LeaseSlot slot);
  /// Its next step: asking for machines, or the end of gathering.
  void set_step(LeaseSlot slot);
  /// Nothing will be asked for any more.
  void cancel_step(const Lease& lease) {
    if (lease.parts.gang != kNoGang) agenda_.cancel(gangs_[lease.parts.gang].step);
  }
  enum class Gathering { goes_on, has_enough, has_too_few };  // the two: it has asked long enough
  [[nodiscard]] Gathering state(const Lease& lease) const;
  /// Machines that the room has for the gang, of those that are missing.
  [[nodiscard]] std::int64_t machines_for(const Lease& lease, GpuCount room) const;
  /// The gang has so many more; their GPUs.
  GpuCount grow(LeaseSlot slot, std::int64_t machines);
  /// It asks for no more: with what it has, it is complete.
  void complete(LeaseSlot slot);

  // Machines.

  struct Batch {
    std::size_t first = 0;
    std::size_t end = 0;
  };
  /// Machines with so many GPUs are free for the lease: they are up at `up`. Which ones.
  Batch start_batch(const Lease& lease, GpuCount gpus, SimTime up);
  /// All machines of a complete gang are coming, and some are to begin or to join.
  [[nodiscard]] bool is_ready(const Lease& lease) const;
  struct Start {
    SimTime up{};      // all are
    Batch untested{};  // those that were not in a start before
  };
  /// It starts as one, with the machines it has.
  [[nodiscard]] Start start(const Lease& lease);
  /// All that it has work from now on.
  void join(const Lease& lease);
  /// That it has.
  [[nodiscard]] std::int64_t machines(const Lease& lease) const {
    return lease.gpus.count() / gangs_[lease.parts.gang].size.each.count();
  }
  /// That any lease has, or may still get.
  [[nodiscard]] std::int64_t machines_in_all(const Lease& lease) const;
  /// Each that it has had, those that are gone included.
  [[nodiscard]] std::vector<PartialMachine>& all_of(const Lease& lease) {
    return gangs_[lease.parts.gang].machines;
  }

  /// How fast the lease works: of a partial one, with the machines that work.
  [[nodiscard]] Rate rate_of(const Lease& lease) const;
  /// GPUs that the job does not use.
  [[nodiscard]] GpuCount unused_gpus(const Lease& lease) const;
  /// GPUs that a partial lease gives when `need` are wanted: of some of its machines, if enough are left,
  /// else all it has.
  [[nodiscard]] GpuCount gift_of(const Lease& lease, GpuCount need) const;

  // Losing them.

  /// The machines with the highest numbers are to go, with so many GPUs in all.
  void mark_last(const Lease& lease, GpuCount gpus);
  /// The work of now has come to this, and the lease keeps its machines.
  void interrupt(const Lease& lease, Progress progress);
  /// Those that were to go are gone; the lease goes on with the others.
  void lose_marked(LeaseSlot slot, Progress progress);
  /// The lease is over: `kept` and closed.lost of its last piece. Completes what it leaves behind.
  void close(const Lease& lease, SimDuration kept, Closed& closed);

 private:
  void end_machine(const Lease& lease, PartialMachine& machine);
  void add_piece(const Lease& lease, SimDuration kept, SimDuration lost);

  Tables& tables_;
  Agenda& agenda_;
  Books& books_;
  Recorder& recorder_;
  Slots<PartialLease, GangSlot> gangs_;
};

}  // namespace stockout

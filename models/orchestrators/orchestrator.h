#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "models/consumption/strategy.h"
#include "models/orchestrators/clerk.h"
#include "models/record/run_record.h"
#include "models/workload/jobs.h"
#include "sim/core/time.h"

namespace stockout {

/// A job, as an orchestrator sees it.
struct JobView {
  Ticket ticket;
  const Job& job;
  bool has_begun = false;
  bool is_tenant = false;  // it follows a strategy of its background source, not the one under test
  bool was_granted = false;
  std::uint64_t number = 0;  // in the run record; tenants have none
};

/// The leg that a job has entered.
struct LegView {
  const Leg& leg;
  std::uint8_t number = 0;  // in the job's strategy
  bool waits = false;       // it would ask in all places and wait there; else in one after the other, at once
  bool is_anew = false;     // it is in it since it was asked about it: none of its requests was left
  std::span<const Candidate* const> places;  // those that could ever hold the job
};

/// An event of a job. Each request that is opened is closed, each lease that is granted ends, the run's end
/// included.
struct News {
  enum class Kind : std::uint8_t {
    opened,       // a request
    closed,       // a request: granted, refused, withdrawn, or the run ends
    refused,      // by a place of a leg that goes from one to the other: no room, or too few machines in time
    passed_over,  // a place of such a leg: another orchestrator did not let the job ask there
    granted,      // a lease
    starts,       // a lease: its work begins at `works`, unless it ends before
    fewer,        // a lease has machines less, or will not get some that it asked for; it goes on
    ended,        // a lease
    left,         // the job has left a leg in which it was told to wait and was not admitted, or was refused
    suspended,    // the job: an orchestrator told it to stop and to begin another attempt
    fails,        // the job, as an orchestrator told it to; it is final once its leases have ended
    final,        // the job; not if it is open when the run ends
  };
  Kind kind{};
  JobView job;
  std::uint8_t leg = 0;              // of the request or lease
  const Candidate* asked = nullptr;  // the same: the pool, and what is asked of it
  FinalState state{};                // of final
  // granted, ended: that the lease has or may still get; fewer: that are gone, less than 0 if it asks anew
  // for more
  std::int64_t machines = 0;
  SimTime works = kNever;  // of starts, ended: when its work begins
};

enum class Reply : std::uint8_t {
  go,
  wait,    // until the clerk is told to admit the job; its patience in the leg runs
  refuse,  // as if no place had room: the row's retry rule, then the next leg
};

/// Stands before the pools and decides when a job's next request is opened, and when its work begins. It
/// never changes the order of a pool's queue, and what it wants done it tells the clerk. One object serves
/// one run, from its first job on.
class Orchestrator {
 public:
  Orchestrator() = default;
  Orchestrator(const Orchestrator&) = delete;
  Orchestrator& operator=(const Orchestrator&) = delete;
  virtual ~Orchestrator() = default;

  /// The run begins: it may ask to be woken.
  virtual void begins(Clerk& /*clerk*/) {}
  /// Whether it has to do with the job, which has just come. It is asked about no other, and hears of none.
  [[nodiscard]] virtual bool concerns(const JobView& job) const = 0;
  /// The job has come: whether it may begin. If not, it waits until the clerk is told to admit it.
  [[nodiscard]] virtual bool may_begin(const JobView& /*job*/, Clerk& /*clerk*/) { return true; }
  /// The job is about to begin an attempt at its first leg, in a strategy without a deadline rule: whether it
  /// may. If not, it waits, in no leg, until the clerk is told to admit it. Its own maximum wait runs.
  [[nodiscard]] virtual bool may_try(const JobView& /*job*/, Clerk& /*clerk*/) { return true; }
  /// The job has no leg and no request left: whether it begins another attempt instead of coming to its end.
  [[nodiscard]] virtual bool tries_again(const JobView& /*job*/, Clerk& /*clerk*/) { return false; }
  /// The job has entered a leg, in which no request of it is open.
  [[nodiscard]] virtual Reply may_ask(const JobView& /*job*/, const LegView& /*leg*/, Clerk& /*clerk*/) {
    return Reply::go;
  }
  /// Whether it would let the job ask in that place of a leg that goes from one to the other, if the job
  /// entered that leg now. Nothing comes of the question. Who may answer otherwise than go has to say so
  /// here.
  [[nodiscard]] virtual bool would_let_ask(const JobView& /*job*/, const LegView& /*leg*/,
                                           const Candidate& /*place*/, const Clerk& /*clerk*/) const {
    return true;
  }
  /// All have let the job ask in its leg, and it is about to ask in this place: whether it may. If not, the
  /// place is passed over.
  [[nodiscard]] virtual bool may_ask_in(const JobView& /*job*/, const LegView& /*leg*/,
                                        const Candidate& /*place*/, Clerk& /*clerk*/) {
    return true;
  }
  /// A request of the job that waits in a queue would be granted now: whether it may. If not, the request is
  /// withdrawn. A job that has no other one in that leg, and waits there, is asked about the leg anew.
  [[nodiscard]] virtual bool may_start(const JobView& /*job*/, const LegView& /*leg*/,
                                       const Candidate& /*place*/, Clerk& /*clerk*/) {
    return true;
  }
  /// The machines of the job's lease are up at `up`, and its work would begin at `ready`: whether it does. If
  /// not, the lease waits until the clerk is told that it works.
  [[nodiscard]] virtual bool may_work(const JobView& /*job*/, SimTime /*up*/, SimTime /*ready*/,
                                      Clerk& /*clerk*/) {
    return true;
  }
  /// When a job that asks in the leg only then would be let ask in one of its places, although it would not
  /// be now. kNever: it has nothing to say of that leg.
  [[nodiscard]] virtual SimTime next_try(const LegView& /*leg*/, const Clerk& /*clerk*/) const {
    return kNever;
  }
  /// Called in the midst of what happens: pools are seen as they are at that moment.
  virtual void heard(const News& /*news*/, Clerk& /*clerk*/) {}
  /// A time for which it asked to be woken has come.
  virtual void timer(Token /*token*/, Clerk& /*clerk*/) {}
  /// Whether it wants a turn: then the instant does not end before it had one.
  [[nodiscard]] virtual bool is_due() const { return false; }
  /// Its turn, after the steps of a timer phase, while it is due. It tells the clerk of something, which is
  /// done before it is asked again, or is no longer due.
  virtual void turn(Clerk& /*clerk*/) {}
  /// The run is over. Throws InvariantError if its own books do not balance.
  virtual void check() const {}
  /// After that: adds what it knows to the record of the run.
  virtual void write(RunRecord& /*record*/) const {}
};

/// Those of a run. They are asked and told in this order.
using Orchestrators = std::vector<std::unique_ptr<Orchestrator>>;

}  // namespace stockout

#pragma once

#include <cstdint>

#include "models/consumption/policy.h"
#include "sim/core/ids.h"
#include "sim/core/quantity.h"
#include "sim/core/time.h"

namespace stockout {

/// Names a job of a run; void once the job is final.
struct Ticket {
  std::uint32_t slot = 0;
  std::uint32_t generation = 0;  // never the same for two jobs
  friend bool operator==(const Ticket&, const Ticket&) = default;
};

/// Names a timer to the orchestrator that set it.
enum class Token : std::uint32_t {};

/// A pool, for leases of one class.
struct PoolView {
  GpuCount room{};           // could be granted now, Spot leases that yield to the class included
  std::int64_t waiting = 0;  // requests in the queue ...
  GpuCount waiting_gpus{};   // ... and what they ask for
};

/// All that an orchestrator may do. What it tells of a job is done in the next timer phase, among the steps
/// of jobs and in their order, (source, row); in a turn, at once. It is void if the job has moved on by then,
/// but for suspend(): who was let in and suspended in one turn begins its attempt, and stops.
class Clerk {
 public:
  Clerk() = default;
  Clerk(const Clerk&) = delete;
  Clerk& operator=(const Clerk&) = delete;
  virtual ~Clerk() = default;

  /// The job, which it has told to wait, goes on: to the next orchestrator, then to what it asked for.
  virtual void admit(Ticket job) = 0;
  /// The job fails, as soon as its leases have ended, which end now; at once if it waits for the word of the
  /// orchestrator that says so. Its user may submit it again, as after other failures.
  virtual void fail(Ticket job) = 0;
  /// The job, which it did not let begin, never does. Its user does not submit it again.
  virtual void skip(Ticket job) = 0;
  /// Leases of the job are preempted, with the notice of their row and under its restart rule.
  virtual void evict(Ticket job) = 0;
  /// The job stops: its requests are withdrawn and its leases preempted, with the notice of their row. Then
  /// it begins another attempt. That uses no restart.
  virtual void suspend(Ticket job) = 0;
  /// Of the legs of its strategy only these are open to the job from its next attempt on: a bit for each. At
  /// once, and it has to wait at the begin of an attempt.
  virtual void open_legs(Ticket job, std::uint16_t legs) = 0;
  /// From its next attempt on the job asks for machines of that shape. At once, and it has to wait at the
  /// begin of an attempt.
  virtual void reshape(Ticket job, ShapeId shape) = 0;
  /// The job gives back its leases and requests, and begins another attempt: now, or when those have ended.
  virtual void start_over(Ticket job) = 0;
  /// Its lease, whose work it did not let begin, works from now on.
  virtual void work(Ticket job) = 0;
  /// Its lease, which works, is interrupted and keeps its machines. It starts up again, unless that is `in
  /// place`; then it is asked whether its work may begin.
  virtual void begin_anew(Ticket job, bool in_place) = 0;
  /// Calls timer(token) in a timer phase at `at`, from now on; at now: in the next round.
  virtual void wake(SimTime at, Token token) = 0;

  [[nodiscard]] virtual SimTime now() const = 0;
  [[nodiscard]] virtual PoolView view(PoolId pool, LeaseClass lease_class) const = 0;
};

}  // namespace stockout

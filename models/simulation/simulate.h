#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <utility>

#include "models/orchestrators/roster.h"
#include "models/record/run_record.h"
#include "models/world/world.h"

namespace stockout {

/// One lease, as the optional log tells it.
struct LeaseRow {
  std::uint64_t job = 0;      // number in the run record
  std::uint32_t attempt = 1;  // counts from 1
  std::uint8_t leg = 0;
  PoolId pool{};
  GpuCount gpus{};
  SimTime granted{};
  SimTime running{};  // when work began; equal to `ended` if it never did
  SimTime ended{};
  SimDuration lost{};
  bool preempted = false;  // or ended by a fault
  bool fault = false;
  bool expired = false;  // its machines were given back, since its pods, or those of others, did not come
};

/// How long a tenant stayed at a pool: from its submission to the end of its lease, or to the end of the run
/// if it was waiting still.
struct TenantStay {
  PoolId pool{};
  GpuCount gpus{};
  SimTime from{};
  SimTime until{};
};

/// Who holds GPUs of a pool, or asks for them.
enum class Holder : std::uint8_t {
  job,     // recorded jobs
  held,    // held pools of the strategy: machines that they lease from this pool, their landlord
  tenant,  // jobs of background sources
};

/// One change at a pool, as the optional log tells it: of a level, or an event.
struct PoolChange {
  enum class What : std::uint8_t {
    capacity,   // of capacity source `source`: more by `gpus`; of a held pool, what it holds
    leased,     // by `holder`, leases that are leaving included: more by `gpus`
    waiting,    // requests in the queue: more by `count`, that ask for `gpus` in all
    preempted,  // `count` leases, or machines of a partial lease, of `gpus` were preempted: they end now
    fault,      // the same, because a machine broke or went into maintenance
    refused,    // `count` at-once requests for `gpus` found no room
    expired,    // `count` requests for `gpus` were withdrawn since their leg's patience, their kept life or
                // their job's own maximum wait was over
  };
  What what{};
  PoolId pool{};
  SimTime at{};
  Holder holder = Holder::job;  // not of capacity
  LeaseClass lease_class{};     // not of capacity
  std::uint8_t source = 0;      // of capacity
  std::uint64_t job = 0;        // of holder job: number in the run record
  std::int64_t count = 1;
  GpuCount gpus{};
};

/// Change of a recorded job, as the optional log tells it.
struct JobChange {
  enum class What : std::uint8_t {
    released,  // it begins to ask: submitted, and let go by its group
    leasing,   // it has a lease, and had none
    waiting,   // it has no lease any more
    over,      // it is final, or the run ends. Not of a job that was never released
  };
  What what{};
  std::uint64_t job = 0;  // number in the run record
  SimTime at{};
};

using PoolLog = std::function<void(const PoolChange&)>;

/// Logs that a caller may ask for beside the record of a run. All of it in order of time, warm-up included.
/// A log that is not asked for costs one test each time.
struct Logs {
  std::function<void(const LeaseRow&)> on_lease;  // when a recorded job's lease ends, in order of ends
  std::function<void(const TenantStay&)> on_tenant = nullptr;  // when a tenant's stay ends
  PoolLog on_pool = nullptr;
  std::function<void(const JobChange&)> on_job = nullptr;
  /// Now and then in a long run: the time that it has reached. An exception thrown here ends the run.
  std::function<void(SimTime)> on_time = nullptr;
};

/// Lets one more hear what a log tells, after whoever hears it already.
template <typename Told, typename Hear>
void also_hear(std::function<void(Told)>& log, Hear hear) {
  log = [before = std::move(log), hear = std::move(hear)](Told told) {
    if (before) before(told);
    hear(told);
  };
}

/// A run came to World::most_steps before its end and was given up.
class TooManySteps : public std::runtime_error {
 public:
  TooManySteps(std::size_t strategy, std::uint64_t most, SimTime reached);
  [[nodiscard]] std::size_t strategy() const { return strategy_; }  // its number in the world
  [[nodiscard]] std::uint64_t most() const { return most_; }
  [[nodiscard]] SimTime reached() const { return reached_; }

 private:
  std::size_t strategy_;
  std::uint64_t most_;
  SimTime reached_;
};

/// Runs `world` under its strategy number `strategy` and returns what happened. A pure function: the same
/// arguments give the same bits, on any thread. Single-threaded, reads no file or clock.
/// `orchestrators`: who stands before the pools; who adds an orchestrator of their own calls the usual one
/// too. Throws InvariantError if the books do not balance, TooManySteps if it does more than the world
/// allows.
[[nodiscard]] RunRecord simulate(const World& world, std::size_t strategy, std::uint64_t replication,
                                 const Logs& logs = {}, const Roster& orchestrators = roster);

}  // namespace stockout

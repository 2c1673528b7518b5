#pragma once

#include <algorithm>
#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "models/billing/usage.h"
#include "models/consumption/policy.h"
#include "models/record/wait_cause.h"
#include "sim/core/check.h"
#include "sim/core/chunks.h"
#include "sim/core/ids.h"
#include "sim/core/quantity.h"
#include "sim/core/time.h"

namespace stockout {

/// How a job ended. Every recorded job ends in exactly one of these.
enum class FinalState : std::uint8_t {
  completed,   // all its work is done
  expired,     // its maximum wait, or the last leg's, ran out
  refused,     // stock-out with no retry allowed, or a request that no pool can ever satisfy
  failed,      // retries or restarts ran out
  cut_off,     // a lease reached the model's maximum run
  unfinished,  // still open when the run ended
  skipped,     // a step of a pipeline that never began, since one before it did not complete
};
inline constexpr std::size_t kFinalStates = 7;
inline constexpr std::array<std::string_view, kFinalStates> kFinalStateNames{
    "completed", "expired", "refused", "failed", "cut_off", "unfinished", "skipped"};

/// Cost of a missing quota to a job: waiting and refusals.
struct QuotaOutcome {
  SimDuration wait{};          // before its first grant: held, or refused and not asked anew yet
  std::uint32_t refusals = 0;  // places in which it was refused for want of quota, each time
  friend bool operator==(const QuotaOutcome&, const QuotaOutcome&) = default;
};

/// Effects of Kueue on a job.
struct KueueOutcome {
  SimDuration wait{};           // before its first grant: for quota of a flavor
  std::uint32_t evictions = 0;  // after it had quota
  GpuCount reduced{};           // to so many GPUs, in its last admission; 0: it had all that it asked for
  friend bool operator==(const KueueOutcome&, const KueueOutcome&) = default;
};

/// Why Slurm ended a job for good, if it did.
enum class SlurmEnd : std::uint8_t { none, timed_out, preempted };

/// Evictions of one kind, by Kueue or Slurm.
struct Eviction {
  std::string queue;  // the cluster queue that had given the quota, or the partition of the job's nodes
  std::string
      reason;      // Kueue's word: InClusterQueue, InCohortReclamation, PodsReadyTimeout, ...; Slurm's mode
  std::string by;  // the cluster queue or partition for whose job, if for one
  friend auto operator<=>(const Eviction&, const Eviction&) = default;
};
using Evictions = std::map<Eviction, std::uint64_t>;

/// Grants of a cluster queue of Kueue's, over [kStart, run end].
struct KueueQueueTotals {
  std::uint64_t admitted = 0;  // times: quota, and all checks
  GpuTime held{};              // quota in use
  GpuTime borrowed{};          // of it, above its own
  friend bool operator==(const KueueQueueTotals&, const KueueQueueTotals&) = default;
};

/// A job was evicted, by its scheduler, so that another could have its place.
struct GaveWay {
  SimTime at{};
  std::uint64_t job = 0;  // numbers in the record
  std::uint64_t to = 0;
  friend bool operator==(const GaveWay&, const GaveWay&) = default;
};

/// To whom jobs gave way, in order of time; by job. Jobs that gave way to nobody are not there.
using GaveWayTo = std::unordered_map<std::uint64_t, std::vector<std::uint64_t>>;
[[nodiscard]] GaveWayTo gave_way_by_job(const std::vector<GaveWay>& gave_way);

/// Fate of one job. Times are since the job was submitted by its source.
struct JobOutcome {
  FinalState state = FinalState::unfinished;
  std::uint8_t leg = 0;           // the last leg it was in
  SimTime released{};             // its first request: at submit, unless its pipeline or group held it back
  SimTime first_grant = kNever;   // kNever: never started
  SimTime finished{};             // when it became final; the run's end if unfinished
  SimDuration start_delay{};      // first grant to first running; until finished if it never ran
  SimDuration leased{};           // all the time it had a lease
  SimDuration lost{};             // run time whose work was lost in interruptions
  std::uint32_t preemptions = 0;  // leases preempted
  std::uint32_t exits = 0;        // of its workers: its own code failed
  QuotaOutcome quota{};
  KueueOutcome kueue{};
  SlurmEnd slurm_end = SlurmEnd::none;
  WaitTimes pending_for{};    // before its first grant, while its scheduler did not let it ask
  WaitTimes pending_again{};  // the same after it: once it was evicted, preempted or lost its nodes
  friend bool operator==(const JobOutcome&, const JobOutcome&) = default;
};

/// How long which cause kept the job from working, from its submission to its first work, or until it became
/// final without any. Model: models/simulation/README.md, R16.13.
[[nodiscard]] WaitTimes wait_times(SimTime submit, const JobOutcome& outcome);

/// The outcome of every recorded job, in the order in which recorded jobs arrive: (submit, source, row).
/// 32 bytes a job; and an entry beside for a job that was preempted 255 times or more, whose workers exited,
/// or that wanted for quota, waited for a scheduler or was evicted by it. Nothing saturates.
class JobRecord {
 public:
  explicit JobRecord(SimTime begin = kStart) : begin_{begin} {}

  /// Room for one more job, in order of arrival; its number. What became of it must be set before it is read.
  std::uint64_t add() {
    rows_.add();
    return rows_.size() - 1;
  }
  /// Lengths, and times since the begin, are 0 to kLongestRun: anything else is an InvariantError.
  void set(std::uint64_t job, const JobOutcome& outcome) {
    const bool has_begun = outcome.first_grant != kNever;
    const std::uint64_t released = millis(outcome.released - begin_);
    const std::uint64_t first_grant = has_begun ? millis(outcome.first_grant - begin_) : kNone;
    const std::uint64_t finished = millis(outcome.finished - begin_);
    const std::uint64_t start_delay = millis(outcome.start_delay);
    const std::uint64_t leased = millis(outcome.leased);
    const std::uint64_t lost = millis(outcome.lost);
    STOCKOUT_CHECK(std::max({released, has_begun ? first_grant : 0, finished, start_delay, leased, lost}) <
                   kNone);
    const auto state = static_cast<std::uint64_t>(outcome.state);
    if (outcome.preemptions >= kMany) many_preemptions_[job] = outcome.preemptions;
    if (outcome.exits > 0) exits_[job] = outcome.exits;
    if (outcome.quota != QuotaOutcome{}) quotas_[job] = outcome.quota;
    if (outcome.kueue != KueueOutcome{}) kueues_[job] = outcome.kueue;
    if (outcome.slurm_end != SlurmEnd::none) slurm_ends_[job] = outcome.slurm_end;
    set_pending(job, {.first = outcome.pending_for, .again = outcome.pending_again});
    rows_[job] = {.released = released | leased << kTimeBits,
                  .first_grant = first_grant | (leased >> kRestBits) << kTimeBits | state << kStateShift |
                                 std::uint64_t{outcome.leg} << kLegShift,
                  .finished = finished | lost << kTimeBits,
                  .start_delay = start_delay | (lost >> kRestBits) << kTimeBits |
                                 std::uint64_t{std::min(outcome.preemptions, kMany)} << kStateShift};
  }
  /// The same of what want of quota cost it, where that is known apart.
  void set_quota(std::uint64_t job, const QuotaOutcome& outcome) { quotas_[job] = outcome; }
  /// The same of what Kueue cost it.
  void set_kueue(std::uint64_t job, const KueueOutcome& outcome) { kueues_[job] = outcome; }
  /// The same of why Slurm ended it.
  void set_slurm_end(std::uint64_t job, SlurmEnd end) { slurm_ends_[job] = end; }
  /// The same of what its scheduler kept it waiting for.
  void set_pending(std::uint64_t job, const PendingTimes& times) {
    if (times.first != WaitTimes{}) pending_for_[job] = times.first;
    if (times.again != WaitTimes{}) pending_again_[job] = times.again;
  }
  [[nodiscard]] JobOutcome at(std::uint64_t job) const;
  [[nodiscard]] std::uint64_t size() const { return rows_.size(); }

 private:
  // Milliseconds take 40 bits of a word. The other 24 hold the lower 24 or the upper 16 bits of a fifth and a
  // sixth length; behind those 16 are the state and the leg, or the preemptions.
  static constexpr unsigned kTimeBits = 40;
  static constexpr unsigned kRestBits = 24;
  static constexpr unsigned kStateShift = 56;
  static constexpr unsigned kLegShift = 60;
  static constexpr std::uint64_t kNone = (std::uint64_t{1} << kTimeBits) - 1;  // for kNever
  static constexpr std::uint32_t kMany = 255;                                  // see many_preemptions_
  struct Row {
    std::uint64_t released;
    std::uint64_t first_grant;
    std::uint64_t finished;
    std::uint64_t start_delay;
  };
  static constexpr std::size_t kChunk = 4'096;

  // Beyond kNone if negative.
  static std::uint64_t millis(SimDuration length) { return static_cast<std::uint64_t>(length.count()); }

  SimTime begin_;  // times are kept as distances from it
  Chunks<Row, kChunk> rows_;
  std::unordered_map<std::uint64_t, std::uint32_t> many_preemptions_;  // by job
  std::unordered_map<std::uint64_t, std::uint32_t> exits_;      // the same, of those whose workers exited
  std::unordered_map<std::uint64_t, QuotaOutcome> quotas_;      // the same, of those that wanted for it
  std::unordered_map<std::uint64_t, KueueOutcome> kueues_;      // the same, of those that Kueue kept waiting
  std::unordered_map<std::uint64_t, SlurmEnd> slurm_ends_;      // the same, of those that Slurm ended
  std::unordered_map<std::uint64_t, WaitTimes> pending_for_;    // the same, of those that a scheduler kept
  std::unordered_map<std::uint64_t, WaitTimes> pending_again_;  // the same, after their first grant
};

/// Totals of one class of leases on one pool, over [kStart, run end], recorded jobs and tenants together
/// unless said otherwise.
struct ClassTotals {
  std::uint64_t requests = 0;
  std::uint64_t grants = 0;
  std::uint64_t refusals = 0;     // at-once requests that found no room
  std::uint64_t withdrawn = 0;    // queued requests that expired, passed on, or lost a race
  std::uint64_t preemptions = 0;  // leases that ended because they were preempted, faults apart
  std::uint64_t faults = 0;       // leases that ended because a machine broke or went into maintenance
  GpuTime leased{};
  GpuTime leased_by_tenants{};
  friend bool operator==(const ClassTotals&, const ClassTotals&) = default;
};

/// One pool's books over [kStart, run end].
struct PoolTotals {
  GpuTime capacity{};  // of the pool's first capacity source; a held pool: what it held
  GpuTime leased{};    // by all classes
  GpuTime shortage{};  // of a zone pool: leases that are not leaving, beyond what its sources have
  std::uint64_t peak_waiting = 0;  // most requests waiting at one time
  GpuTime
      phantom_waiting{};  // recorded jobs' requests here that were withdrawn since another won: GPUs x time
  GpuTime phantom_leased{};           // and their leases here that lost a race
  std::uint64_t censored_grants = 0;  // grants and refusals made while the capacity was a value at its cap
  // With placement:
  GpuTime host_free{};        // free on its hosts, spot leases counted, leaving ones not
  GpuTime host_stranded{};    // the part of it on hosts that are not wholly free
  std::uint64_t misfits = 0;  // refusals though there was room: the machines found no hosts
  std::array<ClassTotals, kLeaseClasses> classes{};
  friend bool operator==(const PoolTotals&, const PoolTotals&) = default;
};

/// Fates of sets of jobs.
struct SetTotals {
  std::uint64_t restarts = 0;    // one of a set lost its machines, and all began anew
  std::uint64_t given_back = 0;  // machines had waited for others too long: a booking that expired
  friend bool operator==(const SetTotals&, const SetTotals&) = default;
};

/// Everything one simulation leaves behind.
struct RunRecord {
  JobRecord jobs;
  UsageLedger usage;
  UsageLedger phantom;            // of it, machines of leases that lost a race; no splits
  std::vector<PoolTotals> pools;  // by PoolId
  std::vector<SimTime>
      held_since;  // by held pool of the world: when its machines came; kNever: not in this run
  SetTotals sets;
  SimTime end{};       // when the run ended, at least kStart
  SimTime hold_end{};  // until when held capacity was paid for
  Evictions evictions;
  std::map<std::string, KueueQueueTotals> kueue_queues;  // all of a strategy under Kueue
  std::vector<GaveWay> gave_way;                         // in order of time
  std::uint64_t arrivals = 0;                            // jobs that came, tenants included
  std::uint64_t events = 0;                              // queue entries that took effect
  bool drew = false;              // whether any random number mattered; false: every replication is the same
  std::uint64_t fingerprint = 0;  // of every grant, refusal and release in order: equal runs have equal ones
};

}  // namespace stockout

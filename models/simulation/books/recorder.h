#pragma once

#include <cstdint>
#include <vector>

#include "models/record/run_record.h"
#include "models/simulation/books/meter.h"
#include "models/simulation/books/request_tally.h"
#include "models/simulation/books/run_log.h"
#include "models/simulation/ground/agenda.h"
#include "models/simulation/ground/area.h"
#include "models/simulation/ground/run_state.h"
#include "models/world/world.h"

namespace stockout {

/// Writes down what happens: the rows of jobs, the fingerprint, and counters that are compared with those of
/// others at the end; with it come the meter, the tally of requests and the log. One verb a fact; nobody else
/// writes any of these, but the books, who tell the log of pools what is leased. Facts are of now.
class Recorder {
 public:
  /// All three outlive it.
  Recorder(const World& world, const Logs& logs, const Agenda& agenda);

  [[nodiscard]] const RunLog& log() const { return log_; }
  [[nodiscard]] Meter& meter() { return meter_; }
  [[nodiscard]] RequestTally& requests() { return requests_; }

  // Jobs.

  /// A job has come. One that `is_recorded` gets a row: its number, or kNotRecorded.
  std::uint64_t job_came(bool is_recorded) {
    ++record_.arrivals;
    if (!is_recorded) return kNotRecorded;
    ++open_jobs_;
    return record_.jobs.add();
  }
  /// It begins to ask.
  void job_released(const JobState& job) {
    if (job.record != kNotRecorded) stay_begins();
    log_.job(job, JobChange::What::released);
  }
  void job_final(JobSlot slot, const JobState& job, FinalState state);
  /// Recorded jobs that are not final.
  [[nodiscard]] std::uint64_t open_jobs() const { return open_jobs_; }

  /// The same of a recorded job for whoever knows all of its outcome: it begins to ask, and is final.
  void stay_begins() { in_system_.add(1, now()); }
  void stay_ends(std::uint64_t record, std::uint64_t row, const JobOutcome& outcome) {
    mark(static_cast<std::uint64_t>(outcome.state), row, outcome.leg);
    record_.jobs.set(record, outcome);
    --open_jobs_;
    in_system_.add(-1, now());
    time_in_system_ms_ += (now() - outcome.released).count();
  }

  // Requests.

  void refused(const Request& request, const JobState& job);
  /// A job in that row of its source; the first of a recorded one counts as its start.
  void granted(std::uint64_t row, PoolId pool, bool is_start) {
    if (is_start) last_start_ = now();
    mark(0x10, row, index(pool));
  }

  // Leases.

  /// A partial lease has got so many machines more; or has lost some, and so many GPUs are left to it.
  void gang_grew(const JobState& job, std::int64_t machines) { mark(0x12, job.job.row, magnitude(machines)); }
  void gang_shrank(const JobState& job, GpuCount left) { mark(0x21, job.job.row, magnitude(left.count())); }
  /// Of a job in that row of its source.
  void lease_over(std::uint64_t row, PoolId pool) { mark(0x20, row, index(pool)); }

  // Held pools.

  /// Machines of its landlord are the pool's: machine `number`, from 1 on, of an elastic pool; all of
  /// another's.
  void machines_granted(PoolId held, std::uint64_t number = 0) { mark(0x11, number, index(held)); }
  void booking_refused(PoolId held) { mark(0x12, 0, index(held)); }
  /// When the machines of the next held pool of the world came.
  void held_came(SimTime since) { record_.held_since.push_back(since); }
  /// Until when held capacity is paid for; known when the run ends.
  [[nodiscard]] SimTime hold_end() const;

  /// A random number mattered.
  void note_draw() { record_.drew = true; }

  /// The run is over: `ended` requests were granted, refused, withdrawn or open at the end, as others
  /// counted.
  [[nodiscard]] RunRecord finish(std::uint64_t ended, std::vector<PoolTotals> pools);

 private:
  static std::uint64_t magnitude(std::int64_t count) { return static_cast<std::uint64_t>(count); }
  // One number for the whole history: each event is mixed into it in order (constants of splitmix64).
  void mark(std::uint64_t what, std::uint64_t who, std::uint64_t where) {
    std::uint64_t x = record_.fingerprint ^ static_cast<std::uint64_t>(now().time_since_epoch().count());
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL + who;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL + (where << 8 | what);
    record_.fingerprint = x ^ (x >> 31);
  }
  [[nodiscard]] SimTime now() const { return agenda_.now(); }

  const World& world_;
  const Agenda& agenda_;
  RunLog log_;
  RequestTally requests_{log_};
  Meter meter_;
  RunRecord record_;
  SimTime last_start_ = kStart;
  std::uint64_t open_jobs_ = 0;
  Area in_system_;                      // open recorded jobs
  std::int64_t time_in_system_ms_ = 0;  // the same, added up by the jobs
};

}  // namespace stockout

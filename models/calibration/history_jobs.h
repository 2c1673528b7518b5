#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "models/history/waits_against.h"
#include "models/record/run_record.h"
#include "models/workload/trace.h"
#include "models/world/world.h"
#include "sim/core/time.h"

namespace stockout {

/// Fate of one job, as far as a history tells it.
struct HistoryJob {
  SimTime submit{};
  SimDuration wait = kForever;  // until its first work, start-up included; kForever: it never started
  std::uint16_t job_class = 0;  // of HistoryJobs::classes()
  std::uint8_t hour = 0;        // of the day, local
  bool refused = false;
  bool interrupted = false;  // it made more attempts than one, or was preempted
  std::int64_t gpus = 0;
  SimDuration waited{};  // so long it had waited, and still did, when what is known ends; 0: it does not
};

/// The waits of these jobs. One that still waited is taken as the middle of those that took longer: it is no
/// job that never started.
[[nodiscard]] std::vector<SimDuration> waits_in_the_end(const std::vector<HistoryJob>& jobs);

inline constexpr std::size_t kFewestHistoryJobs = 20;

/// The part of a history that is looked at: jobs submitted within [from, until). What had not started at
/// `known_until` is as if it never had, recorded and simulated alike.
struct HistorySpan {
  SimTime from = kStart;
  SimTime until = kNever;
  SimTime known_until = kNever;
};

/// The jobs of a history, and those of a simulation that stand for them: the same ones where the trace is a
/// source of the world, else the jobs of the classes that both have. Of those a simulation has as long a time
/// as the history spans, if its window is longer: as much luck is in both.
class HistoryJobs {
 public:
  /// `recorded` outlives this. Throws InputError if fewer than kFewestHistoryJobs of the span tell their
  /// fate, or none its wait.
  HistoryJobs(const World& world, const Trace& recorded, const std::optional<SameJobs>& same,
              const HistorySpan& span);

  [[nodiscard]] const std::vector<std::string>& classes() const { return classes_; }
  [[nodiscard]] const std::vector<HistoryJob>& recorded() const { return recorded_; }
  /// Recorded jobs that never started, are no jobs of the simulation, and are looked at on neither side.
  [[nodiscard]] std::uint64_t left_out() const { return left_out_; }
  /// Jobs that ran, but whose wait the history does not tell; they are looked at on neither side.
  [[nodiscard]] std::uint64_t without_wait() const { return without_wait_; }
  /// Rows of the file that are no jobs.
  [[nodiscard]] const std::vector<DroppedRows>& dropped() const { return trace_.dropped; }
  /// Whether both sides are the same jobs.
  [[nodiscard]] bool are_same() const { return same_.has_value(); }
  /// Whether the history tells of attempts.
  [[nodiscard]] bool tells_attempts() const { return tells_attempts_; }
  /// Whether the sizes of all jobs are known: a file does not tell those of jobs that never started.
  [[nodiscard]] bool tells_sizes() const { return same_ || trace_.unserved.jobs.empty(); }
  /// Whether the hours of the day are known.
  [[nodiscard]] bool tells_hours() const { return tells_hours_; }

  /// The jobs of a run of a world with the same jobs; of the same jobs in the same order as recorded().
  [[nodiscard]] std::vector<HistoryJob> simulated(const World& world, std::uint64_t replication,
                                                  const RunRecord& record) const;

 private:
  void add_same(const World& world);
  void add_by_class(const World& world);
  [[nodiscard]] bool is_within(SimTime submit) const;
  void hide_what_is_later(HistoryJob& job) const;

  const Trace& trace_;
  std::optional<SameJobs> same_;
  HistorySpan span_;
  std::vector<std::string> classes_;
  std::vector<std::optional<std::uint16_t>> of_world_;     // by class of the world: the place in classes_
  std::unordered_map<std::uint64_t, std::size_t> by_row_;  // of the same jobs: the place in the trace
  std::vector<HistoryJob> recorded_;
  SimTime simulated_until_ = kNever;
  std::uint64_t left_out_ = 0;
  std::uint64_t without_wait_ = 0;
  bool tells_attempts_ = false;
  bool tells_hours_ = true;
};

}  // namespace stockout

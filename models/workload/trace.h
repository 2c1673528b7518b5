#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/workload/job_link.h"
#include "models/workload/outcome.h"
#include "models/workload/recorded_row.h"
#include "sim/core/time.h"

namespace stockout {

/// Format of a trace file. The caller names it: a unit is never guessed, except that of UNIX times in our
/// CSV, which their size tells. models/workload/README.md describes each.
enum class TraceFormat : std::uint8_t {
  csv,           // our own: named columns, units stated
  swf,           // Standard Workload Format of the Parallel Workloads Archive
  philly,        // timestamp,duration,num_gpus,gpu_time,cluster
  gaia_seconds,  // arrival_time,length,cpus in seconds
  gaia_hours,    // the same header, in hours
  sacct,         // sacct --parsable2
  helios,        // cluster_log.csv of SenseTime's Helios
  openb,         // pods of Alibaba's cluster-trace-gpu-v2023
  pai,           // the task table of Alibaba's cluster-trace-gpu-v2020
  eagle,         // jobs of NREL's Eagle
  vertex,        // gcloud ai custom-jobs list, or hp-tuning-jobs list, as JSON
  kueue,         // kubectl get workloads.kueue.x-k8s.io -o json
  kubernetes,    // kubectl get jobs -o json
};
inline constexpr std::array<std::string_view, 13> kTraceFormatNames{
    "csv",   "swf", "philly", "gaia_seconds", "gaia_hours", "sacct",     "helios",
    "openb", "pai", "eagle",  "vertex",       "kueue",      "kubernetes"};

/// The format of that name, or nothing.
[[nodiscard]] std::optional<TraceFormat> find_trace_format(std::string_view name);

/// The most GPUs one job may ask for, and the most rows a file may have.
inline constexpr std::int32_t kMostJobGpus = 1 << 20;
inline constexpr std::uint64_t kMostRows = std::uint64_t{1} << 31;

/// Users try again what did not get done: their rows are attempts of one job, not jobs of their own.
struct JoinAttempts {
  SimDuration within{};            // from the end of an attempt to the submission of the next
  std::vector<std::string> after;  // the outcomes after which users try again, as the file writes them

  friend bool operator==(const JoinAttempts&, const JoinAttempts&) = default;
};

struct TraceOptions {
  /// 0: as read, to the nearest millisecond. Else submit and work are rounded from the text to the nearest
  /// multiple (halves up), and work to at least one. Not negative.
  SimDuration resolution{};

  /// The zone of date-times that carry no offset: "UTC", an offset such as "-08:00", or an IANA name such as
  /// "America/Los_Angeles". A local time that comes twice is read as the first of the two, one that does not
  /// exist as the instant of the change; both are counted in Trace::notes.
  std::string zone = "UTC";

  /// If not empty, only the rows of these users are kept. A name the file does not have is an InputError.
  std::vector<std::string> users;

  /// If not 0, only the first so many jobs, in order of (submit, row), are kept.
  std::uint64_t first_jobs = 0;

  /// Formats that have outcomes only: join_attempts.h.
  std::optional<JoinAttempts> join;

  /// Whether Trace::audit_rows is filled.
  bool keep_rows = false;

  /// Whether a file is no error though none of its rows is a job to simulate: jobs that never started are
  /// recorded in it, or `keep_rows` asks for rows and it has some that could be read.
  bool may_lack_jobs = false;

  friend bool operator==(const TraceOptions&, const TraceOptions&) = default;
};

/// Rows that are no jobs, for one reason.
struct DroppedRows {
  std::string reason;  // "run time is zero", `column "gpus": must be a whole number`
  std::uint64_t count = 0;
  std::uint64_t first_line = 0;  // 1-based
  bool is_broken = false;        // the rows are not what the format has, as far as they could be read
  std::string first_item = {};   // of a JSON list: "item 3 (train)"
  std::string first_text = {};   // what the first row has in place of what the reason wants: `"eight"`
};

/// Where such rows were met first, and what stood there: `line 4: "eight"`, "line 1, item 3 (train)".
[[nodiscard]] std::string first_of(const DroppedRows& rows);

/// The same with reason and count: `run time is zero (2 rows, first in line 4)`.
[[nodiscard]] std::string text_of(const DroppedRows& rows);

/// A column of words: each row holds the index of its word in `names`. Both are empty if the file has no such
/// column.
struct WordColumn {
  std::vector<std::string> names;    // distinct, in order of appearance in the file; may hold "" for no word
  std::vector<std::uint32_t> codes;  // by job

  [[nodiscard]] bool empty() const { return codes.empty(); }
  [[nodiscard]] const std::string& at(std::size_t job) const { return names[codes[job]]; }
};

/// A job that never started: why, and how long it waited.
struct UnservedJob {
  std::int64_t submit_ms = 0;
  SimDuration waited{-1};  // until it was refused, expired or cancelled; -1: not known, or it still waits
  RecordedOutcome outcome = RecordedOutcome::unknown;
  std::uint32_t job_class = 0;  // of Unserved::classes
  std::uint32_t gpu = 0;        // of Unserved::gpus
};

/// The jobs that never started. They are no jobs to simulate, for their length is in no file.
struct Unserved {
  std::vector<UnservedJob> jobs;
  std::vector<std::string> classes;  // "" where a row or the file names none
  std::vector<std::string> gpus;
};

/// The jobs of a trace file as columns, sorted by (submit, row). Optional columns are empty or as long as
/// `submit_ms`. Every value has been checked: work from 1 ms to kLongestRun, GPUs from 1 to kMostJobGpus, the
/// span of submits at most kLongestRun.
struct Trace {
  std::string file;
  TraceFormat format = TraceFormat::csv;

  std::string zone = "UTC";      // of times without an offset
  bool assumes_one_gpu = false;  // no column says how many GPUs: each job counts as one
  bool absolute = false;         // submit_ms counts from the UNIX epoch, else from the file's own zero
  bool has_local_times = false;  // some time has no offset: TraceOptions::zone was taken for its own
  std::optional<std::int64_t>
      zero_ms;  // not absolute: the UNIX time of that zero, where the file says so (SWF)

  std::vector<std::int64_t> submit_ms;
  std::vector<SimDuration> work;
  std::vector<std::int32_t> gpus;          // in all
  std::vector<std::uint64_t> row;          // data row of the file from 0, counted before anything is dropped
  std::vector<std::int32_t> nodes;         // optional: gpus = nodes * GPUs of a node
  std::vector<SimDuration> estimate;       // optional; the work where a row has none
  std::vector<SimDuration> max_wait;       // optional; kForever where a row has none
  std::vector<SimDuration> deadline;       // optional; from submission, kForever where a row has none
  std::vector<SimDuration> recorded_wait;  // optional; to the first start; -1 ms where not known
  std::vector<std::int64_t> start_ms;      // optional; of the last attempt; kUnknownMs where not known
  std::vector<std::int64_t> end_ms;        // optional; of the last attempt; kUnknownMs where not known
  std::vector<SimDuration> held;           // optional; from the file's submission to `submit_ms` (Slurm)
  std::vector<std::uint32_t> attempts;     // optional; at least 1
  std::vector<std::uint32_t> group;        // optional; 0: no group, else 1, 2, ... in order of appearance
  WordColumn user;
  WordColumn team;       // account, namespace or project
  WordColumn partition;  // partition, queue or region
  WordColumn outcome;    // the file's own words, of the last attempt: recorded_outcome_of() reads them
  WordColumn job_class;
  WordColumn gpu;         // GPU type, or several: speed_text.h
  WordColumn machine;     // machine type
  WordColumn speed;       // of GPU types: speed_text.h
  WordColumn gpu_memory;  // GB of each GPU: speed_text.h

  std::vector<JobLink> links;  // which rows depend on others and are tasks of arrays, sorted by row

  std::uint64_t rows_read = 0;       // data rows, dropped ones included
  std::uint64_t unsorted_rows = 0;   // rows submitted earlier than a row before them (then sorted)
  std::vector<DroppedRows> dropped;  // in order of first_line
  std::vector<std::string> notes;    // what else a reader of the result must know, one line each
  Unserved unserved;
  std::vector<AuditRow> audit_rows;  // every row that could be read, in the file's order; if asked for

  [[nodiscard]] std::size_t size() const { return submit_ms.size(); }
};

/// Reads a plain or gzip file, streaming. A row that breaks the format (a number that is none, a wrong number
/// of fields, a value beyond its range) is dropped with its reason, and so is a well-formed row that is no
/// job (no run time, no processors). InputError with file and line: a header that is not of the format, and
/// all rows broken, more than half and more than ten, or more than 50 of the first 100, for then the file is
/// another one or in another unit. A file without a single job is an InputError too, unless the options allow
/// it.
[[nodiscard]] Trace read_trace(const std::string& path, TraceFormat format, const TraceOptions& options = {});

}  // namespace stockout

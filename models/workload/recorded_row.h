#pragma once

#include <cstdint>
#include <limits>
#include <string_view>

#include "models/workload/outcome.h"
#include "sim/core/time.h"

namespace stockout {

/// A time that a file does not tell.
inline constexpr std::int64_t kUnknownMs = std::numeric_limits<std::int64_t>::min();

/// One row of a record: an attempt of a job, as its cluster wrote it down. A reader fills in what its format
/// has. Times are milliseconds from the UNIX epoch or from the file's own zero. Texts need to last for one
/// call only.
struct RecordedRow {
  std::int64_t submit_ms = kUnknownMs;
  std::int64_t eligible_ms = kUnknownMs;  // from when on it could start, if later: no dependency, no hold
  std::int64_t start_ms = kUnknownMs;
  std::int64_t end_ms = kUnknownMs;
  SimDuration run{-1};     // where the file counts it apart (Slurm: without suspended time); -1: it does not
  SimDuration estimate{};  // 0: none
  std::int32_t gpus = -1;  // in all; -1: not known
  std::int32_t nodes = 0;  // 0: not known, or GPUs do not divide by them
  std::uint32_t attempts = 1;  // that the row stands for
  bool knows_wait = true;      // false: the start is that of a later attempt, or of something else
  RecordedOutcome outcome = RecordedOutcome::unknown;
  std::string_view word = {};  // the file's own for the outcome
  std::string_view id = {};    // the same for all attempts of a job; empty: none
  std::string_view user = {};
  std::string_view team = {};
  std::string_view job_class = {};
  std::string_view partition = {};
  std::string_view machine = {};
  std::string_view gpu = {};
  std::string_view group = {};
};

/// Which optional columns a file has. The rest of its rows' fields are not looked at.
struct RecordedColumns {
  bool times = false;  // starts and ends
  bool outcome = false;
  bool user = false;
  bool team = false;
  bool job_class = false;
  bool partition = false;
  bool machine = false;
  bool gpu = false;
  bool group = false;
  bool nodes = false;
  bool estimate = false;
  bool held = false;      // the time from submission until it could start
  bool attempts = false;  // how many a row stands for
  bool requeues = false;  // rows of one id are attempts of a job, if they follow soon on one another
  bool jobs = false;      // rows of one id are attempts of a job, and the id is for that
};

/// A row as it was recorded, for trace_audit.h.
struct AuditRow {
  std::uint64_t line = 0;
  std::int64_t submit_ms = kUnknownMs;
  std::int64_t start_ms = kUnknownMs;
  std::int64_t end_ms = kUnknownMs;
  SimDuration run{-1};
  std::uint64_t id = 0;   // a hash; 0: it has none
  std::uint64_t ask = 0;  // a hash of who asks for what
  std::int32_t gpus = -1;
  RecordedOutcome outcome = RecordedOutcome::unknown;
};

}  // namespace stockout

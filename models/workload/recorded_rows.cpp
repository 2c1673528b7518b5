// The part of TraceBuilder that takes rows of a record.

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <boost/container_hash/hash.hpp>

#include "models/workload/no_job.h"
#include "models/workload/readers/speed_text.h"
#include "models/workload/trace_builder.h"
#include "sim/core/counted.h"
#include "sim/core/fnv1a.h"
#include "sim/io/line_reader.h"

namespace stockout {
namespace {

// The cluster that takes longer than this to queue a job again has used its id for another job.
constexpr std::int64_t kLongestRequeueMs = SimDuration{std::chrono::hours{1}}.count();

// Ids that a cluster gives out come again, for other users. Never 0.
std::uint64_t id_of(const RecordedRow& row, bool names_job) {
  if (row.id.empty()) return 0;
  const std::uint64_t id = fnv1a(kFnv1aBegin, row.id);
  return (names_job ? id : fnv1a(id, row.user)) | 1U;
}

std::uint64_t ask_of_row(const RecordedRow& row) {
  std::size_t seed = 0;
  for (const std::string_view word :
       {row.user, row.team, row.job_class, row.partition, row.machine, row.gpu, row.group}) {
    boost::hash_combine(seed, fnv1a(kFnv1aBegin, word));
  }
  boost::hash_combine(seed, row.gpus);
  boost::hash_combine(seed, row.nodes);
  return seed;
}

// From when on it asks for machines.
std::int64_t asks_at(const RecordedRow& row) { return std::max(row.submit_ms, row.eligible_ms); }

SimDuration wait_of(const RecordedRow& row, std::int64_t asks_ms) {
  const bool is_known = row.knows_wait && row.start_ms != kUnknownMs && row.start_ms >= asks_ms;
  return SimDuration{is_known ? row.start_ms - asks_ms : -1};
}

}  // namespace

bool TraceBuilder::add_run(std::int64_t submit_ms, SimDuration work, std::int32_t gpus) {
  if (options_.keep_rows) keep_row({.submit_ms = submit_ms, .run = work, .gpus = gpus});
  const NoJob why = work == SimDuration::zero() ? NoJob::no_run : gpus == 0 ? NoJob::no_gpus : NoJob::none;
  if (why == NoJob::none) {
    add(submit_ms, work, gpus);
  } else {
    drop(text_of(why));
  }
  return why == NoJob::none;
}

// A word that the row before had was looked at there.
void TraceBuilder::check_names(const RecordedRow& row) const {
  const auto check = [](std::string_view what, std::string_view name, const WordIndex& words) {
    if (!name.empty() && !words.is_last(name)) check_name(what, name);
  };
  check("user", row.user, users_);
  check("team", row.team, teams_);
  check("class", row.job_class, classes_);
  check("partition", row.partition, partitions_);
  check("outcome", row.word, words_);
  check("machine type", row.machine, machines_);
  check("GPU type", row.gpu, gpus_);
  if (!columns_.gpu || row.gpu.empty() || knows_gpu(row.gpu) || parse_gpu_types(row.gpu)) return;
  throw BrokenRow{.reason = "its GPU must be a type, or several such as H100-80GB|A100-80GB",
                  .text = in_quotes(row.gpu)};
}

bool TraceBuilder::add(const RecordedRow& row) {
  check_names(row);
  if (options_.keep_rows) keep_row(row);
  if (!keeps_user(row.user)) return false;
  const NoJob why = no_job_of(row, columns_.times);
  const bool joins = columns_.requeues || columns_.jobs || options_.join.has_value();
  const bool is_row = why == NoJob::none || (joins && may_go_on(why));
  const std::int64_t asks_ms = rounded(asks_at(row));
  if (never_started(why)) add_unserved(row, why, asks_ms);
  if (is_row) {
    const SimDuration work = why == NoJob::none ? rounded_work(run_of(row)) : SimDuration::zero();
    add(asks_ms, work, row.gpus);
    add_columns(row, asks_ms);
    if (joins) add_mark(row, why);
  } else {
    drop(text_of(why));
  }
  return is_row;
}

void TraceBuilder::add_columns(const RecordedRow& row, std::int64_t asks_ms) {
  if (columns_.times) {
    trace_.recorded_wait.push_back(wait_of(row, asks_ms));
    trace_.start_ms.push_back(row.start_ms);
    trace_.end_ms.push_back(row.end_ms);
  }
  if (columns_.estimate) {
    const bool is_given = row.estimate > SimDuration::zero();
    trace_.estimate.push_back(is_given ? row.estimate : trace_.work.back());
  }
  if (columns_.held) trace_.held.push_back(SimDuration{asks_ms - rounded(row.submit_ms)});
  if (columns_.nodes) trace_.nodes.push_back(row.nodes);
  if (columns_.attempts || columns_.requeues || columns_.jobs) trace_.attempts.push_back(row.attempts);
  if (columns_.user) add_user(row.user);
  if (columns_.team) add_word(trace_.team, teams_, row.team);
  if (columns_.job_class) add_class(row.job_class);
  if (columns_.partition) add_word(trace_.partition, partitions_, row.partition);
  if (columns_.outcome) add_word(trace_.outcome, words_, row.word);
  if (columns_.machine) add_machine(row.machine);
  if (columns_.gpu) add_gpu(row.gpu);
  if (columns_.group) add_group(row.group);
}

void TraceBuilder::add_mark(const RecordedRow& row, NoJob why) {
  const std::uint32_t word = outcomes_.code(row.word, outcome_names_);
  if (word == is_unfinished_.size()) {
    is_unfinished_.push_back(options_.join && std::ranges::count(options_.join->after, row.word) > 0);
  }
  AttemptMark mark{.line = line_, .why = why, .is_unfinished = is_unfinished_[word]};
  if (columns_.jobs || columns_.requeues) mark.id = id_of(row, columns_.jobs);
  if (never_started(why)) mark.unserved = static_cast<std::uint32_t>(trace_.unserved.jobs.size() - 1);
  attempts_.push_back(mark);
}

void TraceBuilder::add_unserved(const RecordedRow& row, NoJob why, std::int64_t asks_ms) {
  Unserved& unserved = trace_.unserved;
  const bool ended = row.end_ms != kUnknownMs && row.end_ms >= asks_ms;
  unserved.jobs.push_back({.submit_ms = asks_ms,
                           .waited = SimDuration{ended ? row.end_ms - asks_ms : -1},
                           .outcome = why == NoJob::cancelled ? RecordedOutcome::cancelled : row.outcome,
                           .job_class = unserved_classes_.code(row.job_class, unserved.classes),
                           .gpu = unserved_gpus_.code(row.gpu, unserved.gpus)});
}

void TraceBuilder::keep_row(const RecordedRow& row) {
  trace_.audit_rows.push_back({.line = line_,
                               .submit_ms = row.submit_ms,
                               .start_ms = row.start_ms,
                               .end_ms = row.end_ms,
                               .run = row.run,
                               .id = id_of(row, columns_.jobs),
                               .ask = ask_of_row(row),
                               .gpus = row.gpus,
                               .outcome = row.outcome});
}

// Whether a row of the same id goes on with the job of another, or is a job to which the id was given anew.
bool TraceBuilder::follows(std::uint32_t row, std::uint32_t before) const {
  if (columns_.jobs) return true;
  const std::int64_t end_ms = std::max(trace_.end_ms[before], trace_.submit_ms[before]);
  return trace_.submit_ms[row] - end_ms <= kLongestRequeueMs;
}

void TraceBuilder::name_jobs() {
  using Named = std::pair<std::uint64_t, std::uint32_t>;  // id, row
  std::vector<Named> named;
  for (std::uint32_t row = 0; row < attempts_.size(); ++row) {
    if (attempts_[row].id != 0) named.emplace_back(attempts_[row].id, row);
  }
  std::ranges::sort(named);
  std::uint32_t jobs = 0;
  for (std::size_t i = 0; i < named.size(); ++i) {
    const auto [id, row] = named[i];
    const bool goes_on = i > 0 && named[i - 1].first == id && follows(row, named[i - 1].second);
    if (!goes_on && !columns_.jobs) continue;
    std::uint32_t& job = attempts_[goes_on ? named[i - 1].second : row].job;
    if (job == AttemptMark::kNoJob) job = jobs++;
    attempts_[row].job = job;
  }
}

void TraceBuilder::join_attempts() {
  name_jobs();
  const SimDuration within = options_.join ? options_.join->within : SimDuration::zero();
  const std::vector<JobRows> jobs = jobs_of_attempts(trace_, attempts_, within);
  keep_unserved(jobs);
  std::vector<std::uint32_t> last_rows;
  std::uint64_t joined_rows = 0;
  std::uint64_t joined_jobs = 0;
  std::uint64_t lacking = 0;
  for (const JobRows& job : jobs) {
    if (columns_.requeues && trace_.attempts[job.last] > job.count) ++lacking;
    if (trace_.work[job.last] == SimDuration::zero()) {
      drop_job(job);
    } else {
      describe_by_first(job);
      last_rows.push_back(job.last);
      joined_rows += job.count > 1 ? job.count : 0;
      joined_jobs += job.count > 1 ? 1 : 0;
    }
  }
  pick(last_rows);
  check_not_empty();
  if (lacking > 0) {
    trace_.notes.push_back(fmt::format(
        "{} began anew (Restarts), but earlier attempts and their GPU-hours are missing: ask sacct "
        "for all records with -D",
        counted(lacking, "job")));
  }
  if (joined_jobs == 0) return;
  trace_.notes.push_back(fmt::format("{} were joined to {}, as attempts", counted(joined_rows, "row"),
                                     counted(joined_jobs, "job")));
}

void TraceBuilder::drop_job(const JobRows& job) {
  const AttemptMark& last = attempts_[job.last];
  line_ = last.line;
  item_ = 0;
  drop(job.count == 1 ? text_of(last.why) : "its last attempt never ran, so its work is not known");
}

// A job is submitted as its first attempt was, with that one's limits, and does what its last one did.
void TraceBuilder::describe_by_first(const JobRows& job) {
  const auto& [first, last, started, count] = job;
  if (!trace_.recorded_wait.empty()) {
    SimDuration& wait = trace_.recorded_wait[last];
    wait = trace_.recorded_wait[started];
    if (wait >= SimDuration::zero()) {
      wait += SimDuration{trace_.submit_ms[started] - trace_.submit_ms[first]};
    }
  }
  if (!trace_.attempts.empty()) {
    // The file does not have the submission of an attempt that it only counts.
    if (trace_.attempts[last] > count && !trace_.recorded_wait.empty()) {
      trace_.recorded_wait[last] = SimDuration{-1};
    }
    trace_.attempts[last] = std::max(trace_.attempts[last], count);
  }
  trace_.submit_ms[last] = trace_.submit_ms[first];
  trace_.row[last] = trace_.row[first];
  if (!trace_.held.empty()) trace_.held[last] = trace_.held[first];
  if (!trace_.max_wait.empty()) trace_.max_wait[last] = trace_.max_wait[first];
  if (!trace_.deadline.empty()) trace_.deadline[last] = trace_.deadline[first];
}

// Of the attempts that never started, those count whose job never did.
void TraceBuilder::keep_unserved(const std::vector<JobRows>& jobs) {
  std::vector<UnservedJob> kept;
  for (const JobRows& job : jobs) {
    const std::uint32_t unserved = attempts_[job.last].unserved;
    if (job.started != JobRows::kNone || unserved == AttemptMark::kServed) continue;
    UnservedJob& lost = kept.emplace_back(trace_.unserved.jobs[unserved]);
    const std::int64_t first_ms = trace_.submit_ms[job.first];
    if (lost.waited >= SimDuration::zero()) lost.waited += SimDuration{lost.submit_ms - first_ms};
    lost.submit_ms = first_ms;
  }
  trace_.unserved.jobs = std::move(kept);
}

std::int64_t TraceBuilder::rounded(std::int64_t ms) const {
  const std::int64_t step = std::max<std::int64_t>(options_.resolution.count(), 1);
  return (ms + step / 2) / step * step;
}

SimDuration TraceBuilder::rounded_work(SimDuration length) const {
  return SimDuration{
      std::max(rounded(length.count()), std::max<std::int64_t>(options_.resolution.count(), 1))};
}

}  // namespace stockout

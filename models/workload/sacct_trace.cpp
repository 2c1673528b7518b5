#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "models/workload/sacct_text.h"
#include "models/workload/submit_line.h"
#include "models/workload/trace_formats.h"
#include "sim/core/counted.h"
#include "sim/io/line_reader.h"
#include "sim/io/number.h"
#include "sim/io/time_stamp.h"
#include "sim/io/utf8.h"

namespace stockout {
namespace {

struct Sacct {
  enum Column : std::size_t {
    job_id_raw,
    job_id,
    user,
    account,
    partition,
    qos,
    state,
    submit,
    eligible,
    start,
    end,
    elapsed_raw,
    elapsed,
    time_limit_raw,
    time_limit,
    restarts,
    nodes,
    alloc_tres,
    req_tres,
    submit_line,
    columns
  };
};
constexpr std::array<std::string_view, Sacct::columns> kSacctNames{
    "JobIDRaw",  "JobID",    "User",   "Account",   "Partition",  "QOS",       "State",
    "Submit",    "Eligible", "Start",  "End",       "ElapsedRaw", "Elapsed",   "TimelimitRaw",
    "Timelimit", "Restarts", "NNodes", "AllocTRES", "ReqTRES",    "SubmitLine"};

// Columns of free text, in which a user may write the separator.
constexpr std::array<std::string_view, 8> kFreeText{"JobName", "Comment",    "AdminComment", "SystemComment",
                                                    "WorkDir", "SubmitLine", "Extra",        "Reason"};

bool is_blank_line(std::string_view line) { return line.find_first_not_of(" \t") == std::string_view::npos; }

class SacctTrace {
 public:
  SacctTrace(TraceBuilder& builder, const TraceFields& fields, const TraceOptions& options)
      : builder_{builder},
        fields_{fields},
        lines_{builder.columns().file},
        stamps_{options.zone, {.file = lines_.path()}} {}

  void read() {
    std::string_view line;
    while (lines_.next(line) && is_blank_line(line)) continue;
    if (is_blank_line(line)) return;
    read_header(line);
    keep_columns();
    builder_.columns().absolute = true;
    while (lines_.next(line)) {
      if (!is_blank_line(line)) read_line(line);
    }
    note_local_times(builder_.columns(), stamps_.repeated() - settled_, stamps_.skipped());
    if (!resized_.empty()) {
      builder_.columns().notes.push_back(
          fmt::format("{} changed size while running (RESIZING): each size is a job of its own",
                      counted(resized_.size(), "job")));
    }
    if (other_dependencies_ == 0) return;
    builder_.columns().notes.push_back(fmt::format(
        "{} of a kind that is not modelled (singleton, aftercorr, delays, alternatives) were left out",
        counted(other_dependencies_, "dependency", "dependencies")));
  }

 private:
  [[nodiscard]] bool has(Sacct::Column column) const { return at_[column] != kNone; }
  [[nodiscard]] std::string_view text(Sacct::Column column) const {
    return has(column) ? cells_[at_[column]] : std::string_view{};
  }

  void read_header(std::string_view line) {
    header_ = line;
    at_.fill(kNone);
    split(line);
    width_ = cells_.size();
    for (std::size_t i = 0; i < width_; ++i) {
      const auto* const found = std::ranges::find(kSacctNames, cells_[i]);
      if (found != kSacctNames.end()) at_[static_cast<std::size_t>(found - kSacctNames.begin())] = i;
      if (std::ranges::find(kFreeText, cells_[i]) == kFreeText.end()) continue;
      ++free_texts_;
      free_text_ = i;
    }
    check_header();
  }

  void check_header() const {
    for (const Sacct::Column column : {Sacct::state, Sacct::submit, Sacct::start, Sacct::end}) {
      if (!has(column)) fail_missing(kSacctNames[column]);
    }
    if (!has(Sacct::job_id_raw) && !has(Sacct::job_id)) fail_missing("JobIDRaw");
    if (!has(Sacct::alloc_tres) && !has(Sacct::req_tres)) fail_missing("AllocTRES");
  }

  [[noreturn]] void fail_missing(std::string_view name) const {
    lines_.fail(fmt::format("column \"{}\" is missing: ask for it with sacct --format", name));
  }

  void keep_columns() {
    builder_.keep({.times = true,
                   .outcome = true,
                   .user = has(Sacct::user),
                   .team = has(Sacct::account),
                   .job_class = has(Sacct::qos),
                   .partition = has(Sacct::partition),
                   .gpu = true,
                   .nodes = has(Sacct::nodes),
                   .estimate = has(Sacct::time_limit_raw) || has(Sacct::time_limit),
                   .held = has(Sacct::eligible),
                   .attempts = true,
                   .requeues = true});
    builder_.reserve(lines_.estimate_lines_left());
  }

  void split(std::string_view line) {
    cells_.clear();
    const char* begin = line.data();
    const char* const end = begin + line.size();
    while (true) {
      const void* const bar = std::memchr(begin, '|', static_cast<std::size_t>(end - begin));
      const char* const stop = bar == nullptr ? end : static_cast<const char*>(bar);
      cells_.emplace_back(begin, static_cast<std::size_t>(stop - begin));
      if (bar == nullptr) return;
      begin = stop + 1;
    }
  }

  void read_line(std::string_view line) {
    builder_.begin_row(lines_.line_number());
    split(line);
    if (cells_.size() > width_ && free_texts_ == 1) join_free_text();
    if (cells_.size() < width_)
      return builder_.drop_broken("has fewer fields than the header (a line end in a name?)");
    if (cells_.size() > width_)
      return builder_.drop_broken("has more fields than the header (a | in a name?)");
    if (line == header_) return builder_.drop("the header again");
    const std::string_view id = has(Sacct::job_id_raw) ? text(Sacct::job_id_raw) : text(Sacct::job_id);
    if (const std::size_t dot = id.find('.'); dot != std::string_view::npos)
      return fold_step(id.substr(0, dot));
    last_id_ = id;
    add(id);
  }

  // Separators that are too many belong to the only column that a user writes.
  void join_free_text() {
    const std::size_t more = cells_.size() - width_;
    const char* const begin = cells_[free_text_].data();
    const std::string_view last = cells_[free_text_ + more];
    cells_[free_text_] = {begin, static_cast<std::size_t>(last.data() + last.size() - begin)};
    const auto from = cells_.begin() + static_cast<std::ptrdiff_t>(free_text_) + 1;
    cells_.erase(from, from + static_cast<std::ptrdiff_t>(more));
  }

  void fold_step(std::string_view job) {
    builder_.drop(job == last_id_ ? "a step of the job above it" : "a step whose job is not above it");
  }

  void add(std::string_view id) {
    broken_.clear();
    RecordedRow row{.submit_ms = stamp(Sacct::submit),
                    .start_ms = stamp(Sacct::start),
                    .end_ms = stamp(Sacct::end),
                    .run = elapsed(),
                    .word = text(Sacct::state),
                    .id = id,
                    .user = text(Sacct::user),
                    .team = text(Sacct::account),
                    .job_class = text(Sacct::qos),
                    .partition = text(Sacct::partition)};
    settle_hour(row);
    row.word = row.word.substr(0, row.word.find(' '));  // CANCELLED by 1003
    row.outcome = outcome(row.word);
    if (has(Sacct::eligible)) row.eligible_ms = stamp(Sacct::eligible);
    row.estimate = limit();
    set_gpus(row);
    if (has(Sacct::restarts)) {
      row.attempts = 1 + static_cast<std::uint32_t>(count(Sacct::restarts));
    }
    const bool ended = row.end_ms != kUnknownMs;
    if (!ended) row.run = SimDuration{-1};  // so far
    // An older Slurm lets a job that is cancelled while it waits start at its end.
    if (ended && row.run == SimDuration::zero() && row.start_ms == row.end_ms &&
        (row.outcome == RecordedOutcome::cancelled || row.outcome == RecordedOutcome::expired)) {
      row.start_ms = kUnknownMs;
    }
    set_resized(row);
    check_names(row);
    if (!broken_.empty()) return builder_.drop_broken(broken_);
    if (builder_.add(row)) add_links(id);
  }

  // Of a local time that comes twice, the reading that the counted run time bears out.
  void settle_hour(RecordedRow& row) {
    const auto fits = [&](std::int64_t start, std::int64_t end) {
      return std::abs(end - start - row.run.count()) < kSecond;
    };
    const bool is_counted =
        row.run >= SimDuration::zero() && row.start_ms != kUnknownMs && row.end_ms != kUnknownMs;
    if (!is_counted || fits(row.start_ms, row.end_ms)) return;
    const std::int64_t start = stamps_.parse_second(text(Sacct::start)).value_or(row.start_ms);
    const std::int64_t end = stamps_.parse_second(text(Sacct::end)).value_or(row.end_ms);
    if (fits(row.start_ms, end)) {
      row.end_ms = end;
      ++settled_;
    } else if (fits(start, row.end_ms)) {
      row.start_ms = start;
      ++settled_;
    }
  }

  // A job that changes its size while it runs has a record for each size, and loses no work.
  void set_resized(RecordedRow& row) {
    const bool is_resized = row.word == "RESIZING";
    if (!is_resized && !resized_.contains(row.id)) return;
    if (resized_.contains(row.id)) row.knows_wait = false;
    if (is_resized) {
      resized_.emplace(row.id);
      row.outcome = RecordedOutcome::completed;
    }
    row.id = {};
  }

  // Of an array the file names each task 7_1, and a dependency may name the array, 7.
  void add_links(std::string_view raw_id) {
    TraceLinks& links = builder_.links();
    const std::uint64_t row = builder_.columns().row.back();
    const std::string_view id = has(Sacct::job_id) ? text(Sacct::job_id) : raw_id;
    const SubmitLine line = parse_submit_line(text(Sacct::submit_line));
    if (has(Sacct::submit_line)) links.name(row, id);
    const std::size_t bar = id.find('_');
    if (bar != std::string_view::npos) links.add_task(row, id.substr(0, bar), line.tasks_at_once);
    if (line.dependency.empty()) return;
    if (const auto read = parse_dependencies(line.dependency)) return links.add(row, *read);
    ++other_dependencies_;
  }

  // The row is passed over. The first reason counts.
  void break_row(Sacct::Column column, std::string_view problem) {
    if (broken_.empty()) broken_ = fmt::format("column \"{}\" {}", kSacctNames[column], problem);
  }

  // Names stand in tables.
  void check_names(const RecordedRow& row) {
    using Name = std::pair<Sacct::Column, std::string_view>;
    for (const auto& [column, name] : {Name{Sacct::user, row.user}, Name{Sacct::account, row.team},
                                       Name{Sacct::qos, row.job_class}, Name{Sacct::partition, row.partition},
                                       Name{Sacct::state, row.word}, Name{Sacct::alloc_tres, row.gpu}}) {
      if (first_control(name) != name.size()) break_row(column, "has a tab or another control character");
    }
  }

  [[nodiscard]] std::int64_t stamp(Sacct::Column column) {
    const std::string_view cell = text(column);
    if (is_not_set(cell)) return kUnknownMs;
    if (const auto at = stamps_.parse(cell)) return *at;
    std::int64_t ms = 0;  // with SLURM_TIME_FORMAT=%s
    constexpr std::int64_t kMostUnixMs = std::int64_t{253'402'300'800} * kSecond;
    if (cell.find_first_not_of("0123456789") == std::string_view::npos &&
        parse_scaled(cell, kSecond, 1, ms) == std::errc{} && ms < kMostUnixMs) {
      return ms;
    }
    break_row(column, "is neither a date and time from 1970 on, such as 2026-08-03T09:00:00, nor Unknown");
    return kUnknownMs;
  }

  // -1 ms where the file does not count it.
  [[nodiscard]] SimDuration elapsed() {
    const std::string_view cell = text(Sacct::elapsed_raw);
    if (cell.empty()) return has(Sacct::elapsed) ? length(Sacct::elapsed, SimDuration{-1}) : SimDuration{-1};
    std::int64_t ms = 0;
    if (parse_scaled(cell, kSecond, 1, ms) != std::errc{} || ms < 0 || ms > kLongestRun.count())
      break_row(Sacct::elapsed_raw, "is no number of seconds from 0 to 34.8 years");
    return SimDuration{fields_.rounded(ms)};
  }

  // 0: none.
  [[nodiscard]] SimDuration limit() {
    if (has(Sacct::time_limit)) return length(Sacct::time_limit, SimDuration::zero());
    const std::string_view cell = text(Sacct::time_limit_raw);
    if (is_no_limit(cell)) return SimDuration::zero();
    constexpr std::int64_t kMinute = 60'000;
    std::int64_t minutes = 0;
    if (parse_integer(cell, minutes) != std::errc{} || minutes < 0)
      break_row(Sacct::time_limit_raw, "is no number of minutes");
    return minutes > kLongestRun.count() / kMinute ? SimDuration::zero() : SimDuration{minutes * kMinute};
  }

  [[nodiscard]] SimDuration length(Sacct::Column column, SimDuration none) {
    const std::string_view cell = text(column);
    if (is_no_limit(cell)) return none;
    const auto read = parse_slurm_length(cell);
    if (!read) break_row(column, "is no length such as 1-02:03:04");
    return read.value_or(none);
  }

  [[nodiscard]] std::int32_t count(Sacct::Column column) {
    const std::string_view cell = text(column);
    std::int64_t number = 0;
    if (!cell.empty() &&
        (parse_integer(cell, number) != std::errc{} || number < 0 || number > kMostJobGpus)) {
      break_row(column, fmt::format("is no whole number from 0 to {}", kMostJobGpus));
      return 0;
    }
    return static_cast<std::int32_t>(number);
  }

  void set_gpus(RecordedRow& row) {
    const bool is_allocated =
        has(Sacct::alloc_tres) && (!text(Sacct::alloc_tres).empty() || !has(Sacct::req_tres));
    const Sacct::Column column = is_allocated ? Sacct::alloc_tres : Sacct::req_tres;
    const std::string_view cell = text(column);
    if (cell != tres_ || !gpus_) {
      tres_ = cell;
      gpus_ = parse_tres_gpus(tres_);
    }
    if (!gpus_) {
      return break_row(
          column, fmt::format("is no list such as cpu=8,gres/gpu:h100=8, of at most {} GPUs", kMostJobGpus));
    }
    row.gpu = gpus_->type;
    if (!cell.empty()) row.gpus = gpus_->count;
    std::int64_t nodes = 0;  // "2K" of a large cluster is not known
    if (parse_integer(text(Sacct::nodes), nodes) != std::errc{}) return;
    if (nodes > 0 && nodes <= row.gpus && row.gpus % nodes == 0) row.nodes = static_cast<std::int32_t>(nodes);
  }

  [[nodiscard]] RecordedOutcome outcome(std::string_view word) {
    if (word != word_) {
      word_ = word;
      outcome_ = recorded_outcome_of(word);
    }
    return outcome_;
  }

  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  TraceBuilder& builder_;
  const TraceFields& fields_;
  LineReader lines_;
  TimeStampReader stamps_;
  std::string header_;
  std::array<std::size_t, Sacct::columns> at_{};
  std::size_t width_ = 0;
  std::size_t free_texts_ = 0;
  std::size_t free_text_ = 0;  // the last of them
  std::vector<std::string_view> cells_;
  std::string last_id_;                         // of the job above
  std::string broken_;                          // why the row is not as the format has it; empty: it is
  std::uint64_t settled_ = 0;                   // local times that come twice, read as the second
  std::set<std::string, std::less<>> resized_;  // jobs that changed their size
  std::uint64_t other_dependencies_ = 0;
  // Most rows say the same as the one before.
  std::string tres_;
  std::optional<TresGpus> gpus_;
  std::string word_;
  RecordedOutcome outcome_ = RecordedOutcome::unknown;
};

}  // namespace

void read_sacct_trace(TraceBuilder& builder, TraceFields& fields, const TraceOptions& options) {
  SacctTrace{builder, fields, options}.read();
}

}  // namespace stockout

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

#include "models/workload/readers/sacct_header.h"
#include "models/workload/readers/sacct_text.h"
#include "models/workload/readers/second_hours.h"
#include "models/workload/readers/submit_line.h"
#include "models/workload/readers/trace_formats.h"
#include "sim/core/counted.h"
#include "sim/io/line_reader.h"
#include "sim/io/number.h"
#include "sim/io/time_stamp.h"

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
      if (is_blank_line(line)) continue;
      builder_.begin_row(lines_.line_number());
      builder_.read_row([&] { read_line(line); });
    }
    note_local_times(builder_.columns(), stamps_, settled_ + hours_.settled());
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
    if (is_sacct_row(line)) lines_.fail(lacks_sacct_header());
    if (const std::string wrong = wrong_sacct_header(cells_); !wrong.empty()) lines_.fail(wrong);
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
    split(line);
    if (cells_.size() > width_ && free_texts_ == 1) join_free_text();
    if (cells_.size() < width_)
      throw BrokenRow{.reason = "has fewer fields than the header (a line end in a name?)"};
    if (cells_.size() > width_) throw BrokenRow{.reason = "has more fields than the header (a | in a name?)"};
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
    if (has(Sacct::eligible)) row.eligible_ms = stamp(Sacct::eligible);
    hours_.settle(row, {.submit = text(Sacct::submit),
                        .eligible = text(Sacct::eligible),
                        .start = text(Sacct::start),
                        .end = text(Sacct::end)});
    settle_hour(row);
    row.word = row.word.substr(0, row.word.find(' '));  // CANCELLED by 1003
    row.outcome = outcome(row.word);
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

  [[noreturn]] void break_row(Sacct::Column column, std::string_view wanted) const {
    TraceFields::fail(fmt::format("column \"{}\"", kSacctNames[column]), must_be(wanted, text(column)));
  }

  [[nodiscard]] std::int64_t stamp(Sacct::Column column) {
    const std::string_view cell = text(column);
    if (is_not_set(cell)) return kUnknownMs;
    if (const auto at = stamps_.parse(cell)) {
      if (is_local_time(cell)) builder_.columns().has_local_times = true;
      return *at;
    }
    std::int64_t ms = 0;  // with SLURM_TIME_FORMAT=%s
    constexpr std::int64_t kMostUnixMs = std::int64_t{253'402'300'800} * kSecond;
    if (cell.find_first_not_of("0123456789") == std::string_view::npos &&
        parse_scaled(cell, kSecond, 1, ms) == std::errc{} && ms < kMostUnixMs) {
      return ms;
    }
    break_row(column, "a date and time from 1970 on, such as 2026-08-03T09:00:00, or Unknown");
  }

  // -1 ms where the file does not count it.
  [[nodiscard]] SimDuration elapsed() {
    const std::string_view cell = text(Sacct::elapsed_raw);
    if (cell.empty()) return has(Sacct::elapsed) ? length(Sacct::elapsed, SimDuration{-1}) : SimDuration{-1};
    std::int64_t ms = 0;
    if (parse_scaled(cell, kSecond, 1, ms) != std::errc{} || ms < 0 || ms > kLongestRun.count())
      break_row(Sacct::elapsed_raw, "a number of seconds from 0 to 34.8 years");
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
      break_row(Sacct::time_limit_raw, "a number of minutes");
    return minutes > kLongestRun.count() / kMinute ? SimDuration::zero() : SimDuration{minutes * kMinute};
  }

  [[nodiscard]] SimDuration length(Sacct::Column column, SimDuration none) {
    const std::string_view cell = text(column);
    if (is_no_limit(cell)) return none;
    const auto read = parse_slurm_length(cell);
    if (!read) break_row(column, "a length such as 1-02:03:04");
    return read.value_or(none);
  }

  [[nodiscard]] std::int32_t count(Sacct::Column column) {
    const std::string_view cell = text(column);
    std::int64_t number = 0;
    if (!cell.empty() &&
        (parse_integer(cell, number) != std::errc{} || number < 0 || number > kMostJobGpus)) {
      break_row(column, fmt::format("a whole number from 0 to {}", kMostJobGpus));
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
      break_row(column,
                fmt::format("a list such as cpu=8,gres/gpu:h100=8, of at most {} GPUs", kMostJobGpus));
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
  SecondHours hours_{stamps_};
  std::string header_;
  std::array<std::size_t, Sacct::columns> at_{};
  std::size_t width_ = 0;
  std::size_t free_texts_ = 0;
  std::size_t free_text_ = 0;  // the last of them
  std::vector<std::string_view> cells_;
  std::string last_id_;                         // of the job above
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

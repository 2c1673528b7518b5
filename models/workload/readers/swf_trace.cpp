#include <algorithm>
#include <array>
#include <string>

#include <fmt/format.h>

#include "models/workload/readers/trace_formats.h"
#include "sim/core/counted.h"
#include "sim/io/line_reader.h"
#include "sim/io/number.h"

namespace stockout {
namespace {

// Fields of the Standard Workload Format, version 2.2, counted from 0; the format's own text counts from 1.
// Unknown values are -1. Source: Parallel Workloads Archive, "The Standard Workload Format".
constexpr std::size_t kFields = 18;
struct Swf {
  enum Field : std::size_t {
    number = 0,
    submit = 1,
    wait = 2,
    run_time = 3,
    used_procs = 4,
    asked_procs = 7,
    asked_time = 8,
    status = 10,
    user = 11,
    group = 12,
    queue = 14
  };
};

bool is_blank(char c) { return c == ' ' || c == '\t'; }

// Splits at blanks and returns how many fields there are, also beyond those that `fields` has room for.
std::size_t split(std::string_view line, std::array<std::string_view, kFields>& fields) {
  std::size_t count = 0;
  const char* at = line.data();
  const char* const end = at + line.size();
  while (true) {
    while (at != end && is_blank(*at)) ++at;
    if (at == end) return count;
    const char* const begin = at;
    while (at != end && !is_blank(*at)) ++at;
    if (count < kFields) fields[count] = {begin, static_cast<std::size_t>(at - begin)};
    ++count;
  }
}

// `; UnixStartTime: 1027839845` says when second 0 is. Values that are no positive number are in use for "not
// known".
void read_comment(std::string_view line, Trace& trace) {
  constexpr std::string_view kKey = "UnixStartTime:";
  line.remove_prefix(1);
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  if (!line.starts_with(kKey)) return;
  line.remove_prefix(kKey.size());
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  line = line.substr(0, line.find_first_of(" \t"));
  constexpr std::int64_t kYear10000 = 253'402'300'800;
  std::int64_t seconds = 0;
  if (parse_integer(line, seconds) != std::errc{} || seconds <= 0 || seconds >= kYear10000) return;
  trace.zero_ms = seconds * kSecond;
}

// Seconds of the UNIX epoch, not from a zero of the file's own: no file is that long.
constexpr std::int64_t kFirstUnixMs = std::int64_t{1'000'000'000} * kSecond;

enum class SwfRow : std::uint8_t { sound, no_number, out_of_range };

// The fields that count, as numbers.
struct SwfNumbers {
  std::int64_t submit_ms = 0;
  std::int64_t wait_ms = 0;
  std::int64_t run_ms = 0;
  std::int64_t used = 0;
  std::int64_t asked = 0;
  std::int64_t asked_ms = 0;
};

SwfRow read_number(std::string_view text, std::int64_t unit, std::int64_t most, std::int64_t& number) {
  const std::errc error = parse_scaled(text, unit, 1, number);
  if (error == std::errc::invalid_argument) return SwfRow::no_number;
  return error != std::errc{} || number > most || number < -most ? SwfRow::out_of_range : SwfRow::sound;
}

SwfRow read_numbers(const std::array<std::string_view, kFields>& row, SwfNumbers& numbers) {
  constexpr std::int64_t kMostUnixMs = std::int64_t{253'402'300'800} * kSecond;
  const std::array results{read_number(row[Swf::submit], kSecond, kMostUnixMs, numbers.submit_ms),
                           read_number(row[Swf::wait], kSecond, kLongestRun.count(), numbers.wait_ms),
                           read_number(row[Swf::run_time], kSecond, kLongestRun.count(), numbers.run_ms),
                           read_number(row[Swf::used_procs], 1, kMostJobGpus, numbers.used),
                           read_number(row[Swf::asked_procs], 1, kMostJobGpus, numbers.asked),
                           read_number(row[Swf::asked_time], kSecond, kLongestRun.count(), numbers.asked_ms)};
  return *std::ranges::max_element(results);
}

RecordedOutcome outcome_of_status(std::string_view status) {
  if (status == "0") return RecordedOutcome::failed;
  if (status == "1") return RecordedOutcome::completed;
  return status == "5" ? RecordedOutcome::cancelled : RecordedOutcome::unknown;
}

class SwfTrace {
 public:
  SwfTrace(TraceBuilder& builder, const TraceFields& fields)
      : builder_{builder}, fields_{fields}, lines_{builder.columns().file} {}

  void read() {
    builder_.keep(
        {.times = true, .outcome = true, .user = true, .team = true, .partition = true, .estimate = true});
    builder_.reserve(lines_.estimate_lines_left());
    std::string_view line;
    while (lines_.next(line)) {
      if (line.starts_with(';')) {
        read_comment(line, builder_.columns());
      } else if (const std::size_t count = split(line, row_); count > 0) {
        builder_.begin_row(lines_.line_number());
        builder_.read_row([&] { read_job(count); });
      }
    }
    if (partial_ > 0) {
      builder_.columns().notes.push_back(
          fmt::format("{} (status 2 to 4): the first row has the whole job",
                      counted(partial_, "row is a part of a job that was swapped out",
                              "rows are parts of jobs that were swapped out")));
    }
    if (longer_ == 0) return;
    builder_.columns().notes.push_back(fmt::format("{} more than {} fields; the others were not used",
                                                   counted(longer_, "row has", "rows have"), kFields));
  }

 private:
  void read_job(std::size_t count) {
    if (count < kFields) throw BrokenRow{.reason = "has fewer than 18 fields"};
    if (count > kFields) ++longer_;
    // Such parts follow a row that has all of the job. Source: the format's note on checkpoints.
    if (is_partial() && row_[Swf::number] == whole_) return static_cast<void>(++partial_);
    if (!is_partial()) whole_ = row_[Swf::number];
    SwfNumbers numbers;
    switch (read_numbers(row_, numbers)) {
      case SwfRow::no_number:
        throw BrokenRow{.reason = "a field is not a number"};
      case SwfRow::out_of_range:
        throw BrokenRow{.reason = "a number is out of range"};
      case SwfRow::sound:
        break;
    }
    if (numbers.submit_ms >= 0 && !is_of_epoch(numbers.submit_ms)) {
      throw BrokenRow{.reason = "submit time does not count from where the first one does"};
    }
    add(numbers);
  }

  // Whether the row is about a part of a job that was swapped out.
  [[nodiscard]] bool is_partial() const {
    const std::string_view status = row_[Swf::status];
    return status == "2" || status == "3" || status == "4";
  }

  // Whether a submission counts from where the first of the file did, which it may be.
  bool is_of_epoch(std::int64_t submit_ms) {
    const bool is_unix = submit_ms >= kFirstUnixMs;
    if (!knows_epoch_) builder_.columns().absolute = is_unix;
    knows_epoch_ = true;
    return builder_.columns().absolute == is_unix;
  }

  void add(const SwfNumbers& numbers) {
    RecordedRow row{.word = row_[Swf::status],
                    .id = row_[Swf::number],
                    .user = row_[Swf::user],
                    .team = row_[Swf::group],
                    .partition = row_[Swf::queue]};
    row.gpus = static_cast<std::int32_t>(numbers.used > 0 ? numbers.used : numbers.asked);
    row.outcome = outcome_of_status(row.word);
    if (numbers.run_ms < 0 && row.outcome != RecordedOutcome::cancelled)
      row.outcome = RecordedOutcome::unknown;
    if (numbers.submit_ms >= 0) set_times(numbers, row);
    row.run = fields_.rounded_work(SimDuration{std::max<std::int64_t>(numbers.run_ms, 0)});
    if (numbers.run_ms < 0) row.run = SimDuration{-1};
    row.estimate = std::max(row.run, SimDuration{numbers.asked_ms});
    builder_.add(row);
  }

  static void set_times(const SwfNumbers& numbers, RecordedRow& row) {
    row.submit_ms = numbers.submit_ms;
    if (numbers.wait_ms < 0) return;
    const std::int64_t waited_ms = numbers.submit_ms + numbers.wait_ms;
    const bool never_ran = numbers.run_ms <= 0 && row.outcome == RecordedOutcome::cancelled;
    if (!never_ran) row.start_ms = waited_ms;
    if (numbers.run_ms >= 0) row.end_ms = waited_ms + numbers.run_ms;
  }

  TraceBuilder& builder_;
  const TraceFields& fields_;
  LineReader lines_;
  std::array<std::string_view, kFields> row_;
  std::string whole_;  // number of the job that has a row for all of it
  std::uint64_t longer_ = 0;
  std::uint64_t partial_ = 0;
  bool knows_epoch_ = false;
};

}  // namespace

void read_swf_trace(TraceBuilder& builder, TraceFields& fields, const TraceOptions& /*options*/) {
  SwfTrace{builder, fields}.read();
}

}  // namespace stockout

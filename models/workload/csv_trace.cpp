#include <algorithm>
#include <array>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "models/workload/sacct_text.h"
#include "models/workload/speed_text.h"
#include "models/workload/trace_formats.h"
#include "sim/io/csv_reader.h"
#include "sim/io/formula_text.h"
#include "sim/io/line_reader.h"
#include "sim/io/time_stamp.h"

namespace stockout {
namespace {

enum Column : std::size_t {
  kSubmit,
  kEligible,
  kDuration,
  kGpus,
  kNodes,
  kGpusPerNode,
  kEstimate,
  kDeadline,
  kMaxWait,
  kUser,
  kClass,
  kGpu,
  kMachine,
  kSpeed,
  kGpuMemory,
  kGroup,
  kId,
  kJob,
  kOutcome,
  kStartTime,
  kEndTime,
  kTeam,
  kPartition,
  kDependency,
  kArray,
  kArrayLimit,
  kColumns
};
const std::array<std::string, kColumns> kNames{
    "submit",     "eligible",  "duration",   "gpus",  "nodes",      "gpus_per_node", "estimate",
    "deadline",   "max_wait",  "user",       "class", "gpu",        "machine",       "speed",
    "gpu_memory", "group",     "id",         "job",   "outcome",    "start",         "end",
    "team",       "partition", "dependency", "array", "array_limit"};

// What a row holds beside what all records have.
struct RowLimits {
  SimDuration deadline = kForever;
  SimDuration max_wait = kForever;
};

class CsvTrace {
 public:
  CsvTrace(TraceBuilder& builder, TraceFields& fields, const TraceOptions& options)
      : builder_{builder},
        fields_{fields},
        options_{options},
        csv_{builder.columns().file},
        stamps_{options.zone, {.file = csv_.path()}} {}

  void read() {
    if (!csv_.next()) return;
    read_header();
    const std::size_t width = csv_.fields().size();
    builder_.reserve(csv_.estimate_records_left());
    while (csv_.next()) {
      builder_.begin_row(csv_.line());
      fields_.at_line(csv_.line());
      csv_.check_width(width);
      if (!knows_zero_) find_zero();
      read_row();
    }
    add_notes();
  }

 private:
  [[nodiscard]] bool has(Column column) const { return at_[column] != kNoColumn; }
  [[nodiscard]] std::string_view text(Column column) const { return rearmed(csv_.fields()[at_[column]]); }

  // The text of a column that may be absent; then "".
  [[nodiscard]] std::string_view optional_text(Column column) const {
    return has(column) ? text(column) : "";
  }

  void read_header() {
    if (csv_.fields().front().starts_with(';'))
      csv_.fail("begins as the Standard Workload Format does, whose name here is swf");
    const auto names = [&](Column column) { return std::ranges::count(csv_.fields(), kNames[column]) > 0; };
    is_record_ = names(kStartTime) || names(kEndTime);
    at_ = find_columns(csv_, kNames, "the format csv", is_record_ ? &others_ : nullptr);
    if (!has(kSubmit)) csv_.fail("column \"submit\" is missing");
    if (!has(kDuration) && !(has(kStartTime) && has(kEndTime))) {
      csv_.fail("column \"duration\" is missing, and so are \"start\" and \"end\"");
    }
    if (options_.join && !has(kOutcome)) {
      csv_.fail("column \"outcome\" is missing, which \"join_attempts\" goes by");
    }
    check_links();
    counts_gpus_ = has(kGpus) || has(kNodes) || has(kGpusPerNode) || !is_record_;
    if (counts_gpus_ && (has(kGpus) == has(kNodes) || has(kNodes) != has(kGpusPerNode))) {
      csv_.fail("either column \"gpus\" or columns \"nodes\" and \"gpus_per_node\" must be there");
    }
    keep_columns();
  }

  void check_links() const {
    if (has(kDependency) && !has(kId) && !has(kJob))
      csv_.fail("column \"id\" is missing, by which \"dependency\" names other jobs");
    if (has(kArrayLimit) && !has(kArray))
      csv_.fail("column \"array\" is missing, of which \"array_limit\" is a limit");
  }

  void keep_columns() {
    builder_.keep({.times = is_record_,
                   .outcome = has(kOutcome),
                   .user = has(kUser),
                   .team = has(kTeam),
                   .job_class = has(kClass),
                   .partition = has(kPartition),
                   .machine = has(kMachine),
                   .group = has(kGroup),
                   .nodes = has(kNodes),
                   .estimate = has(kEstimate),
                   .held = has(kEligible),
                   .jobs = has(kJob)});
  }

  // Whether times are dates, or seconds from a zero of the file's own: the first time that is there tells.
  void find_zero() {
    for (const Column column : {kSubmit, kEligible, kStartTime, kEndTime}) {
      const std::string_view cell = optional_text(column);
      if (is_not_set(cell) && is_record_) continue;
      builder_.columns().absolute = stamps_.parse(cell).has_value();
      knows_zero_ = true;
      return;
    }
  }

  void read_row() {
    RecordedRow row{.outcome = recorded_outcome_of(optional_text(kOutcome)),
                    .word = optional_text(kOutcome),
                    .id = optional_text(has(kJob) ? kJob : kId),
                    .user = optional_text(kUser),
                    .team = optional_text(kTeam),
                    .job_class = optional_text(kClass),
                    .partition = optional_text(kPartition),
                    .machine = optional_text(kMachine),
                    .gpu = optional_text(kGpu),
                    .group = optional_text(kGroup)};
    if (!is_record_ || !is_not_set(text(kSubmit))) row.submit_ms = time_of(kSubmit);
    if (!is_not_set(optional_text(kEligible))) row.eligible_ms = time_of(kEligible);
    if (row.submit_ms != kUnknownMs && std::max(row.submit_ms, row.eligible_ms) < 0)
      fields_.fail("column \"submit\"", "must be 0 or more where \"eligible\" is not");
    if (!is_not_set(optional_text(kStartTime))) row.start_ms = time_of(kStartTime);
    if (!is_not_set(optional_text(kEndTime))) row.end_ms = time_of(kEndTime);
    if (!optional_text(kDuration).empty()) row.run = work(text(kDuration), "column \"duration\"");
    read_gpus(row);
    const RowLimits limits = read_limits(row);
    if (!builder_.add(row)) return;
    add_more(limits);
    if (has(kDependency) || has(kArray)) add_links(row.id);
  }

  std::int64_t time_of(Column column) {
    const std::string_view cell = text(column);
    const std::string name = fmt::format("column \"{}\"", kNames[column]);
    const bool may_be_before = column == kSubmit && has(kEligible);  // the file's zero
    if (!builder_.columns().absolute && may_be_before) return fields_.signed_ms(cell, name, kSecond);
    if (!builder_.columns().absolute) return fields_.time_ms(cell, name, kSecond);
    const auto at = stamps_.parse(cell);
    if (!at.has_value()) {
      fields_.fail(
          name,
          must_be("a date and time from 1970 on as in the rows before, such as 2026-08-03 09:00", cell));
    }
    return fields_.rounded(*at);
  }

  // Plain numbers are rounded from the text, in one step.
  SimDuration work(std::string_view length, std::string_view column) const {
    const bool has_unit = length.back() >= 'a' && length.back() <= 'z';
    if (!has_unit) return fields_.work(length, column, kSecond);
    const SimDuration read = fields_.length(length, column);
    if (read == kForever) fields_.fail(column, "a job must end at some time");
    return fields_.rounded_work(read);
  }

  void read_gpus(RecordedRow& row) const {
    if (!counts_gpus_) {
      row.gpus = 1;
      return;
    }
    if (has(kGpus)) {
      if (!text(kGpus).empty()) row.gpus = fields_.count(text(kGpus), "column \"gpus\"", kMostJobGpus);
      return;
    }
    if (text(kNodes).empty() || text(kGpusPerNode).empty()) return;
    row.nodes = fields_.count(text(kNodes), "column \"nodes\"", kMostJobGpus);
    const std::int32_t each = fields_.count(text(kGpusPerNode), "column \"gpus_per_node\"", kMostJobGpus);
    const std::int64_t gpus = std::int64_t{row.nodes} * each;
    if (gpus > kMostJobGpus) {
      fields_.fail("column \"nodes\"", fmt::format("nodes times gpus_per_node must be at most {}, but is {}",
                                                   kMostJobGpus, gpus));
    }
    row.gpus = static_cast<std::int32_t>(gpus);
  }

  RowLimits read_limits(RecordedRow& row) {
    RowLimits limits;
    if (const auto estimate = optional_text(kEstimate); !estimate.empty()) {
      row.estimate = work(estimate, "column \"estimate\"");
    }
    if (const auto max_wait = optional_text(kMaxWait); !max_wait.empty()) {
      limits.max_wait = fields_.length(max_wait, "column \"max_wait\"");
    }
    const auto deadline = optional_text(kDeadline);
    if (!deadline.empty() && row.submit_ms != kUnknownMs) {
      limits.deadline = read_deadline(deadline, std::max(row.submit_ms, row.eligible_ms));
    }
    return limits;
  }

  SimDuration read_deadline(std::string_view deadline, std::int64_t asks_ms) {
    constexpr std::string_view kColumn = "column \"deadline\"";
    const auto at = builder_.columns().absolute ? stamps_.parse(deadline) : std::nullopt;
    if (!at.has_value()) return fields_.length(deadline, kColumn);
    if (*at < asks_ms) fields_.fail(kColumn, must_be("no earlier than the submission", deadline));
    if (*at - asks_ms > kLongestRun.count()) {
      fields_.fail(kColumn, must_be("at most 34.8 years after the submission", deadline));
    }
    return SimDuration{*at - asks_ms};
  }

  void add_more(const RowLimits& limits) {
    Trace& columns = builder_.columns();
    if (has(kMaxWait)) columns.max_wait.push_back(limits.max_wait);
    if (has(kDeadline)) columns.deadline.push_back(limits.deadline);
    add_speed();
  }

  void add_links(std::string_view id) {
    TraceLinks& links = builder_.links();
    const std::uint64_t row = builder_.columns().row.back();
    links.name(row, id);
    if (const auto array = optional_text(kArray); !array.empty()) links.add_task(row, array, array_limit());
    const auto dependency = optional_text(kDependency);
    if (dependency.empty()) return;
    const auto read = parse_dependencies(dependency);
    if (!read) {
      fields_.fail("column \"dependency\"",
                   must_be("jobs and what is awaited of them (after, afterany, afterok, afternotok), "
                           "such as afterok:12:13,afterany:14",
                           dependency));
    }
    links.add(row, *read);
  }

  [[nodiscard]] std::uint32_t array_limit() const {
    const auto limit = optional_text(kArrayLimit);
    return limit.empty()
               ? 0
               : static_cast<std::uint32_t>(fields_.count(limit, "column \"array_limit\"", kMostJobGpus));
  }

  void add_notes() {
    Trace& trace = builder_.columns();
    note_local_times(trace, stamps_.repeated(), stamps_.skipped());
    if (!counts_gpus_) trace.notes.emplace_back("no column says how many GPUs: each job counts as one");
    if (others_.empty()) return;
    trace.notes.push_back(fmt::format("columns that were not used: {}", fmt::join(others_, ", ")));
  }

  // A cell is checked when its text comes for the first time; it may be empty.
  void add_speed() {
    if (has(kGpu) && builder_.add_gpu(text(kGpu))) {
      check(kGpu, parse_gpu_types(text(kGpu)), "a GPU type, or several such as H100-80GB|A100-80GB");
    }
    if (has(kSpeed) && builder_.add_speed(text(kSpeed))) {
      check(kSpeed, parse_speeds(text(kSpeed)),
            "speeds of GPU types from 0.001 to 1000, such as H100-80GB=2.2|L4=0.18");
    }
    if (has(kGpuMemory) && builder_.add_gpu_memory(text(kGpuMemory))) {
      check(kGpuMemory, parse_gpu_memory(text(kGpuMemory)), "GB of each GPU, such as 40 or 22.5");
    }
  }

  template <typename T>
  void check(Column column, const std::optional<T>& read, std::string_view wanted) const {
    if (read || text(column).empty()) return;
    fields_.fail(fmt::format("column \"{}\"", kNames[column]), must_be(wanted, text(column)));
  }

  TraceBuilder& builder_;
  TraceFields& fields_;
  const TraceOptions& options_;
  CsvReader csv_;
  TimeStampReader stamps_;
  std::vector<std::size_t> at_;
  std::vector<std::string> others_;  // columns of a record that are none of ours
  bool is_record_ = false;           // it has starts and ends
  bool counts_gpus_ = true;
  bool knows_zero_ = false;
};

}  // namespace

void read_csv_trace(TraceBuilder& builder, TraceFields& fields, const TraceOptions& options) {
  CsvTrace{builder, fields, options}.read();
}

}  // namespace stockout

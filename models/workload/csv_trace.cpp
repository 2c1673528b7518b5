#include <array>
#include <string>

#include <fmt/format.h>

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
  kColumns
};
const std::array<std::string, kColumns> kNames{
    "submit", "duration", "gpus",    "nodes", "gpus_per_node", "estimate", "deadline", "max_wait", "user",
    "class",  "gpu",      "machine", "speed", "gpu_memory",    "group",    "id",       "job",      "outcome"};

// What one row holds, before it is known whether it is a job.
struct Row {
  std::int64_t submit_ms = 0;
  SimDuration work{};
  SimDuration estimate{};  // 0: none given
  SimDuration deadline = kForever;
  SimDuration max_wait = kForever;
  std::int32_t gpus = 0;
  std::int32_t nodes = 0;
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
    bool first = true;
    while (csv_.next()) {
      builder_.begin_row(csv_.line());
      fields_.at_line(csv_.line());
      csv_.check_width(width);
      if (first) builder_.columns().absolute = stamps_.parse(text(kSubmit)).has_value();
      first = false;
      read_row();
    }
    note_local_times(builder_.columns(), stamps_.repeated(), stamps_.skipped());
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
    at_ = find_columns(csv_, kNames, "the format csv");
    for (const Column column : {kSubmit, kDuration}) {
      if (!has(column)) csv_.fail(fmt::format("column \"{}\" is missing", kNames[column]));
    }
    if (options_.join && !has(kOutcome)) {
      csv_.fail("column \"outcome\" is missing, which \"join_attempts\" goes by");
    }
    if (has(kGpus) == has(kNodes) || has(kNodes) != has(kGpusPerNode)) {
      csv_.fail("either column \"gpus\" or columns \"nodes\" and \"gpus_per_node\" must be there");
    }
  }

  // Rows are attempts of jobs; some of them never ran.
  [[nodiscard]] bool are_attempts() const { return has(kJob) || options_.join.has_value(); }

  void read_row() {
    Row row;
    row.submit_ms = submit_ms();
    const std::string_view duration = text(kDuration);
    if (!duration.empty()) row.work = work(duration, "column \"duration\"");
    const bool knows_gpus = read_gpus(row);
    read_limits(row);
    if (!builder_.keeps_user(optional_text(kUser))) return;
    if (!are_attempts()) {
      if (duration.empty()) return builder_.drop(kUnknownRunTime);
      if (row.work == SimDuration::zero()) return builder_.drop(kNoRunTime);
    }
    if (!knows_gpus) return builder_.drop(kUnknownGpus);
    if (row.gpus == 0) return builder_.drop(kNoGpus);
    add(row);
  }

  std::int64_t submit_ms() {
    const std::string_view submit = text(kSubmit);
    if (!builder_.columns().absolute) return fields_.time_ms(submit, "column \"submit\"", kSecond);
    const auto at = stamps_.parse(submit);
    if (!at.has_value()) {
      fields_.fail(
          "column \"submit\"",
          must_be("a date and time from 1970 on as in the rows before, such as 2026-08-03 09:00", submit));
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

  // False if a cell is empty.
  bool read_gpus(Row& row) const {
    if (has(kGpus)) {
      if (text(kGpus).empty()) return false;
      row.gpus = fields_.count(text(kGpus), "column \"gpus\"", kMostJobGpus);
      return true;
    }
    if (text(kNodes).empty() || text(kGpusPerNode).empty()) return false;
    row.nodes = fields_.count(text(kNodes), "column \"nodes\"", kMostJobGpus);
    const std::int32_t each = fields_.count(text(kGpusPerNode), "column \"gpus_per_node\"", kMostJobGpus);
    const std::int64_t gpus = std::int64_t{row.nodes} * each;
    if (gpus > kMostJobGpus) {
      fields_.fail("column \"nodes\"", fmt::format("nodes times gpus_per_node must be at most {}, but is {}",
                                                   kMostJobGpus, gpus));
    }
    row.gpus = static_cast<std::int32_t>(gpus);
    return true;
  }

  void read_limits(Row& row) {
    if (const auto estimate = optional_text(kEstimate); !estimate.empty()) {
      row.estimate = work(estimate, "column \"estimate\"");
    }
    if (const auto max_wait = optional_text(kMaxWait); !max_wait.empty()) {
      row.max_wait = fields_.length(max_wait, "column \"max_wait\"");
    }
    if (const auto deadline = optional_text(kDeadline); !deadline.empty()) {
      row.deadline = read_deadline(deadline, row.submit_ms);
    }
  }

  SimDuration read_deadline(std::string_view deadline, std::int64_t submit_ms) {
    constexpr std::string_view kColumn = "column \"deadline\"";
    const auto at = builder_.columns().absolute ? stamps_.parse(deadline) : std::nullopt;
    if (!at.has_value()) return fields_.length(deadline, kColumn);
    if (*at < submit_ms) fields_.fail(kColumn, must_be("no earlier than the submission", deadline));
    if (*at - submit_ms > kLongestRun.count()) {
      fields_.fail(kColumn, must_be("at most 34.8 years after the submission", deadline));
    }
    return SimDuration{*at - submit_ms};
  }

  void add(const Row& row) {
    builder_.add(row.submit_ms, row.work, row.gpus);
    Trace& columns = builder_.columns();
    if (has(kNodes)) columns.nodes.push_back(row.nodes);
    if (has(kEstimate)) {
      columns.estimate.push_back(row.estimate == SimDuration::zero() ? row.work : row.estimate);
    }
    if (has(kMaxWait)) columns.max_wait.push_back(row.max_wait);
    if (has(kDeadline)) columns.deadline.push_back(row.deadline);
    if (has(kUser)) builder_.add_user(text(kUser));
    if (has(kClass)) builder_.add_class(text(kClass));
    if (has(kMachine)) builder_.add_machine(text(kMachine));
    add_speed();
    if (has(kGroup)) builder_.add_group(text(kGroup));
    if (are_attempts()) builder_.add_attempt(optional_text(kJob), optional_text(kOutcome));
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
};

}  // namespace

void read_csv_trace(TraceBuilder& builder, TraceFields& fields, const TraceOptions& options) {
  CsvTrace{builder, fields, options}.read();
}

}  // namespace stockout

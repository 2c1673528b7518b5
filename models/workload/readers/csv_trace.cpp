#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "models/workload/readers/csv_rows.h"
#include "models/workload/readers/job_csv_header.h"
#include "models/workload/readers/sacct_text.h"
#include "models/workload/readers/second_hours.h"
#include "models/workload/readers/speed_text.h"
#include "models/workload/readers/trace_formats.h"
#include "sim/io/csv_reader.h"
#include "sim/io/formula_text.h"
#include "sim/io/line_reader.h"
#include "sim/io/number.h"
#include "sim/io/time_stamp.h"

namespace stockout {
namespace {

using Column = JobColumn;

// UNIX times are told from a zero of the file's own by their size, as those of SWF are.
constexpr std::int64_t kFirstUnixMs = std::int64_t{1'000'000'000} * kSecond;
constexpr std::int64_t kLastUnixMs = std::int64_t{4'102'444'800} * kSecond;  // the year 2100

// What a row holds beside what all records have.
struct RowLimits {
  SimDuration deadline = kForever;
  SimDuration max_wait = kForever;
};

// What its job waits for, and how many tasks of its array may run at a time.
struct RowLinks {
  std::uint32_t at_once = 0;
  std::optional<std::vector<NamedDependency>> dependencies = {};
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
    for_each_csv_row(csv_, width, builder_, [this] {
      if (!knows_zero_) find_zero();
      read_row();
    });
    add_notes();
  }

 private:
  [[nodiscard]] bool has(Column column) const { return header_->has(column); }
  [[nodiscard]] std::string_view text(Column column) const {
    return rearmed(csv_.fields()[header_->at(column)]);
  }

  // The text of a column that may be absent; then "".
  [[nodiscard]] std::string_view optional_text(Column column) const {
    return has(column) ? text(column) : "";
  }

  void read_header() {
    header_.emplace(csv_);
    is_record_ = header_->is_record();
    if (options_.join && !has(Column::outcome))
      csv_.fail("column \"outcome\" is missing, which \"join_attempts\" goes by");
    keep_columns();
  }

  void keep_columns() {
    builder_.keep({.times = is_record_,
                   .outcome = has(Column::outcome),
                   .user = has(Column::user),
                   .team = has(Column::team),
                   .job_class = has(Column::job_class),
                   .partition = has(Column::partition),
                   .machine = has(Column::machine),
                   .group = has(Column::group),
                   .nodes = has(Column::nodes),
                   .estimate = has(Column::estimate),
                   .held = has(Column::eligible),
                   .jobs = has(Column::job)});
  }

  // Whether times are dates, UNIX times, or seconds from a zero of the file's own: the first time that can be
  // read tells.
  void find_zero() {
    TimeStampReader dates{"UTC", {.file = csv_.path()}};  // one that counts no local times
    for (const Column column : {Column::submit, Column::eligible, Column::start, Column::end}) {
      const std::string_view cell = optional_text(column);
      std::int64_t number = 0;
      const bool is_date = dates.parse(cell).has_value();
      if (!is_date && parse_scaled(cell, kSecond, 1, number) != std::errc{}) continue;
      for (const std::int64_t unit : {kSecond, std::int64_t{1}}) {
        if (!is_date && is_unix(cell, unit)) unix_unit_ms_ = unit;
      }
      builder_.columns().absolute = is_date || unix_unit_ms_ > 0;
      knows_zero_ = true;
      return;
    }
  }

  static std::optional<std::int64_t> unix_ms(std::string_view cell, std::int64_t unit_ms) {
    std::int64_t ms = 0;
    if (parse_scaled(cell, unit_ms, 1, ms) != std::errc{}) return std::nullopt;
    return ms >= kFirstUnixMs && ms <= kLastUnixMs ? std::optional{ms} : std::nullopt;
  }
  static bool is_unix(std::string_view cell, std::int64_t unit_ms) {
    return unix_ms(cell, unit_ms).has_value();
  }

  // An instant of a file that has dates or UNIX times.
  [[nodiscard]] std::optional<std::int64_t> instant_of(std::string_view cell) {
    return unix_unit_ms_ > 0 ? unix_ms(cell, unix_unit_ms_) : stamps_.parse(cell);
  }

  void read_row() {
    RecordedRow row{.outcome = recorded_outcome_of(optional_text(Column::outcome)),
                    .word = optional_text(Column::outcome),
                    .id = optional_text(has(Column::job) ? Column::job : Column::id),
                    .user = optional_text(Column::user),
                    .team = optional_text(Column::team),
                    .job_class = optional_text(Column::job_class),
                    .partition = optional_text(Column::partition),
                    .machine = optional_text(Column::machine),
                    .gpu = optional_text(Column::gpu),
                    .group = optional_text(Column::group)};
    if (!is_record_ || !is_not_set(text(Column::submit))) row.submit_ms = time_of(Column::submit);
    if (!is_not_set(optional_text(Column::eligible))) row.eligible_ms = time_of(Column::eligible);
    if (row.submit_ms != kUnknownMs && std::max(row.submit_ms, row.eligible_ms) < 0)
      TraceFields::fail("column \"submit\"", "must be 0 or more where \"eligible\" is not");
    if (!is_not_set(optional_text(Column::start))) row.start_ms = time_of(Column::start);
    if (!is_not_set(optional_text(Column::end))) row.end_ms = time_of(Column::end);
    hours_.settle(row, {.submit = text(Column::submit),
                        .eligible = optional_text(Column::eligible),
                        .start = optional_text(Column::start),
                        .end = optional_text(Column::end)});
    if (!optional_text(Column::duration).empty())
      row.run = work(text(Column::duration), "column \"duration\"");
    read_gpus(row);
    const RowLimits limits = read_limits(row);
    check_speed();
    const RowLinks links = read_links();
    if (!builder_.add(row)) return;
    add_more(limits);
    if (has(Column::dependency) || has(Column::array)) add_links(row.id, links);
  }

  std::int64_t time_of(Column column) {
    const std::string_view cell = text(column);
    const std::string name = column_text(column);
    const bool may_be_before = column == Column::submit && has(Column::eligible);  // the file's zero
    if (!builder_.columns().absolute) {
      check_near_zero(cell, name);
      return may_be_before ? fields_.signed_ms(cell, name, kSecond) : fields_.time_ms(cell, name, kSecond);
    }
    const auto at = instant_of(cell);
    if (!at.has_value()) {
      TraceFields::fail(
          name,
          must_be(unix_unit_ms_ > 0
                      ? "seconds or milliseconds since 1970 as in the rows before, of the years 2001 to 2099"
                      : "a date and time from 1970 on as in the rows before, such as 2026-08-03 09:00",
                  cell));
    }
    if (unix_unit_ms_ == 0 && is_local_time(cell)) builder_.columns().has_local_times = true;
    return fields_.rounded(*at);
  }

  // Times since 1970 come to where a zero of the file's own is meant if they are in another unit, or the
  // first time is none.
  static void check_near_zero(std::string_view cell, std::string_view name) {
    std::int64_t ms = 0;
    const std::errc error = parse_scaled(cell, kSecond, 1, ms);
    const bool is_far =
        error == std::errc{} ? ms > kLongestRun.count() : error == std::errc::result_out_of_range;
    if (!is_far || cell.starts_with('-')) return;
    TraceFields::fail(
        name,
        must_be(
            "at most 34.8 years since the file's zero, for the first time is no UNIX time: give seconds or "
            "milliseconds since 1970, or dates such as 2026-08-03 09:00",
            cell));
  }

  // Plain numbers are rounded from the text, in one step.
  SimDuration work(std::string_view length, std::string_view column) const {
    const bool has_unit = length.back() >= 'a' && length.back() <= 'z';
    if (!has_unit) return fields_.work(length, column, kSecond);
    const SimDuration read = fields_.length(length, column);
    if (read == kForever) TraceFields::fail(column, "a job must end at some time");
    return fields_.rounded_work(read);
  }

  void read_gpus(RecordedRow& row) const {
    if (!header_->counts_gpus()) {
      row.gpus = 1;
      return;
    }
    if (has(Column::gpus)) {
      if (!text(Column::gpus).empty())
        row.gpus = fields_.count(text(Column::gpus), "column \"gpus\"", kMostJobGpus);
      return;
    }
    if (text(Column::nodes).empty() || text(Column::gpus_per_node).empty()) return;
    row.nodes = fields_.count(text(Column::nodes), "column \"nodes\"", kMostJobGpus);
    const std::int32_t each =
        fields_.count(text(Column::gpus_per_node), "column \"gpus_per_node\"", kMostJobGpus);
    const std::int64_t gpus = std::int64_t{row.nodes} * each;
    if (gpus > kMostJobGpus) {
      TraceFields::fail(
          "column \"nodes\"",
          Misread{.wanted = fmt::format("nodes times gpus_per_node must be at most {}", kMostJobGpus),
                  .text = fmt::format("{}", gpus)});
    }
    row.gpus = static_cast<std::int32_t>(gpus);
  }

  RowLimits read_limits(RecordedRow& row) {
    RowLimits limits;
    if (const auto estimate = optional_text(Column::estimate); !estimate.empty()) {
      row.estimate = work(estimate, "column \"estimate\"");
    }
    if (const auto max_wait = optional_text(Column::max_wait); !max_wait.empty()) {
      limits.max_wait = fields_.length(max_wait, "column \"max_wait\"");
    }
    const auto deadline = optional_text(Column::deadline);
    if (!deadline.empty() && row.submit_ms != kUnknownMs) {
      limits.deadline = read_deadline(deadline, std::max(row.submit_ms, row.eligible_ms));
    }
    return limits;
  }

  SimDuration read_deadline(std::string_view deadline, std::int64_t asks_ms) {
    constexpr std::string_view kColumn = "column \"deadline\"";
    const auto at = builder_.columns().absolute ? instant_of(deadline) : std::nullopt;
    if (!at.has_value()) return fields_.length(deadline, kColumn);
    if (*at < asks_ms) TraceFields::fail(kColumn, must_be("no earlier than the submission", deadline));
    if (*at - asks_ms > kLongestRun.count()) {
      TraceFields::fail(kColumn, must_be("at most 34.8 years after the submission", deadline));
    }
    return SimDuration{*at - asks_ms};
  }

  void add_more(const RowLimits& limits) {
    Trace& columns = builder_.columns();
    if (has(Column::max_wait)) columns.max_wait.push_back(limits.max_wait);
    if (has(Column::deadline)) columns.deadline.push_back(limits.deadline);
    add_speed();
  }

  [[nodiscard]] RowLinks read_links() const {
    RowLinks links;
    if (!optional_text(Column::array).empty()) links.at_once = array_limit();
    const auto dependency = optional_text(Column::dependency);
    if (dependency.empty()) return links;
    links.dependencies = parse_dependencies(dependency);
    if (links.dependencies) return links;
    TraceFields::fail(
        column_text(Column::dependency),
        must_be("jobs and what is awaited of them (after, afterany, afterok, afternotok), such as "
                "afterok:12:13,afterany:14",
                dependency));
  }

  void add_links(std::string_view id, const RowLinks& read) {
    TraceLinks& links = builder_.links();
    const std::uint64_t row = builder_.columns().row.back();
    links.name(row, id);
    if (const auto array = optional_text(Column::array); !array.empty())
      links.add_task(row, array, read.at_once);
    if (read.dependencies) links.add(row, *read.dependencies);
  }

  [[nodiscard]] std::uint32_t array_limit() const {
    const auto limit = optional_text(Column::array_limit);
    return limit.empty()
               ? 0
               : static_cast<std::uint32_t>(fields_.count(limit, "column \"array_limit\"", kMostJobGpus));
  }

  void add_notes() {
    Trace& trace = builder_.columns();
    note_local_times(trace, stamps_, hours_.settled());
    trace.assumes_one_gpu = !header_->counts_gpus();
    if (trace.assumes_one_gpu)
      trace.notes.emplace_back("no column says how many GPUs: each job counts as one");
    if (unix_unit_ms_ > 0) {
      trace.notes.push_back(
          fmt::format("times are {} since 1970", unix_unit_ms_ == kSecond ? "seconds" : "milliseconds"));
    }
    if (!header_->renamed().empty())
      trace.notes.push_back(fmt::format("columns of other names: {}", fmt::join(header_->renamed(), ", ")));
    if (header_->others().empty()) return;
    trace.notes.push_back(fmt::format("columns that were not used: {}", fmt::join(header_->others(), ", ")));
  }

  // A cell is checked when its text comes for the first time; it may be empty.
  void check_speed() const {
    if (has(Column::gpu) && !builder_.knows_gpu(text(Column::gpu))) {
      check_no_count(text(Column::gpu));
      check(Column::gpu, parse_gpu_types(text(Column::gpu)),
            "a GPU type, or several such as H100-80GB|A100-80GB");
    }
    if (has(Column::speed) && !builder_.knows_speed(text(Column::speed)))
      check(Column::speed, parse_speeds(text(Column::speed)),
            "speeds of GPU types from 0.001 to 1000, such as H100-80GB=2.2|L4=0.18");
    if (has(Column::gpu_memory) && !builder_.knows_gpu_memory(text(Column::gpu_memory)))
      check(Column::gpu_memory, parse_gpu_memory(text(Column::gpu_memory)),
            "GB of each GPU, such as 40 or 22.5");
  }

  // In a file that counts no GPUs, jobs of "8" must not become jobs of one.
  void check_no_count(std::string_view cell) const {
    std::int64_t number = 0;
    if (header_->counts_gpus() || parse_integer(cell, number) == std::errc::invalid_argument) return;
    TraceFields::fail(column_text(Column::gpu),
                      must_be("a GPU type (a number of GPUs belongs in a column \"gpus\")", cell));
  }

  void add_speed() {
    if (has(Column::gpu)) builder_.add_gpu(text(Column::gpu));
    if (has(Column::speed)) builder_.add_speed(text(Column::speed));
    if (has(Column::gpu_memory)) builder_.add_gpu_memory(text(Column::gpu_memory));
  }

  template <typename T>
  void check(Column column, const std::optional<T>& read, std::string_view wanted) const {
    TraceBuilder::check_name(column_text(column), text(column));
    if (read || text(column).empty()) return;
    TraceFields::fail(column_text(column), must_be(wanted, text(column)));
  }

  TraceBuilder& builder_;
  TraceFields& fields_;
  const TraceOptions& options_;
  CsvReader csv_;
  TimeStampReader stamps_;
  SecondHours hours_{stamps_};
  std::optional<JobCsvHeader> header_;
  bool is_record_ = false;         // it has starts and ends
  std::int64_t unix_unit_ms_ = 0;  // of times since 1970; 0: they are none
  bool knows_zero_ = false;
};

}  // namespace

void read_csv_trace(TraceBuilder& builder, TraceFields& fields, const TraceOptions& options) {
  CsvTrace{builder, fields, options}.read();
}

}  // namespace stockout

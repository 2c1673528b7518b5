// Published traces that are one table with a column for each thing that a record has, under names of their
// own.

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "models/workload/readers/csv_rows.h"
#include "models/workload/readers/second_hours.h"
#include "models/workload/readers/trace_formats.h"
#include "sim/core/counted.h"
#include "sim/io/csv_reader.h"
#include "sim/io/number.h"
#include "sim/io/time_stamp.h"

namespace stockout {
namespace {

struct Published {
  enum Column : std::size_t {
    id,
    user,
    team,
    job_class,
    partition,
    gpu,
    gpus,
    part_of_gpu,
    instances,
    nodes,
    outcome,
    submit,
    start,
    end,
    estimate,
    columns
  };
};

using PublishedNames = std::array<std::string_view, Published::columns>;

struct PublishedTable {
  std::string_view name;
  PublishedNames names;          // empty: it has none
  bool has_stamps;               // local dates and times, else seconds
  std::int64_t gpu_unit;         // thousandths of a GPU in a unit of its column
  std::string_view header = {};  // that files do without
};

// Source: README of HeliosData. Its times are local ones of Shanghai.
constexpr PublishedTable kHelios{"helios",
                                 {"job_id", "user", "vc", "", "", "", "gpu_num", "", "", "node_num", "state",
                                  "submit_time", "start_time", "end_time", ""},
                                 true,
                                 1000};

// Source: README of cluster-trace-gpu-v2023. `gpu_milli` counts where one GPU is asked for.
constexpr PublishedTable kOpenb{"openb",
                                {"name", "", "", "qos", "", "gpu_spec", "num_gpu", "gpu_milli", "", "",
                                 "pod_phase", "creation_time", "scheduled_time", "deletion_time", ""},
                                false,
                                1000};

// Source: README of cluster-trace-gpu-v2020. `plan_gpu` is per cent of a GPU for each instance. The time at
// which a task was submitted is in no table.
constexpr PublishedTable kPai{
    "pai",
    {"", "", "", "task_name", "", "gpu_type", "plan_gpu", "", "inst_num", "", "status", "", "start_time",
     "end_time", ""},
    false,
    10,
    "job_name,task_name,inst_num,status,start_time,end_time,plan_cpu,plan_mem,plan_gpu,gpu_type"};

// Source: README of NREL's eagle-jobs. Its times are local ones of Denver.
constexpr PublishedTable kEagle{
    "eagle",
    {"job_id", "user", "account", "qos", "partition", "", "gpus_req", "", "", "nodes_req", "state",
     "submit_time", "start_time", "end_time", "wallclock_req"},
    true,
    1000};

class PublishedCsv {
 public:
  PublishedCsv(const PublishedTable& table, TraceBuilder& builder, TraceFields& fields,
               const TraceOptions& options)
      : table_{table},
        builder_{builder},
        fields_{fields},
        csv_{builder.columns().file},
        stamps_{options.zone, {.file = csv_.path()}} {}

  void read() {
    if (!csv_.next()) return;
    const bool has_header = find_places();
    builder_.columns().absolute = table_.has_stamps;
    builder_.keep({.times = true,
                   .outcome = true,
                   .user = has(Published::user),
                   .team = has(Published::team),
                   .job_class = has(Published::job_class),
                   .partition = has(Published::partition),
                   .gpu = has(Published::gpu),
                   .nodes = has(Published::nodes),
                   .estimate = has(Published::estimate)});
    builder_.reserve(csv_.estimate_records_left());
    if (!has_header) {
      builder_.begin_row(csv_.line());
      read_csv_row(csv_, width_, builder_, [this] { read_row(); });
    }
    for_each_csv_row(csv_, width_, builder_, [this] { read_row(); });
    add_notes();
  }

 private:
  [[nodiscard]] bool has(Published::Column column) const { return at_[column] != kNoColumn; }
  [[nodiscard]] std::string_view text(Published::Column column) const {
    return has(column) ? csv_.fields()[at_[column]] : std::string_view{};
  }
  [[nodiscard]] std::string column_name(Published::Column column) const {
    return fmt::format("column \"{}\"", table_.names[column]);
  }

  // Where the columns are. False if the first record is a row and no header.
  bool find_places() {
    std::vector<std::string_view> header{csv_.fields().begin(), csv_.fields().end()};
    width_ = header.size();
    const bool has_header =
        table_.header.empty() || header.front() == table_.header.substr(0, table_.header.find(','));
    if (!has_header) {
      header.clear();
      for (std::string_view rest = table_.header; !rest.empty();) {
        header.push_back(rest.substr(0, rest.find(',')));
        rest.remove_prefix(std::min(header.back().size() + 1, rest.size()));
      }
      csv_.check_width(header.size());
    }
    for (std::size_t column = 0; column < Published::columns; ++column) {
      at_[column] = kNoColumn;
      if (table_.names[column].empty()) continue;
      const auto found = std::ranges::find(header, table_.names[column]);
      if (found == header.end()) csv_.fail(fmt::format("column \"{}\" is missing", table_.names[column]));
      at_[column] = static_cast<std::size_t>(found - header.begin());
    }
    return has_header;
  }

  void read_row() {
    RecordedRow row{.start_ms = time_of(Published::start),
                    .end_ms = time_of(Published::end),
                    .outcome = recorded_outcome_of(text(Published::outcome)),
                    .word = text(Published::outcome),
                    .id = text(Published::id),
                    .user = text(Published::user),
                    .team = text(Published::team),
                    .job_class = text(Published::job_class),
                    .partition = text(Published::partition),
                    .gpu = gpu_types()};
    row.knows_wait = has(Published::submit);
    row.submit_ms = row.knows_wait ? time_of(Published::submit) : row.start_ms;
    hours_.settle(
        row,
        {.submit = text(Published::submit), .start = text(Published::start), .end = text(Published::end)});
    set_gpus(row);
    if (!text(Published::estimate).empty()) {
      row.estimate = fields_.work(text(Published::estimate), column_name(Published::estimate), kSecond);
    }
    // openb says "Running" of a pod that was deleted while it ran.
    if (row.outcome == RecordedOutcome::running && row.end_ms != kUnknownMs)
      row.outcome = RecordedOutcome::unknown;
    builder_.add(row);
  }

  // openb names some types twice.
  [[nodiscard]] std::string_view gpu_types() {
    const std::string_view cell = text(Published::gpu);
    if (cell.find('|') == std::string_view::npos) return cell;
    std::vector<std::string_view> types;
    for (std::string_view rest = cell; !rest.empty();) {
      const std::string_view type = rest.substr(0, rest.find('|'));
      rest.remove_prefix(std::min(type.size() + 1, rest.size()));
      if (!type.empty() && std::ranges::find(types, type) == types.end()) types.push_back(type);
    }
    gpu_types_ = fmt::format("{}", fmt::join(types, "|"));
    return gpu_types_;
  }

  [[nodiscard]] std::int64_t time_of(Published::Column column) {
    const std::string_view cell = text(column);
    if (cell.empty() || cell == "None" || cell == "NaT" || cell == "Unknown") return kUnknownMs;
    if (!table_.has_stamps) return fields_.time_ms(cell, column_name(column), kSecond);
    const auto at = stamps_.parse(cell);
    if (!at) {
      TraceFields::fail(column_name(column),
                        must_be("a date and time from 1970 on, such as 2020-05-01 09:00:00", cell));
    }
    return *at;
  }

  // Whole GPUs: one of which a part is asked for is taken whole.
  void set_gpus(RecordedRow& row) {
    const std::string_view cell = text(Published::gpus);
    const std::int64_t instances = count(Published::instances, 1);
    std::int64_t thousandths = cell.empty() ? 0 : thousandths_of(cell);
    if (thousandths == 1000 && has(Published::part_of_gpu)) thousandths = count(Published::part_of_gpu, 1000);
    if (thousandths > 0 && instances > std::int64_t{kMostJobGpus} * 1000 / thousandths) {
      TraceFields::fail(column_name(Published::gpus), fmt::format("a job has at most {} GPUs", kMostJobGpus));
    }
    const std::int64_t all = thousandths * instances;
    if (all % 1000 != 0) ++parts_;
    row.gpus = static_cast<std::int32_t>((all + 999) / 1000);
    const std::int32_t nodes = count(Published::nodes, 0);
    if (nodes > 0 && row.gpus % nodes == 0) row.nodes = nodes;
  }

  [[nodiscard]] std::int64_t thousandths_of(std::string_view cell) const {
    std::int64_t thousandths = 0;
    const std::errc error = parse_scaled(cell, table_.gpu_unit, 1, thousandths);
    if (error != std::errc{} || thousandths < 0 || thousandths > std::int64_t{kMostJobGpus} * 1000) {
      TraceFields::fail(column_name(Published::gpus),
                        must_be(fmt::format("a number from 0 on, at most {} GPUs", kMostJobGpus), cell));
    }
    return thousandths;
  }

  [[nodiscard]] std::int32_t count(Published::Column column, std::int32_t none) const {
    std::int64_t value = 0;
    const std::string_view cell = text(column);
    if (cell.empty()) return none;
    if (parse_scaled(cell, 1, 1, value) != std::errc{} || value < 0 || value > kMostJobGpus) {
      TraceFields::fail(column_name(column),
                        must_be(fmt::format("a whole number, at most {}", kMostJobGpus), cell));
    }
    return static_cast<std::int32_t>(value);
  }

  void add_notes() {
    Trace& trace = builder_.columns();
    note_local_times(trace, stamps_, hours_.settled());
    if (parts_ > 0) {
      trace.notes.push_back(counted(parts_, "row asks for a part of a GPU, which counts as a whole one",
                                    "rows ask for parts of GPUs, which count as whole ones"));
    }
    if (!has(Published::submit)) {
      trace.notes.emplace_back("the file has no submissions: each job counts as submitted when it started");
    }
  }

  const PublishedTable& table_;
  TraceBuilder& builder_;
  TraceFields& fields_;
  CsvReader csv_;
  TimeStampReader stamps_;
  SecondHours hours_{stamps_};
  std::array<std::size_t, Published::columns> at_{};
  std::size_t width_ = 0;
  std::string gpu_types_;
  std::uint64_t parts_ = 0;
};

}  // namespace

void read_helios_trace(TraceBuilder& builder, TraceFields& fields, const TraceOptions& options) {
  PublishedCsv{kHelios, builder, fields, options}.read();
}

void read_openb_trace(TraceBuilder& builder, TraceFields& fields, const TraceOptions& options) {
  PublishedCsv{kOpenb, builder, fields, options}.read();
}

void read_pai_trace(TraceBuilder& builder, TraceFields& fields, const TraceOptions& options) {
  PublishedCsv{kPai, builder, fields, options}.read();
}

void read_eagle_trace(TraceBuilder& builder, TraceFields& fields, const TraceOptions& options) {
  PublishedCsv{kEagle, builder, fields, options}.read();
}

}  // namespace stockout

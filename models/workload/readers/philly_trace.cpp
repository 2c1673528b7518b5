#include <array>
#include <string>

#include <fmt/format.h>

#include "models/workload/readers/csv_rows.h"
#include "models/workload/readers/second_hours.h"
#include "models/workload/readers/trace_formats.h"
#include "sim/io/csv_reader.h"
#include "sim/io/time_stamp.h"

namespace stockout {
namespace {

struct Philly {
  enum Column : std::size_t { timestamp, duration, num_gpus, gpu_time, cluster, columns };
};
const std::array<std::string, Philly::columns> kPhillyNames{"timestamp", "duration", "num_gpus", "gpu_time",
                                                            "cluster"};

void check_header(const CsvReader& csv, const std::vector<std::size_t>& at) {
  for (const std::size_t column : {Philly::timestamp, Philly::duration, Philly::num_gpus, Philly::cluster}) {
    if (at[column] == kNoColumn) csv.fail(fmt::format("column \"{}\" is missing", kPhillyNames[column]));
  }
}

void read_row(std::span<const std::string_view> row, const std::vector<std::size_t>& at,
              TimeStampReader& stamps, SecondHours& hours, TraceBuilder& builder, const TraceFields& fields) {
  const std::string_view stamp = row[at[Philly::timestamp]];
  const auto submit_ms = stamps.parse(stamp);
  if (!submit_ms.has_value()) {
    fields.fail("column \"timestamp\"",
                must_be("a date and time from 1970 on, such as 2017-10-09 07:01:55", stamp));
  }
  const SimDuration work = fields.work(row[at[Philly::duration]], "column \"duration\"", kSecond);
  const std::int32_t gpus = fields.count(row[at[Philly::num_gpus]], "column \"num_gpus\"", kMostJobGpus);
  const std::string_view cluster = row[at[Philly::cluster]];
  TraceBuilder::check_name("cluster", cluster);
  const std::int64_t asked_ms = hours.settle_submit(*submit_ms, stamp);
  if (!builder.keeps_user(cluster)) return;
  if (builder.add_run(fields.rounded(asked_ms), work, gpus)) builder.add_user(cluster);
}

}  // namespace

void read_philly_trace(TraceBuilder& builder, TraceFields& fields, const TraceOptions& options) {
  CsvReader csv{builder.columns().file};
  TimeStampReader stamps{options.zone, {.file = csv.path()}};
  SecondHours hours{stamps};
  builder.columns().absolute = true;
  if (!csv.next()) return;
  const std::vector<std::size_t> at = find_columns(csv, kPhillyNames, "the format philly");
  check_header(csv, at);
  const std::size_t width = csv.fields().size();
  builder.reserve(csv.estimate_records_left());
  for_each_csv_row(csv, width, builder, [&] { read_row(csv.fields(), at, stamps, hours, builder, fields); });
  builder.columns().has_local_times = true;  // the format has no offsets
  note_local_times(builder.columns(), stamps, hours.settled());
}

}  // namespace stockout

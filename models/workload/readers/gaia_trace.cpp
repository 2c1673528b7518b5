#include <array>
#include <string>

#include <fmt/format.h>

#include "models/workload/readers/csv_rows.h"
#include "models/workload/readers/trace_formats.h"
#include "sim/io/csv_reader.h"

namespace stockout {
namespace {

struct Gaia {
  enum Column : std::size_t { arrival, length, cpus, columns };
};
const std::array<std::string, Gaia::columns> kGaiaNames{"arrival_time", "length", "cpus"};

void read_row(std::span<const std::string_view> row, const std::vector<std::size_t>& at, std::int64_t unit_ms,
              TraceBuilder& builder, const TraceFields& fields) {
  const std::int64_t submit_ms = fields.time_ms(row[at[Gaia::arrival]], "column \"arrival_time\"", unit_ms);
  const SimDuration work = fields.work(row[at[Gaia::length]], "column \"length\"", unit_ms);
  const std::int32_t gpus = fields.count(row[at[Gaia::cpus]], "column \"cpus\"", kMostJobGpus);
  builder.add_run(submit_ms, work, gpus);
}

// `unit_ms`: milliseconds of one unit of arrival_time and length.
void read_gaia_trace(TraceBuilder& builder, TraceFields& fields, std::int64_t unit_ms) {
  CsvReader csv{builder.columns().file};
  if (!csv.next()) return;
  const std::vector<std::size_t> at = find_columns(csv, kGaiaNames, "the format gaia");
  for (std::size_t column = 0; column < Gaia::columns; ++column) {
    if (at[column] == kNoColumn) csv.fail(fmt::format("column \"{}\" is missing", kGaiaNames[column]));
  }
  builder.reserve(csv.estimate_records_left());
  for_each_csv_row(csv, Gaia::columns, builder,
                   [&] { read_row(csv.fields(), at, unit_ms, builder, fields); });
}

}  // namespace

void read_gaia_seconds_trace(TraceBuilder& builder, TraceFields& fields, const TraceOptions& /*options*/) {
  read_gaia_trace(builder, fields, kSecond);
}

void read_gaia_hours_trace(TraceBuilder& builder, TraceFields& fields, const TraceOptions& /*options*/) {
  constexpr std::int64_t kHour = SimDuration{std::chrono::hours{1}}.count();
  read_gaia_trace(builder, fields, kHour);
}

}  // namespace stockout

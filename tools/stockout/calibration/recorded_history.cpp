#include "tools/stockout/calibration/recorded_history.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <type_traits>

#include <fmt/format.h>

#include "sim/core/error.h"

namespace stockout {
namespace {

const ReadTrace* source_that_reads(const Scenario& scenario, const std::string& file) {
  const auto found = std::ranges::find_if(scenario.traces, [&](const ReadTrace& trace) {
    std::error_code none;
    return std::filesystem::equivalent(trace.file, file, none);
  });
  return found == scenario.traces.end() ? nullptr : &*found;
}

// Blocks in another order and jobs that come more or less often are not the record's jobs any more.
std::optional<SameJobs> same_jobs(const World& world, const ReadTrace& read) {
  for (std::size_t i = 0; i < world.sources.size(); ++i) {
    const Source& source = world.sources[i];
    if (source.background || source.name != read.source) continue;
    const auto& demand = std::get<TraceDemand>(source.demand);
    if (demand.resampled || !demand.factor.is_one()) return std::nullopt;
    return SameJobs{.source = SourceId{static_cast<std::underlying_type_t<SourceId>>(i)},
                    .shift_ms = read.shift_ms};
  }
  return std::nullopt;
}

void check_knows_waits(const Trace& trace) {
  const bool knows =
      std::ranges::any_of(trace.recorded_wait, [](SimDuration wait) { return wait >= SimDuration::zero(); });
  if (knows) return;
  throw InputError{
      {.file = trace.file},
      "records no waits: no job has both a submission and a start. Name a record that has them, as "
      "`stockout trace info` shows"};
}

}  // namespace

RecordedHistory read_recorded_jobs(const TraceArguments& arguments, const Scenario& scenario, TraceUse use) {
  RecordedHistory record;
  const ReadTrace* read = source_that_reads(scenario, arguments.file);
  if (read == nullptr) {
    record.trace = arguments.read(use);
  } else if (!arguments.format.empty() || arguments.zone != TraceArguments{}.zone) {
    const char* const given = arguments.format.empty() ? "zone" : "format";
    throw InputError{{.file = "command line", .pointer = arguments.prefix + given},
                     fmt::format("{} is read by the source \"{}\" of the scenario, which says its format and "
                                 "time zone: leave them out",
                                 arguments.file, read->source)};
  } else {
    record.trace = read_trace(arguments.file, read->format, read->options);
    record.same = same_jobs(scenario.world, *read);
    if (record.same) record.read_by = read;
  }
  return record;
}

RecordedHistory read_history(const TraceArguments& arguments, const Scenario& scenario) {
  RecordedHistory record = read_recorded_jobs(arguments, scenario);
  check_knows_waits(record.trace);
  return record;
}

RecordedHistory read_waits_and_refusals(const TraceArguments& arguments, const Scenario& scenario) {
  RecordedHistory record = read_recorded_jobs(arguments, scenario, TraceUse::record);
  if (record.trace.unserved.jobs.empty()) check_knows_waits(record.trace);
  return record;
}

}  // namespace stockout

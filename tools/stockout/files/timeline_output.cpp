#include "tools/stockout/files/timeline_output.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include "models/measures/number_text.h"
#include "sim/core/counted.h"
#include "sim/core/duration_text.h"
#include "sim/core/error.h"
#include "sim/io/gzip_file.h"
#include "sim/io/whole_file.h"
#include "tools/stockout/arguments/whole_number.h"
#include "tools/stockout/terminal/printable.h"

namespace stockout {

/// One of the two.
struct TimelineOutput::File {
  explicit File(const std::string& path) {
    if (path.ends_with(".gz")) {
      packed = std::make_unique<GzipFile>(path);
    } else {
      plain = std::make_unique<WholeFile>(path);
    }
  }
  void write(std::string_view text) const { packed ? packed->write(text) : plain->write(text); }
  void commit() const { packed ? packed->commit() : plain->commit(); }

  std::unique_ptr<WholeFile> plain;
  std::unique_ptr<GzipFile> packed;
};

void TimelineArguments::add_to(CLI::App& command) {
  CLI::Option* timeline =
      command
          .add_option(
              "--timeline", path,
              "Writes what each job did and each pool had over time to this file, for ui.perfetto.dev (Chrome trace "
              "events; gzipped if it ends in .gz)")
          ->type_name("FILE");
  command
      .add_option("--timeline-most", most,
                  "At most so many slices and moments of jobs: what comes last is left out")
      ->check(whole_number(1, 10'000'000))
      ->capture_default_str()
      ->needs(timeline);
  command
      .add_option(
          "--timeline-from", from,
          "Draws jobs from this time after the start of the window on, as in 12d; levels are always of the "
          "whole run")
      ->needs(timeline)
      ->type_name("DURATION");
}

TimelineOptions TimelineArguments::options() const {
  TimelineOptions options{.most = most};
  if (from.empty()) return options;
  const std::optional<SimDuration> length = parse_duration(from);
  if (!length || *length > kLongestRun) {
    throw InputError{{.file = "command line", .pointer = "--timeline-from"},
                     fmt::format("\"{}\" is no length of time within a run: write 36h, or 12d 6h", from)};
  }
  options.from = kStart + *length;
  return options;
}

TimelineOutput::TimelineOutput(const TimelineArguments& arguments, const Scenario& scenario)
    : scenario_{scenario},
      path_{arguments.path},
      book_{scenario.world, arguments.options()},
      file_{std::make_unique<File>(arguments.path)} {}

TimelineOutput::~TimelineOutput() = default;

void TimelineOutput::end(const RunPlace& run, const RunRecord& record, const Measures& /*measures*/) {
  const Timeline timeline = book_.finish(run.replication, record);
  const TraceOrigin origin{.scenario = scenario_.file,
                           .strategy = run.strategy,
                           .replication = run.replication,
                           .version = STOCKOUT_VERSION};
  write_trace_events(scenario_.world, timeline, origin,
                     [this](std::string_view text) { file_->write(text); });
  const std::string left_out = left_out_text(timeline);
  summary_ = fmt::format("{} of {} in {}", number_text(static_cast<double>(timeline.jobs.size())),
                         counted(timeline.jobs_of_run, "job"), counted(timeline.slices.size(), "slice"));
  if (!left_out.empty()) summary_ += "; " + left_out;
}

void TimelineOutput::commit(Console& console) {
  file_->commit();
  fmt::print(console.err, "stockout: timeline {}: {}. Open it in https://ui.perfetto.dev\n", printable(path_),
             summary_);
}

}  // namespace stockout

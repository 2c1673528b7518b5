// Feeds arbitrary bytes to the readers of traces and of availability. The first byte says to which. An
// InputError is an answer; any other exception, a failed check, a sanitizer report or a hang is a find.

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "models/supply/availability.h"
#include "models/workload/trace.h"
#include "models/workload/trace_audit.h"
#include "models/workload/trace_summary.h"
#include "sim/core/check.h"
#include "sim/core/error.h"

namespace stockout {
namespace {

// A file that lives in memory only.
class MemoryFile {
 public:
  MemoryFile(const std::uint8_t* bytes, std::size_t size) : descriptor_{memfd_create("input", MFD_CLOEXEC)} {
    STOCKOUT_CHECK(descriptor_ != -1);
    STOCKOUT_CHECK(write(descriptor_, bytes, size) == static_cast<ssize_t>(size));
  }
  ~MemoryFile() { close(descriptor_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  [[nodiscard]] std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

 private:
  int descriptor_;
};

// Digits came first, and the corpus has them.
constexpr int kFirstLater = 5;
constexpr int kLaterFormats = static_cast<int>(kTraceFormatNames.size()) - kFirstLater;

void check_trace(const Trace& trace) {
  for (std::size_t job = 0; job < trace.size(); ++job) {
    STOCKOUT_CHECK(trace.work[job] > SimDuration::zero() && trace.work[job] <= kLongestRun);
    STOCKOUT_CHECK(trace.gpus[job] >= 1 && trace.gpus[job] <= kMostJobGpus);
    STOCKOUT_CHECK(job == 0 || trace.submit_ms[job - 1] <= trace.submit_ms[job]);
  }
  for (const std::vector<SimDuration>* column : {&trace.recorded_wait, &trace.held, &trace.estimate}) {
    STOCKOUT_CHECK(column->empty() || column->size() == trace.size());
  }
  STOCKOUT_CHECK(summarize(trace).jobs == trace.size());
}

void read_as_trace(const std::string& path, TraceFormat format) {
  (void)fitting_formats(path);
  check_trace(read_trace(path, format));
  TraceOptions options;
  options.zone = "America/Los_Angeles";
  options.resolution = std::chrono::seconds{5};
  options.keep_rows = true;
  const Trace trace = read_trace(path, format, options);
  check_trace(trace);
  STOCKOUT_CHECK(!audit_trace(trace, 8).findings.empty());
}

void read_as_availability(const std::string& path, const AvailabilityOptions& options) {
  const AvailabilitySeries series = read_availability(path, options);
  CapacitySpan span;
  if (series.absolute) {
    span.start_date += std::chrono::milliseconds{series.at_ms.front()};
  }
  span.end = kStart + std::chrono::hours{1};
  for (const Holes holes : {Holes::hold, Holes::unavailable}) {
    CapacityRules rules;
    rules.means = Means::any;
    rules.holes = holes;
    const CapacitySource source = to_capacity(series, rules, span);
    STOCKOUT_CHECK(source.steps.front().at == span.begin);
    STOCKOUT_CHECK(source.steps.size() == source.censored.size());
    for (std::size_t i = 1; i < source.steps.size(); ++i) {
      STOCKOUT_CHECK(source.steps[i - 1].at < source.steps[i].at);
    }
  }
}

void read_as(char kind, const std::string& path) {
  if (kind >= '0' && kind <= '4') return read_as_trace(path, static_cast<TraceFormat>(kind - '0'));
  if (kind >= 'a' && kind < 'a' + kLaterFormats) {
    return read_as_trace(path, static_cast<TraceFormat>(kFirstLater + (kind - 'a')));
  }
  if (kind == '5') return read_as_availability(path, {.zone = "z", .time_zone = "UTC", .inverted = {}});
  read_as_availability(path, {.zone = "", .time_zone = "UTC", .inverted = kind == '6'});
}

}  // namespace
}  // namespace stockout

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  if (size == 0) return 0;
  const stockout::MemoryFile file{bytes + 1, size - 1};
  try {
    stockout::read_as(static_cast<char>(bytes[0]), file.path());
  } catch (const stockout::InputError&) {
    return 0;
  }
  return 0;
}

// Feeds arbitrary bytes to the readers of what planners have: traces, availability, billing exports, lists of
// what is held. The first byte says to which, unless STOCKOUT_FUZZ_KIND names one for all inputs. An
// InputError is an answer; any other exception, a failed check, a sanitizer report or a hang is a find.

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>

#include "models/billing/billing_export.h"
#include "models/billing/billing_rows.h"
#include "models/catalog/catalog.h"
#include "models/inventory/inventory_part.h"
#include "models/supply/availability.h"
#include "models/supply/capacity_steps.h"
#include "models/workload/audit/trace_audit.h"
#include "models/workload/readers/fitting_formats.h"
#include "models/workload/trace.h"
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

const Catalog& catalog() {
  static const Catalog kCatalog = Catalog::embedded();
  return kCatalog;
}

void read_as_billing(const std::string& path) {
  const BillingExport bill = read_billing_export(path, billing_format_of(path), catalog());
  STOCKOUT_CHECK(!bill.prices.empty());
  for (const EffectivePrice& price : bill.prices)
    STOCKOUT_CHECK(price.machine_hours > 0 && price.usd_per_hour() >= 0);
}

void read_as_inventory(const std::string& path) {
  (void)is_inventory(path);
  const Inventory inventory = read_inventory(std::span{&path, 1});
  const InventoryPart part = inventory_part(inventory, catalog());
  STOCKOUT_CHECK(part.json.is_object() && !part.json.dump(-1, ' ', false).empty());
}

void read_as(char kind, const std::string& path) {
  if (kind == 'B') return read_as_billing(path);
  if (kind == 'R') return read_as_inventory(path);
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
  static const char* const kKind = std::getenv("STOCKOUT_FUZZ_KIND");
  const stockout::MemoryFile file{bytes + 1, size - 1};
  try {
    stockout::read_as(kKind == nullptr ? static_cast<char>(bytes[0]) : kKind[0], file.path());
  } catch (const stockout::InputError&) {
    return 0;
  }
  return 0;
}

#include <algorithm>
#include <array>
#include <initializer_list>
#include <set>

#include <fmt/format.h>

#include "models/supply/availability_files.h"
#include "sim/core/error.h"
#include "sim/core/unknown_name.h"
#include "sim/io/csv_reader.h"
#include "sim/io/number.h"
#include "sim/io/time_stamp.h"

namespace stockout {
namespace {

constexpr std::size_t kMostZonesToName = 1000;

// Probe counts have columns 0 to 7, of which `started_at` and those behind it are not used; a simple series
// has the last two.
enum Column : std::size_t {
  kScheduledAt,
  kZone,
  kRequested,
  kCreated,
  kStartedAt,
  kEndedAt,
  kRunId,
  kExhausted,
  kDate,
  kAvailability,
  kColumns
};
const std::array<std::string, kColumns> kNames{"scheduled_at",
                                               "zone",
                                               "instances_requested",
                                               "instances_created",
                                               "started_at",
                                               "ended_at",
                                               "run_id",
                                               "capacity_exhausted_detected",
                                               "date",
                                               "availability"};

class AvailabilityCsv {
 public:
  AvailabilityCsv(const std::string& path, const AvailabilityOptions& options)
      : options_{options}, csv_{path}, stamps_{options.time_zone, {.file = path}} {
    series_.file = path;
    series_.absolute = true;
  }

  AvailabilitySeries read() {
    if (!csv_.next()) throw InputError{{.file = csv_.path()}, "is empty"};
    read_header();
    const std::size_t width = csv_.fields().size();
    while (csv_.next()) {
      csv_.check_width(width);
      is_probe_ ? read_probe() : read_simple();
    }
    if (is_probe_ && series_.size() == 0) fail_for_zone();
    return std::move(series_);
  }

 private:
  [[nodiscard]] std::string_view text(Column column) const { return csv_.fields()[at_[column]]; }

  [[nodiscard]] bool has_all(std::initializer_list<Column> columns) const {
    return std::all_of(columns.begin(), columns.end(),
                       [&](Column column) { return at_[column] != kNoColumn; });
  }

  void read_header() {
    at_ = find_columns(csv_, kNames);
    is_probe_ = has_all({kScheduledAt, kZone, kRequested, kCreated});
    if (is_probe_ == has_all({kDate, kAvailability})) {
      csv_.fail(
          "must have columns scheduled_at, zone, instances_requested and instances_created, or "
          "date and availability");
    }
    if (!is_probe_ && !options_.zone.empty()) {
      options_.fail_zone(csv_.path(), fmt::format("has no column \"zone\", but zone {} was asked for",
                                                  in_quotes(options_.zone)));
    }
  }

  void read_probe() {
    const std::string_view zone = text(kZone);
    if (zone != options_.zone) {
      if (zones_.size() < kMostZonesToName && zones_.find(zone) == zones_.end()) zones_.emplace(zone);
      return;
    }
    const std::int32_t asked = count(kRequested);
    const std::int32_t made = count(kCreated);
    if (asked == 0 || (series_.cap != 0 && asked != series_.cap)) {
      fail(kRequested, series_.cap == 0
                           ? "must be at least 1, but is 0"
                           : fmt::format("must be {} as in the rows before, but is {}", series_.cap, asked));
    }
    if (made > asked)
      fail(kCreated, fmt::format("must be at most instances_requested, {}, but is {}", asked, made));
    series_.cap = asked;
    add(kScheduledAt, made);
  }

  void read_simple() { add(kDate, count(kAvailability)); }

  void add(Column stamp, std::int32_t value) {
    const auto at = stamps_.parse(text(stamp));
    if (!at.has_value()) {
      fail(stamp,
           fmt::format("must be a date and time from 1970 on, such as 2025-10-03T17:10:00-07:00, but is {}",
                       in_quotes(text(stamp))));
    }
    if (series_.size() == kMostSamples) csv_.fail(fmt::format("has more than {} samples", kMostSamples));
    series_.at_ms.push_back(*at);
    series_.values.push_back(value);
  }

  std::int32_t count(Column column) const {
    std::int64_t number = 0;
    const std::errc error = parse_integer(text(column), number);
    if (error != std::errc{} || number < 0 || number > kMostSeenMachines) {
      fail(column, fmt::format("must be a whole number from 0 to {}, but is {}", kMostSeenMachines,
                               in_quotes(text(column))));
    }
    return static_cast<std::int32_t>(number);
  }

  [[noreturn]] void fail(Column column, std::string_view problem) const {
    csv_.fail(fmt::format("column \"{}\": {}", kNames[column], problem));
  }

  [[noreturn]] void fail_for_zone() const {
    const std::vector<std::string> zones{zones_.begin(), zones_.end()};
    if (zones.empty()) throw InputError{{.file = csv_.path()}, "holds no rows"};
    const std::string wrong = options_.zone.empty() ? "holds several zones: say which one"
                                                    : fmt::format("has no zone {}", in_quotes(options_.zone));
    options_.fail_zone(csv_.path(), wrong + suggest(options_.zone, zones));
  }

  const AvailabilityOptions& options_;
  CsvReader csv_;
  TimeStampReader stamps_;
  AvailabilitySeries series_;
  std::vector<std::size_t> at_;
  std::set<std::string, std::less<>> zones_;  // those that were not asked for
  bool is_probe_ = false;
};

}  // namespace

std::vector<std::string> zones_of_csv(const std::string& path) {
  CsvReader csv{path};
  if (!csv.next()) throw InputError{{.file = path}, "is empty"};
  const std::size_t column = find_columns(csv, kNames)[kZone];
  if (column == kNoColumn) return {};
  const std::size_t width = csv.fields().size();
  std::set<std::string, std::less<>> zones;
  while (csv.next()) {
    csv.check_width(width);
    const std::string_view zone = csv.fields()[column];
    if (zones.size() == kMostZonesToName) csv.fail(fmt::format("has more than {} zones", kMostZonesToName));
    if (zones.find(zone) == zones.end()) zones.emplace(zone);
  }
  return {zones.begin(), zones.end()};
}

AvailabilitySeries read_availability_csv(const std::string& path, const AvailabilityOptions& options) {
  return AvailabilityCsv{path, options}.read();
}

}  // namespace stockout

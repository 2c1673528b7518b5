#include <cmath>

#include <fmt/format.h>

#include "models/supply/availability_files.h"
#include "sim/core/error.h"
#include "sim/io/byte_source.h"
#include "sim/io/json_reader.h"
#include "sim/io/time_stamp.h"

namespace stockout {
namespace {

[[noreturn]] void fail(const std::string& file, const JsonValue& at, std::string pointer,
                       std::string_view problem) {
  throw InputError{{.file = file, .pointer = std::move(pointer), .line = at.line}, problem};
}

std::string read_all(const std::string& path) {
  constexpr std::size_t kBlock = std::size_t{64} << 10;
  const std::size_t most = JsonLimits{}.bytes;
  ByteSource source{path};
  std::string text;
  std::size_t size = 0;
  std::size_t got = 0;
  do {
    text.resize(size + kBlock);
    got = source.read(std::span{text}.subspan(size));
    size += got;
    if (size > most) throw InputError{{.file = path}, fmt::format("is larger than {} bytes", most)};
  } while (got > 0);
  text.resize(size);
  return text;
}

const JsonValue& member(const std::string& file, const JsonValue& object, const std::string& pointer,
                        std::string_view key) {
  const JsonValue* found = object.find(key);
  if (found == nullptr) fail(file, object, pointer, fmt::format("\"{}\" is missing", key));
  return *found;
}

SimDuration read_gap(const std::string& file, const JsonValue& metadata) {
  constexpr double kMostSeconds = 366.0 * 86'400.0;
  const JsonValue& gap = member(file, metadata, "/metadata", "gap_seconds");
  double seconds = 0;
  if (const auto* whole = gap.get<std::int64_t>()) seconds = static_cast<double>(*whole);
  if (const auto* number = gap.get<double>()) seconds = *number;
  if (!(seconds >= 0.001 && seconds <= kMostSeconds)) {
    fail(file, gap, "/metadata/gap_seconds",
         fmt::format("must be a number of seconds from 0.001 to a year, but is {}", to_text(gap)));
  }
  return SimDuration{std::llround(seconds * 1000)};
}

void read_start(AvailabilitySeries& series, const JsonValue& metadata, std::int64_t& start_ms,
                const AvailabilityOptions& options) {
  const JsonValue* start = metadata.find("start_time");
  if (start == nullptr) return;
  const auto* text = start->get<std::string>();
  TimeStampReader stamps{options.time_zone, {.file = series.file}};
  const auto at = text == nullptr ? std::nullopt : stamps.parse(*text);
  if (!at.has_value()) {
    fail(series.file, *start, "/metadata/start_time",
         fmt::format("must be a date and time from 1970 on, such as \"2025-10-04T00:10:00+00:00\", but is {}",
                     to_text(*start)));
  }
  series.absolute = true;
  start_ms = *at;
}

void read_values(AvailabilitySeries& series, const JsonValue& data, std::int64_t start_ms) {
  const auto* values = data.get<JsonValue::List>();
  if (values == nullptr) fail(series.file, data, "/data", "must be a list of numbers");
  if (values->size() > kMostSamples)
    fail(series.file, data, "/data", fmt::format("has more than {} samples", kMostSamples));
  for (std::size_t i = 0; i < values->size(); ++i) {
    const JsonValue& entry = (*values)[i];
    const auto* value = entry.get<std::int64_t>();
    if (value == nullptr || *value < 0 || *value > kMostSeenMachines) {
      fail(series.file, entry, fmt::format("/data/{}", i),
           fmt::format("must be a whole number from 0 to {}, but is {}", kMostSeenMachines, to_text(entry)));
    }
    series.at_ms.push_back(start_ms + static_cast<std::int64_t>(i) * series.tick.count());
    series.values.push_back(static_cast<std::int32_t>(*value));
  }
}

}  // namespace

AvailabilitySeries read_availability_json(const std::string& path, const AvailabilityOptions& options) {
  if (!options.inverted.has_value()) {
    throw InputError{
        {.file = path},
        "JSON series exist in both senses: say whether 1 means available (\"inverted\": false, or "
        "--not-inverted) or unavailable (\"inverted\": true, or --inverted)"};
  }
  if (!options.zone.empty()) {
    options.fail_zone(path,
                      fmt::format("is a JSON series, which has no zones to choose from, but zone \"{}\" was "
                                  "asked for",
                                  options.zone));
  }
  const JsonValue root = parse_json(read_all(path), path);
  AvailabilitySeries series;
  series.file = path;
  const JsonValue& metadata = member(path, root, "", "metadata");
  series.tick = read_gap(path, metadata);
  std::int64_t start_ms = 0;
  read_start(series, metadata, start_ms, options);
  read_values(series, member(path, root, "", "data"), start_ms);
  return series;
}

}  // namespace stockout

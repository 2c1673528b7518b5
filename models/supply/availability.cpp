#include "models/supply/availability.h"

#include <algorithm>
#include <array>
#include <numeric>

#include <fmt/format.h>

#include "models/supply/availability_files.h"
#include "sim/core/error.h"
#include "sim/io/byte_source.h"
#include "sim/io/time_stamp.h"

namespace stockout {
namespace {

// Whether the first character that is no blank and no byte order mark opens a JSON object.
bool looks_like_json(const std::string& path) {
  ByteSource source{path};
  std::array<char, 4096> block{};
  while (const std::size_t got = source.read(block)) {
    const std::string_view text{block.data(), got};
    const std::size_t first = text.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
    if (first != std::string_view::npos) return text[first] == '{';
  }
  return false;
}

void sort_by_time(AvailabilitySeries& series) {
  std::vector<std::uint32_t> order(series.size());
  std::iota(order.begin(), order.end(), std::uint32_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return series.at_ms[a] < series.at_ms[b]; });
  AvailabilitySeries sorted = series;
  for (std::size_t i = 0; i < order.size(); ++i) {
    sorted.at_ms[i] = series.at_ms[order[i]];
    sorted.values[i] = series.values[order[i]];
  }
  series = std::move(sorted);
}

void put_in_order(AvailabilitySeries& series) {
  std::int64_t latest = series.at_ms.front();
  for (const std::int64_t at : series.at_ms) {
    if (at < latest) ++series.unsorted_rows;
    latest = std::max(latest, at);
  }
  if (series.unsorted_rows > 0) sort_by_time(series);
  const auto twice = std::adjacent_find(series.at_ms.begin(), series.at_ms.end());
  if (twice != series.at_ms.end()) {
    throw InputError{{.file = series.file}, "has two samples at " + format_unix_ms(*twice)};
  }
}

// The median distance of two samples.
SimDuration usual_distance(const AvailabilitySeries& series) {
  std::vector<std::int64_t> gaps(series.size());
  std::adjacent_difference(series.at_ms.begin(), series.at_ms.end(), gaps.begin());
  const auto middle = gaps.begin() + 1 + static_cast<std::ptrdiff_t>((gaps.size() - 1) / 2);
  std::nth_element(gaps.begin() + 1, middle, gaps.end());
  return SimDuration{*middle};
}

void invert(AvailabilitySeries& series) {
  for (std::int32_t& value : series.values) {
    if (value > 1) {
      throw InputError{{.file = series.file},
                       fmt::format("only a series of 0 and 1 can be inverted, but it has a value {}", value)};
    }
    value = 1 - value;
  }
}

}  // namespace

void AvailabilityOptions::fail_zone(const std::string& path, std::string_view problem) const {
  if (asked_at.file.empty()) throw InputError{{.file = path}, problem};
  throw InputError{asked_at, fmt::format("{} {}", path, problem)};
}

std::vector<std::string> availability_zones(const std::string& path) {
  return looks_like_json(path) ? std::vector<std::string>{} : zones_of_csv(path);
}

AvailabilitySeries read_availability(const std::string& path, const AvailabilityOptions& options) {
  AvailabilitySeries series =
      looks_like_json(path) ? read_availability_json(path, options) : read_availability_csv(path, options);
  if (series.size() == 0) throw InputError{{.file = path}, "holds no sample"};
  put_in_order(series);
  if (series.tick == SimDuration::zero()) {
    if (series.size() == 1)
      throw InputError{{.file = path}, "one sample does not tell how far apart samples are"};
    series.tick = usual_distance(series);
  }
  if (options.inverted.value_or(false)) invert(series);
  return series;
}

}  // namespace stockout

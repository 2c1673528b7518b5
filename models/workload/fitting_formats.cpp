#include <algorithm>
#include <set>

#include "models/workload/trace.h"
#include "sim/io/csv_reader.h"
#include "sim/io/line_reader.h"
#include "sim/io/number.h"

namespace stockout {
namespace {

constexpr std::string_view kBlanks = " \t";

// The first line with something on it, or "".
std::string first_line(const std::string& path) {
  LineReader lines{path};
  std::string_view line;
  while (lines.next(line)) {
    if (line.find_first_not_of(kBlanks) != std::string_view::npos) return std::string{line};
  }
  return {};
}

bool is_swf(std::string_view line) {
  if (line.starts_with(';')) return true;
  std::size_t numbers = 0;
  while (true) {
    line.remove_prefix(std::min(line.find_first_not_of(kBlanks), line.size()));
    if (line.empty()) return numbers == 18;
    const std::string_view word = line.substr(0, line.find_first_of(kBlanks));
    std::int64_t ignored = 0;
    if (parse_scaled(word, 1, 1, ignored) != std::errc{}) return false;
    line.remove_prefix(word.size());
    ++numbers;
  }
}

}  // namespace

std::vector<TraceFormat> fitting_formats(const std::string& path) {
  if (is_swf(first_line(path))) return {TraceFormat::swf};
  CsvReader csv{path};
  if (!csv.next()) return {};
  const std::set<std::string_view> header{csv.fields().begin(), csv.fields().end()};
  const auto has = [&](std::string_view name) { return header.contains(name); };
  if (has("timestamp") && has("duration") && has("num_gpus") && has("cluster")) return {TraceFormat::philly};
  if (has("arrival_time") && has("length") && has("cpus")) {
    return {TraceFormat::gaia_seconds, TraceFormat::gaia_hours};
  }
  if (has("submit") && has("duration")) return {TraceFormat::csv};
  return {};
}

}  // namespace stockout

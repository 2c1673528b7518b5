#include "models/scenario/draft/survival_file.h"

#include <algorithm>

#include <fmt/format.h>

#include "sim/core/unknown_name.h"
#include "sim/io/csv_reader.h"
#include "sim/io/number.h"

namespace stockout {
namespace {

constexpr std::size_t kMostSeenLengths = std::size_t{1} << 22;

std::size_t column(const CsvReader& csv, const std::string& name) {
  const auto header = csv.fields();
  const auto found = std::ranges::find(header, name);
  if (found != header.end()) return static_cast<std::size_t>(found - header.begin());
  const std::vector<std::string> known{header.begin(), header.end()};
  csv.fail(unknown_name("column", name, known));
}

std::int64_t ms_of(const Node& node) {
  constexpr std::array<std::int64_t, 4> kMs{1, 1'000, 60'000, 3'600'000};
  return kMs[node.at("unit").choice_index()];
}

SimDuration length_of(const CsvReader& csv, std::string_view text, std::int64_t unit_ms) {
  std::int64_t ms = 0;
  const bool is_number = parse_scaled(text, unit_ms, 1, ms) == std::errc{};
  if (!is_number || ms < 0 || ms > kLongestRun.count())
    csv.fail(fmt::format("a length must be a number from 0 to 34 years, but is \"{}\"", text.substr(0, 60)));
  return SimDuration{ms};
}

}  // namespace

SurvivalCurve read_survival(const Node& node) {
  CsvReader csv = node.at("file").read_file([](const std::string& path) { return CsvReader{path}; });
  if (!csv.next()) csv.fail("is empty");
  const std::size_t width = csv.fields().size();
  const std::size_t length = column(csv, node.text("length"));
  const std::size_t ended = node.has("ended") ? column(csv, node.text("ended")) : length;
  const std::string as = node.has("as") ? node.text("as") : "";
  const std::int64_t unit_ms = ms_of(node);
  std::vector<SeenLength> seen;
  while (csv.next()) {
    csv.check_width(width);
    const bool is_end = as.empty() || csv.fields()[ended] == as;
    seen.push_back({.length = length_of(csv, csv.fields()[length], unit_ms), .ended = is_end});
    if (seen.size() > kMostSeenLengths)
      csv.fail(fmt::format("there are more than {} lengths", kMostSeenLengths));
  }
  if (seen.empty()) csv.fail("has no lengths below its header");
  if (std::ranges::none_of(seen, &SeenLength::ended))
    node.at("file").fail(fmt::format("none of its {} lengths ended{}", seen.size(),
                                     as.empty() ? "" : " as \"" + as.substr(0, 60) + '"'));
  return SurvivalCurve{std::move(seen)};
}

}  // namespace stockout

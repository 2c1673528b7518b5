#include "models/workload/readers/sacct_header.h"

#include <algorithm>
#include <array>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace stockout {
namespace {

// The columns of `stockout trace info --help`.
constexpr std::string_view kSacctCommand =
    "TZ=UTC sacct -a -X -D --parsable2 -S FROM -E TO --format=JobIDRaw,User,Account,Partition,QOS,State,Submit,"
    "Eligible,Start,End,ElapsedRaw,TimelimitRaw,Restarts,NNodes,ReqTRES,AllocTRES";

// 2026-08-03T09:00:00
bool is_stamp(std::string_view cell) {
  constexpr std::string_view kShape = "0000-00-00T00:00:00";
  if (cell.size() != kShape.size()) return false;
  for (std::size_t i = 0; i < cell.size(); ++i) {
    const bool is_digit = cell[i] >= '0' && cell[i] <= '9';
    if (kShape[i] == '0' ? !is_digit : cell[i] != kShape[i]) return false;
  }
  return true;
}

}  // namespace

std::string wrong_sacct_header(std::span<const std::string_view> names) {
  const auto has = [&](std::string_view name) { return std::ranges::count(names, name) > 0; };
  std::vector<std::string_view> missing;
  if (!has("JobIDRaw") && !has("JobID")) missing.emplace_back("JobIDRaw");
  for (const std::string_view name : {"State", "Submit", "Start", "End"}) {
    if (!has(name)) missing.push_back(name);
  }
  if (!has("AllocTRES") && !has("ReqTRES")) missing.emplace_back("AllocTRES");
  if (missing.empty()) return {};
  return fmt::format("{} missing. Export again with {}",
                     missing.size() == 1 ? fmt::format("column \"{}\" is", missing.front())
                                         : fmt::format("columns \"{}\" are", fmt::join(missing, "\", \"")),
                     kSacctCommand);
}

bool is_sacct_row(std::string_view line) {
  constexpr std::size_t kLeastCells = 5;
  constexpr std::size_t kLeastStamps = 2;
  std::size_t cells = 0;
  std::size_t stamps = 0;
  while (true) {
    const std::size_t bar = line.find('|');
    ++cells;
    if (is_stamp(line.substr(0, bar))) ++stamps;
    if (bar == std::string_view::npos) return cells >= kLeastCells && stamps >= kLeastStamps;
    line.remove_prefix(bar + 1);
  }
}

std::string lacks_sacct_header() {
  return fmt::format(
      "begins with a row of sacct, and not with the line that names its columns: leave out "
      "--noheader (-n). Export again with {}",
      kSacctCommand);
}

}  // namespace stockout

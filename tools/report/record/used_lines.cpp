#include "tools/report/record/used_lines.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace stockout {
namespace {

bool used_by_any(const StoredComparison& record, PriceLineId line) {
  return std::ranges::any_of(record.strategies, [&](const StoredStrategy& strategy) {
    return std::ranges::any_of(strategy.runs,
                               [&](const StoredRun& run) { return !run.use.hours(line).empty(); });
  });
}

}  // namespace

std::vector<std::size_t> used_lines(const StoredComparison& record) {
  std::vector<std::size_t> used;
  std::set<std::tuple<std::string, PriceModel, std::string>> known;
  for (std::size_t i = 0; i < record.lines.size(); ++i) {
    const PriceLine& line = record.lines[i].price;
    if (line.charge == Charge::sublet || !used_by_any(record, PriceLineId{static_cast<std::uint32_t>(i)}))
      continue;
    if (known.emplace(record.lines[i].machine, line.model, line.region).second) used.push_back(i);
  }
  return used;
}

double usd_of(MachineHourPrice price) { return static_cast<double>(price.count()) / 1e9; }

}  // namespace stockout

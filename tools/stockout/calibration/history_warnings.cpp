#include "tools/stockout/calibration/history_warnings.h"

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "models/measures/number_text.h"
#include "models/workload/short_supply.h"
#include "sim/core/counted.h"
#include "tools/report/prices/price_age.h"
#include "tools/stockout/calibration/history_split.h"

namespace stockout {
namespace {

// Assumptions: from there on what was asked for is not what was needed, and demand is another one.
constexpr double kOftenShort = 0.1;
constexpr int kOldHistoryDays = 365;

std::optional<std::string> shortage_of(const RecordedHistory& record, const std::string& part, SimTime from,
                                       SimTime until) {
  const auto own_ms = [&](SimTime at) { return at.time_since_epoch().count() - record.same->shift_ms; };
  const ShortSupply found = short_supply(record.trace, own_ms(from), own_ms(until));
  if (found.told == 0)
    return fmt::format(
        "Of the jobs {} the split {} tells no waits. Nobody knows whether supply was short, and "
        "people asked for less than they needed.",
        part, record.trace.file);
  if (found.share() <= kOftenShort) return std::nullopt;
  return fmt::format(
      "Supply was short {} the split: {} of {} never started ({}) or waited longer than they worked ({}). People "
      "then ask for less than they need, and the jobs are not all of the demand.",
      part, share_text(found.share()), counted(found.told, "job"), found.never_started, found.waited_long);
}

std::optional<std::string> age_of(const RecordedHistory& record, const Scenario& scenario) {
  const SimTime last{SimDuration{record.trace.submit_ms.back() + record.same->shift_ms}};
  const auto end = date_of(record, last);
  if (!end || scenario.prices_follow_calendar) return std::nullopt;
  const Date day = std::chrono::floor<std::chrono::days>(*end);
  const auto prices = parse_date(scenario.prices_as_of);
  if (!prices || (*prices - day).count() <= kOldHistoryDays) return std::nullopt;
  return fmt::format(
      "The history is old: it ends {}, {} days before the prices that are paid ({}). Demand has changed since.",
      to_text(day), with_commas(std::to_string((*prices - day).count())), scenario.prices_as_of);
}

std::optional<std::string> others_of(const RecordedHistory& record, const Scenario& scenario) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < scenario.world.sources.size(); ++i) {
    const Source& source = scenario.world.sources[i];
    if (!source.background && i != index(record.same->source)) names.push_back(source.name);
  }
  if (names.empty()) return std::nullopt;
  return fmt::format(
      "Not all jobs are those of the history: \"{}\" {} made by the scenario's rule on both parts.",
      fmt::join(names, "\", \""), names.size() == 1 ? "is" : "are");
}

}  // namespace

std::vector<std::string> history_warnings(const RecordedHistory& record, const Scenario& scenario,
                                          SimTime split) {
  std::vector<std::string> warnings;
  for (auto warning : {shortage_of(record, "before", kStart, split),
                       shortage_of(record, "after", split, scenario.world.window_end),
                       age_of(record, scenario), others_of(record, scenario)}) {
    if (warning) warnings.push_back(std::move(*warning));
  }
  return warnings;
}

}  // namespace stockout

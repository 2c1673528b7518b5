#include "models/starter/quiet_days.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

namespace stockout {
namespace {

using OrderedJson = nlohmann::ordered_json;

constexpr std::int64_t kLongestHistory = 400;
constexpr std::size_t kLeastDays = 10;
constexpr std::uint64_t kQuietPart = 4;  // of a median day's submissions
constexpr unsigned kFriday = 5;

Date day_of(std::int64_t ms) {
  return std::chrono::floor<std::chrono::days>(
      std::chrono::sys_time<std::chrono::milliseconds>{std::chrono::milliseconds{ms}});
}

OrderedJson peak_of(Date from, Date until, double times) {
  return {{"name", "holidays"},
          {"from", to_text(from)},
          {"until", to_text(until)},
          {"times", std::round(times * 100) / 100}};
}

}  // namespace

std::vector<QuietDay> quiet_days_of(const Trace& trace) {
  if (!trace.absolute) return {};
  const Date first = day_of(trace.submit_ms.front());
  const Date last = day_of(trace.submit_ms.back());
  if ((last - first).count() > kLongestHistory) return {};
  std::map<Date, std::uint64_t> counts;
  for (const std::int64_t submit : trace.submit_ms) ++counts[day_of(submit)];
  std::vector<std::pair<Date, std::uint64_t>> working;
  for (Date day = first + std::chrono::days{1}; day < last; day += std::chrono::days{1}) {
    if (std::chrono::weekday{day}.iso_encoding() <= kFriday) working.emplace_back(day, counts[day]);
  }
  if (working.size() < kLeastDays) return {};
  std::vector<std::uint64_t> sorted;
  for (const auto& [day, count] : working) sorted.push_back(count);
  const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
  std::ranges::nth_element(sorted, middle);
  std::vector<QuietDay> quiet;
  for (const auto& [day, count] : working) {
    if (count * kQuietPart < *middle)
      quiet.push_back({.day = day, .times = static_cast<double>(count) / static_cast<double>(*middle)});
  }
  return quiet;
}

CommentedJson holiday_calendar(const std::vector<QuietDay>& days) {
  OrderedJson peaks = OrderedJson::array();
  for (std::size_t first = 0, next = 0; first < days.size(); first = next) {
    double times = 0;
    for (next = first; next < days.size(); ++next) {
      if (next > first && days[next].day != days[next - 1].day + std::chrono::days{1}) break;
      times += days[next].times;
    }
    peaks.push_back(peak_of(days[first].day, days[next - 1].day + std::chrono::days{1},
                            times / static_cast<double>(next - first)));
  }
  CommentedJson demand = CommentedJson::member("demand", {{"peaks", std::move(peaks)}});
  demand.say(
      "Working days of the history with few submissions, perhaps holidays. A replay has them already: switch "
      "this on, with the dates of your window, where jobs are made up or moved.");
  return std::move(demand.off());
}

CommentedJson holiday_question(Date start) {
  const auto year = std::chrono::year_month_day{start}.year();
  const Date from{year / std::chrono::December / 24};
  const Date until{(year + std::chrono::years{1}) / std::chrono::January / 2};
  CommentedJson demand =
      CommentedJson::member("demand", {{"peaks", OrderedJson::array({peak_of(from, until, 0.2)})}});
  demand.say("ASK: on which days does nearly nobody work? For quotas, \"holidays\" lists them too.");
  return std::move(demand.off());
}

}  // namespace stockout

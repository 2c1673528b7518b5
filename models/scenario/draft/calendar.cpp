#include "models/scenario/draft/calendar.h"

#include <algorithm>

#include <date/tz.h>

#include "sim/core/duration_text.h"
#include "sim/io/time_zone.h"

namespace stockout {
namespace {

constexpr SimDuration kMostOffset = std::chrono::hours{14};

// "+09:00", "-07:00".
std::optional<SimDuration> parse_offset(std::string_view text) {
  if (text.empty() || (text[0] != '+' && text[0] != '-')) return std::nullopt;
  const auto clock = parse_clock(text.substr(1));
  if (!clock || *clock > kMostOffset) return std::nullopt;
  return text[0] == '-' ? -*clock : *clock;
}

Instant to_milliseconds(date::sys_seconds at) { return Instant{at.time_since_epoch()}; }

date::sys_seconds to_seconds(Instant at) { return std::chrono::floor<std::chrono::seconds>(at); }

}  // namespace

Zone::Zone(const Node& node) {
  const std::string name = node.as_text();
  if (name == "UTC" || name == "Z") return;
  if (const auto offset = parse_offset(name)) {
    fixed_ = *offset;
    written_offset_ = true;
    return;
  }
  zone_ = &find_time_zone(name, node.where());
}

SimDuration Zone::offset_at(Instant at) const {
  return zone_ == nullptr ? fixed_ : SimDuration{zone_->get_info(to_seconds(at)).offset};
}

Instant Zone::to_instant(Date day, SimDuration clock) const {
  const SimDuration local = day.time_since_epoch() + clock;
  if (zone_ == nullptr) return Instant{local - fixed_};
  const auto info = zone_->get_info(date::local_seconds{std::chrono::floor<std::chrono::seconds>(local)});
  if (info.result == date::local_info::nonexistent) return to_milliseconds(info.first.end);
  return Instant{local - info.first.offset};
}

std::vector<std::pair<Instant, SimDuration>> Zone::offsets(Instant from, Instant to) const {
  std::vector<std::pair<Instant, SimDuration>> steps{{from, offset_at(from)}};
  if (zone_ == nullptr) return steps;
  // A zone without any further change reports an end far in the future.
  for (Instant at = from; at <= to;) {
    const auto info = zone_->get_info(to_seconds(at));
    if (info.end > to_seconds(to)) break;
    at = to_milliseconds(info.end);
    steps.emplace_back(at, offset_at(at));
  }
  return steps;
}

Date years_after(Date day, int years) {
  return Date{std::chrono::year_month_day{day} + std::chrono::years{years}};
}

Date months_after(Date day, int months) {
  const auto there = std::chrono::year_month_day{day} + std::chrono::months{months};
  return there.ok() ? Date{there} : Date{there.year() / there.month() / std::chrono::last};
}

std::array<bool, 7> open_days(const Node& node) {
  std::array<bool, 7> open{};
  if (node.kind() == ValueKind::list) {
    for (const Node& day : node.items()) open[day.choice_index()] = true;
    return open;
  }
  const std::string which = node.as_text();
  for (std::size_t day = 0; day < open.size(); ++day)
    open[day] = which == "every_day" || (which == "weekends") == (day > 4);
  return open;
}

Date Calendar::local_day(SimTime at) const {
  return std::chrono::floor<std::chrono::days>(instant(at) + zone_.offset_at(instant(at)));
}

SimDuration Calendar::window(std::string_view text) const {
  const auto months = parse_months(text);
  const SimTime end =
      months ? time(months_after(written_day_, *months), {}) : origin_ + parse_duration(text).value();
  return cut(end) - kStart;
}

SimTime Calendar::cut(SimTime end) const {
  return part_.until ? std::min(end, time(written_day_ + *part_.until, {})) : end;
}

SimTime Calendar::next_clock(SimTime at, SimDuration clock) const {
  Date day = local_day(at);
  while (time(day, clock) <= at) day += std::chrono::days{1};
  return time(day, clock);
}

std::vector<OffsetStep> Calendar::offset_steps(SimTime from, SimTime to) const {
  std::vector<OffsetStep> steps;
  for (const auto& [at, offset] : zone_.offsets(instant(from), instant(to))) {
    steps.push_back({.at = time(at), .offset = offset});
  }
  return steps;
}

}  // namespace stockout

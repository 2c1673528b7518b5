#include "sim/io/time_stamp.h"

#include <date/date.h>
#include <date/tz.h>

#include <array>
#include <vector>

#include "sim/core/digit.h"
#include "sim/io/time_zone.h"

namespace stockout {
namespace {

constexpr std::int64_t kSecondsInDay = 86'400;

struct Stamp {
  std::int64_t local_seconds = 0;
  std::int64_t milliseconds = 0;  // 0 to 1000: the last rounds up to the next second
  std::optional<std::int64_t> offset_seconds;
};

// Exactly `count` digits off the front of `text`, as a number; -1 if they are not there.
int take_number(std::string_view& text, std::size_t count) {
  if (text.size() < count) return -1;
  int number = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (!is_digit(text[i])) return -1;
    number = number * 10 + (text[i] - '0');
  }
  text.remove_prefix(count);
  return number;
}

bool take(std::string_view& text, char wanted) {
  if (text.empty() || text.front() != wanted) return false;
  text.remove_prefix(1);
  return true;
}

// The offset "Z", "+00:00", "-0700" or "-07" that is all of `text`, in seconds.
std::optional<std::int64_t> parse_offset(std::string_view text) {
  if (text == "Z" || text == "z") return 0;
  const bool east = take(text, '+');
  if (!east && !take(text, '-')) return std::nullopt;
  const int hours = take_number(text, 2);
  int minutes = 0;
  if (hours >= 0 && !text.empty()) {
    take(text, ':');
    minutes = take_number(text, 2);
  }
  if (hours < 0 || hours > 23 || minutes < 0 || minutes > 59 || !text.empty()) return std::nullopt;
  return (east ? 1 : -1) * (hours * 3600 + minutes * 60);
}

std::optional<std::int64_t> take_date(std::string_view& text) {
  const int year = take_number(text, 4);
  if (year < 1970 || !take(text, '-')) return std::nullopt;
  const int month = take_number(text, 2);
  if (month < 1 || !take(text, '-')) return std::nullopt;
  const int day = take_number(text, 2);
  if (day < 1) return std::nullopt;
  const date::year_month_day date{date::year{year}, date::month{static_cast<unsigned>(month)},
                                  date::day{static_cast<unsigned>(day)}};
  if (!date.ok()) return std::nullopt;
  return date::sys_days{date}.time_since_epoch().count() * kSecondsInDay;
}

// Decimals of a second as milliseconds, to the nearest; -1 if there are none.
int take_milliseconds(std::string_view& text) {
  int thousandths = 0;
  std::size_t count = 0;
  bool up = false;
  for (; count < text.size() && is_digit(text[count]); ++count) {
    if (count < 3) thousandths = thousandths * 10 + (text[count] - '0');
    if (count == 3) up = text[count] >= '5';
  }
  text.remove_prefix(count);
  if (count == 0) return -1;
  for (; count < 3; ++count) thousandths *= 10;
  return thousandths + (up ? 1 : 0);
}

// Hours, minutes and seconds off the front of `text`, added to `stamp`.
bool take_time(std::string_view& text, Stamp& stamp) {
  const int hour = take_number(text, 2);
  if (hour < 0 || hour > 23 || !take(text, ':')) return false;
  const int minute = take_number(text, 2);
  if (minute < 0 || minute > 59) return false;
  int second = 0;
  if (take(text, ':')) {
    second = take_number(text, 2);
    if (second < 0 || second > 59) return false;
    if (take(text, '.')) stamp.milliseconds = take_milliseconds(text);
    if (stamp.milliseconds < 0) return false;
  }
  stamp.local_seconds += hour * 3600 + minute * 60 + second;
  return true;
}

std::optional<Stamp> parse_stamp(std::string_view text) {
  Stamp stamp;
  const auto days = take_date(text);
  if (!days.has_value()) return std::nullopt;
  stamp.local_seconds = *days;
  if (text.empty()) return stamp;
  if (!take(text, 'T') && !take(text, ' ')) return std::nullopt;
  if (!take_time(text, stamp)) return std::nullopt;
  if (text.empty()) return stamp;
  stamp.offset_seconds = parse_offset(text);
  if (!stamp.offset_seconds.has_value()) return std::nullopt;
  return stamp;
}

}  // namespace

struct TimeStampReader::Zone {
  const date::time_zone* zone;
  // Local times in [from, to) have this offset and no other: the middle of a span between two changes.
  std::int64_t from = 0;
  std::int64_t to = 0;
  std::int64_t offset = 0;
};

TimeStampReader::TimeStampReader(std::string_view zone, const SourceRef& where) {
  if (zone == "UTC") return;
  if (const auto offset = parse_offset(zone); offset.has_value()) {
    fixed_offset_seconds_ = *offset;
  } else {
    zone_ = std::make_unique<Zone>(Zone{.zone = &find_time_zone(std::string{zone}, where)});
  }
}

void check_time_zone(std::string_view zone, const SourceRef& where) {
  static_cast<void>(TimeStampReader{zone, where});
}

TimeStampReader::~TimeStampReader() = default;
TimeStampReader::TimeStampReader(TimeStampReader&&) noexcept = default;
TimeStampReader& TimeStampReader::operator=(TimeStampReader&&) noexcept = default;

std::optional<std::int64_t> TimeStampReader::parse(std::string_view text) {
  const std::optional<Stamp> stamp = parse_stamp(text);
  if (!stamp.has_value()) return std::nullopt;
  const std::int64_t seconds = stamp->offset_seconds.has_value()
                                   ? stamp->local_seconds - *stamp->offset_seconds
                                   : to_utc_seconds(stamp->local_seconds);
  return seconds * 1000 + stamp->milliseconds;
}

std::optional<std::int64_t> TimeStampReader::parse_second(std::string_view text) const {
  const std::optional<Stamp> stamp = parse_stamp(text);
  if (!stamp || stamp->offset_seconds || zone_ == nullptr) return std::nullopt;
  const date::local_info info =
      zone_->zone->get_info(date::local_seconds{std::chrono::seconds{stamp->local_seconds}});
  if (info.result != date::local_info::ambiguous) return std::nullopt;
  return (stamp->local_seconds - info.second.offset.count()) * 1000 + stamp->milliseconds;
}

std::int64_t TimeStampReader::to_utc_seconds(std::int64_t local_seconds) {
  if (zone_ == nullptr) return local_seconds - fixed_offset_seconds_;
  if (zone_->from <= local_seconds && local_seconds < zone_->to) return local_seconds - zone_->offset;

  const date::local_info info =
      zone_->zone->get_info(date::local_seconds{std::chrono::seconds{local_seconds}});
  const std::int64_t first_offset = info.first.offset.count();
  if (info.result == date::local_info::nonexistent) {
    ++skipped_;
    return info.first.end.time_since_epoch().count();
  }
  if (info.result == date::local_info::ambiguous) {
    ++repeated_;
    return local_seconds - first_offset;
  }
  // A day from either change, no other offset can claim the local time.
  zone_->from = info.first.begin.time_since_epoch().count() + kSecondsInDay;
  zone_->to = info.first.end.time_since_epoch().count() - kSecondsInDay;
  zone_->offset = first_offset;
  return local_seconds - first_offset;
}

std::vector<LocalOffset> local_offsets(std::string_view zone, const SourceRef& where, std::int64_t from_ms,
                                       std::int64_t to_ms) {
  constexpr std::int64_t kMsInSecond = 1000;
  if (zone == "UTC") return {{.from_ms = from_ms, .offset_ms = 0}};
  if (const auto fixed = parse_offset(zone)) return {{.from_ms = from_ms, .offset_ms = *fixed * kMsInSecond}};
  const date::time_zone& rules = find_time_zone(std::string{zone}, where);
  std::vector<LocalOffset> offsets;
  for (std::int64_t at_ms = from_ms; at_ms <= to_ms;) {
    const date::sys_seconds at{std::chrono::floor<std::chrono::seconds>(std::chrono::milliseconds{at_ms})};
    const date::sys_info info = rules.get_info(at);
    offsets.push_back({.from_ms = at_ms, .offset_ms = info.offset.count() * kMsInSecond});
    if (info.end.time_since_epoch().count() > to_ms / kMsInSecond)
      break;  // also where there is no further change
    at_ms = info.end.time_since_epoch().count() * kMsInSecond;
  }
  return offsets;
}

std::string format_unix_ms(std::int64_t unix_ms) {
  const date::sys_time<std::chrono::milliseconds> at{std::chrono::milliseconds{unix_ms}};
  const bool whole = unix_ms % 1000 == 0;
  return (whole ? date::format("%F %T", date::floor<std::chrono::seconds>(at)) : date::format("%F %T", at)) +
         " UTC";
}

}  // namespace stockout

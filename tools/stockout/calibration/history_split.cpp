#include "tools/stockout/calibration/history_split.h"

#include <algorithm>
#include <charconv>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "sim/core/duration_text.h"
#include "sim/core/error.h"
#include "sim/io/time_stamp.h"

namespace stockout {
namespace {

std::optional<double> percent_of(std::string_view text) {
  if (!text.ends_with('%')) return std::nullopt;
  text.remove_suffix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::string date_text(std::chrono::sys_time<std::chrono::milliseconds> date) {
  return fmt::format("{:%Y-%m-%d %H:%M} UTC", std::chrono::floor<std::chrono::seconds>(date));
}

// As a stamp, also one that date_text() wrote.
std::string stamp_of(const std::string& text) {
  constexpr std::string_view kUtc = " UTC";
  return text.ends_with(kUtc) ? text.substr(0, text.size() - kUtc.size()) + ":00Z" : text;
}

void check_within(const std::string& text, const RecordedHistory& record, SimTime split, SimTime first,
                  SimTime last) {
  if (split > first && split < last) return;
  const auto begin = date_of(record, first);
  const std::string dates =
      begin ? fmt::format(" ({} to {})", date_text(*begin), date_text(*date_of(record, last))) : "";
  refuse_split(text, fmt::format("must be after the first submission and before the last, {} later{}",
                                 format_duration(last - first), dates));
}

}  // namespace

CLI::Option* add_split_to(CLI::App& command, const std::string& meaning, std::string& split) {
  return command.add_option("--split", split, meaning)->type_name("DATE|LENGTH|SHARE");
}

void refuse_split(const std::string& text, std::string_view problem) {
  throw InputError{{.file = "command line", .pointer = "--split"},
                   fmt::format("{}, but is \"{}\"", problem, text.substr(0, 60))};
}

void check_replays(const RecordedHistory& record, const std::string& file, const Scenario& scenario) {
  if (record.same) return;
  throw InputError{
      {.file = file},
      fmt::format("is replayed by no source of {} as it is: name it as the \"file\" of a source's "
                  "\"trace\", without `resample` and `demand`",
                  scenario.file)};
}

std::optional<std::chrono::sys_time<std::chrono::milliseconds>> date_of(const RecordedHistory& record,
                                                                        SimTime at) {
  const std::int64_t own_ms = at.time_since_epoch().count() - record.same->shift_ms;
  const Trace& trace = record.trace;
  if (!trace.absolute && !trace.zero_ms) return std::nullopt;
  return std::chrono::sys_time<std::chrono::milliseconds>{
      std::chrono::milliseconds{own_ms + (trace.absolute ? 0 : *trace.zero_ms)}};
}

SimTime split_of(const std::string& text, const std::string& zone, const RecordedHistory& record) {
  const Trace& trace = record.trace;
  const SimTime first{SimDuration{trace.submit_ms.front() + record.same->shift_ms}};
  const SimTime last{SimDuration{trace.submit_ms.back() + record.same->shift_ms}};
  SimTime split{};
  if (const auto percent = percent_of(text)) {
    if (!(*percent > 0 && *percent < 100)) refuse_split(text, "must be above 0 and below 100 %");
    const auto jobs = static_cast<double>(trace.size());
    const auto place = static_cast<std::size_t>(std::min(jobs * *percent / 100, jobs - 1));
    split = SimTime{SimDuration{trace.submit_ms[place] + record.same->shift_ms}};
  } else if (const auto length = parse_duration(text); length && *length != kForever) {
    split = first + *length;
  } else {
    TimeStampReader reader{zone, {.file = "command line", .pointer = "--observed-zone"}};
    const auto at_ms = reader.parse(stamp_of(text));
    if (!at_ms)
      refuse_split(text,
                   "must be a day, as 2026-05-01, a length from the first submission, as 60d, or a share "
                   "of the jobs, as 70%");
    const bool is_dated = trace.absolute || trace.zero_ms.has_value();
    if (!is_dated)
      refuse_split(text, "must be a length or a share, as 60d or 70%, since the history has no dates");
    split = SimTime{SimDuration{*at_ms - (trace.absolute ? 0 : *trace.zero_ms) + record.same->shift_ms}};
  }
  check_within(text, record, split, first, last);
  return split;
}

std::string text_of_split(const RecordedHistory& record, SimTime split) {
  const auto date = date_of(record, split);
  if (!date)
    return fmt::format("day {:.1f} of the window",
                       static_cast<double>((split - kStart).count()) / 86'400'000.0);
  return date_text(*date);
}

}  // namespace stockout

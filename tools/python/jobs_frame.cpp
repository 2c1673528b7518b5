#include "tools/python/jobs_frame.h"

#include <concepts>
#include <limits>
#include <span>
#include <type_traits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tools/report/run/job_fields.h"

namespace stockout {
namespace {

// The double nearest to the decimal that files have.
double seconds_of(SimDuration length) { return static_cast<double>(length.count()) / 1000.0; }

template <typename Value>
struct FrameOf;
template <std::integral Count>
struct FrameOf<Count> {
  using Values = std::vector<std::int64_t>;
  static void add(Values& values, Count count) { values.push_back(static_cast<std::int64_t>(count)); }
};
template <>
struct FrameOf<bool> {
  using Values = std::vector<double>;
  static void add(Values& values, bool truth) { values.push_back(truth ? 1 : 0); }
};
template <>
struct FrameOf<SimDuration> {
  using Values = std::vector<double>;
  static void add(Values& values, SimDuration length) { values.push_back(seconds_of(length)); }
};
template <>
struct FrameOf<std::string_view> {
  using Values = WordCodes;
  static void add(Values& values, std::string_view word) { values.add(word); }
};
template <>
struct FrameOf<std::span<const std::uint64_t>> {
  using Values = WordCodes;
  static void add(Values& values, std::span<const std::uint64_t> numbers) {
    values.add(fmt::format("{}", fmt::join(numbers, " ")));
  }
};
template <typename Value>
struct FrameOf<std::optional<Value>> {
  using Values = std::vector<double>;
  static void add(Values& values, const std::optional<Value>& value) {
    if (value) return FrameOf<Value>::add(values, *value);
    values.push_back(std::numeric_limits<double>::quiet_NaN());
  }
};

template <typename Of>
using FieldFrame = FrameOf<std::invoke_result_t<Of, const ToldJob&>>;

Frame empty_jobs_frame() {
  Frame frame;
  for (std::string& key : job_keys()) frame.push_back({.name = std::move(key), .values = {}});
  std::size_t place = 0;
  for_each_job_field(
      [&]<typename Of>(const Of& /*of*/) { frame[place++].values = typename FieldFrame<Of>::Values{}; });
  return frame;
}

template <typename Value, typename Number>
void add_numbers(Frame& frame, const char* name, const std::vector<Value>& column, const Number& number) {
  if (column.empty()) return;
  std::vector<double> values;
  values.reserve(column.size());
  for (const Value& value : column) values.push_back(number(value));
  frame.push_back({.name = name, .values = std::move(values)});
}

template <typename Count>
void add_counts(Frame& frame, const char* name, const std::vector<Count>& column) {
  if (!column.empty())
    frame.push_back({.name = name, .values = std::vector<std::int64_t>(column.begin(), column.end())});
}

void add_words(Frame& frame, const char* name, const WordColumn& column) {
  if (column.empty()) return;
  WordCodes words;
  for (std::size_t job = 0; job < column.codes.size(); ++job) words.add(column.at(job));
  frame.push_back({.name = name, .values = std::move(words)});
}

}  // namespace

void JobsFrame::end(const RunPlace& run, const RunRecord& record, const Measures& /*measures*/) {
  frame_ = empty_jobs_frame();
  for_each_told_job(world_, run, record, troubles_, [&](const ToldJob& job) {
    std::size_t place = 0;
    for_each_job_field([&]<typename Of>(const Of& of) {
      using Told = FieldFrame<Of>;
      Told::add(std::get<typename Told::Values>(frame_[place++].values), of(job));
    });
  });
}

Frame trace_frame(const Trace& trace) {
  constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();
  const auto at = [](std::int64_t ms) {
    return ms == kUnknownMs ? kNothing : static_cast<double>(ms) / 1000.0;
  };
  const auto length = [](SimDuration of) {
    return of < SimDuration::zero() || of == kForever ? kNothing : seconds_of(of);
  };
  Frame frame;
  add_numbers(frame, "submit_s", trace.submit_ms, at);
  add_numbers(frame, "start_s", trace.start_ms, at);
  add_numbers(frame, "end_s", trace.end_ms, at);
  add_numbers(frame, "work_s", trace.work, length);
  add_numbers(frame, "wait_s", trace.recorded_wait, length);
  add_numbers(frame, "held_s", trace.held, length);
  add_numbers(frame, "estimate_s", trace.estimate, length);
  add_numbers(frame, "max_wait_s", trace.max_wait, length);
  add_numbers(frame, "deadline_s", trace.deadline, length);
  add_counts(frame, "gpus", trace.gpus);
  add_counts(frame, "nodes", trace.nodes);
  add_counts(frame, "attempts", trace.attempts);
  add_counts(frame, "row", trace.row);
  add_counts(frame, "group", trace.group);
  add_words(frame, "class", trace.job_class);
  add_words(frame, "user", trace.user);
  add_words(frame, "team", trace.team);
  add_words(frame, "partition", trace.partition);
  add_words(frame, "gpu", trace.gpu);
  add_words(frame, "machine", trace.machine);
  add_words(frame, "outcome", trace.outcome);
  return frame;
}

}  // namespace stockout

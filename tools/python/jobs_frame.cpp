#include "tools/python/jobs_frame.h"

#include <algorithm>
#include <concepts>
#include <limits>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tools/report/run/job_fields.h"

namespace stockout {
namespace {

// The double nearest to the decimal that files have.
double seconds_of(SimDuration length) { return static_cast<double>(length.count()) / 1000.0; }

double number_of(bool truth) { return truth ? 1 : 0; }
double number_of(SimDuration length) { return seconds_of(length); }
double number_of(std::uint64_t count) { return static_cast<double>(count); }
template <typename Value>
double number_of(const std::optional<Value>& value) {
  return value ? number_of(*value) : std::numeric_limits<double>::quiet_NaN();
}

std::string word_of(std::string_view word) { return std::string{word}; }
std::string word_of(std::span<const std::uint64_t> numbers) {
  return fmt::format("{}", fmt::join(numbers, " "));
}

/// Form of a field in the frame: a number with a fraction, unless it is a count or a word.
template <typename Value>
struct FrameOf {
  using Values = std::vector<double>;
  static void add(Values& values, const Value& value) { values.push_back(number_of(value)); }
};
template <std::integral Count>
requires(!std::same_as<Count, bool>) struct FrameOf<Count> {
  using Values = std::vector<std::int64_t>;
  static void add(Values& values, Count count) { values.push_back(static_cast<std::int64_t>(count)); }
};
template <typename Value>
requires requires(Value value) { word_of(value); }
struct FrameOf<Value> {
  using Values = WordCodes;
  static void add(Values& values, const Value& value) { values.add(word_of(value)); }
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

/// Puts those columns into a frame that a file has.
class TraceColumns {
 public:
  template <typename Value, typename Number>
  void add_numbers(const char* name, const std::vector<Value>& column, const Number& number) {
    std::vector<double> values(column.size());
    std::ranges::transform(column, values.begin(), number);
    add(name, column.empty(), std::move(values));
  }
  template <typename Count>
  void add_counts(const char* name, const std::vector<Count>& column) {
    add(name, column.empty(), std::vector<std::int64_t>(column.begin(), column.end()));
  }
  void add_words(const char* name, const WordColumn& column) {
    WordCodes words;
    for (std::size_t job = 0; job < column.codes.size(); ++job) words.add(column.at(job));
    add(name, column.empty(), std::move(words));
  }

  Frame frame = {};

 private:
  void add(const char* name, bool is_missing, FrameValues values) {
    if (!is_missing) frame.push_back({.name = name, .values = std::move(values)});
  }
};

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
  TraceColumns columns;
  columns.add_numbers("submit_s", trace.submit_ms, at);
  columns.add_numbers("start_s", trace.start_ms, at);
  columns.add_numbers("end_s", trace.end_ms, at);
  columns.add_numbers("work_s", trace.work, length);
  columns.add_numbers("wait_s", trace.recorded_wait, length);
  columns.add_numbers("held_s", trace.held, length);
  columns.add_numbers("estimate_s", trace.estimate, length);
  columns.add_numbers("max_wait_s", trace.max_wait, length);
  columns.add_numbers("deadline_s", trace.deadline, length);
  columns.add_counts("gpus", trace.gpus);
  columns.add_counts("nodes", trace.nodes);
  columns.add_counts("attempts", trace.attempts);
  columns.add_counts("row", trace.row);
  columns.add_counts("group", trace.group);
  columns.add_words("class", trace.job_class);
  columns.add_words("user", trace.user);
  columns.add_words("team", trace.team);
  columns.add_words("partition", trace.partition);
  columns.add_words("gpu", trace.gpu);
  columns.add_words("machine", trace.machine);
  columns.add_words("outcome", trace.outcome);
  return std::move(columns.frame);
}

}  // namespace stockout

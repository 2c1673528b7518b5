#include "models/workload/trace_builder.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "sim/core/counted.h"
#include "sim/core/error.h"
#include "sim/core/unknown_name.h"
#include "sim/io/line_reader.h"
#include "sim/io/time_stamp.h"
#include "sim/io/utf8.h"

namespace stockout {
namespace {

constexpr std::size_t kMostOtherUsers = 1000;
// Of the first rows, and of all, no more than half are broken, or the file is another one or in another unit.
// A few may be more than half of a small file.
constexpr std::uint64_t kFirstRows = 100;
constexpr std::uint64_t kFewBroken = 10;
constexpr std::string_view kOtherUser = "its user was not asked for";

// Calls visit(column) for every column of values by job.
template <typename Visit>
void for_each_column(Trace& trace, Visit visit) {
  visit(trace.submit_ms);
  visit(trace.work);
  visit(trace.gpus);
  visit(trace.row);
  visit(trace.nodes);
  visit(trace.estimate);
  visit(trace.max_wait);
  visit(trace.deadline);
  visit(trace.recorded_wait);
  visit(trace.start_ms);
  visit(trace.end_ms);
  visit(trace.held);
  visit(trace.attempts);
  visit(trace.group);
  visit(trace.user.codes);
  visit(trace.team.codes);
  visit(trace.partition.codes);
  visit(trace.outcome.codes);
  visit(trace.job_class.codes);
  visit(trace.gpu.codes);
  visit(trace.machine.codes);
  visit(trace.speed.codes);
  visit(trace.gpu_memory.codes);
}

// A name for a message: with blanks in place of what no line can hold.
std::string one_line(std::string_view name) {
  std::string line{name};
  for (std::size_t at = first_control(line); at < line.size(); at = first_control(line)) {
    const bool is_long = static_cast<unsigned char>(line[at]) >= 0x80;  // U+0080 to U+009F
    line.replace(at, is_long ? 2 : 1, " ");
  }
  return line;
}

template <typename T>
void permute(std::vector<T>& column, const std::vector<std::uint32_t>& order) {
  if (column.empty()) return;
  std::vector<T> sorted(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) sorted[i] = column[order[i]];
  column = std::move(sorted);
}

}  // namespace

std::uint32_t WordIndex::code(std::string_view word, std::vector<std::string>& names) {
  if (last_ != nullptr && *last_ == word) return last_code_;
  auto found = codes_.find(word);
  if (found == codes_.end()) {
    found = codes_.emplace(std::string{word}, static_cast<std::uint32_t>(names.size())).first;
    names.emplace_back(word);
  }
  last_ = &found->first;  // stays where it is when the table grows
  last_code_ = found->second;
  return last_code_;
}

TraceBuilder::TraceBuilder(std::string file, TraceFormat format, const TraceOptions& options)
    : options_{options},
      latest_ms_{std::numeric_limits<std::int64_t>::min()},
      wanted_users_{options.users.begin(), options.users.end()} {
  trace_.file = std::move(file);
  trace_.format = format;
}

void TraceBuilder::reserve(std::uint64_t rows) {
  constexpr std::uint64_t kMostRoom = std::uint64_t{1} << 24;
  const auto room = static_cast<std::size_t>(std::min(rows, kMostRoom));
  trace_.submit_ms.reserve(room);
  trace_.work.reserve(room);
  trace_.gpus.reserve(room);
  trace_.row.reserve(room);
}

void TraceBuilder::fail_too_many() const {
  throw InputError{{.file = trace_.file}, fmt::format("has more than {} rows", kMostRows)};
}

DroppedRows& TraceBuilder::dropped(std::string_view reason) {
  const auto found = std::ranges::find(trace_.dropped, reason, &DroppedRows::reason);
  if (found != trace_.dropped.end()) return *found;
  DroppedRows& rows =
      trace_.dropped.emplace_back(DroppedRows{.reason = std::string{reason}, .first_line = line_});
  if (item_ > 0) rows.first_item = fmt::format("item {}", item_);
  if (item_ > 0 && !item_name_.empty()) rows.first_item += fmt::format(" ({:.60})", one_line(item_name_));
  return rows;
}

void TraceBuilder::drop(std::string_view reason) { ++dropped(reason).count; }

void TraceBuilder::drop_broken(const BrokenRow& broken) {
  if (broken.line > 0) line_ = broken.line;
  DroppedRows& rows = dropped(broken.reason);
  if (++rows.count == 1) rows.first_text = one_line(broken.text);
  rows.is_broken = true;
  if (++broken_ > kFirstRows / 2 && trace_.rows_read <= kFirstRows)
    fail_broken(fmt::format("the first {} rows", trace_.rows_read));
}

// The first tells what the file has in place of what its format wants. `rows`: those that were looked at.
void TraceBuilder::fail_broken(std::string_view rows) const {
  const DroppedRows& first = *std::ranges::find(trace_.dropped, true, &DroppedRows::is_broken);
  std::string problem = first.reason;
  if (!first.first_text.empty()) problem += ", but is " + first.first_text;
  if (trace_.rows_read > 1) {
    problem += fmt::format("; {} of {} are not as the format {} has them", broken_, rows,
                           kTraceFormatNames[static_cast<std::size_t>(trace_.format)]);
  }
  constexpr auto kMostLine = static_cast<std::uint64_t>(std::numeric_limits<int>::max());
  throw InputError{{.file = trace_.file,
                    .pointer = first.first_item,
                    .line = static_cast<int>(std::min(first.first_line, kMostLine))},
                   problem};
}

bool TraceBuilder::keeps_wanted_user(std::string_view user) {
  if (const auto wanted = wanted_users_.find(user); wanted != wanted_users_.end()) {
    found_users_.insert(*wanted);
    return true;
  }
  if (other_users_.size() < kMostOtherUsers && other_users_.find(user) == other_users_.end()) {
    other_users_.emplace(user);
  }
  drop(kOtherUser);
  return false;
}

void TraceBuilder::check_name(std::string_view what, std::string_view name) {
  if (first_control(name) == name.size()) return;
  throw BrokenRow{.reason = fmt::format("its {} must be one line without tabs", what),
                  .text = in_quotes(one_line(name))};
}

void TraceBuilder::add_group(std::string_view word) {
  trace_.group.push_back(word.empty() ? 0 : groups_.code(word, group_names_) + 1);
}

Trace TraceBuilder::finish() {
  const bool is_most = 2 * broken_ > trace_.rows_read && broken_ > kFewBroken;
  if (broken_ > 0 && (is_most || broken_ == trace_.rows_read)) fail_broken(counted(trace_.rows_read, "row"));
  check_users();
  check_outcomes();
  check_not_empty();
  if (trace_.unsorted_rows > 0) sort();
  if (!attempts_.empty()) join_attempts();
  check_span();
  add_links();
  if (options_.first_jobs > 0 && options_.first_jobs < trace_.size()) cut(options_.first_jobs);
  return std::move(trace_);
}

void TraceBuilder::check_users() const {
  for (const std::string& user : options_.users) {
    if (found_users_.contains(user)) continue;
    const std::vector<std::string> others{other_users_.begin(), other_users_.end()};
    throw InputError{{.file = trace_.file},
                     fmt::format("has no row of user {}{}", in_quotes(user), suggest(user, others))};
  }
}

void TraceBuilder::check_outcomes() const {
  if (!options_.join) return;
  for (const std::string& outcome : options_.join->after) {
    if (std::ranges::count(outcome_names_, outcome) > 0) continue;
    throw InputError{{.file = trace_.file},
                     fmt::format("has no row with the outcome {}{}", in_quotes(outcome),
                                 suggest(outcome, outcome_names_))};
  }
}

void TraceBuilder::check_not_empty() const {
  if (trace_.size() > 0) return;
  if (trace_.rows_read == 0) throw InputError{{.file = trace_.file}, "holds no rows"};
  if (options_.may_lack_jobs && !(trace_.unserved.jobs.empty() && trace_.audit_rows.empty())) return;
  std::string reasons;
  for (const DroppedRows& dropped : trace_.dropped)
    reasons += (reasons.empty() ? "" : "; ") + text_of(dropped);
  throw InputError{{.file = trace_.file}, "holds no job; all rows were dropped: " + reasons};
}

void TraceBuilder::check_span() const {
  if (trace_.size() == 0) return;
  const std::int64_t span_ms = trace_.submit_ms.back() - trace_.submit_ms.front();
  if (span_ms <= kLongestRun.count()) return;
  throw InputError{
      {.file = trace_.file},
      fmt::format("submits must span at most 34.8 years, but data row {} is at {} and data row {} at {}",
                  trace_.row.front() + 1, format_unix_ms(trace_.submit_ms.front()), trace_.row.back() + 1,
                  format_unix_ms(trace_.submit_ms.back()))};
}

void TraceBuilder::add_links() {
  trace_.links = links_.links();
  if (const std::uint64_t unknown = links_.unknown(); unknown > 0) {
    trace_.notes.push_back(fmt::format("{} on jobs that the file does not have hold nothing back",
                                       counted(unknown, "dependency", "dependencies")));
  }
}

void TraceBuilder::sort() {
  std::vector<std::uint32_t> order(trace_.size());
  std::iota(order.begin(), order.end(), std::uint32_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return trace_.submit_ms[a] < trace_.submit_ms[b];
  });
  pick(order);
  permute(attempts_, order);
}

void TraceBuilder::pick(const std::vector<std::uint32_t>& rows) {
  for_each_column(trace_, [&](auto& column) { permute(column, rows); });
}

void TraceBuilder::cut(std::uint64_t jobs) {
  trace_.notes.push_back(
      fmt::format("only the first {} of {} asked for", jobs, counted(trace_.size(), "job was", "jobs were")));
  for_each_column(trace_, [&](auto& column) {
    if (!column.empty()) column.resize(jobs);
  });
}

}  // namespace stockout

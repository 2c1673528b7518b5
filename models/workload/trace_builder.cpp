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
  trace_.dropped.push_back({.reason = std::string{reason}, .first_line = line_});
  return trace_.dropped.back();
}

void TraceBuilder::drop(std::string_view reason) { ++dropped(reason).count; }

void TraceBuilder::drop_broken(std::string_view reason) {
  DroppedRows& rows = dropped(reason);
  ++rows.count;
  rows.is_broken = true;
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

void TraceBuilder::check_name(std::string_view word) const {
  if (first_control(word) == word.size()) return;
  fail_row(fmt::format("the name {} must be one line without tabs", in_quotes(word)));
}

void TraceBuilder::fail_row(std::string_view problem) const {
  constexpr auto kMostLine = static_cast<std::uint64_t>(std::numeric_limits<int>::max());
  throw InputError{{.file = trace_.file, .line = static_cast<int>(std::min(line_, kMostLine))}, problem};
}

void TraceBuilder::add_group(std::string_view word) {
  trace_.group.push_back(word.empty() ? 0 : groups_.code(word, group_names_) + 1);
}

Trace TraceBuilder::finish() {
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
  for (const DroppedRows& dropped : trace_.dropped) {
    reasons += fmt::format("{}{} ({}, first in line {})", reasons.empty() ? "" : "; ", dropped.reason,
                           dropped.count, dropped.first_line);
  }
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

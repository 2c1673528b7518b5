#include "models/workload/trace_summary.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <queue>

#include "sim/core/hours.h"

namespace stockout {
namespace {

constexpr std::int64_t kPeakHourMs = SimDuration{std::chrono::hours{1}}.count();

double gpu_hours(const Trace& trace, std::size_t job) {
  return static_cast<double>(trace.work[job].count()) * trace.gpus[job] / kMsPerHour;
}

// Classes end at powers of two: 1, 2, 3-4, 5-8, ...
void summarize_sizes(const Trace& trace, TraceSummary& summary) {
  std::vector<SizeClass> classes;
  for (std::size_t job = 0; job < trace.size(); ++job) {
    const auto place =
        static_cast<std::size_t>(std::bit_width(static_cast<std::uint32_t>(trace.gpus[job]) - 1));
    while (classes.size() <= place) {
      const std::int32_t most = 1 << classes.size();
      classes.push_back({.least = most / 2 + 1, .most = most});
    }
    ++classes[place].jobs;
    classes[place].gpu_hours += gpu_hours(trace, job);
  }
  if (!classes.empty()) classes.front().least = 1;
  std::copy_if(classes.begin(), classes.end(), std::back_inserter(summary.sizes),
               [](const SizeClass& size) { return size.jobs > 0; });
}

void summarize_users(const Trace& trace, TraceSummary& summary) {
  if (std::ranges::all_of(trace.user.names, &std::string::empty)) return;  // or it has no such column
  for (const std::string& name : trace.user.names) summary.users.push_back({.name = name});
  for (std::size_t job = 0; job < trace.size(); ++job) {
    UserShare& user = summary.users[trace.user.codes[job]];
    ++user.jobs;
    user.gpu_hours += gpu_hours(trace, job);
  }
  std::erase_if(summary.users, [](const UserShare& user) { return user.jobs == 0; });
  std::stable_sort(summary.users.begin(), summary.users.end(),
                   [](const UserShare& a, const UserShare& b) { return a.gpu_hours > b.gpu_hours; });
}

// Every job starts when it is submitted; what ends at that instant is gone before.
std::int64_t most_gpus_at_once(const Trace& trace) {
  using End = std::pair<std::int64_t, std::int32_t>;  // time, GPUs
  std::priority_queue<End, std::vector<End>, std::greater<>> ends;
  std::int64_t busy = 0;
  std::int64_t most = 0;
  for (std::size_t job = 0; job < trace.size(); ++job) {
    for (; !ends.empty() && ends.top().first <= trace.submit_ms[job]; ends.pop()) busy -= ends.top().second;
    ends.emplace(trace.submit_ms[job] + trace.work[job].count(), trace.gpus[job]);
    busy += trace.gpus[job];
    most = std::max(most, busy);
  }
  return most;
}

// Submits are sorted and not negative, so the jobs of an hour follow one another.
void find_peak_hour(const Trace& trace, TraceSummary& summary) {
  std::int64_t hour = -1;
  std::uint64_t jobs = 0;
  for (const std::int64_t submit_ms : trace.submit_ms) {
    if (submit_ms / kPeakHourMs != hour) jobs = 0;
    hour = submit_ms / kPeakHourMs;
    if (++jobs <= summary.peak_hour_jobs) continue;
    summary.peak_hour_jobs = jobs;
    summary.peak_hour_ms = hour * kPeakHourMs;
  }
}

// A job that is held back asks later than it was submitted.
void summarize_submissions(const Trace& trace, TraceSummary& summary) {
  summary.first_submit_ms = summary.first_ask_ms = trace.submit_ms.front();
  summary.last_submit_ms = trace.submit_ms.back();
  if (trace.held.empty()) return;
  std::vector<SimDuration> held;
  summary.last_submit_ms = summary.first_submit_ms;
  for (std::size_t job = 0; job < trace.size(); ++job) {
    const std::int64_t submit_ms = trace.submit_ms[job] - trace.held[job].count();
    summary.first_submit_ms = std::min(summary.first_submit_ms, submit_ms);
    summary.last_submit_ms = std::max(summary.last_submit_ms, submit_ms);
    if (trace.held[job] > SimDuration::zero()) held.push_back(trace.held[job]);
  }
  summary.held_jobs = held.size();
  summary.held = summarize_lengths(std::move(held));
}

}  // namespace

TraceSummary summarize(const Trace& trace) {
  TraceSummary summary;
  summary.jobs = trace.size();
  summary.recorded = waits_of_all(trace);
  summary.by_class = waits_by_class(trace);
  summary.by_gpu = waits_by_gpu(trace);
  if (trace.size() == 0) return summary;
  summarize_submissions(trace, summary);
  summary.span = SimDuration{trace.submit_ms.back() - trace.submit_ms.front()};
  summary.work = summarize_lengths(trace.work);
  summarize_sizes(trace, summary);
  summarize_users(trace, summary);
  for (const SizeClass& size : summary.sizes) summary.gpu_hours += size.gpu_hours;
  if (summary.span > SimDuration::zero()) {
    summary.offered_gpus = summary.gpu_hours * kMsPerHour / static_cast<double>(summary.span.count());
  }
  summary.most_gpus_at_once = most_gpus_at_once(trace);
  find_peak_hour(trace, summary);
  return summary;
}

}  // namespace stockout

#include "models/calibration/history_jobs.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/core/counted.h"
#include "sim/core/error.h"

namespace stockout {
namespace {

constexpr std::int64_t kHourMs = 3'600'000;

SimDuration local_offset(const World& world, SimTime at) {
  SimDuration offset{};
  for (const OffsetStep& step : world.utc_offsets) {
    if (step.at <= at) offset = step.offset;
  }
  return offset;
}

std::uint8_t hour_of_day(std::int64_t local_ms) {
  const std::int64_t hour = local_ms / kHourMs - (local_ms % kHourMs < 0 ? 1 : 0);
  return static_cast<std::uint8_t>(((hour % 24) + 24) % 24);
}

std::uint8_t local_hour(const World& world, SimTime at) {
  const std::int64_t utc_ms = world.start_date.time_since_epoch().count() + (at - kStart).count();
  return hour_of_day(utc_ms + local_offset(world, at).count());
}

bool knows_wait(const Trace& trace, std::size_t place) {
  return !trace.recorded_wait.empty() && trace.recorded_wait[place] >= SimDuration::zero();
}

bool made_more_attempts(const Trace& trace, std::size_t place) {
  return !trace.attempts.empty() && trace.attempts[place] > 1;
}

std::string class_of(const Trace& trace, std::size_t place) {
  return trace.job_class.empty() ? std::string{} : trace.job_class.at(place);
}

[[noreturn]] void refuse_without_waits(const Trace& trace) {
  throw InputError{{.file = trace.file},
                   "tells of no job within the window how long it waited: a submission and a start. "
                   "`stockout trace info` shows what a file has, `start` and `window` of the scenario say "
                   "which part of it counts"};
}

[[noreturn]] void refuse_without_starts(const Trace& trace) {
  throw InputError{{.file = trace.file},
                   "tells of no job that had started where what is known ends: a later split knows more"};
}

[[noreturn]] void refuse_other_classes(const Trace& trace, const World& world) {
  std::set<std::string> recorded;
  for (std::size_t place = 0; place < trace.size(); ++place) recorded.insert(class_of(trace, place));
  std::vector<std::string> own;
  for (const JobClass& one : world.classes) own.push_back(one.name);
  throw InputError{{.file = trace.file},
                   fmt::format("has no class of the scenario: its jobs are \"{}\", those of the scenario "
                               "\"{}\"; the names must be the same",
                               fmt::join(recorded, "\", \""), fmt::join(own, "\", \""))};
}

[[noreturn]] void refuse_as_few(const Trace& trace, std::size_t jobs) {
  throw InputError{{.file = trace.file},
                   fmt::format("tells the waits of {} that the scenario has too: at least {} say anything",
                               counted(jobs, "job"), kFewestHistoryJobs)};
}

}  // namespace

std::vector<SimDuration> waits_in_the_end(const std::vector<HistoryJob>& jobs) {
  std::vector<SimDuration> ended;
  for (const HistoryJob& job : jobs) {
    if (job.wait != kForever) ended.push_back(job.wait);
  }
  std::ranges::sort(ended);
  std::vector<SimDuration> waits;
  waits.reserve(jobs.size());
  for (const HistoryJob& job : jobs) {
    if (job.waited == SimDuration::zero()) {
      waits.push_back(job.wait);
      continue;
    }
    const auto longer = std::ranges::upper_bound(ended, job.waited);
    const auto middle = longer + (ended.end() - longer) / 2;
    waits.push_back(middle == ended.end() ? job.waited : *middle);
  }
  return waits;
}

HistoryJobs::HistoryJobs(const World& world, const Trace& recorded, const std::optional<SameJobs>& same,
                         const HistorySpan& span)
    : trace_{recorded}, same_{same}, span_{span} {
  tells_attempts_ = std::ranges::any_of(trace_.attempts, [](std::uint32_t attempts) { return attempts > 1; });
  tells_hours_ = same_ || trace_.absolute;
  if (same_) {
    add_same(world);
  } else {
    add_by_class(world);
  }
  const auto has_started = [](const HistoryJob& job) { return job.wait != kForever; };
  if (recorded_.empty() && !same_ && left_out_ > 0) refuse_other_classes(trace_, world);
  if (std::ranges::none_of(recorded_, has_started)) {
    if (std::ranges::any_of(recorded_,
                            [](const HistoryJob& job) { return job.waited > SimDuration::zero(); }))
      refuse_without_starts(trace_);
    refuse_without_waits(trace_);
  }
  if (recorded_.size() < kFewestHistoryJobs) refuse_as_few(trace_, recorded_.size());
}

bool HistoryJobs::is_within(SimTime submit) const { return submit >= span_.from && submit < span_.until; }

void HistoryJobs::hide_what_is_later(HistoryJob& job) const {
  if (span_.known_until == kNever || job.wait == kForever || job.submit + job.wait <= span_.known_until)
    return;
  job.waited = std::max(span_.known_until - job.submit, SimDuration{1});
  job.wait = kForever;
}

void HistoryJobs::add_same(const World& world) {
  for (std::size_t place = 0; place < trace_.size(); ++place) by_row_.emplace(trace_.row[place], place);
  for (const JobClass& one : world.classes) {
    of_world_.emplace_back(static_cast<std::uint16_t>(classes_.size()));
    classes_.push_back(one.name);
  }
  for_each_recorded_job(world, 0, [&](std::uint64_t, const Job& job) {
    const auto found = by_row_.find(job.row);
    if (job.source != same_->source || found == by_row_.end() || !is_within(job.submit)) return;
    if (!knows_wait(trace_, found->second)) {
      ++without_wait_;
      return;
    }
    recorded_.push_back({.submit = job.submit,
                         .wait = trace_.recorded_wait[found->second],
                         .job_class = static_cast<std::uint16_t>(index(job.job_class)),
                         .hour = local_hour(world, job.submit),
                         .interrupted = made_more_attempts(trace_, found->second),
                         .gpus = world.shapes[index(job.shape)].gpus().count()});
    hide_what_is_later(recorded_.back());
  });
  for (const UnservedJob& job : trace_.unserved.jobs)
    left_out_ += is_within(SimTime{SimDuration{job.submit_ms + same_->shift_ms}}) ? 1U : 0U;
}

// Jobs of no class are all of one where either side names none.
void HistoryJobs::add_by_class(const World& world) {
  std::map<std::string, std::uint16_t> places;
  for (const JobClass& one : world.classes) {
    const auto [found, is_new] = places.emplace(one.name, static_cast<std::uint16_t>(classes_.size()));
    if (is_new) classes_.push_back(one.name);
    of_world_.emplace_back(found->second);
  }
  const bool names_none = trace_.job_class.empty() && trace_.unserved.classes.size() <= 1;
  if (names_none) {
    classes_ = {""};
    for (auto& place : of_world_) place = 0;
    places = {{"", std::uint16_t{0}}};
  }
  const auto add = [&](std::int64_t submit_ms, const std::string& name, HistoryJob job) {
    const auto found = places.find(names_none ? std::string{} : name);
    if (found == places.end()) {
      ++left_out_;
      return;
    }
    job.submit = SimTime{SimDuration{submit_ms}};
    job.job_class = found->second;
    job.hour = hour_of_day(submit_ms + local_offset(world, kStart).count());
    recorded_.push_back(job);
  };
  for (std::size_t place = 0; place < trace_.size(); ++place) {
    if (!knows_wait(trace_, place)) {
      ++without_wait_;
      continue;
    }
    add(trace_.submit_ms[place], class_of(trace_, place),
        {.wait = trace_.recorded_wait[place],
         .interrupted = made_more_attempts(trace_, place),
         .gpus = trace_.gpus[place]});
  }
  for (const UnservedJob& job : trace_.unserved.jobs) {
    add(job.submit_ms, trace_.unserved.classes[job.job_class],
        {.refused = job.outcome == RecordedOutcome::refused});
  }
  if (recorded_.empty()) return;
  const auto [first, last] = std::ranges::minmax(recorded_, {}, &HistoryJob::submit);
  simulated_until_ = kStart + (last.submit - first.submit) + SimDuration{1};
}

std::vector<HistoryJob> HistoryJobs::simulated(const World& world, std::uint64_t replication,
                                               const RunRecord& record) const {
  std::vector<HistoryJob> jobs;
  jobs.reserve(recorded_.size());
  for_each_recorded_job(world, replication, [&](std::uint64_t number, const Job& job) {
    if (same_) {
      const auto found = by_row_.find(job.row);
      const bool is_one =
          job.source == same_->source && found != by_row_.end() && knows_wait(trace_, found->second);
      if (!is_one || !is_within(job.submit)) return;
    }
    if (job.submit >= simulated_until_) return;
    const auto job_class = of_world_.at(index(job.job_class));
    if (!job_class) return;
    const JobOutcome outcome = record.jobs.at(number);
    const std::optional<SimDuration> wait = wait_to_work(outcome);
    jobs.push_back({.submit = job.submit,
                    .wait = wait.value_or(kForever),
                    .job_class = *job_class,
                    .hour = local_hour(world, job.submit),
                    .refused = !wait && outcome.state == FinalState::refused,
                    .interrupted = outcome.preemptions > 0,
                    .gpus = world.shapes[index(job.shape)].gpus().count()});
    hide_what_is_later(jobs.back());
  });
  return jobs;
}

}  // namespace stockout

#include "tools/report/run/trace_events.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "models/measures/number_text.h"
#include "sim/core/counted.h"
#include "sim/core/duration_text.h"
#include "sim/io/time_stamp.h"
#include "tools/report/run/json_text.h"
#include "tools/table/csv_text.h"

namespace stockout {
namespace {

using Kind = TimelineSlice::Kind;
using Moment = TimelineMoment::Kind;

constexpr std::uint32_t kFirstLane = 100'000;  // above the number of any process

/// How a kind of slice is named and coloured; colours are reserved names of the trace viewer.
struct SliceStyle {
  std::string_view name;
  std::string_view colour;
};
constexpr std::array<SliceStyle, 5> kSliceStyles{{{"held back", "thread_state_sleeping"},
                                                  {"wait", "grey"},
                                                  {"start-up", "startup"},
                                                  {"run", "good"},
                                                  {"lost work", "terrible"}}};
constexpr std::array<std::string_view, 5> kMomentNames{"preempted", "fault", "stock-out", "expired", ""};

std::int64_t microseconds(SimTime at) { return (at - kStart).count() * 1000; }

// Each cause with its length: "quota 2h, capacity 5min".
std::string waits_text(const WaitTimes& times) {
  std::string text;
  for (std::size_t i = 0; i < kWaitCauses; ++i) {
    const auto cause = static_cast<WaitCause>(i);
    if (times[cause] == SimDuration::zero()) continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name_of(cause), format_duration(times[cause]));
  }
  return text;
}

std::uint32_t process_of(TrackNumber track) { return track + 1; }

class TraceWriter {
 public:
  TraceWriter(const World& world, const Timeline& timeline, const TraceOrigin& origin,
              const std::function<void(std::string_view)>& write)
      : world_{world},
        timeline_{timeline},
        origin_{origin},
        strategy_{world.strategies[origin.strategy]},
        write_{write} {
    std::uint32_t lane = kFirstLane;
    for (const std::uint32_t count : timeline.lanes) {
      first_lane_.push_back(lane);
      lane += count;
    }
    for (const JobClass& job_class : world.classes) classes_.push_back(json_text(job_class.name));
    for (const std::string& user : world.users) users_.push_back(json_text(user));
    for (const Leg& leg : strategy_.legs) legs_.push_back(json_text(leg.label));
  }

  void write() {
    write_("{\"displayTimeUnit\":\"ms\",\"otherData\":");
    write_(other_data());
    write_(",\"traceEvents\":[");
    for (TrackNumber track = 0; track < timeline_.lanes.size(); ++track) write_track(track);
    write_left_out();
    for (const TimelineSlice& slice : timeline_.slices) write_slice(slice);
    for (const TimelineMoment& moment : timeline_.moments) write_moment(moment);
    write_("\n]}\n");
  }

 private:
  void event(const std::string& text) {
    write_(is_first_ ? "\n" : ",\n");
    write_(text);
    is_first_ = false;
  }

  void metadata(std::string_view name, std::uint32_t process, const std::string& lane,
                const std::string& value) {
    event(fmt::format(R"({{"ph":"M","name":"{}","pid":{}{},"args":{{{}}}}})", name, process, lane, value));
  }

  [[nodiscard]] std::string other_data() const;
  [[nodiscard]] bool is_shown(TrackNumber track) const;
  [[nodiscard]] std::string track_name(TrackNumber track) const;
  void write_track(TrackNumber track);
  void write_lanes(TrackNumber track);
  void write_job_levels();
  void write_pool_levels(TrackNumber track);
  void write_level(TrackNumber track, const std::string& name, std::string_view unit,
                   const LevelHistory& level);
  void write_counts(TrackNumber track, std::string_view name, const EventHistory& events);
  void write_counter(TrackNumber track, const std::string& name, std::string_view unit, SimTime at,
                     const std::string& value);
  void write_left_out();
  void write_slice(const TimelineSlice& slice);
  void write_moment(const TimelineMoment& moment);
  [[nodiscard]] std::uint32_t thread_of(const TimelineMoment& moment) const;
  [[nodiscard]] std::string named(std::string_view event, const TimelineJob& job) const;
  [[nodiscard]] std::string job_arguments(const TimelineJob& job) const;

  const World& world_;
  const Timeline& timeline_;
  const TraceOrigin& origin_;
  const Strategy& strategy_;
  const std::function<void(std::string_view)>& write_;
  std::vector<std::uint32_t> first_lane_;  // by track
  std::vector<std::string> classes_;       // as JSON
  std::vector<std::string> users_;
  std::vector<std::string> legs_;
  bool is_first_ = true;
};

std::string TraceWriter::other_data() const {
  const std::string left_out = left_out_text(timeline_);
  const std::int64_t start_ms = world_.start_date.time_since_epoch().count();
  std::string text =
      fmt::format(R"({{"program":{},"scenario":{},"strategy":{},"replication":"{}","seed":"{}",)",
                  json_text("stockout " + origin_.version), json_text(origin_.scenario, 1'000),
                  json_text(strategy_.name), origin_.replication, world_.seed);
  text += fmt::format(R"("run":"{:016x}","ts":"microseconds from {}, the start of the window",)",
                      timeline_.history.fingerprint, format_unix_ms(start_ms));
  text += fmt::format(R"("jobs":"{}","jobs_drawn":"{}","drawn_from":"{}","left_out":{}}})",
                      timeline_.jobs_of_run, timeline_.jobs.size(), format_duration(timeline_.from - kStart),
                      json_text(left_out.empty() ? "nothing" : left_out, 1'000));
  return text;
}

// A pool that no job of the run asked, and no held pool of the strategy, says nothing about it.
bool TraceWriter::is_shown(TrackNumber track) const {
  if (track == kWaitingTrack) return true;
  const PoolHistory& pool = timeline_.history.pools[track - 1];
  const bool is_held = world_.is_held(pool.pool);
  const bool has_capacity = !pool.capacity.empty() && !pool.capacity.front().is_zero();
  return timeline_.lanes[track] > 0 || !pool.by_jobs.is_zero() || !pool.by_held.is_zero() ||
         !pool.own_waiting_requests.is_zero() || !pool.refused.own.empty() || !pool.expired.own.empty() ||
         (is_held && has_capacity);
}

std::string TraceWriter::track_name(TrackNumber track) const {
  if (track == kWaitingTrack) return "Jobs that wait";
  const PoolId id{static_cast<std::uint16_t>(track - 1)};
  return (world_.is_held(id) ? "Held: " : "Pool: ") + world_.pool(id).name;
}

void TraceWriter::write_track(TrackNumber track) {
  if (!is_shown(track)) return;
  const std::uint32_t process = process_of(track);
  metadata("process_name", process, "", "\"name\":" + json_text(track_name(track)));
  metadata("process_sort_index", process, "", fmt::format("\"sort_index\":{}", track));
  if (track == kWaitingTrack && !left_out_text(timeline_).empty())
    metadata("process_labels", process, "", "\"labels\":" + json_text(left_out_text(timeline_), 1'000));
  write_lanes(track);
  track == kWaitingTrack ? write_job_levels() : write_pool_levels(track);
}

void TraceWriter::write_lanes(TrackNumber track) {
  const std::string_view what = track == kWaitingTrack ? "waiting" : "lease";
  for (std::uint32_t lane = 0; lane < timeline_.lanes[track]; ++lane) {
    const std::string thread = fmt::format(",\"tid\":{}", first_lane_[track] + lane);
    metadata("thread_name", process_of(track), thread, fmt::format(R"("name":"{} {}")", what, lane + 1));
    metadata("thread_sort_index", process_of(track), thread, fmt::format("\"sort_index\":{}", lane));
  }
}

void TraceWriter::write_job_levels() {
  write_level(kWaitingTrack, "jobs that wait", "jobs", timeline_.history.jobs_waiting);
  write_level(kWaitingTrack, "jobs with a lease", "jobs", timeline_.history.jobs_leasing);
}

void TraceWriter::write_pool_levels(TrackNumber track) {
  const PoolHistory& pool = timeline_.history.pools[track - 1];
  for (std::size_t source = 0; source < pool.capacity.size(); ++source) {
    const std::string number = pool.capacity.size() > 1 ? fmt::format(" {}", source + 1) : "";
    write_level(track, "capacity" + number, "GPUs", pool.capacity[source]);
  }
  write_level(track, "leased by jobs", "GPUs", pool.by_jobs);
  write_level(track, "leased by held pools", "GPUs", pool.by_held);
  write_level(track, "leased by tenants", "GPUs", pool.by_tenants);
  write_level(track, "requests in the queue", "requests", pool.waiting_requests);
  write_level(track, "GPUs in the queue", "GPUs", pool.waiting_gpus);
  write_counts(track, "preemptions", pool.preempted);
  write_counts(track, "stock-outs", pool.refused);
  write_counts(track, "expiries", pool.expired);
  write_counts(track, "faults", pool.faults);
}

void TraceWriter::write_counter(TrackNumber track, const std::string& name, std::string_view unit, SimTime at,
                                const std::string& value) {
  event(fmt::format(R"({{"ph":"C","pid":{},"ts":{},"name":"{}","args":{{"{}":{}}}}})", process_of(track),
                    microseconds(at), name, unit, value));
}

void TraceWriter::write_level(TrackNumber track, const std::string& name, std::string_view unit,
                              const LevelHistory& level) {
  if (level.is_zero()) return;
  const RunHistory& history = timeline_.history;
  if (level.steps) {
    if (level.steps->front().at > kStart) write_counter(track, name, unit, kStart, "0");
    for (const LevelStep& step : *level.steps)
      write_counter(track, name, unit, step.at, fmt::format("{}", step.level));
    const LevelStep& last = level.steps->back();
    if (last.at < history.end) write_counter(track, name, unit, history.end, fmt::format("{}", last.level));
    return;
  }
  const std::string mean = fmt::format("{}, mean of {}", name, format_duration(history.bin));
  for (std::size_t bin = 0; bin < history.bins; ++bin) {
    write_counter(track, mean, unit, kStart + history.bin * static_cast<std::int64_t>(bin),
                  fmt::format("{:.6g}", level.mean[bin]));
  }
  write_counter(track, mean, unit, history.end, fmt::format("{:.6g}", level.mean.back()));
}

void TraceWriter::write_counts(TrackNumber track, std::string_view name, const EventHistory& events) {
  if (events.own.empty()) return;
  const RunHistory& history = timeline_.history;
  const std::string in_bins = fmt::format("{} in {}", name, format_duration(history.bin));
  for (std::size_t bin = 0; bin < history.bins; ++bin) {
    if (bin > 0 && events.own[bin] == events.own[bin - 1]) continue;
    write_counter(track, in_bins, "times", kStart + history.bin * static_cast<std::int64_t>(bin),
                  fmt::format("{}", events.own[bin]));
  }
}

// Where the first job that is not drawn comes, across all tracks.
void TraceWriter::write_left_out() {
  if (!timeline_.left_out) return;
  event(fmt::format(R"({{"ph":"i","s":"g","pid":{0},"tid":{0},"ts":{1},"cat":"timeline","name":{2}}})",
                    process_of(kWaitingTrack), microseconds(timeline_.left_out_at),
                    json_text(left_out_text(timeline_), 1'000)));
}

// "run job 318 (training)", as JSON.
std::string TraceWriter::named(std::string_view event, const TimelineJob& job) const {
  const std::string& job_class = world_.classes[index(job.job.job_class)].name;
  return json_text(fmt::format("{} job {}{}", event, job.number,
                               job_class.empty() ? "" : fmt::format(" ({})", job_class)));
}

// Seconds with three decimals; without a start, how long it is known to have waited.
std::string TraceWriter::job_arguments(const TimelineJob& job) const {
  const JobOutcome& outcome = job.outcome;
  const bool started = outcome.first_grant != kNever;
  const std::string wait =
      started ? csv_seconds(outcome.first_grant - outcome.released)
              : fmt::format("\"never started; {}\"", csv_seconds(outcome.finished - outcome.released));
  const std::string_view told = orchestrator_state(strategy_, outcome, job.troubles);
  const std::string waits = waits_text(wait_times(job.job.submit, outcome));
  std::string text =
      fmt::format(R"("job":{},"class":{},"user":{},"GPUs asked for":{},"state":"{}",{}"wait, s":{},)"
                  R"("lost, s":{},"preemptions":{})",
                  job.number, classes_[index(job.job.job_class)], users_[index(job.job.user)],
                  world_.shapes[index(job.job.shape)].gpus().count(),
                  kFinalStateNames[static_cast<std::size_t>(outcome.state)],
                  told.empty() ? "" : fmt::format(R"("orchestrator's state":"{}",)", told), wait,
                  csv_seconds(outcome.lost), outcome.preemptions);
  if (outcome.kueue.reduced > GpuCount{})
    text += fmt::format(R"(,"GPUs of its last admission":{})", outcome.kueue.reduced.count());
  if (!waits.empty()) text += fmt::format(R"(,"waited for before its first grant":"{}")", waits);
  if (const std::string later = waits_text(outcome.pending_again); !later.empty())
    text += fmt::format(R"(,"waited for after that":"{}")", later);
  if (!job.gave_way_to.empty())
    text += fmt::format(R"(,"gave way to jobs":"{}")", fmt::join(job.gave_way_to, " "));
  return text;
}

void TraceWriter::write_slice(const TimelineSlice& slice) {
  const SliceStyle& style = kSliceStyles[static_cast<std::size_t>(slice.kind)];
  const TimelineJob& job = timeline_.jobs[slice.job];
  std::string arguments = job_arguments(job);
  if (slice.track != kWaitingTrack) {
    const std::string_view interrupted = slice.fault ? "fault" : slice.preempted ? "preempted" : "no";
    arguments += fmt::format(R"(,"leg":{},"attempt":{},"GPUs leased":{},"interrupted":"{}")",
                             legs_[slice.leg], slice.attempt, slice.gpus.count(), interrupted);
  }
  event(fmt::format(R"({{"ph":"X","pid":{},"tid":{},"ts":{},"dur":{},"name":{},"cname":"{}",)"
                    R"("cat":"job","args":{{{}}}}})",
                    process_of(slice.track), first_lane_[slice.track] + slice.lane, microseconds(slice.begin),
                    microseconds(slice.end) - microseconds(slice.begin), named(style.name, job), style.colour,
                    arguments));
}

// What has no lane is the process's own.
std::uint32_t TraceWriter::thread_of(const TimelineMoment& moment) const {
  return moment.lane ? first_lane_[moment.track] + *moment.lane : process_of(moment.track);
}

void TraceWriter::write_moment(const TimelineMoment& moment) {
  const TimelineJob& job = timeline_.jobs[moment.job];
  const std::string_view state = kFinalStateNames[static_cast<std::size_t>(job.outcome.state)];
  const std::string_view name =
      moment.kind == Moment::over ? state : kMomentNames[static_cast<std::size_t>(moment.kind)];
  std::string arguments = job_arguments(job);
  if (moment.kind != Moment::over) arguments += fmt::format(R"(,"GPUs":{})", moment.gpus.count());
  if (moment.count > 1) {
    arguments += fmt::format(R"(,"times":{},"last at, s":{})", moment.count, csv_seconds(moment.last));
  }
  event(fmt::format(R"({{"ph":"i","s":"{}","pid":{},"tid":{},"ts":{},"name":{},"cat":"trouble",)"
                    R"("args":{{{}}}}})",
                    moment.lane ? "t" : "p", process_of(moment.track), thread_of(moment),
                    microseconds(moment.at), named(name, job), arguments));
}

}  // namespace

std::string left_out_text(const Timeline& timeline) {
  const auto count = [](std::uint64_t jobs) { return number_text(static_cast<double>(jobs)); };
  std::string text;
  if (timeline.over_before > 0) {
    text =
        fmt::format("{} drawn: over before {}", counted(timeline.over_before, "job is not", "jobs are not"),
                    format_duration(timeline.from - kStart));
  }
  if (!timeline.left_out) return text;
  return text + fmt::format("{}jobs from number {} on ({} of {}) are not drawn: more than --timeline-most",
                            text.empty() ? "" : "; ", *timeline.left_out,
                            count(timeline.jobs_of_run - *timeline.left_out), count(timeline.jobs_of_run));
}

void write_trace_events(const World& world, const Timeline& timeline, const TraceOrigin& origin,
                        const std::function<void(std::string_view)>& write) {
  TraceWriter{world, timeline, origin, write}.write();
}

}  // namespace stockout

#include "models/history/timeline.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

#include "models/history/lanes.h"

namespace stockout {
namespace {

using Kind = TimelineSlice::Kind;
using MomentKind = TimelineMoment::Kind;

/// Slices of a job that stay together: one wait, or one lease.
struct Span {
  TrackNumber track = kWaitingTrack;
  SimTime begin{};
  SimTime end{};
  std::size_t first = 0;  // of its slices ...
  std::size_t count = 0;  // ... and how many
  std::uint32_t lane = 0;
};

/// Drawing of one job, before it is known whether there is room for it.
struct Drawing {
  std::vector<TimelineSlice> slices;
  std::vector<Span> spans;
  std::vector<TimelineMoment> moments;

  [[nodiscard]] std::size_t size() const { return slices.size() + moments.size(); }
};

MomentKind moment_kind(PoolChange::What what) {
  switch (what) {
    case PoolChange::What::preempted:
      return MomentKind::preempted;
    case PoolChange::What::fault:
      return MomentKind::fault;
    case PoolChange::What::refused:
      return MomentKind::refused;
    default:
      return MomentKind::expired;
  }
}

/// Draws one job behind the other, each from `from` on.
class Artist {
 public:
  explicit Artist(SimTime from) : from_{from} {}

  Drawing draw(const TimelineJob& job, JobTrail trail) {
    drawing_ = {};
    std::ranges::stable_sort(trail.leases, {}, &LeaseRow::granted);
    add_wait(Kind::held_back, job.job.submit, job.outcome.released);
    SimTime waits_from = job.outcome.released;
    for (const LeaseRow& lease : trail.leases) {
      add_wait(Kind::waiting, waits_from, lease.granted);
      add_lease(lease);
      waits_from = std::max(waits_from, lease.ended);
    }
    add_wait(Kind::waiting, waits_from, job.outcome.finished);
    for (const JobTrail::Trouble& trouble : trail.troubles) add_trouble(trouble);
    if (job.outcome.state != FinalState::completed || drawing_.size() == 0) add_over(job.outcome.finished);
    return std::move(drawing_);
  }

 private:
  void add_trouble(const JobTrail::Trouble& trouble) {
    drawing_.moments.push_back({.kind = moment_kind(trouble.first.what),
                                .track = track_of(trouble.first.pool),
                                .lane = {},
                                .at = trouble.first.at,
                                .last = trouble.last,
                                .count = trouble.first.count,
                                .gpus = trouble.first.gpus});
  }

  void add_over(SimTime at) {
    drawing_.moments.push_back({.kind = MomentKind::over, .lane = {}, .at = at, .last = at});
  }

  void add_wait(Kind kind, SimTime begin, SimTime end) {
    if (std::max(begin, from_) >= end) return;
    open_span(kWaitingTrack, begin, end);
    add_slice({.kind = kind, .begin = begin, .end = end});
  }

  void add_lease(const LeaseRow& lease) {
    if (std::max(lease.granted, from_) >= lease.ended) return;
    open_span(track_of(lease.pool), lease.granted, lease.ended);
    TimelineSlice slice{.kind = Kind::start_up,
                        .preempted = lease.preempted,
                        .fault = lease.fault,
                        .leg = lease.leg,
                        .attempt = lease.attempt,
                        .track = track_of(lease.pool),
                        .gpus = lease.gpus};
    const SimTime lost_from = std::max(lease.running, lease.ended - lease.lost);
    for (const auto& [kind, begin, end] : {std::tuple{Kind::start_up, lease.granted, lease.running},
                                           {Kind::run, lease.running, lost_from},
                                           {Kind::lost, lost_from, lease.ended}}) {
      slice.kind = kind;
      slice.begin = begin;
      slice.end = end;
      add_slice(slice);
    }
  }

  void open_span(TrackNumber track, SimTime begin, SimTime end) {
    drawing_.spans.push_back(
        {.track = track, .begin = std::max(begin, from_), .end = end, .first = drawing_.slices.size()});
  }

  void add_slice(TimelineSlice slice) {
    slice.begin = std::max(slice.begin, from_);
    if (slice.begin >= slice.end) return;
    drawing_.slices.push_back(slice);
    ++drawing_.spans.back().count;
  }

  SimTime from_;
  Drawing drawing_;
};

/// All jobs that are drawn, and on which lanes.
class Canvas {
 public:
  explicit Canvas(std::size_t tracks) : lanes_(tracks) {}

  [[nodiscard]] std::size_t size() const { return slices_.size() + moments_.size(); }

  void add(std::size_t job, Drawing drawing) {
    for (Span& span : drawing.spans) span.first += slices_.size();
    for (TimelineSlice& slice : drawing.slices) slice.job = job;
    for (TimelineMoment& moment : drawing.moments) moment.job = job;
    slices_.insert(slices_.end(), drawing.slices.begin(), drawing.slices.end());
    moments_.insert(moments_.end(), drawing.moments.begin(), drawing.moments.end());
    first_span_.push_back(spans_.size());
    spans_.insert(spans_.end(), drawing.spans.begin(), drawing.spans.end());
  }

  void fill(Timeline& timeline) {
    first_span_.push_back(spans_.size());
    give_lanes();
    for (TimelineMoment& moment : moments_) moment.lane = lane_of(moment);
    timeline.slices = std::move(slices_);
    timeline.moments = std::move(moments_);
    for (const Lanes& lanes : lanes_) timeline.lanes.push_back(lanes.count());
  }

 private:
  void give_lanes() {
    std::vector<std::size_t> order(spans_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [this](std::size_t i) { return spans_[i].begin; });
    for (const std::size_t i : order) {
      Span& span = spans_[i];
      span.lane = lanes_[span.track].add(span.begin, span.end);
      for (std::size_t slice = span.first; slice < span.first + span.count; ++slice) {
        slices_[slice].lane = span.lane;
      }
    }
  }

  // Where the job was, on the track of the moment or, at its end, on any.
  [[nodiscard]] std::optional<std::uint32_t> lane_of(TimelineMoment& moment) const {
    if (moment.kind == MomentKind::refused || moment.kind == MomentKind::expired) return std::nullopt;
    std::optional<std::uint32_t> lane;
    for (std::size_t i = first_span_[moment.job]; i < first_span_[moment.job + 1]; ++i) {
      const Span& span = spans_[i];
      if (moment.at < span.begin || moment.at > span.end) continue;
      if (moment.kind == MomentKind::over) {
        moment.track = span.track;
      } else if (moment.track != span.track) {
        continue;
      }
      lane = span.lane;
      if (moment.at == span.end) break;
    }
    return lane;
  }

  std::vector<TimelineSlice> slices_;
  std::vector<TimelineMoment> moments_;
  std::vector<Span> spans_;
  std::vector<std::size_t> first_span_;  // by job
  std::vector<Lanes> lanes_;             // by track
};

JobTroubles troubles_of(const JobTrail& trail) {
  JobTroubles troubles;
  for (const LeaseRow& lease : trail.leases) troubles.add(lease);
  for (const JobTrail::Trouble& trouble : trail.troubles) troubles.add(trouble.first);
  return troubles;
}

// Levels that change more often are drawn as means over bins: with the slices, as much again.
std::size_t most_steps(const World& world, const TimelineOptions& options) {
  constexpr std::size_t kSeriesOfPool = 11;
  const std::size_t series = kSeriesOfPool * world.pool_count() + 2;
  return std::clamp<std::size_t>(options.most / series, 2, 2'000);
}

}  // namespace

TimelineBook::TimelineBook(const World& world, const TimelineOptions& options)
    : world_{world},
      options_{options},
      history_{world, std::min<std::size_t>(1'000, most_steps(world, options)), most_steps(world, options)} {}

void TimelineBook::listen(Logs& logs) {
  also_hear(logs.on_lease, [this](const LeaseRow& lease) { add(lease); });
  also_hear(logs.on_pool, [this](const PoolChange& change) { add(change); });
  also_hear(logs.on_job, [this](const JobChange& change) { history_.add(change); });
}

void TimelineBook::add(const LeaseRow& lease) {
  if (lease.ended < options_.from || lease.job >= first_dropped_) return;
  trails_[lease.job].leases.push_back(lease);
  ++kept_;
  drop_last_jobs();
}

void TimelineBook::add(const PoolChange& change) {
  using Changed = PoolChange::What;
  history_.add(change);
  const bool is_level =
      change.what == Changed::capacity || change.what == Changed::leased || change.what == Changed::waiting;
  if (is_level || change.holder != Holder::job) return;
  if (change.at < options_.from || change.job >= first_dropped_) return;
  add_trouble(trails_[change.job], change);
  drop_last_jobs();
}

// Stock-outs, or expiries, of a job at one pool with no lease between are one moment; so are machines of a
// partial lease that are taken at one instant.
void TimelineBook::add_trouble(JobTrail& trail, const PoolChange& change) {
  using Happened = PoolChange::What;
  const SimTime lease_ended = trail.leases.empty() ? kStart : trail.leases.back().ended;
  const bool is_taken = change.what == Happened::preempted || change.what == Happened::fault;
  const SimTime since = is_taken ? change.at : lease_ended;
  for (auto before = trail.troubles.rbegin(); before != trail.troubles.rend(); ++before) {
    if (before->first.at < since) break;
    if (before->first.what != change.what || before->first.pool != change.pool) continue;
    before->first.count += change.count;
    before->first.gpus = is_taken ? before->first.gpus + change.gpus : change.gpus;
    before->last = change.at;
    return;
  }
  trail.troubles.push_back({.first = change, .last = change.at});
  ++kept_;
}

// The jobs that came last go first, each as a whole.
void TimelineBook::drop_last_jobs() {
  while (kept_ > options_.most) {
    const auto last = std::prev(trails_.end());
    kept_ -= last->second.leases.size() + last->second.troubles.size();
    first_dropped_ = last->first;
    trails_.erase(last);
  }
}

Timeline TimelineBook::finish(std::uint64_t replication, const RunRecord& record) {
  Timeline timeline;
  timeline.from = options_.from;
  timeline.jobs_of_run = record.jobs.size();
  Artist artist{options_.from};
  Canvas canvas{1 + world_.pool_count()};
  GaveWayTo gave_way = gave_way_by_job(record.gave_way);
  for_each_recorded_job(world_, replication, [&](std::uint64_t number, const Job& job) {
    if (timeline.left_out) return;
    TimelineJob drawn{.number = number, .job = job, .outcome = record.jobs.at(number)};
    if (drawn.outcome.finished < options_.from) {
      ++timeline.over_before;
      return;
    }
    JobTrail& trail = trails_[number];
    drawn.troubles = troubles_of(trail);
    Drawing drawing = artist.draw(drawn, std::move(trail));
    trails_.erase(number);
    if (number >= first_dropped_ || canvas.size() + drawing.size() > options_.most) {
      timeline.left_out = number;
      timeline.left_out_at = job.submit;
      return;
    }
    canvas.add(timeline.jobs.size(), std::move(drawing));
    if (const auto found = gave_way.find(number); found != gave_way.end())
      drawn.gave_way_to = std::move(found->second);
    timeline.jobs.push_back(std::move(drawn));
  });
  canvas.fill(timeline);
  timeline.history = history_.finish(record);
  return timeline;
}

}  // namespace stockout

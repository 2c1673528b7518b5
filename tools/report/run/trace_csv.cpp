#include "tools/report/run/trace_csv.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include <fmt/format.h>

#include "sim/core/error.h"

namespace stockout {

struct TracedJob {
  const Job& job;
  const Shape& shape;
  const std::string& source;
  const std::string& user;
  const std::string& team;
  const std::string& job_class;
  SimDuration held{};
};

namespace {

// Whether a total read with so many GPUs a node becomes this shape again.
bool splits_into(const Shape& shape, std::int32_t gpus_per_node) {
  const std::int64_t total = shape.gpus().count();
  if (total <= gpus_per_node) return shape.nodes == 1 && shape.tail_gpus == 0;
  return shape.gpus_per_node == gpus_per_node && shape.nodes == total / gpus_per_node &&
         shape.tail_gpus == total % gpus_per_node;
}

/// Which files have a column.
enum class InFiles : std::uint8_t { all, those_that_know_held, totals, nodes };

using T = const TracedJob&;
struct TraceColumn {
  CsvColumn<TracedJob> column;
  InFiles in_files = InFiles::all;
};
const TraceColumn kTraceColumns[] = {
    {{"submit", [](T t) { return csv_seconds(t.job.submit - kStart - t.held); }}},
    {{"eligible",
      [](T t) { return t.held > SimDuration::zero() ? csv_seconds(t.job.submit - kStart) : std::string{}; }},
     InFiles::those_that_know_held},
    {{"duration", [](T t) { return csv_seconds(t.job.work); }}},
    {{"gpus", [](T t) { return fmt::format("{}", t.shape.gpus().count()); }}, InFiles::totals},
    {{"nodes", [](T t) { return fmt::format("{}", t.shape.nodes); }}, InFiles::nodes},
    {{"gpus_per_node", [](T t) { return fmt::format("{}", t.shape.gpus_per_node); }}, InFiles::nodes},
    {{"estimate",
      [](T t) {
        return t.job.estimate == t.job.work ? std::string{} : csv_seconds_or_nothing(t.job.estimate);
      }}},
    {{"deadline", [](T t) { return csv_seconds_or_nothing(t.job.deadline); }}},
    {{"max_wait", [](T t) { return csv_seconds_or_nothing(t.job.max_wait); }}},
    {{"user", [](T t) { return t.user; }}},
    {{"team", [](T t) { return t.team; }}},
    {{"class", [](T t) { return t.job_class; }}},
    {{"gpu", [](T t) { return t.shape.machine.empty() ? t.shape.gpu : std::string{}; }}},
    {{"machine", [](T t) { return t.shape.machine; }}},
    {{"group",
      [](T t) { return t.job.group == 0 ? std::string{} : fmt::format("{} {}", t.source, t.job.group); }}},
    {{"id", [](T t) { return fmt::format("{} {}", t.source, t.job.row); }}}};

}  // namespace

TraceCsv::TraceCsv(const World& world, std::uint64_t replication)
    : world_{world}, places_{world, replication} {
  std::vector<bool> used(world.shapes.size());
  for_each_recorded_job(world, replication, [&](std::uint64_t, const Job& job) {
    used[index(job.shape)] = true;
    knows_held_ = knows_held_ || held_before(job) > SimDuration::zero();
  });
  for (std::size_t i = 0; i < used.size(); ++i) {
    if (used[i] && world.shapes[i].tail_gpus > 0) gpus_per_node_ = world.shapes[i].gpus_per_node;
  }
  for (std::size_t i = 0; i < used.size() && gpus_per_node_ > 0; ++i) {
    const Shape& shape = world.shapes[i];
    if (!used[i] || !shape.machine.empty() || splits_into(shape, gpus_per_node_)) continue;
    throw InputError{
        {.file = "trace synth"},
        fmt::format("jobs of {} nodes of {} GPUs and a last one of {} cannot be written to one file with "
                    "others: write sources apart",
                    shape.nodes, shape.gpus_per_node, shape.tail_gpus)};
  }
  const auto is_in = [&](InFiles by) {
    if (by == InFiles::those_that_know_held) return knows_held_;
    return by == InFiles::all || (by == InFiles::totals) == (gpus_per_node_ > 0);
  };
  for (const TraceColumn& each : kTraceColumns)
    if (is_in(each.in_files)) columns_.push_back(each.column);
}

// What its row says, else its source.
const std::string& TraceCsv::team_of(const Job& job) const {
  const Source& source = world_.sources[index(job.source)];
  const auto place = places_.of(job);
  if (!place) return source.team;
  const JobColumns& jobs = *std::get<TraceDemand>(source.demand).jobs;
  if (jobs.team.empty() || jobs.teams[jobs.team[*place]].empty()) return source.team;
  return jobs.teams[jobs.team[*place]];
}

SimDuration TraceCsv::held_before(const Job& job) const {
  const auto place = places_.of(job);
  if (!place) return SimDuration::zero();
  const JobColumns& jobs = *std::get<TraceDemand>(world_.sources[index(job.source)].demand).jobs;
  return jobs.held.empty() ? SimDuration::zero() : jobs.held[*place];
}

std::string TraceCsv::header() const { return csv_header(columns_); }

std::string TraceCsv::line(const Job& job) const {
  return csv_line(columns_, TracedJob{.job = job,
                                      .shape = world_.shapes[index(job.shape)],
                                      .source = world_.sources[index(job.source)].name,
                                      .user = world_.users[index(job.user)],
                                      .team = team_of(job),
                                      .job_class = world_.classes[index(job.job_class)].name,
                                      .held = held_before(job)});
}

}  // namespace stockout

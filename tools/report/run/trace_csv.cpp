#include "tools/report/run/trace_csv.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "sim/core/error.h"
#include "tools/table/csv_text.h"

namespace stockout {
namespace {

// Whether a total read with so many GPUs a node becomes this shape again.
bool splits_into(const Shape& shape, std::int32_t gpus_per_node) {
  const std::int64_t total = shape.gpus().count();
  if (total <= gpus_per_node) return shape.nodes == 1 && shape.tail_gpus == 0;
  return shape.gpus_per_node == gpus_per_node && shape.nodes == total / gpus_per_node &&
         shape.tail_gpus == total % gpus_per_node;
}

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
        fmt::format("jobs of {} nodes of {} GPUs and a last one of {} cannot be told in one file with "
                    "others: write sources apart",
                    shape.nodes, shape.gpus_per_node, shape.tail_gpus)};
  }
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

std::string TraceCsv::header() const {
  return fmt::format("submit,{}duration,{},estimate,deadline,max_wait,user,team,class,gpu,machine,group,id\n",
                     knows_held_ ? "eligible," : "", gpus_per_node_ > 0 ? "gpus" : "nodes,gpus_per_node");
}

std::string TraceCsv::line(const Job& job) const {
  const Shape& shape = world_.shapes[index(job.shape)];
  const Source& from = world_.sources[index(job.source)];
  const std::string& source = from.name;
  const SimDuration held = held_before(job);
  std::string submit = csv_seconds(job.submit - kStart - held);
  if (knows_held_)
    submit +=
        fmt::format(",{}", held > SimDuration::zero() ? csv_seconds(job.submit - kStart) : std::string{});
  const std::string gpus = gpus_per_node_ > 0 ? fmt::format("{}", shape.gpus().count())
                                              : fmt::format("{},{}", shape.nodes, shape.gpus_per_node);
  return fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{}\n", submit, csv_seconds(job.work), gpus,
                     job.estimate == job.work ? "" : csv_seconds_or_nothing(job.estimate),
                     csv_seconds_or_nothing(job.deadline), csv_seconds_or_nothing(job.max_wait),
                     csv_text(world_.users[index(job.user)]), csv_text(team_of(job)),
                     csv_text(world_.classes[index(job.job_class)].name),
                     shape.machine.empty() ? csv_text(shape.gpu) : "", csv_text(shape.machine),
                     job.group == 0 ? "" : csv_text(fmt::format("{} {}", source, job.group)),
                     csv_text(fmt::format("{} {}", source, job.row)));
}

}  // namespace stockout

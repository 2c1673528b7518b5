#include "tests/support/reference/demand.h"

#include <algorithm>
#include <array>
#include <utility>

namespace stockout::reference {
namespace {

std::vector<Job> read_columns(const JobColumns& columns, SourceId source) {
  std::vector<Job> jobs;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    Job job;
    job.submit = columns.submit[i];
    job.work = columns.work[i];
    job.estimate = columns.estimate.empty() ? kForever : columns.estimate[i];
    if (!columns.max_wait.empty()) job.max_wait = columns.max_wait[i];
    if (!columns.deadline.empty()) job.deadline = columns.deadline[i];
    job.shape = columns.shape[i];
    job.job_class = columns.job_class[i];
    job.user = columns.user[i];
    if (!columns.group.empty()) job.group = columns.group[i];
    job.source = source;
    job.row = columns.row.empty() ? i : columns.row[i];
    jobs.push_back(job);
  }
  return jobs;
}

/// Made-up, resampled and multiplied demand is outside what this implementation checks: it is taken from the
/// generators. The first job after the limit is there too: something is left to happen.
std::vector<Job> generate(const Demand& demand, SourceId source, Dice dice, SimTime limit) {
  std::vector<Job> jobs;
  const auto cursor = open_demand(demand, source, dice);
  std::array<Job, 1> batch;
  while ((jobs.empty() || jobs.back().submit <= limit) && cursor->next(batch) == 1) jobs.push_back(batch[0]);
  return jobs;
}

std::vector<Job> jobs_of(const Demand& demand, SourceId source, Dice dice, SimTime limit) {
  const auto* trace = std::get_if<TraceDemand>(&demand);
  if (trace != nullptr && !trace->resampled && trace->factor.is_one())
    return read_columns(*trace->jobs, source);
  return generate(demand, source, dice, limit);
}

void floor_to_grid(Job& job, SimDuration grid) {
  if (grid == SimDuration::zero()) return;
  const SimDuration over = (job.submit - kStart) % grid;  // below 0 before the start
  job.submit -= over < SimDuration::zero() ? over + grid : over;
  job.work -= job.work % grid;
}

std::size_t drawn_tenant(const Source& source, const Job& job, Dice dice) {
  double sum = 0;
  for (const double weight : source.tenant_weights) sum += weight;
  Draw draw = dice.draw(Purpose::strategy, draw_entity(job));
  const double at = uniform01(draw) * sum;
  double upto = 0;
  for (std::size_t i = 0; i < source.tenants.size(); ++i) {
    upto += source.tenant_weights[i];
    if (at < upto) return i;
  }
  return source.tenants.size() - 1;
}

}  // namespace

std::uint64_t draw_entity(const Job& job) {
  return (static_cast<std::uint64_t>(index(job.source)) << 48) + job.row;
}

std::vector<Arrival> all_jobs(const World& world, std::size_t strategy, Dice dice, SimTime limit) {
  std::vector<Arrival> arrivals;
  for (std::size_t s = 0; s < world.sources.size(); ++s) {
    const Source& source = world.sources[s];
    for (Job job : jobs_of(source.demand, static_cast<SourceId>(s), dice, limit + world.grid)) {
      floor_to_grid(job, world.grid);
      if (job.estimate == kForever) job.estimate = job.work;
      if (source.background) {
        if (job.submit >= world.begin) {
          arrivals.push_back({.job = job, .recorded = false, .strategy = drawn_tenant(source, job, dice)});
        }
      } else if (job.submit >= kStart && job.submit < world.window_end) {
        arrivals.push_back({.job = job, .recorded = true, .strategy = strategy});
      }
    }
  }
  std::stable_sort(arrivals.begin(), arrivals.end(), [](const Arrival& a, const Arrival& b) {
    return std::pair{a.job.submit, a.job.source} < std::pair{b.job.submit, b.job.source};
  });
  return arrivals;
}

}  // namespace stockout::reference

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "tests/support/reference/run.h"

// Section 1: which jobs take part in the run, and when they are submitted.
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
std::unique_ptr<JobCursor> open(const World& world, SourceId source, RandomStreams random) {
  const Source& of = world.sources[index(source)];
  const auto* made_up = std::get_if<SyntheticDemand>(&of.demand);
  if (made_up == nullptr || !std::holds_alternative<FollowingArrivals>(made_up->arrivals))
    return open_demand(of.demand, source, random);
  const SourceId followed = of.step ? of.step->first : of.set->first;
  const Source& first = world.sources[index(followed)];
  const bool by_group = of.step && first.step->by_group;
  return open_following(*made_up, source, {followed, &first.demand, by_group}, random);
}

std::vector<Job> generate(const World& world, SourceId source, RandomStreams random, SimTime limit) {
  std::vector<Job> jobs;
  const auto cursor = open(world, source, random);
  std::array<Job, 1> batch;
  while ((jobs.empty() || jobs.back().submit <= limit) && cursor->next(batch) == 1) jobs.push_back(batch[0]);
  return jobs;
}

std::vector<Job> jobs_of(const World& world, SourceId source, RandomStreams random, SimTime limit) {
  const auto* trace = std::get_if<TraceDemand>(&world.sources[index(source)].demand);
  if (trace != nullptr && !trace->resampled && trace->factor.is_one())
    return read_columns(*trace->jobs, source);
  return generate(world, source, random, limit);
}

void floor_to_grid(Job& job, SimDuration grid) {
  if (grid == SimDuration::zero()) return;
  const SimDuration over = (job.submit - kStart) % grid;  // below 0 before the start
  job.submit -= over < SimDuration::zero() ? over + grid : over;
  job.work -= job.work % grid;
}

const Strategy& drawn_tenant(const Source& source, const Job& job, RandomStreams random) {
  double sum = 0;
  for (const double weight : source.tenant_weights) sum += weight;
  Draw draw = random.draw(Purpose::strategy, draw_entity(job));
  const double at = uniform01(draw) * sum;
  double upto = 0;
  for (std::size_t i = 0; i < source.tenants.size(); ++i) {
    upto += source.tenant_weights[i];
    if (at < upto) return source.tenants[i];
  }
  return source.tenants.back();
}

}  // namespace

/// R1.2 to R1.9: All jobs that may arrive: those of ordinary sources that are submitted in the window,
/// and tenants from the run's begin on. In order of (submit, source), each source in its own order.
void Run::add_jobs() {
  for (std::size_t s = 0; s < world_.sources.size(); ++s) {
    const Source& source = world_.sources[s];
    for (Job job : jobs_of(world_, static_cast<SourceId>(s), random_, latest_end() + world_.grid)) {
      floor_to_grid(job, world_.grid);
      const bool takes_part = source.background ? job.submit >= world_.begin
                                                : job.submit >= kStart && job.submit < world_.window_end;
      if (!takes_part) continue;
      if (job.estimate == kForever) job.estimate = job.work;
      const Strategy& strategy = source.background ? drawn_tenant(source, job, random_) : strategy_;
      JobState& state = jobs_.emplace_back();
      state.job = job;
      state.recorded = !source.background;
      state.strategy = &strategy;
      state.job_class = &world_.classes[index(job.job_class)];
      state.retries.resize(strategy.legs.size());
      state.restarts.resize(strategy.legs.size());
      state.fault_restarts.resize(strategy.legs.size());
      state.exit_restarts.resize(strategy.legs.size());
      state.work_left = job.work;
    }
  }
  std::ranges::stable_sort(jobs_, {}, [](const JobState& job) {
    return std::pair{job.job.submit, job.job.source};
  });
}

}  // namespace stockout::reference

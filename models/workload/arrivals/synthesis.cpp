#include "models/workload/arrivals/synthesis.h"

#include <algorithm>
#include <cmath>

#include <boost/random/uniform_int_distribution.hpp>

#include "sim/random/weighted.h"

namespace stockout {
namespace {

ShapeId draw_shape(const SyntheticDemand& demand, Draw draw) {
  return demand.shapes[draw_weighted(demand.shapes, draw, &WeightedShape::weight)].shape;
}

SimDuration deadline_of(const SyntheticDemand& demand, SimTime submit, SimDuration work) {
  if (const auto next = std::ranges::upper_bound(demand.deadline_at, submit);
      next != demand.deadline_at.end())
    return *next - submit;
  if (demand.deadline_plus == kForever) return kForever;
  const double scaled = demand.deadline_work_factor * static_cast<double>(work.count());
  return demand.deadline_plus + SimDuration{std::llround(scaled)};
}

// Users take turns. Jobs on top of what is written have no turn, as each may be missing: theirs is drawn.
std::uint32_t draw_user(const SyntheticDemand& demand, std::uint64_t row, Draw draw) {
  const auto users = static_cast<std::uint64_t>(demand.users);
  if (row < kFirstAddedRow) return static_cast<std::uint32_t>(row % users);
  return static_cast<std::uint32_t>(
      boost::random::uniform_int_distribution<std::uint64_t>{0, users - 1}(draw));
}

}  // namespace

Job make_job(const SyntheticDemand& demand, SourceId source, RandomStreams random, std::uint64_t row,
             SimTime submit) {
  Job job;
  const std::uint64_t entity = entity_of(source, row);
  Draw work = random.draw(Purpose::work, entity);
  job.submit = submit;
  job.work = demand.work.sample(work);
  Draw patience = random.draw(Purpose::patience, entity);
  job.max_wait = demand.max_wait.sample(patience);
  job.deadline = deadline_of(demand, submit, job.work);
  job.shape = draw_shape(demand, random.draw(Purpose::shape, entity));
  job.job_class = demand.job_class;
  job.user = UserId{static_cast<std::uint32_t>(demand.first_user) +
                    draw_user(demand, row, random.draw(Purpose::user, entity))};
  job.source = source;
  job.row = row;
  return job;
}

}  // namespace stockout

#include "models/simulation/books/recorder.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace stockout {
namespace {

bool is_random(const Pool& pool) {
  return std::ranges::any_of(pool.capacity, [](const auto& source) { return source.chain != nullptr; });
}

bool is_random(const Source& source) {
  if (source.tenants.size() > 1) return true;
  if (const auto* trace = std::get_if<TraceDemand>(&source.demand)) {
    return trace->resampled || !trace->factor.is_one();
  }
  const auto& synthetic = std::get<SyntheticDemand>(source.demand);
  return std::holds_alternative<PoissonArrivals>(synthetic.arrivals) || synthetic.work.is_random() ||
         synthetic.max_wait.is_random() || synthetic.shapes.size() > 1 || !synthetic.factor.is_one();
}

}  // namespace

Recorder::Recorder(const World& world, const Logs& logs, const Agenda& agenda)
    : world_{world}, agenda_{agenda}, log_{logs, agenda}, meter_{world, agenda} {
  record_.jobs = JobRecord{world.begin};
  for (const Source& source : world.sources) record_.drew = record_.drew || is_random(source);
  for (const Pool& pool : world.pools) record_.drew = record_.drew || is_random(pool);
}

void Recorder::job_final(JobSlot slot, const JobState& job, FinalState state) {
  meter_.job_final(slot, state);
  if (job.record == kNotRecorded) return;
  SimTime released = job.history.released;
  if (job.orchestrators.is_released) {
    log_.job(job, JobChange::What::over);
  } else {  // its group never let it go
    released = now();
    stay_begins();
  }
  const SimTime ran = job.history.first_running == kNever ? now() : job.history.first_running;
  stay_ends(job.record, job.job.row,
            {.state = state,
             .leg = job.asks.leg,
             .released = released,
             .first_grant = job.history.first_grant,
             .finished = now(),
             .start_delay = job.history.ever_granted() ? ran - job.history.first_grant : SimDuration::zero(),
             .leased = job.history.leased,
             .lost = job.history.lost,
             .preemptions = job.history.preemptions,
             .exits = job.history.exits});
}

void Recorder::refused(const Request& request, const JobState& job) {
  mark(0x30, job.job.row, index(request.candidate->pool));
  log_.request(request, job, PoolChange::What::refused, 1);
}

SimTime Recorder::hold_end() const {
  return world_.hold_end == HoldEnd::last_start ? last_start_ : std::max(now(), kStart);
}

RunRecord Recorder::finish(std::uint64_t ended, std::vector<PoolTotals> pools) {
  STOCKOUT_CHECK(open_jobs_ == 0);
  requests_.check(ended);
  STOCKOUT_CHECK(in_system_.level() == 0);
  STOCKOUT_CHECK(in_system_.total(now()) == time_in_system_ms_,
                 fmt::format("Little's law: {} job-ms in the system, jobs stayed {} ms",
                             in_system_.total(now()), time_in_system_ms_));
  meter_.finish(record_);
  record_.events = agenda_.taken();
  record_.end = std::max(now(), kStart);
  record_.hold_end = hold_end();
  record_.pools = std::move(pools);
  return std::move(record_);
}

}  // namespace stockout

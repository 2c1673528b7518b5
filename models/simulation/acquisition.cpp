// A job between its leases: submission, attempts, legs, waiting, giving up.

#include <algorithm>
#include <utility>

#include "models/simulation/run.h"
#include "models/workload/synthesis.h"

namespace stockout {
namespace {

bool waits_in_queue(const Policy& policy) { return policy.held || policy.admission == Admission::queue; }

FinalState final_state(Exhaustion why) {
  switch (why) {
    case Exhaustion::impossible:
    case Exhaustion::stock_out:
      return FinalState::refused;
    case Exhaustion::retries_spent:
    case Exhaustion::restarts_spent:
      return FinalState::failed;
    case Exhaustion::patience:
      return FinalState::expired;
  }
  return FinalState::failed;
}

std::uint64_t group_key(const Job& job) { return entity_of(job.source, job.group); }

// Requests of one kind fit a pool or do not fit it alike.
std::uint64_t waiting_kind(const PoolState& pool, const Candidate& candidate, const Leg& leg) {
  if (pool.hosts != nullptr) return pool.hosts->kind_of(candidate.footprint(leg.compact));
  return static_cast<std::uint64_t>(candidate.gpus.count());
}

}  // namespace

void Run::submit(const Job& job) {
  const JobSlot slot = jobs_.add();
  JobState& state = jobs_[slot];
  state.job = job;
  state.work_left = job.work;
  const Source& source = world_.sources[index(job.source)];
  std::uint32_t strategy = 0;
  if (source.background) {
    strategy = route_.first_of(job.source);
    if (source.tenants.size() > 1) strategy += draws_.tenant(source, job);
  }
  route_.assign(state, strategy);
  state.generation = ++generations_;
  recorder_.job_came(state, !source.background);
  join_group_or_release(slot);
}

void Run::join_group_or_release(JobSlot slot) {
  const Job& job = jobs_[slot].job;
  const std::int32_t parallel = world_.classes[index(job.job_class)].parallel;
  if (job.group == 0 || parallel == 0) return release_job(slot);
  jobs_[slot].in_group = true;
  Group& group = groups_[group_key(job)];
  if (group.open < parallel) {
    ++group.open;
    release_job(slot);
  } else {
    group.held.push_back(slot);
  }
}

void Run::leave_group(const JobState& job) {
  const auto found = groups_.find(group_key(job.job));
  Group& group = found->second;
  if (!group.held.empty()) {
    plan(group.held.front(), Step::join);
    group.held.pop_front();
  } else if (--group.open == 0) {
    groups_.erase(found);
  }
}

void Run::release_job(JobSlot slot) {
  agenda_.note_progress();
  JobState& job = jobs_[slot];
  job.released = now();
  job.is_released = true;
  recorder_.job_released(job);
  if (job.job.max_wait == SimDuration::zero()) {
    plan(slot, Step::own_wait_over);
  } else if (job.job.max_wait != kForever) {
    job.expiry = agenda_.at(now() + job.job.max_wait, Phase::timers, Event::of(EventKind::own_expiry, slot));
  }
  job.strategy->deadline_rule ? begin_rule(slot) : begin_attempt(slot);
}

// Another attempt, at the first leg.
void Run::begin_attempt(JobSlot slot) {
  route_.order_legs(jobs_[slot]);
  ++jobs_[slot].attempt;
  enter_leg(slot, route_.first_leg(jobs_[slot]));
}

void Run::enter_leg(JobSlot slot, std::size_t leg) {
  JobState& job = jobs_[slot];
  const std::vector<Leg>& legs = job.strategy->legs;
  if (leg == legs.size()) return end_of_legs(slot, Exhaustion::impossible);
  job.leg = static_cast<std::uint8_t>(leg);
  job.place = 0;
  ++job.stay;
  job.stage = Stage::moving;
  if (!route_.is_usable(job, leg)) return exhaust(slot, Exhaustion::impossible);
  if (waits_in_queue(legs[leg].policy)) return join_queues(slot);
  job.place = static_cast<std::uint16_t>(route_.first_place(job));
  ask_place(slot);
}

void Run::ask_place(JobSlot slot) {
  const JobState& job = jobs_[slot];
  open_request(slot, *route_.usable(job, job.leg)[job.place], false);
}

void Run::join_queues(JobSlot slot) {
  JobState& job = jobs_[slot];
  job.stage = Stage::queueing;
  const Leg& leg = job.strategy->legs[job.leg];
  bool are_kept = false;
  for (RequestSlot r = job.first_request; r != kNoRequest; r = requests_[r].next_of_job) {
    are_kept = are_kept || requests_[r].leg == &leg;
  }
  if (!are_kept && passes_gate(slot)) ask_queues(slot);
  const SimDuration patience = leg.patience();
  if (patience == SimDuration::zero()) {
    plan(slot, Step::patience_over);
  } else if (patience != kForever) {
    agenda_.wait(patience, {.job = slot, .generation = jobs_[slot].generation, .stay = jobs_[slot].stay});
  }
}

// One request in every place of the leg.
void Run::ask_queues(JobSlot slot) {
  JobState& job = jobs_[slot];
  job.stage = Stage::queueing;
  for (const Candidate* candidate : route_.usable(job, job.leg)) {
    if (!route_.is_over(candidate->pool)) open_request(slot, *candidate, true);
  }
}

void Run::open_request(JobSlot slot, const Candidate& candidate, bool waiting) {
  JobState& job = jobs_[slot];
  const Leg& leg = job.strategy->legs[job.leg];
  const RequestSlot request = requests_.add({.job = slot,
                                             .next_of_job = job.first_request,
                                             .candidate = &candidate,
                                             .leg = &leg,
                                             .leg_number = job.leg,
                                             .gate = gates_.empty() ? kNoGate : gate_of(job, job.leg),
                                             .waiting = waiting,
                                             .entered = now()});
  job.first_request = request;
  if (requests_[request].gate != kNoGate) ++gates_[requests_[request].gate].open;
  PoolState& pool = books_.pool(candidate.pool);
  recorder_.opened(requests_[request], job);
  ++pool.of_class(leg.policy.lease_class).requests;
  if (waiting) {
    requests_[request].key =
        pool.queue.enter_as(waiting_kind(pool, candidate, leg), static_cast<std::uint32_t>(request),
                            candidate.gpus, now(), time_at(candidate.rate_ppm, job.job.estimate));
    pool.waiting_area.add(1, now());
    pool.waiting_gpus += candidate.gpus;
    pool.totals.peak_waiting = std::max<std::uint64_t>(pool.totals.peak_waiting, pool.queue.size());
  } else {
    auto& requests = pool.at_once[static_cast<std::size_t>(leg.policy.lease_class)];
    requests_[request].place = static_cast<std::uint32_t>(requests.size());
    requests.push_back(request);
    pool.deciding |= PoolState::bit_of(leg.policy.lease_class);
  }
  touch(candidate.pool);
}

// Takes an open request out of its pool and its job.
Request Run::close_request(RequestSlot slot) {
  const Request request = requests_[slot];
  PoolState& pool = books_.pool(request.candidate->pool);
  if (request.waiting) {
    pool.queue.leave_as(waiting_kind(pool, *request.candidate, *request.leg), request.key);
    pool.waiting_area.add(-1, now());
    pool.waiting_gpus -= request.candidate->gpus;
    pool.waited_ms += (now() - request.entered).count();
  } else {
    pool.at_once[static_cast<std::size_t>(request.leg->policy.lease_class)][request.place] = kNoRequest;
  }
  RequestSlot* link = &jobs_[request.job].first_request;
  while (*link != slot) link = &requests_[*link].next_of_job;
  *link = request.next_of_job;
  agenda_.cancel(request.kept_until);
  if (request.gate != kNoGate) --gates_[request.gate].open;
  requests_[slot].job = kNoJob;
  requests_.remove(slot);
  recorder_.closed(request, jobs_[request.job]);
  return request;
}

void Run::withdraw(RequestSlot slot) {
  const Request& request = requests_[slot];
  const PoolId pool = request.candidate->pool;
  ++books_.pool(pool).of_class(request.leg->policy.lease_class).withdrawn;
  ++books_.pool(pool).requests_ended;
  close_request(slot);
  touch(pool);  // a head that blocked its queue may be gone
}

// Its time is over.
void Run::expire(RequestSlot slot) {
  recorder_.expired(requests_[slot], jobs_[requests_[slot].job]);
  withdraw(slot);
}

void Run::expire_leg(JobSlot slot) {
  const std::uint8_t leg = jobs_[slot].leg;
  for (RequestSlot request = jobs_[slot].first_request; request != kNoRequest;) {
    const RequestSlot next = requests_[request].next_of_job;
    if (requests_[request].leg_number == leg) expire(request);
    request = next;
  }
}

// One place of an at-once leg has no room: the next place, else the retry rule.
void Run::refused(JobSlot slot) {
  JobState& job = jobs_[slot];
  const Policy& policy = job.strategy->legs[job.leg].policy;
  const std::size_t place = route_.place_after(job);
  if (place < route_.usable(job, job.leg).size()) {
    job.place = static_cast<std::uint16_t>(place);
    plan(slot, Step::next_place);
  } else if (job.strategy->deadline_rule) {
    bar_leg(slot);
  } else if (policy.retries == kUnlimited || spend(tries_of(job).retries[job.leg], policy.retries)) {
    attempt_at(slot, now() + policy.retry_interval);
  } else {
    exhaust(slot, policy.retries == 0 ? Exhaustion::stock_out : Exhaustion::retries_spent);
  }
}

void Run::patience_over(JobSlot slot) {
  const JobState& job = jobs_[slot];
  job.strategy->legs[job.leg].keep ? keep_leg(slot) : expire_leg(slot);
  exhaust(slot, Exhaustion::patience);
}

// The requests of the job's leg stay open, at the latest until the model's own maximum wait is over.
void Run::keep_leg(JobSlot slot) {
  const std::uint8_t leg = jobs_[slot].leg;
  for (RequestSlot r = jobs_[slot].first_request; r != kNoRequest;) {
    Request& request = requests_[r];
    const RequestSlot kept = std::exchange(r, request.next_of_job);
    const SimTime end = later(request.entered, request.leg->policy.max_wait);
    if (request.leg_number != leg || end == kNever) continue;
    if (end <= now()) {
      expire(kept);
      continue;
    }
    agenda_.cancel(request.kept_until);
    request.kept_until = agenda_.at(end, Phase::timers, Event::of(EventKind::kept_over, kept));
  }
}

void Run::kept_over(RequestSlot request) {
  const JobSlot slot = requests_[request].job;
  const std::uint8_t leg = requests_[request].leg_number;
  expire(request);
  const JobState& job = jobs_[slot];
  if (job.first_request != kNoRequest) return;
  if (job.stage == Stage::past_legs) return end_of_legs(slot, Exhaustion::patience);
  if (job.stage == Stage::queueing && job.leg == leg) exhaust(slot, Exhaustion::patience);
}

void Run::own_wait_over(JobSlot slot) {
  while (jobs_[slot].first_request != kNoRequest) expire(jobs_[slot].first_request);
  end_of_legs(slot, Exhaustion::patience);
}

// The job passes on to its next leg in the next round.
void Run::exhaust(JobSlot slot, Exhaustion why) {
  JobState& job = jobs_[slot];
  ++job.stay;
  job.stage = Stage::moving;
  if (route_.leg_after(job) == job.strategy->legs.size()) return end_of_legs(slot, why);
  plan(slot, why == Exhaustion::restarts_spent ? Step::next_leg_anew : Step::next_leg);
}

// No leg is left. Kept requests of earlier legs go on waiting; without any, the job is done for.
void Run::end_of_legs(JobSlot slot, Exhaustion why) {
  if (jobs_[slot].first_request != kNoRequest) {
    jobs_[slot].stage = Stage::past_legs;
    return;
  }
  if (!resubmit(slot)) finish(slot, final_state(why));
}

void Run::attempt_at(JobSlot slot, SimTime at) {
  if (at == now()) return plan(slot, Step::attempt);
  jobs_[slot].next_attempt = agenda_.at(at, Phase::timers, Event::of(EventKind::attempt, slot));
}

void Run::do_step(const Due& due) {
  const JobState& job = jobs_[due.job];
  switch (due.step) {
    case Step::join:
      return release_job(due.job);
    case Step::own_wait_over:
      return job.ever_granted ? void() : own_wait_over(due.job);
    case Step::attempt:
      if (job.stay != due.stay) return;
      return job.strategy->deadline_rule ? decide(due.job) : begin_attempt(due.job);
    case Step::tick:
      set_tick(due.job);
      return decide(due.job);
    case Step::gather:
      return gather_step(due.job);
    case Step::patience_over:
      return job.stay == due.stay ? patience_over(due.job) : void();
    case Step::next_leg:
    case Step::next_leg_anew:
      if (job.stay != due.stay) return;
      if (due.step == Step::next_leg_anew) ++jobs_[due.job].attempt;
      return enter_leg(due.job, route_.leg_after(job));
    case Step::next_place:
      return job.stay == due.stay ? ask_place(due.job) : void();
  }
}

}  // namespace stockout

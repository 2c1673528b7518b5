#include "models/simulation/lives/requests.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace stockout {
namespace {

// Requests of one kind fit a pool or do not fit it alike.
std::uint64_t waiting_kind(const PoolState& pool, const Candidate& candidate, const Leg& leg) {
  if (pool.hosts != nullptr) return pool.hosts->kind_of(candidate.footprint(leg.compact));
  return static_cast<std::uint64_t>(candidate.gpus.count());
}

}  // namespace

void Requests::open(JobSlot slot, const Candidate& candidate, bool waits) {
  JobState& job = tables_.jobs[slot];
  const Leg& leg = job.route.strategy->legs[job.asks.leg];
  const RequestSlot request = tables_.requests.add({.job = slot,
                                                    .next_of_job = job.asks.first_request,
                                                    .candidate = &candidate,
                                                    .leg = &leg,
                                                    .leg_number = job.asks.leg,
                                                    .waiting = waits,
                                                    .entered = now()});
  Request& opened = tables_.requests[request];
  job.asks.first_request = request;
  PoolState& pool = books_.pool(candidate.pool);
  ++pool.of_class(leg.policy.lease_class).requests;
  if (waits) {
    opened.key = pool.queue.enter_as(waiting_kind(pool, candidate, leg), static_cast<std::uint32_t>(request),
                                     candidate.gpus, now(), time_at(candidate.rate_ppm, job.job.estimate),
                                     pool.priority_of(job.job.job_class));
    pool.count_waiting(candidate.gpus, now());
  } else {
    opened.place = pool.at_once.add(leg.policy.lease_class, request);
  }
  recorder_.requests().opened(opened, job);
  orchestration_.opened(opened, job);
  touched_.touch(candidate.pool, now());
}

Request Requests::close(RequestSlot slot) {
  const Request request = tables_.requests[slot];
  PoolState& pool = books_.pool(request.candidate->pool);
  if (request.waiting) {
    pool.queue.leave_as(waiting_kind(pool, *request.candidate, *request.leg), request.key);
    pool.count_left(request.candidate->gpus, request.entered, now());
  } else {
    pool.at_once.leave_gap(request.leg->policy.lease_class, request.place);
  }
  JobState& job = tables_.jobs[request.job];
  RequestSlot* link = &job.asks.first_request;
  while (*link != slot) link = &tables_.requests[*link].next_of_job;
  *link = request.next_of_job;
  agenda_.cancel(request.kept_until);
  tables_.requests[slot].job = kNoJob;
  tables_.requests.remove(slot);
  recorder_.requests().closed(request, job);
  orchestration_.closed(request, job);
  return request;
}

void Requests::withdraw(RequestSlot slot) {
  const Request& request = tables_.requests[slot];
  const PoolId pool = request.candidate->pool;
  ++books_.pool(pool).of_class(request.leg->policy.lease_class).withdrawn;
  ++books_.pool(pool).counts.requests_ended;
  close(slot);
  touched_.touch(pool, now());  // a head that blocked its queue may be gone
}

void Requests::withdraw_all(JobSlot slot) {
  while (tables_.jobs[slot].asks.first_request != kNoRequest) withdraw(tables_.jobs[slot].asks.first_request);
}

void Requests::expire(RequestSlot slot) {
  recorder_.log().request(tables_.requests[slot], tables_.jobs[tables_.requests[slot].job],
                          PoolChange::What::expired, 1);
  withdraw(slot);
}

void Requests::expire_all(JobSlot slot) {
  while (tables_.jobs[slot].asks.first_request != kNoRequest) expire(tables_.jobs[slot].asks.first_request);
}

void Requests::expire_leg(JobSlot slot, std::uint8_t leg) {
  for (RequestSlot request = tables_.jobs[slot].asks.first_request; request != kNoRequest;) {
    const RequestSlot next = tables_.requests[request].next_of_job;
    if (tables_.requests[request].leg_number == leg) expire(request);
    request = next;
  }
}

void Requests::keep_leg(JobSlot slot, std::uint8_t leg) {
  for (RequestSlot r = tables_.jobs[slot].asks.first_request; r != kNoRequest;) {
    Request& request = tables_.requests[r];
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

void Requests::withdraw_losers(const Request& granted) {
  for (RequestSlot slot = tables_.jobs[granted.job].asks.first_request; slot != kNoRequest;) {
    const RequestSlot next = tables_.requests[slot].next_of_job;
    if (granted.leg->race == Race::first_boot && tables_.requests[slot].leg_number == granted.leg_number) {
      agenda_.cancel(tables_.requests[slot].kept_until);
    } else {
      lose(slot);
    }
    slot = next;
  }
}

void Requests::lose_all(JobSlot slot) {
  while (tables_.jobs[slot].asks.first_request != kNoRequest) lose(tables_.jobs[slot].asks.first_request);
}

void Requests::lose(RequestSlot slot) {
  const Request& request = tables_.requests[slot];
  const Candidate& candidate = *request.candidate;
  if (tables_.jobs[request.job].record != kNotRecorded)
    add_checked(books_.pool(candidate.pool).totals.phantom_waiting,
                candidate.gpus * (now() - request.entered));
  withdraw(slot);
}

void Requests::empty_queue(PoolId pool) {
  std::vector<std::pair<std::uint64_t, RequestSlot>> waiting;
  tables_.requests.visit_slots([&](RequestSlot slot) {
    const Request& request = tables_.requests[slot];
    if (request.job == kNoJob || !request.waiting || request.candidate->pool != pool) return;
    waiting.emplace_back(request.key.order, slot);
  });
  std::ranges::sort(waiting);
  for (const auto& [_, slot] : waiting) {
    const Request& request = tables_.requests[slot];
    outcomes_.add({.kind = Outcome::Kind::lost,
                   .leg = request.leg_number,
                   .job = request.job,
                   .generation = tables_.jobs[request.job].generation});
    withdraw(slot);
  }
}

bool Requests::has_of_leg(const JobState& job, const Leg& leg) const {
  for (RequestSlot r = job.asks.first_request; r != kNoRequest; r = tables_.requests[r].next_of_job) {
    if (tables_.requests[r].leg == &leg) return true;
  }
  return false;
}

}  // namespace stockout

#include <algorithm>
#include <tuple>
#include <utility>

#include "tests/support/reference/run.h"

namespace stockout::reference {
namespace {

/// The greatest whole number not above `ppm` millionths of `of`, for the small numbers of test worlds.
std::int64_t millionths(std::int64_t ppm, std::int64_t of) {
  constexpr std::int64_t kMillion = 1'000'000;
  std::int64_t whole = of * ppm / kMillion;
  while (whole * kMillion > of * ppm) --whole;
  return whole;
}

}  // namespace

void Run::close(Request& request, Fate fate) {
  request.open = false;
  if (request.job != kNone) gates_changed_ = true;
  request.fate = fate;
  request.closed = now_;
}

Request Run::request_for(std::size_t j, std::size_t leg, const Candidate& candidate) const {
  const Policy& policy = leg_of(jobs_[j], leg).policy;
  return {.job = j,
          .leg = leg,
          .pool = index(candidate.pool),
          .lease_class = policy.lease_class,
          .queues = policy.held || policy.admission == Admission::queue,
          .candidate = candidate,
          .entered = now_};
}

void Run::make_request(std::size_t j, const Candidate& candidate) {
  const Leg& leg = leg_of(jobs_[j], jobs_[j].leg);
  Request request = request_for(j, jobs_[j].leg, candidate);
  if (leg.keep && request.queues && leg.policy.max_wait != kForever) {
    request.life = from_now(leg.policy.max_wait);
  }
  requests_.push_back(request);
  touch(request.pool);
}

void Run::withdraw_all(std::size_t job) {
  for (Request& request : requests_) {
    if (!request.open || request.job != job) continue;
    close(request, Fate::withdrawn);
    touch(request.pool);
  }
}

/// Another request of the job is granted, or one of its leases has won: all are withdrawn but those of a leg.
void Run::withdraw_siblings(std::size_t job, std::size_t except_leg) {
  for (Request& request : requests_) {
    if (!request.open || request.job != job || request.leg == except_leg) continue;
    close(request, Fate::withdrawn);
    request.lost_to_sibling = true;
    touch(request.pool);
  }
}

void Run::refuse(Request& request) {
  request.misfit = has_hosts(request.pool) && request.candidate.gpus.count() <= room_for(request);
  if (request.misfit) note("hosts: refused for want of hosts");
  close(request, Fate::refused);
}

/// Something changed in the pool: it is to be dispatched.
void Run::touch(std::size_t p) {
  const bool after_dispatch =
      world_.ties == Ties::starts_first && (phase_ == Phase::releases || phase_ == Phase::capacity);
  if (after_dispatch) {
    pools_[p].touched_later.push_back(now_ + std::max(world_.grid, SimDuration{1}));
  } else {
    pools_[p].touched = true;
  }
}

/// GPUs of a held pool that no lease has; negative while a lease works out its notice on a broken machine.
std::int64_t Run::room_in_held(std::size_t p) const {
  std::int64_t room = capacity_of(p, kNone);
  for (const Lease& lease : leases_) {
    if (lease.open && lease.pool == p) room -= lease.candidate.gpus.count();
  }
  return room;
}

/// GPUs that bookings keep from everybody else while they gather.
std::int64_t Run::gathered_for(std::size_t p, std::size_t source) const {
  std::int64_t gpus = 0;
  for (const Request& request : requests_) {
    const bool here = request.open && request.gathers && request.pool == p;
    if (here && source_of(p, request.lease_class) == source) gpus += request.candidate.gpus.count();
  }
  return gpus;
}

/// GPUs that are kept from an at-once request because they gather for the head of the queue.
std::int64_t Run::kept_for_head(const Request& at_once) const {
  const std::size_t p = at_once.pool;
  if (!world_.pools[p].hold_for_head || at_once.lease_class == LeaseClass::reserved) return 0;
  if (source_of(p, at_once.lease_class) != source_of(p, LeaseClass::flex)) return 0;
  const std::vector<std::size_t> waiting = waiting_in_order(p);
  return waiting.empty() ? 0 : requests_[waiting.front()].candidate.gpus.count();
}

/// GPUs that the request may have, those of spot leases too if it is stronger.
std::int64_t Run::room_for(const Request& request) const {
  const std::size_t p = request.pool;
  if (is_held(p)) return pools_[p].exists && !is_over(p) ? room_in_held(p) : 0;
  const std::size_t source = source_of(p, request.lease_class);
  if (source == kNone) return kNoLimit;
  const bool is_spot = request.lease_class == LeaseClass::spot;
  const std::int64_t gathered = request.gathers ? 0 : gathered_for(p, source);
  const std::int64_t for_head = request.job != kNone && !request.queues ? kept_for_head(request) : 0;
  return capacity_of(p, source) - staying(p, source, is_spot) - gathered - for_head;
}

bool Run::fits(const Request& request) const {
  if (is_partial(request)) return machines_within_room(request) >= fewest_at_once(request);
  if (request.candidate.gpus.count() > room_for(request)) return false;
  return !has_hosts(request.pool) || finds_hosts(request);
}

void Run::dispatch_zone_pool(std::size_t p) {
  const bool queue_first = world_.pools[p].flex_before_on_demand;
  serve_gathering(p);
  serve_held_creations(p);
  serve_lots(p, LeaseClass::reserved);
  serve_at_once(p, LeaseClass::reserved);
  if (queue_first) dispatch_queue(p);
  serve_lots(p, LeaseClass::on_demand);
  serve_at_once(p, LeaseClass::on_demand);
  if (!queue_first) dispatch_queue(p);
  serve_lots(p, LeaseClass::flex);
  serve_at_once(p, LeaseClass::flex);
  serve_lots(p, LeaseClass::spot);
  serve_at_once(p, LeaseClass::spot);
}

/// At-once requests of one class, in the order in which they were made: granted or refused, one by one.
void Run::serve_at_once(std::size_t p, LeaseClass lease_class) {
  for (std::size_t i = 0; i < requests_.size(); ++i) {
    const Request& request = requests_[i];
    if (!request.open || request.pool != p || request.queues || request.job == kNone) continue;
    if (request.lease_class != lease_class) continue;
    if (fits(request)) {
      grant(i);
      continue;
    }
    if (kept_for_head(request) > 0) note("room gathers for the head of the queue");
    refuse(requests_[i]);
    refused_at_place(requests_[i].job);
  }
}

/// Waiting requests in the order of the pool's discipline; requests_ itself is in the order in which they
/// were made.
std::vector<std::size_t> Run::waiting_in_order(std::size_t p) const {
  std::vector<std::size_t> waiting;
  for (std::size_t i = 0; i < requests_.size(); ++i) {
    if (requests_[i].open && requests_[i].pool == p && requests_[i].queues) waiting.push_back(i);
  }
  const Pool& pool = world_.pool(pool_id(p));
  const auto rank = [&](std::size_t i) -> std::int64_t {
    const Request& request = requests_[i];
    const std::int64_t estimate =
        time_at(request.candidate.rate_ppm, jobs_[request.job].job.estimate).count();
    switch (pool.discipline) {
      case Discipline::fifo:
      case Discipline::first_fit:
        return 0;
      case Discipline::shortest:
      case Discipline::shortest_first_fit:
        return estimate;
      case Discipline::smallest:
        return request.candidate.gpus.count();
      case Discipline::shortest_ageing:
        return estimate + millionths(pool.ageing_ppm, (request.entered - kStart).count());
    }
    return 0;
  };
  const auto key = [&](std::size_t i) { return std::tuple{rank(i), requests_[i].entered, i}; };
  std::sort(waiting.begin(), waiting.end(), [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
  return waiting;
}

/// For judging coverage: the request is granted before one that entered earlier.
void Run::note_overtaking(std::size_t p, std::size_t request) {
  for (const std::size_t other : waiting_in_order(p)) {
    if (other >= request || !fits(requests_[other])) continue;
    const Discipline discipline = world_.pool(pool_id(p)).discipline;
    if (discipline == Discipline::smallest) note("overtook by being smaller");
    if (discipline == Discipline::shortest_ageing) note("overtook by being shorter, with ageing");
  }
}

/// Grants one waiting request after the other, looking at everything anew after each.
void Run::dispatch_queue(std::size_t p) {
  const Discipline discipline = world_.pool(pool_id(p)).discipline;
  const bool for_head = !is_held(p) && world_.pools[p].hold_for_head;
  const bool strict = for_head || discipline == Discipline::fifo || discipline == Discipline::shortest;
  bool granted = true;
  while (granted) {
    granted = false;
    for (const std::size_t request : waiting_in_order(p)) {
      if (fits(requests_[request])) {
        note_overtaking(p, request);
        grant(request);
        granted = true;
        break;
      }
      if (strict) break;
    }
  }
}

void Run::grant(std::size_t r) {
  Request& request = requests_[r];
  if (is_partial(request)) {
    grant_partly(request);
    return;
  }
  const std::size_t p = request.pool;
  const std::size_t source = is_held(p) ? kNone : source_of(p, request.lease_class);
  close(request, Fate::granted);
  Lease lease{.held_pool = request.held_pool,
              .pool = p,
              .lease_class = request.lease_class,
              .candidate = request.candidate,
              .granted = now_};
  if (request.held_pool != kNone) lease.machine = pools_[request.held_pool].machines_granted++;
  if (request.job != kNone) job_is_granted(request, lease);
  if (has_hosts(p)) lease.hosts = make_way(request);
  leases_.push_back(lease);
  const std::size_t l = leases_.size() - 1;
  if (source != kNone && std::exchange(pools_[p].sources[source].was_over_full, false)) {
    note("over-full: granted again");
  }
  if (source != kNone && !has_hosts(p) && lease.lease_class != LeaseClass::spot) take_back_spot(p, source);
  const bool is_taken =
      has_hosts(p) ? hosts_are_taken(leases_[l]) : source != kNone && overhang(p, source) > 0;
  if (!is_taken) {
    begin_lease(l);
    return;
  }
  note(has_hosts(p) ? "hosts: delayed lease" : "delayed lease");
  if (lease.held_pool != kNone) note("delayed machines of a held pool");
  leases_[l].delayed = true;
  leases_[l].joined = orders_++;
}

/// All other requests of the job are withdrawn, but for those that race with this one.
void Run::job_is_granted(const Request& request, Lease& lease) {
  const std::size_t j = request.job;
  JobState& job = jobs_[j];
  const Leg& leg = leg_of(job, request.leg);
  if (has_open_request(j)) note("race won, others withdrawn");
  if (request.leg != job.leg) note("kept request granted");
  job.races = request.queues && leg.race == Race::first_boot;
  withdraw_siblings(j, job.races ? request.leg : kNone);
  for (Request& rival : requests_) {
    if (rival.open && rival.job == j) rival.life = Due{};
  }
  job.patience = job.own_wait = job.step_due = Due{};
  job.queues = job.past_last = false;
  leave_gate(j);
  job.leg = request.leg;
  if (job.first_grant == kNever) job.first_grant = now_;
  lease.job = j;
  lease.leg = request.leg;
  lease.attempt = job.attempt;
  lease.draws = draws_of(request);
  lease.rate = request.candidate.rate_ppm;
  lease.notice = leg.policy.notice;
}

}  // namespace stockout::reference

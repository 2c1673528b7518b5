#include <algorithm>
#include <tuple>
#include <utility>

#include "tests/support/reference/run.h"
#include "tests/support/reference/work.h"

// Section 5: requests, and the queues in which they wait.
namespace stockout::reference {

Request Run::request_for(JobState& job, std::size_t leg, const Candidate& candidate) const {
  Request request;
  request.job = &job;
  request.leg = leg;
  request.pool = index(candidate.pool);
  request.lease_class = leg_of(request).policy.lease_class;
  request.candidate = candidate;
  request.entered = now_;
  return request;
}

/// R13.3, R13.9.
void Run::make_request(JobState& job, const Candidate& candidate) {
  Request& request = requests_.emplace_back(request_for(job, job.leg, candidate));
  const Leg& leg = leg_of(request);
  if (leg.keep && request.queues() && leg.policy.max_wait != kForever) {
    request.life = from_now(leg.policy.max_wait);
  }
  touch(request.pool);
}

/// R6.2, R16.8.
void Run::refuse(Request& request) {
  const bool has_room = request.candidate.gpus.count() <= room_for(request);
  if (has_hosts(request.pool) && has_room) note("hosts: refused for want of hosts");
  request.close(has_hosts(request.pool) && has_room ? Fate::found_no_hosts : Fate::refused, now_);
}

/// R2.7: Closes all open requests of which `which` holds: those.
std::vector<Request*> Run::withdraw(Fate fate, const std::function<bool(const Request&)>& which) {
  std::vector<Request*> withdrawn;
  for (Request& request : requests_) {
    if (!request.open() || !which(request)) continue;
    request.close(fate, now_);
    touch(request.pool);
    withdrawn.push_back(&request);
  }
  return withdrawn;
}

/// In the leg; kNone: in any leg.
bool Run::has_open_request(const JobState& job, std::size_t leg) const {
  return std::ranges::any_of(requests_, [&](const Request& one) {
    return one.open() && one.job == &job && (leg == kNone || one.leg == leg);
  });
}

/// R5.1 to R5.4: Waiting requests in the order of the pool's discipline; requests_ itself is in the
/// order in which they were made.
std::vector<Request*> Run::waiting_in_order(std::size_t p) {
  std::vector<Request*> waiting;
  for (Request& request : requests_) {
    if (request.open() && request.pool == p && request.queues()) waiting.push_back(&request);
  }
  const Pool& pool = pool_of(p);
  const std::int64_t ageing = pool.discipline == Discipline::shortest_ageing ? pool.ageing_ppm : 0;
  const auto rank = [&](const Request* request) -> std::int64_t {
    if (pool.discipline == Discipline::smallest) return request->candidate.gpus.count();
    if (pool.discipline == Discipline::fifo || pool.discipline == Discipline::first_fit) return 0;
    const SimDuration estimate = time_at(request->candidate.rate_ppm, request->job->job.estimate);
    return estimate.count() + floor_of((request->entered - kStart).count() * ageing, 1'000'000);
  };
  const auto priority = [&](const Request* request) {
    return is_held(p) ? request->job->job_class->priority : 0;
  };
  std::ranges::stable_sort(waiting, {}, [&](const Request* one) {
    return std::tuple{-priority(one), rank(one), one->entered};
  });
  if (waiting.size() > 1 && priority(waiting.front()) > priority(waiting.back())) note("waits by priority");
  return waiting;
}

}  // namespace stockout::reference

#include <algorithm>
#include <utility>

#include "tests/support/reference/run.h"

// Section 6: who is granted in the dispatch of a pool, in which order.
namespace stockout::reference {

/// R6.1, R6.3.
void Run::dispatch_zone_pool(std::size_t p) {
  serve_held_pools(p, /*bookings=*/true);
  serve_held_pools(p, /*bookings=*/false);
  serve_at_once(p, LeaseClass::reserved);
  if (pool_of(p).flex_before_on_demand) serve_queue(p);
  serve_at_once(p, LeaseClass::on_demand);
  if (!pool_of(p).flex_before_on_demand) serve_queue(p);
  serve_at_once(p, LeaseClass::flex);
  serve_at_once(p, LeaseClass::spot);
}

/// R6.2, R10.6: Batches of leases that gather, then at-once requests, of one class: granted or refused, one
/// by one.
void Run::serve_at_once(std::size_t p, LeaseClass lease_class) {
  serve_batches(p, lease_class);
  for (Request& request : requests_) {
    if (!request.open() || request.pool != p || request.job == nullptr || request.queues()) continue;
    if (request.lease_class != lease_class) continue;
    if (may_spread(request) ? grant_spread(request) : fits(request)) {
      if (request.open()) grant(request);
      continue;
    }
    if (kept_for_head(request) > 0) note("room gathers for the head of the queue");
    refuse(request);
    refused_at_place(*request.job);
  }
}

/// R5.1, R5.5: Grants one waiting request after the other, looking at everything anew after each.
void Run::serve_queue(std::size_t p) {
  const Discipline discipline = pool_of(p).discipline;
  const bool for_head = !is_held(p) && pool_of(p).hold_for_head;
  const bool strict = for_head || discipline == Discipline::fifo || discipline == Discipline::shortest;
  bool granted = true;
  while (granted) {
    granted = false;
    for (Request* request : waiting_in_order(p)) {
      if (fits(*request)) {
        note_overtaking(*request);
        may_start(*request) ? grant(*request) : turn_away(*request);
        granted = true;
        break;
      }
      if (strict) break;
    }
  }
}

/// For judging coverage: the request is granted before one that entered earlier.
void Run::note_overtaking(const Request& request) {
  const Discipline discipline = pool_of(request.pool).discipline;
  for (const Request& other : requests_) {
    if (&other == &request) return;
    if (!other.open() || other.pool != request.pool || !other.queues() || !fits(other)) continue;
    if (discipline == Discipline::smallest) note("overtook by being smaller");
    if (discipline == Discipline::shortest_ageing) note("overtook by being shorter, with ageing");
  }
}

/// R6.4, R10.3: A lease begins, with as many machines as it is granted.
void Run::grant(Request& request) {
  const std::int64_t all = request.candidate.machines();
  const std::int64_t machines = is_partial(request) ? machines_within_room(request) : all;
  request.close(Fate::granted, now_);
  Lease& lease = leases_.emplace_back();
  static_cast<Asked&>(lease) = request;
  lease.granted = now_;
  if (lease.job != nullptr) job_is_granted(request, lease);
  if (machines < all) note("partial: granted with fewer");
  lease.gathers = machines < all && leg_of(lease).partial->gather > SimDuration::zero();
  lease.gathers_since = now_;
  if (lease.gathers) set_next_batch(lease);
  add_batch(lease, machines);
}

/// R6.7, R11.1, R11.2: All other requests of the job are withdrawn, but for those that race with this
/// one.
void Run::job_is_granted(const Request& request, Lease& lease) {
  JobState& job = *request.job;
  if (has_open_request(job)) note("race won, others withdrawn");
  if (request.leg != job.leg) note("kept request granted");
  job.races = request.queues() && leg_of(request).race == Race::first_boot;
  withdraw(Fate::lost,
           [&](const Request& one) { return one.job == &job && !(job.races && one.leg == request.leg); });
  for (Request& rival : requests_) {
    if (rival.open() && rival.job == &job) rival.life = Due{};
  }
  job.patience = job.own_wait = job.step.due = Due{};
  job.queues = job.past_last = false;
  leave_line(job);
  end_quota_wait(job);
  job.was_granted = true;
  kueue_grants(job);
  job.had_lease_of_slurm = true;
  job.leg = request.leg;
  lease.attempt = job.attempt;
  lease.draws = draws_of(request);
  lease.notice = leg_of(request).policy.notice;
}

/// R6.5, R4.8, R4.27, R10.6, R10.7: Machines are granted to the lease: all that it asks for, or for a
/// partial one some.
void Run::add_batch(Lease& lease, std::int64_t machines) {
  const std::vector<std::size_t> hosts = has_hosts(lease.pool) ? make_way(lease) : std::vector<std::size_t>{};
  const std::size_t k = lease.batches.size();
  lease.batches.push_back({.granted = now_});
  for (const Part& part : lease.candidate.parts) {
    for (std::int32_t i = 0; i < part.machines && machines > 0; ++i, --machines) {
      const std::size_t host = hosts.empty() ? kNone : hosts[lease.machines.size()];
      lease.machines.push_back({.batch = k, .part = part, .host = host, .waits = lease.up != kNever});
    }
  }
  const std::size_t source = source_of(lease.pool, lease.lease_class);
  if (source != kNone && std::exchange(pools_[lease.pool].sources[source].was_over_full, false)) {
    note("over-full: granted again");
  }
  if (source != kNone && lease.lease_class != LeaseClass::spot) reclaim_spot(lease.pool, source);
  if (machines_of(lease) == lease.candidate.machines()) {
    if (lease.gathers) note("partial: gathered all");
    stop_asking(lease);
  }
  if (!lease.gathers) lease.completed = now_;
  const bool is_taken =
      has_hosts(lease.pool) ? hosts_are_taken(lease) : source != kNone && overhang(lease.pool, source) > 0;
  if (!is_taken) return begin_batch(lease, k);
  note(has_hosts(lease.pool) ? "hosts: delayed lease" : "delayed lease");
  if (is_partial(lease)) note("partial: delayed batch");
  if (lease.job == nullptr) note("delayed machines of a held pool");
  lease.batches[k].delayed = orders_++;
}

}  // namespace stockout::reference

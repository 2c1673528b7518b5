// Dispatch: all grants and refusals happen here.

#include <algorithm>

#include "models/simulation/reclaim.h"
#include "models/simulation/run.h"
#include "models/workload/synthesis.h"

namespace stockout {

void Run::dispatch(PoolId id) {
  PoolState& pool = books_.pool(id);
  if (!pool.gathering.empty()) serve_bookings(pool);
  if (!pool.to_create.empty()) create_wanted(pool);
  decide_at_once(pool, LeaseClass::reserved);
  if (pool.spec->flex_before_on_demand) serve_queue(pool);
  decide_at_once(pool, LeaseClass::on_demand);
  if (!pool.spec->flex_before_on_demand) serve_queue(pool);
  decide_at_once(pool, LeaseClass::flex);
  decide_at_once(pool, LeaseClass::spot);
  if (pool.held != nullptr && pool.held->scaling) mind_elastic(id);
  books_.check_capacity(pool);
}

void Run::create_wanted(PoolState& landlord) {
  std::vector<PoolId> wanted;
  wanted.swap(landlord.to_create);
  std::ranges::sort(wanted);
  for (const PoolId held : wanted) create_held(held);
}

inline void Run::decide_at_once(PoolState& pool, LeaseClass lease_class) {
  if ((pool.deciding & PoolState::bit_of(lease_class)) == 0) return;
  pool.deciding = static_cast<std::uint8_t>(pool.deciding & ~PoolState::bit_of(lease_class));
  if (!pool.growing[static_cast<std::size_t>(lease_class)].empty()) grow_leases(pool, lease_class);
  auto& requests = pool.at_once[static_cast<std::size_t>(lease_class)];
  if (!requests.empty()) grant_or_refuse(pool, lease_class, requests);
}

// At-once requests of a class, in the order in which they were made: granted or refused, one by one. Those
// that were withdrawn meanwhile have left a gap.
void Run::grant_or_refuse(PoolState& pool, LeaseClass lease_class, std::vector<RequestSlot>& requests) {
  for (const RequestSlot request : requests) {
    if (request == kNoRequest) continue;
    const Request& asked = requests_[request];
    const GpuCount gpus = granted_gpus(asked, room_at_once(pool, lease_class));
    gpus > GpuCount{0} && has_hosts(*asked.candidate, *asked.leg) ? grant(request, gpus) : refuse(request);
  }
  requests.clear();
}

void Run::refuse(RequestSlot slot) {
  const Request& request = requests_[slot];
  const JobSlot job = request.job;
  const LeaseClass lease_class = request.leg->policy.lease_class;
  PoolState& pool = books_.pool(request.candidate->pool);
  count_refusal(pool, lease_class, request.candidate->gpus <= room_at_once(pool, lease_class));
  ++pool.requests_ended;
  const SourceState* source = pool.source(lease_class);
  if (source != nullptr && source->is_censored()) ++pool.totals.censored_grants;
  recorder_.refused(request, jobs_[job]);
  close_request(slot);
  refused(job);
}

void Run::serve_queue(PoolState& pool) {
  if (pool.held != nullptr && now() >= pool.held->until) return;
  if (pool.hosts) return serve_queue_on_hosts(pool);
  const LeaseClass lease_class = pool.held != nullptr ? LeaseClass::reserved : LeaseClass::flex;
  if (pool.spec->hold_for_head) return serve_head(pool, lease_class);
  for (RequestSlot next = first_waiting(pool, pool.room(lease_class)); next != kNoRequest;
       next = first_waiting(pool, pool.room(lease_class))) {
    grant(next, requests_[next].candidate->gpus);
  }
}

// Where free room gathers for the head of the queue, nobody else is granted.
void Run::serve_head(PoolState& pool, LeaseClass lease_class) {
  for (auto head = head_of_queue(pool); head != kNoRequest; head = head_of_queue(pool)) {
    const GpuCount gpus = requests_[head].candidate->gpus;
    if (gpus > pool.room(lease_class)) return;
    grant(head, gpus);
  }
}

// Room for a request that is granted or refused at once: less by what gathers for the head of the queue.
GpuCount Run::room_at_once(const PoolState& pool, LeaseClass lease_class) const {
  const GpuCount room = pool.room(lease_class);
  if (!pool.spec->hold_for_head || lease_class == LeaseClass::reserved) return room;
  const bool shares =
      pool.source(lease_class) != nullptr && pool.source(lease_class) == pool.source(LeaseClass::flex);
  const RequestSlot head = shares ? head_of_queue(pool) : kNoRequest;
  return head != kNoRequest ? room - requests_[head].candidate->gpus : room;
}

void Run::grant(RequestSlot slot, GpuCount gpus) {
  agenda_.note_progress();
  const Request request = close_request(slot);
  ++books_.pool(request.candidate->pool).requests_ended;
  JobState& job = jobs_[request.job];
  if (job.first_request != kNoRequest) withdraw_losers(request);
  if (!job.ever_granted) {
    job.ever_granted = true;
    job.first_grant = now();
    agenda_.cancel(job.expiry);
  }
  agenda_.cancel(job.next_attempt);
  ++job.stay;
  job.leg = request.leg_number;
  job.stage = Stage::queueing;  // where rivals go on waiting
  const LeaseClass lease_class = request.leg->policy.lease_class;
  const PoolId id = request.candidate->pool;
  std::span<const HostShare> hosts;
  if (PoolState& pool = books_.pool(id); pool.hosts != nullptr) {
    hosts = find_hosts(pool, lease_class, request.candidate->footprint(request.leg->compact));
  }
  if (job.lease == kNoLease) {
    job.leased_since = now();
    recorder_.job_leases(job);
  }
  const LeaseSlot lease = books_.grant({.job = request.job,
                                        .pool = id,
                                        .lease_class = lease_class,
                                        .tenant = job.record == kNotRecorded,
                                        .attempt = draw_key(request),
                                        .next_of_job = job.lease,
                                        .candidate = request.candidate,
                                        .leg = request.leg,
                                        .gpus = gpus,
                                        .granted = now(),
                                        .up = kNever,
                                        .working = kNever,
                                        .ends = kNever},
                                       hosts);
  job.lease = lease;
  recorder_.granted(job, id);
  if (request.leg->partial) begin_partial(lease);
  settle_grant(books_.pool(id), lease_class);
  if (!books_.delay_if_taken(lease, gpus)) start_up(lease, gpus);
}

std::uint64_t Run::victim_rank(const PoolState& pool, const Lease& lease) {
  if (pool.spec->reclaim == ReclaimRule::smallest_loss) return loss_if_taken(lease);
  return draws_.victim_word(lease, jobs_[lease.job].job);
}

// Takes back spot leases until all that stay fit the source's capacity, or none is left.
void Run::make_room(const PoolState& pool, const SourceState& source) {
  const auto rank = [&](const Lease& lease) { return victim_rank(pool, lease); };
  const auto gift = [&](const Lease& lease, GpuCount need) { return gift_of(lease, need); };
  for (const Victim& victim : choose_victims(pool, source, books_.leases(), rank, gift)) {
    take_victim(victim);
  }
}

// After a grant: spot leases make room if it took more than was free.
void Run::settle_grant(const PoolState& pool, LeaseClass lease_class) {
  const SourceState* source = pool.source(lease_class);
  if (source != nullptr && source->is_over_full()) make_room(pool, *source);
}

}  // namespace stockout

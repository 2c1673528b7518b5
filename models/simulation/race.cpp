// Races: a job asks in several places; what goes when one of them has won.

#include "models/simulation/run.h"

namespace stockout {
namespace {

constexpr unsigned kAttemptBits = 24;

bool races_to_boot(const Leg& leg) { return leg.race == Race::first_boot; }

// GPU-time of requests is no part of any pool's area, which would be checked.
void add_to(GpuTime& total, GpuTime more) {
  std::int64_t sum = 0;
  STOCKOUT_CHECK(!__builtin_add_overflow(total.count(), more.count(), &sum), "GPU-time beyond 64 bits");
  total = GpuTime{sum};
}

}  // namespace

// What keys the draws of the lease that a request becomes: rivals of one attempt differ.
std::uint32_t Run::draw_key(const Request& request) const {
  const JobState& job = jobs_[request.job];
  if (!races_to_boot(*request.leg)) return job.attempt;
  const auto place = request.candidate - request.leg->candidates[index(job.job.shape)].data();
  return job.attempt + (static_cast<std::uint32_t>(place) << kAttemptBits);
}

// A request of the job was granted: the others go, but for rivals, which wait on without an end.
void Run::withdraw_losers(const Request& granted) {
  for (RequestSlot slot = jobs_[granted.job].first_request; slot != kNoRequest;) {
    const RequestSlot next = requests_[slot].next_of_job;
    if (races_to_boot(*granted.leg) && requests_[slot].leg_number == granted.leg_number) {
      agenda_.cancel(requests_[slot].kept_until);
    } else {
      lose_request(slot);
    }
    slot = next;
  }
}

void Run::lose_request(RequestSlot slot) {
  const Request& request = requests_[slot];
  const Candidate& candidate = *request.candidate;
  if (jobs_[request.job].record != kNotRecorded)
    add_to(books_.pool(candidate.pool).totals.phantom_waiting, candidate.gpus * (now() - request.entered));
  withdraw(slot);
}

// The lease knows when its work begins: then the race of its leg is won.
void Run::await_work(LeaseSlot slot) {
  Lease& lease = books_.leases()[slot];
  if (!races_to_boot(*lease.leg)) return;
  lease.begin_event = agenda_.at_end(lease.working, Event::of(EventKind::work_begins, slot));
}

void Run::work_begins(LeaseSlot slot) {
  const Lease& winner = books_.leases()[slot];
  if (winner.interrupted == Interruption::lost_race) return;
  const JobState& job = jobs_[winner.job];
  while (job.first_request != kNoRequest) lose_request(job.first_request);
  for (LeaseSlot rival = job.lease; rival != kNoLease; rival = books_.leases()[rival].next_of_job) {
    if (rival != slot) lose_race(rival);
  }
  if (winner.ends != now()) return;
  if (!winner.leaving) books_.leave(slot, now());
  unset_end(slot);  // after those that lost
  set_end(slot, now());
}

void Run::lose_race(LeaseSlot slot) {
  Lease& lease = books_.leases()[slot];
  if (!lease.leaving) books_.leave(slot, now());
  unset_end(slot);
  lease.interrupted = Interruption::lost_race;
  set_end(slot, now());
}

void Run::unset_end(LeaseSlot slot) {
  Lease& lease = books_.leases()[slot];
  agenda_.cancel(lease.end_event);
  if (lease.ends == now()) agenda_.unset_ending(slot);
}

// A lease has ended before any of the job's began to work, and others may yet.
bool Run::is_racing(const JobState& job) const {
  return job.lease != kNoLease || job.first_request != kNoRequest;
}

// A lease of the job is over. What it held counts once, however many leases it had at a time.
void Run::take_off(JobState& job, LeaseSlot slot) {
  const Lease& lease = books_.leases()[slot];
  LeaseSlot* link = &job.lease;
  while (*link != slot) link = &books_.leases()[*link].next_of_job;
  *link = lease.next_of_job;
  if (job.lease == kNoLease) {
    job.leased += now() - job.leased_since;
    recorder_.job_leases_no_more(job);
  }
  if (lease.interrupted == Interruption::lost_race && job.record != kNotRecorded)
    add_to(books_.pool(lease.pool).totals.phantom_leased, lease.gpus * (now() - lease.granted));
}

}  // namespace stockout

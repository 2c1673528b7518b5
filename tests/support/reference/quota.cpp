#include <algorithm>
#include <utility>

#include "tests/support/reference/run.h"

// Section 14: quotas of the planner.
namespace stockout::reference {
namespace {

/// R14.11, R14.12: Units of so many machines of a type.
std::int64_t units_of(const QuotaBucket& quota, std::size_t pool, LeaseClass lease_class, MachineId machine,
                      std::int64_t machines) {
  const std::vector<bool>& counted = quota.pools[static_cast<std::size_t>(lease_class)];
  return pool < counted.size() && counted[pool] ? machines * quota.units[index(machine)] : 0;
}

std::int64_t units_of(const QuotaBucket& quota, const Candidate& place, LeaseClass lease_class) {
  std::int64_t units = 0;
  for (const Part& part : place.parts) {
    units += units_of(quota, index(place.pool), lease_class, part.machine, part.machines);
  }
  return units;
}

LeaseClass class_of(const JobState& job) { return job.strategy->legs[job.leg].policy.lease_class; }

bool is_planners(const Asked& asked) { return asked.job != nullptr && asked.job->recorded; }

}  // namespace

/// R14.13: By all requests and leases that there are.
std::int64_t Run::quota_taken(const QuotaBucket& quota) const {
  std::int64_t taken = 0;
  for (const Request& request : requests_) {
    const bool takes = strategy_.quota.taken_at == QuotaTaken::request || !request.queues();
    if (request.open() && is_planners(request) && takes)
      taken += units_of(quota, request.candidate, request.lease_class);
  }
  for (const Lease& lease : leases_) {
    if (!lease.open() || !is_planners(lease)) continue;
    if (lease.completed == kNever) {
      taken += units_of(quota, lease.candidate, lease.lease_class);
      continue;
    }
    for (const Machine& machine : lease.machines) {
      if (machine.gone != kNever) continue;
      taken += units_of(quota, lease.pool, lease.lease_class, machine.part.machine, 1);
    }
  }
  return taken;
}

/// R14.11, R14.14: Less what is held.
std::int64_t Run::quota_limit(const QuotaBucket& quota, SimTime at) const {
  std::int64_t limit = 0;
  for (const QuotaStep& step : quota.steps) {
    if (step.at <= at) limit = step.limit;
  }
  for (const PoolId id : strategy_.held) {
    const HeldPool& held = world_.held_pool(id);
    if (held.booking || held.added_supply || at < held.from || at >= held.until) continue;
    const LeaseClass lease_class = held.scaling ? held.scaling->lease_class : LeaseClass::reserved;
    limit -= units_of(quota, index(held.landlord), lease_class, held.machine, held.machines.count());
  }
  return limit;
}

/// R3.2: Some time in the run, of each quota for itself.
bool Run::could_ever_have_quota(const Candidate& place, LeaseClass lease_class) const {
  std::vector<SimTime> instants{world_.begin};
  for (const PoolId id : strategy_.held) {
    for (const SimTime at : {world_.held_pool(id).from, world_.held_pool(id).until}) {
      if (at > world_.begin && at != kNever) instants.push_back(at);
    }
  }
  return std::ranges::all_of(world_.quotas, [&](const QuotaBucket& quota) {
    const std::int64_t units = units_of(quota, place, lease_class);
    const auto is_enough = [&](SimTime at) { return units <= quota_limit(quota, at); };
    if (units == 0 || std::ranges::any_of(instants, is_enough)) return true;
    return std::ranges::any_of(quota.steps, is_enough, &QuotaStep::at);
  });
}

/// R14.15.
bool Run::has_quota(const Candidate& place, LeaseClass lease_class) const {
  return std::ranges::all_of(world_.quotas, [&](const QuotaBucket& quota) {
    const std::int64_t units = units_of(quota, place, lease_class);
    return units == 0 || quota_taken(quota) + units <= quota_limit(quota, now_);
  });
}

/// R14.15: In any place of its leg.
bool Run::finds_quota(const JobState& job) const {
  const std::vector<Candidate> places = possible(job, job.leg);
  return std::ranges::any_of(places, [&](const Candidate& place) { return has_quota(place, class_of(job)); });
}

/// R14.16: Of which quotas it would take something in the leg, somewhere.
std::vector<bool> Run::quotas_wanted(const JobState& job, std::size_t leg) const {
  const LeaseClass lease_class = job.strategy->legs[leg].policy.lease_class;
  std::vector<bool> wanted;
  for (const QuotaBucket& quota : world_.quotas) {
    const std::vector<Candidate> places = possible(job, leg);
    wanted.push_back(std::ranges::any_of(
        places, [&](const Candidate& place) { return units_of(quota, place, lease_class) > 0; }));
  }
  return wanted;
}

/// R14.16: It stands in the line in which the job would stand in the leg.
bool Run::stands_in_line_of(const JobState& one, const JobState& job, std::size_t leg) const {
  return &one != &job && one.stands_for_quota && strategy_.quota.when_short == WhenShort::wait &&
         quotas_wanted(one, one.leg) == quotas_wanted(job, leg);
}

/// R14.15, R14.16.
bool Run::is_behind(const JobState& job) const {
  return std::ranges::any_of(jobs_, [&](const JobState& one) {
    return one.came_to_leg < job.came_to_leg && stands_in_line_of(one, job, job.leg);
  });
}

/// R13.28: In the place of an at-once leg, if it entered that leg now.
bool Run::could_ask_in(const JobState& job, std::size_t leg, const Candidate& place) const {
  if (!job.recorded) return true;
  const auto stands = [&](const JobState& one) { return stands_in_line_of(one, job, leg); };
  const Leg& asked = job.strategy->legs[leg];
  return has_quota(place, asked.policy.lease_class) && std::ranges::none_of(jobs_, stands) &&
         !backs_off(asked, place);
}

/// R14.14, R14.16: When a limit changes, or somebody was to ask again.
SimTime Run::next_quota_instant() const {
  SimTime next = kNever;
  const auto consider = [&](SimTime at) { next = at > now_ ? std::min(next, at) : next; };
  for (const QuotaBucket& quota : world_.quotas) {
    for (const QuotaStep& step : quota.steps) consider(step.at);
  }
  for (const SimTime at : quota_tries_) consider(at);
  for (const JobState& job : jobs_) next = std::min(next, job.quota_try.at);
  return next;
}

/// R14.15: The job has entered the leg.
void Run::ask_in_leg(JobState& job) {
  job.stands_for_set = is_in_set(job) && now_ < set_of(job).asks_from;
  if (job.stands_for_set) return note("set: stands until it may ask again");
  job.came_to_leg = orders_++;
  ask_for_quota(job);
}

/// R14.15: The job asks in the leg that it is in, if it has quota in some place.
void Run::ask_for_quota(JobState& job) {
  job.places = places_in_order(job, job.leg);
  job.place = 0;
  end_quota_wait(job);
  if (!job.recorded || world_.quotas.empty() || is_for_node_groups(job)) return ask_past_quota(job);
  if (!is_behind(job) && finds_quota(job)) return ask_past_quota(job);
  lack_quota(job);
}

void Run::ask_past_quota(JobState& job) {
  job.queues ? come_to_limit(job, possible(job, job.leg)) : ask_place(job);
}

/// R14.16.
void Run::lack_quota(JobState& job) {
  begin_quota_wait(job);
  const auto places = static_cast<std::uint32_t>(possible(job, job.leg).size());
  switch (strategy_.quota.when_short) {
    case WhenShort::wait:
      note("quota: waits in line");
      job.stands_for_quota = true;
      return;
    case WhenShort::back_off:
      note("quota: backs off");
      job.quota.refusals += places;
      job.stands_for_quota = true;
      job.quota_pause = strategy_.quota.back_off_first;
      return set_quota_try(job);
    case WhenShort::refuse:
      note("quota: refused");
      job.quota.refusals += places;
      job.queues = false;
      job.patience = Due{};
      job.step = {at_soonest(), [this, &job] { refused_everywhere(job); }};
  }
}

void Run::set_quota_try(JobState& job) {
  job.quota_try = from_now(job.quota_pause);
  quota_tries_.push_back(job.quota_try.at);
  job.quota_pause = std::min(2 * job.quota_pause, strategy_.quota.back_off_most);
}

/// R14.17, R14.31.
bool Run::may_ask_in(JobState& job, const Candidate& place) {
  if (!job.recorded) return true;
  if (backs_off(job.strategy->legs[job.leg], place)) {
    note("node groups: passed over a place");
    if (last_failure(job.strategy->legs[job.leg], place)->lacked_quota) begin_quota_wait(job);
    return false;
  }
  if (has_quota(place, class_of(job))) return true;
  note("quota: passed over a place");
  ++job.quota.refusals;
  if (is_for_node_groups(job)) {
    note("node groups: failed for want of quota");
    begin_quota_wait(job);
    fail_node_group(job, /*lacks_quota=*/true);
  }
  return false;
}

/// R14.15: In the leg that it is in, node groups back off for want of quota, and not the job.
bool Run::is_for_node_groups(const JobState& job) const {
  return job.strategy->legs[job.leg].node_group && strategy_.quota.when_short == WhenShort::back_off;
}

/// R13.3, R14.17: In all places of a queueing leg in which it may ask.
void Run::make_requests(JobState& job, const std::vector<Candidate>& places) {
  for (const Candidate& place : places) {
    if (may_ask_in(job, place)) make_request(job, place);
  }
  if (has_open_request(job, job.leg)) return;
  note("quota: asks anew");
  job.step = {at_soonest(), [this, &job] { ask_for_quota(job); }};
}

/// R14.18: Of a request in a queue, to be granted now.
bool Run::may_start(const Request& request) {
  const bool takes = is_planners(request) && strategy_.quota.taken_at == QuotaTaken::start;
  if (!takes || has_quota(request.candidate, request.lease_class)) return true;
  ++request.job->quota.refusals;
  return false;
}

/// R14.18: It has room, but no quota.
void Run::turn_away(Request& request) {
  note("quota: turned away at its start");
  JobState& job = *request.job;
  withdraw(Fate::withdrawn, [&](const Request& one) { return &one == &request; });
  if (lease_of(job) != nullptr) return;
  const bool in_leg = (job.queues || job.races) && job.leg == request.leg;
  if (in_leg && !has_open_request(job, request.leg)) {
    note("quota: asks anew after its start");
    job.queues = true;
    job.races = false;
    job.step = {at_soonest(), [this, &job] { ask_for_quota(job); }};
  } else if (job.past_last && !has_open_request(job)) {
    note("quota: turned away past its last leg");
    would_be_final(job, FinalState::expired);
  }
}

/// R14.20.
void Run::begin_quota_wait(JobState& job) {
  if (!job.was_granted && job.quota_since == kNever) job.quota_since = now_;
}

/// R14.20.
void Run::end_quota_wait(JobState& job) {
  if (job.quota_since == kNever) return;
  job.quota.wait += now_ - std::exchange(job.quota_since, kNever);
}

void Run::leave_quota_line(JobState& job) {
  if (!job.stands_for_quota) return;
  job.stands_for_quota = false;
  job.quota_try = Due{};
  end_quota_wait(job);
}

/// R14.19: In order of coming, those who stand for quota and of whom `which` holds.
std::vector<JobState*> Run::standing_for_quota(const std::function<bool(const JobState&)>& which) {
  std::vector<JobState*> standing;
  for (JobState& job : jobs_) {
    if (job.stands_for_quota && which(job)) standing.push_back(&job);
  }
  std::ranges::sort(standing, {}, &JobState::came_to_leg);
  return standing;
}

/// R14.19: With `wait`: the first in a line that finds quota, and of those the first.
JobState* Run::next_with_quota() {
  if (strategy_.quota.when_short != WhenShort::wait) return nullptr;
  const auto standing =
      standing_for_quota([&](const JobState& job) { return !is_behind(job) && finds_quota(job); });
  return standing.empty() ? nullptr : standing.front();
}

/// R14.19: Phase 3, after the steps.
void Run::look_at_quotas() {
  const bool at_start = strategy_.quota.taken_at == QuotaTaken::start;
  while (JobState* job = next_with_quota()) {
    found_quota(*job);
    if (at_start) return;
  }
  for (JobState* job : standing_for_quota([&](const JobState& one) { return is_due(one.quota_try); })) {
    if (finds_quota(*job)) {
      found_quota(*job);
      if (at_start) return;
      continue;
    }
    note("quota: refused again");
    job->quota.refusals += static_cast<std::uint32_t>(possible(*job, job->leg).size());
    set_quota_try(*job);
  }
}

void Run::found_quota(JobState& job) {
  note("quota: found later");
  leave_quota_line(job);
  ask_past_quota(job);
}

}  // namespace stockout::reference

// Leases from grant to release.

#include <algorithm>

#include "models/execution/work.h"
#include "models/simulation/run.h"
#include "models/workload/synthesis.h"

namespace stockout {
namespace {

// So that a job that is granted again and again still gets on in time.
constexpr SimDuration kShortestLife = std::chrono::seconds{1};

Checkpoints checkpoints_of(const World& world, const Job& job) {
  const JobClass& job_class = world.classes[index(job.job_class)];
  return {.every = job_class.checkpoint_every, .cost = job_class.checkpoint_cost};
}

SimDuration ran_until(const Lease& lease, SimTime now) {
  return lease.working == kNever ? SimDuration::zero() : std::min(now, lease.stops) - lease.working;
}

// What the end of a lease before its work is done leaves: all of it if a last checkpoint was written.
Progress progress_of(const Lease& lease, SimTime now, Checkpoints rule) {
  Progress progress = interrupted_after(ran_until(lease, now), rule);
  if (lease.saves) progress = {.kept = progress.kept + progress.lost, .lost = {}};
  return progress;
}

}  // namespace

SimDuration Run::draw_length(const Law& law, Purpose purpose, const JobState& job) {
  if (!law.is_random()) return law.constant();
  Draw draw = dice_.draw(purpose, entity_of(job.job.source, job.job.row), job.attempt);
  record_.drew = true;
  return law.sample(draw);
}

// The machines are free for it: they come up, the job is loaded, and its end is known.
void Run::start_up(std::uint32_t slot) {
  Lease& lease = books_.leases()[slot];
  const JobState& job = jobs_[lease.job];
  const Policy& policy = lease.leg->policy;
  const JobClass& job_class = world_.classes[index(job.job.job_class)];
  const bool reloads = job.work_left < job.job.work;
  lease.up = now_ + draw_length(policy.provisioning, Purpose::provisioning, job);
  lease.working = lease.up + draw_length(policy.start_up, Purpose::start_up, job) +
                  (reloads ? job_class.reload : SimDuration::zero());
  const SimTime done = lease.working + run_time(job.work_left, checkpoints_of(world_, job.job));
  const SimTime cut = later(lease.up, policy.run_max);
  lease.cut_off = cut < done;
  const Checkpoints rule = checkpoints_of(world_, job.job);
  if (lease.cut_off && policy.chains && rule.every > SimDuration::zero()) {
    lease.stops = std::max(lease.working, cut - rule.cost);
    lease.saves = true;
  }
  set_end(slot, std::min(done, cut));
  draw_lifetime(slot);
}

// The lease lives as long as the first of its machines to be taken.
void Run::draw_lifetime(std::uint32_t slot) {
  Lease& lease = books_.leases()[slot];
  if (world_.is_held(lease.pool)) return;
  const Law& law = lease.leg->policy.lifetime;
  SimDuration life = law.is_random() ? kForever : law.constant();
  if (law.is_random()) {
    record_.drew = true;
    const JobState& job = jobs_[lease.job];
    const auto machines = static_cast<std::uint64_t>(lease.candidate->machines());
    for (std::uint64_t i = 0; i < machines; ++i) {
      Draw draw = dice_.draw(Purpose::lifetime, entity_of(job.job.source, job.job.row),
                             std::uint64_t{job.attempt} << 32 | i);
      life = std::min(life, law.sample(draw));
    }
  }
  if (life == kForever) return;
  life = std::max(life, kShortestLife);
  lease.life_event = events_.schedule(lease.up + life, phases_.lifetimes,
                                      {.kind = EventKind::life_over, .subject = slot, .detail = 0});
}

void Run::set_end(std::uint32_t slot, SimTime at) {
  Lease& lease = books_.leases()[slot];
  lease.ends = at;
  if (at == now_) {
    ending_.push_back(slot);
  } else {
    lease.end_event =
        events_.schedule(at, phases_.releases, {.kind = EventKind::lease_ends, .subject = slot, .detail = 0});
  }
}

// Machines have gone or come: granted leases that waited for them start up, in order of grant.
void Run::start_ready(SourceState& source) {
  for (std::uint32_t slot = books_.next_ready(source); slot != kNoSlot; slot = books_.next_ready(source)) {
    if (books_.leases()[slot].job != kNoSlot) {
      start_up(slot);
    } else {
      const auto held = std::ranges::find(held_leases_, slot);
      STOCKOUT_CHECK(held != held_leases_.end());
      const auto number = static_cast<std::size_t>(held - held_leases_.begin());
      open_held(PoolId{static_cast<std::uint16_t>(world_.pools.size() + number)});
    }
  }
}

// Notice: the lease goes on, at the latest until the notice is over.
void Run::take_back(std::uint32_t slot) {
  books_.leave(slot);
  Lease& lease = books_.leases()[slot];
  const JobState& job = jobs_[lease.job];
  const bool saves = saves_in_notice(lease);
  const SimDuration notice = saves ? checkpoints_of(world_, job.job).cost : lease.leg->policy.notice;
  const SimTime latest = now_ + notice;
  if (lease.ends <= latest) return;
  lease.taken_back = true;
  lease.saves = saves;
  if (saves) lease.stops = std::min(now_, lease.stops);
  events_.cancel(lease.end_event);
  set_end(slot, latest);
}

// Whether a lease that gets notice now writes a last checkpoint: its job does so, works, and has the time.
bool Run::saves_in_notice(const Lease& lease) const {
  const JobClass& job_class = world_.classes[index(jobs_[lease.job].job.job_class)];
  return job_class.checkpoint_in_notice && job_class.checkpoint_every > SimDuration::zero() &&
         lease.working <= now_ && job_class.checkpoint_cost <= lease.leg->policy.notice;
}

// GPU-time of work that would be lost if the lease were taken back and interrupted now.
std::uint64_t Run::loss_if_taken(const Lease& lease) const {
  if (saves_in_notice(lease)) return 0;
  const SimDuration lost =
      interrupted_after(ran_until(lease, now_), checkpoints_of(world_, jobs_[lease.job].job)).lost;
  return static_cast<std::uint64_t>(((lease.gpus - lease.candidate->unused) * lost).count());
}

void Run::lease_ends(std::uint32_t slot) {
  const Lease& lease = books_.leases()[slot];
  STOCKOUT_CHECK(lease.ends == now_, "a lease does not end when its end was set");
  const std::uint32_t job_slot = lease.job;
  const bool was_taken_back = lease.taken_back;
  JobState& job = jobs_[job_slot];
  const Checkpoints rule = checkpoints_of(world_, job.job);
  if (!was_taken_back && !lease.cut_off) {
    close_lease(slot, job.work_left, SimDuration::zero(), true);
    job.work_left = SimDuration::zero();
    return finish(job_slot, FinalState::completed);
  }
  const Progress progress = progress_of(lease, now_, rule);
  const bool chains_on = !was_taken_back && lease.saves && progress.kept > SimDuration::zero();
  close_lease(slot, progress.kept, progress.lost, false);
  job.work_left -= progress.kept;
  job.lost += progress.lost;
  if (was_taken_back) return preempted(job_slot);
  chains_on ? plan(job_slot, Step::attempt) : finish(job_slot, FinalState::cut_off);
}

// The restart rule of the leg: another attempt now, or the job passes on.
void Run::preempted(std::uint32_t slot) {
  JobState& job = jobs_[slot];
  ++job.preemptions;
  const Tries allowed = job.strategy->legs[job.leg].policy.restarts;
  if (allowed != kUnlimited && job.restarts[job.leg] >= allowed)
    return exhaust(slot, Exhaustion::restarts_spent);
  if (allowed != kUnlimited) ++job.restarts[job.leg];
  plan(slot, Step::attempt);
}

// The lease is over: `kept` and `lost` are the work done on it, `completes` whether its job is done.
void Run::close_lease(std::uint32_t slot, SimDuration kept, SimDuration lost, bool completes) {
  const Lease& lease = books_.leases()[slot];
  JobState& job = jobs_[lease.job];
  PoolState& pool = books_.pool(lease.pool);
  const SimDuration length = now_ - lease.granted;
  const GpuCount asked = lease.gpus - lease.candidate->unused;
  const TimeSplit split{.useful = asked * kept,
                        .redone = asked * lost,
                        .overhead = asked * (length - kept - lost),
                        .unused = lease.candidate->unused * length,
                        .idle = {},
                        .completed = completes ? asked * kept : GpuTime{}};
  STOCKOUT_CHECK(kept + lost <= length);
  const bool was_running =
      lease.working < now_ || (lease.working == now_ && !lease.taken_back && !lease.cut_off);
  if (was_running && job.first_running == kNever) job.first_running = lease.working;
  events_.cancel(lease.life_event);
  job.leased += length;
  job.lease = kNoSlot;
  if (lease.taken_back) ++pool.of_class(lease.lease_class).preemptions;
  mark(0x20, job.job.row, index(lease.pool));
  if (job.record != kNotRecorded) {
    book_usage(lease, job, split);
    if (logs_.on_lease) {
      logs_.on_lease({.job = job.record,
                      .attempt = job.attempt,
                      .leg = job.leg,
                      .pool = lease.pool,
                      .gpus = lease.gpus,
                      .granted = lease.granted,
                      .running = was_running ? lease.working : now_,
                      .ended = now_,
                      .lost = lost,
                      .preempted = lease.taken_back});
    }
  }
  SourceState* source = pool.source(lease.lease_class);
  const PoolId id = lease.pool;
  books_.release(slot, now_, split.total());
  if (source != nullptr) start_ready(*source);
  touch(id);
}

void Run::book_usage(const Lease& lease, const JobState& job, const TimeSplit& split) {
  bool is_first = true;
  for (const Part& part : lease.candidate->parts) {
    if (part.machines == 0) continue;
    const UsageKey key{.line = part.line, .user = job.job.user, .job_class = job.job.job_class};
    if (lease.up < now_) {
      const MachineCount machines{part.machines};
      const SimDuration used = now_ - lease.up;
      const MachineTime rounding = machines * (world_.billing.billed(used) - used);
      record_.usage.add(key, machines, lease.up, now_, rounding);
      rounding_ += rounding;
    }
    if (is_first) {
      record_.usage.add_split(key, split);
      if (split.completed < split.useful) kept_[lease.job].push_back({.key = key, .time = split.useful});
    }
    is_first = false;
  }
}

// The machines of a held pool are there: it has capacity from now on.
void Run::open_held(PoolId id) {
  const HeldPool& held = world_.held_pool(id);
  held_since_[index(id) - world_.pools.size()] = now_;
  books_.resize(id, 0, held.gpus, now_);
  touch(id);
}

}  // namespace stockout

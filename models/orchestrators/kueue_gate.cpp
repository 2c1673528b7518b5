#include "models/orchestrators/kueue_gate.h"

#include <algorithm>

#include "models/orchestrators/kueue/admission_checks.h"
#include "models/orchestrators/kueue/pods_ready.h"
#include "sim/core/check.h"

namespace stockout {
namespace {

constexpr Token kDue{0};    // something falls due in Kueue
constexpr Token kWorks{1};  // pods are ready
constexpr Token kGone{2};   // pods of an evicted job are gone

// Kubernetes gives pods so long to end, unless they say otherwise: terminationGracePeriodSeconds.
constexpr SimDuration kGracePeriod = std::chrono::seconds{30};
constexpr int kMostTimes = 10;  // in one instant

const kueue::PodSetAdmission& pods_of(const kueue::Workload& workload) {
  return workload.status.admission->pod_sets.front();
}

// Legs of a flavor, a bit each.
std::uint16_t legs_of(const Strategy& strategy, const std::string& flavor) {
  unsigned legs = 0;
  for (std::size_t i = 0; i < strategy.legs.size(); ++i) {
    if (strategy.legs[i].flavor == flavor) legs |= 1U << i;
  }
  return static_cast<std::uint16_t>(legs);
}

}  // namespace

KueueGate::KueueGate(const World& world, const Strategy& strategy)
    : world_{world},
      strategy_{strategy},
      kueue_{world.kueue->objects, world.kueue->settings},
      record_{world} {}

bool KueueGate::is_asked_for(const World& world, const Strategy& strategy) {
  return world.kueue.has_value() &&
         std::ranges::any_of(strategy.legs, [](const Leg& leg) { return !leg.flavor.empty(); });
}

// Of those that have a leg which may serve the job, in the order of legs.
std::vector<std::string> KueueGate::flavors_of(const Job& job) const {
  std::vector<std::string> flavors;
  for (const Leg& leg : strategy_.legs) {
    const bool may_serve = leg.open_to(job.job_class) && !leg.candidates[index(job.shape)].empty();
    if (may_serve && std::ranges::find(flavors, leg.flavor) == flavors.end()) flavors.push_back(leg.flavor);
  }
  return flavors;
}

bool KueueGate::concerns(const JobView& job) const { return !job.is_tenant && !flavors_of(job.job).empty(); }

bool KueueGate::may_try(const JobView& job, Clerk& clerk) {
  const auto found = entries_.find(job.number);
  if (found != entries_.end() && found->second.stage == Stage::out) return true;
  touch(clerk);
  if (found == entries_.end()) {
    entries_[job.number] = submit(job, clerk.now());
  } else {
    if (stopped(job.number, found->second, clerk)) back_.push_back(job.number);
  }
  record_.begin(job, kueue_.workload(entries_.at(job.number).workload), clerk.now());
  return false;
}

KueueGate::Entry KueueGate::submit(const JobView& job, SimTime now) {
  const Job& of = job.job;
  kueue::Workload workload = workload_of(*world_.kueue, of, world_.shapes[index(of.shape)],
                                         world_.classes[index(of.job_class)], flavors_of(of));
  workload.created = now;
  jobs_.push_back(job.number);
  return {.ticket = job.ticket, .workload = kueue_.submit(std::move(workload)), .asked = of.shape};
}

// As many nodes as it was given pods.
void KueueGate::begins_with(std::uint64_t job, const Entry& entry, const kueue::Workload& own, Clerk& clerk) {
  const kueue::PodSet& asked = own.spec.pod_sets.front();
  if (!asked.min_count) return;
  const kueue::PodSetAdmission& pods = pods_of(own);
  clerk.reshape(entry.ticket,
                world_.kueue->shape_with(entry.asked, world_.shapes[index(entry.asked)], pods.count));
  const bool is_reduced = pods.count < asked.count;
  record_.reduced(job, GpuCount{is_reduced ? pods.usage.at(kKueueResource).count() : 0});
}

// Unless it was evicted in the same turn, and has given it back already.
void KueueGate::gets_quota(Entry& entry, SimTime now) {
  const kueue::Workload& own = kueue_.workload(entry.workload);
  if (!own.has_quota()) return;
  const kueue::PodSetAdmission& pods = pods_of(own);
  entry.quota = {.queue = own.status.admission->cluster_queue,
                 .priority = own.spec.priority,
                 .flavor = pods.flavors.at(kKueueResource),
                 .gpus = pods.usage.at(kKueueResource).count()};
  record_.hold(*entry.quota, now);
}

// Whom Kueue has evicted has stopped, and is at the gate. True if it gave its quota back: at once, unless it
// did so often in this instant. Else two that take it from each other would never come to an end.
bool KueueGate::stopped(std::uint64_t job, Entry& entry, Clerk& clerk) {
  entry.times = entry.gave_back == clerk.now() ? entry.times + 1 : 1;
  entry.gave_back = clerk.now();
  if (entry.times > kMostTimes) {
    entry.stage = Stage::leaving;
    entry.leaves = clerk.now() + kGracePeriod;
    leaving_.emplace(entry.leaves, job);
    clerk.wake(entry.leaves, kGone);
    return false;
  }
  entry.stage = Stage::at_gate;
  kueue_.finish_eviction(entry.workload);
  give_back(entry, clerk.now());
  return true;
}

void KueueGate::let_go(SimTime now) {
  while (!leaving_.empty() && leaving_.begin()->first <= now) {
    const std::uint64_t job = leaving_.begin()->second;
    leaving_.erase(leaving_.begin());
    Entry& entry = entries_.at(job);
    entry.stage = Stage::at_gate;
    kueue_.finish_eviction(entry.workload);
    give_back(entry, now);
    back_.push_back(job);
  }
}

void KueueGate::give_back(Entry& entry, SimTime now) {
  if (entry.quota) record_.give_back(*entry.quota, now);
  entry.quota.reset();
}

void KueueGate::touch(Clerk& clerk) {
  record_.pass(kueue_.waits_for_pods(), clerk.now());
  kueue_.advance(clerk.now());
  is_due_ = true;
}

// A request for capacity that is open. Null: there is none.
const kueue::Check* KueueGate::pending_check(const Entry& entry) const {
  const auto& checks = kueue_.workload(entry.workload).status.checks;
  const auto found = std::ranges::find(checks, kueue::CheckState::pending, &kueue::Check::state);
  return found == checks.end() ? nullptr : &*found;
}

bool KueueGate::tries_again(const JobView& job, Clerk& clerk) {
  const auto found = entries_.find(job.number);
  if (found == entries_.end() || found->second.stage != Stage::out) return false;
  const kueue::Check* const check = pending_check(found->second);
  if (check == nullptr) return false;
  const kueue::ProvisioningRetry& rule = world_.kueue->checks.at(check->name);
  const std::int32_t attempt = check->retries + 1;
  if (attempt > rule.limit) return false;
  touch(clerk);
  found->second.stage = Stage::stopping;
  kueue_.set_check(found->second.workload, {.name = check->name,
                                            .state = kueue::CheckState::retry,
                                            .requeue_after = kueue::backoff(rule.base, rule.most, attempt)});
  return true;
}

void KueueGate::heard(const News& news, Clerk& clerk) {
  const auto found = entries_.find(news.job.number);
  if (found == entries_.end()) return;
  Entry& entry = found->second;
  switch (news.kind) {
    case News::Kind::granted:
      return granted(entry, clerk);
    case News::Kind::starts:
      if (!world_.kueue->settings.pods_ready) return;
      entry.works = news.works;
      ready_.emplace(news.works, news.job.number);
      return clerk.wake(news.works, kWorks);
    case News::Kind::ended:
      return ended(news.job.number, entry, clerk);
    case News::Kind::final:
      touch(clerk);
      record_.end(news.job.number);
      kueue_.finish(entry.workload);
      give_back(entry, clerk.now());
      ready_.erase({entry.works, news.job.number});
      leaving_.erase({entry.leaves, news.job.number});
      entries_.erase(found);
      return;
    default:
      return;
  }
}

// Capacity is there: so is the request for it.
void KueueGate::granted(Entry& entry, Clerk& clerk) {
  ++entry.leases;
  while (const kueue::Check* const check = pending_check(entry)) {
    touch(clerk);
    kueue_.set_check(entry.workload, {.name = check->name, .state = kueue::CheckState::ready});
  }
}

// The last of its leases: its pods are gone.
void KueueGate::ended(std::uint64_t job, Entry& entry, Clerk& clerk) {
  if (--entry.leases > 0) return;
  ready_.erase({std::exchange(entry.works, kNever), job});
  const auto& ready = kueue_.workload(entry.workload).status.pods_ready;
  if (!ready || !ready->status) return;
  touch(clerk);
  kueue_.set_pods_ready(entry.workload, {.status = false, .reason = kueue::kWaitForRecovery});
}

void KueueGate::timer(Token token, Clerk& clerk) {
  touch(clerk);
  if (token == kDue) wakes_.erase(clerk.now());
  if (token == kWorks) become_ready(clerk.now());
  if (token == kGone) let_go(clerk.now());
}

void KueueGate::become_ready(SimTime now) {
  while (!ready_.empty() && ready_.begin()->first <= now) {
    kueue_.set_pods_ready(entries_.at(ready_.begin()->second).workload, {.status = true});
    ready_.erase(ready_.begin());
  }
}

// Who gave its quota back at once may be admitted at once, or others in its stead.
void KueueGate::turn(Clerk& clerk) {
  is_due_ = false;
  for (const std::uint64_t job : std::exchange(back_, {})) {
    const auto found = entries_.find(job);
    if (found != entries_.end()) static_cast<void>(look_at_gate(job, found->second, clerk));
  }
  for (bool goes_on = true; goes_on;) {
    kueue_.settle();
    goes_on = false;
    for (const kueue::Event& event : kueue_.take_events()) goes_on = carry_out(event, clerk) || goes_on;
  }
  const auto next = entries_.empty() ? std::nullopt : kueue_.next_due();
  if (next && wakes_.insert(*next).second) clerk.wake(*next, kDue);
}

// True if it gave quota back to Kueue.
bool KueueGate::carry_out(const kueue::Event& event, Clerk& clerk) {
  using Kind = kueue::Event::Kind;
  if (event.kind == Kind::admitted) record_.admitted(event.queue);
  const std::uint64_t job = jobs_[static_cast<std::size_t>(event.workload)];
  const auto found = entries_.find(job);
  if (found == entries_.end()) return false;
  Entry& entry = found->second;
  if (event.kind == Kind::reserved) gets_quota(entry, clerk.now());
  if (entry.stage == Stage::at_gate) return look_at_gate(job, entry, clerk);
  if (event.kind == Kind::evicted && entry.stage != Stage::leaving) evicted(job, entry, event, clerk);
  return false;
}

void KueueGate::evicted(std::uint64_t job, Entry& entry, const kueue::Event& event, Clerk& clerk) {
  KueueEviction eviction{.queue = event.queue, .reason = event.reason, .by = {}};
  std::optional<std::uint64_t> to;
  if (event.preemptor) {
    eviction.reason = event.preemption_reason;
    eviction.by = kueue_.workload(*event.preemptor).cluster_queue;
    to = jobs_[static_cast<std::size_t>(*event.preemptor)];
  }
  record_.evicted(job, eviction, to, clerk.now());
  if (entry.stage == Stage::stopping) return;
  entry.stage = Stage::stopping;
  clerk.suspend(entry.ticket);
}

// What has become of a job that waits there.
bool KueueGate::look_at_gate(std::uint64_t job, Entry& entry, Clerk& clerk) {
  const kueue::Workload& own = kueue_.workload(entry.workload);
  if (!own.has_quota()) {
    if (own.spec.active) return false;
    entry.stage = Stage::stopping;
    clerk.fail(entry.ticket);
    return false;
  }
  if (own.status.evicted.status) return stopped(job, entry, clerk);
  entry.stage = Stage::out;
  record_.end(job);
  clerk.open_legs(entry.ticket, legs_of(strategy_, pods_of(own).flavors.at(kKueueResource)));
  begins_with(job, entry, own, clerk);
  clerk.admit(entry.ticket);
  return false;
}

void KueueGate::check() const {
  for (const auto& [job, entry] : entries_) {
    const bool has_quota = kueue_.workload(entry.workload).has_quota();
    STOCKOUT_CHECK(has_quota == (entry.stage != Stage::at_gate),
                   "a job at the gate has quota of Kueue's, or one beyond it has none");
    STOCKOUT_CHECK(has_quota == entry.quota.has_value(), "books of Kueue's quota are not those of Kueue");
    STOCKOUT_CHECK(entry.leases == 0, "a lease of a job that is open has not ended");
  }
}

}  // namespace stockout

#include "models/orchestrators/kueue_orchestrator.h"

#include <algorithm>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "models/orchestrators/kueue/admission_checks.h"
#include "models/orchestrators/kueue/pods_ready.h"
#include "models/orchestrators/kueue_requests.h"
#include "sim/core/check.h"

namespace stockout {
namespace {

constexpr Token kDue{0};    // something falls due in Kueue
constexpr Token kWorks{1};  // pods are ready
constexpr Token kGone{2};   // pods of an evicted job are gone

// Kubernetes gives pods so long to end, unless they say otherwise: terminationGracePeriodSeconds.
constexpr SimDuration kGracePeriod = std::chrono::seconds{30};
constexpr int kMostTimes = 10;  // in one instant

Eviction eviction_of(const kueue::Kueue& kueue, const kueue::Event& event) {
  if (!event.preemptor) return {.queue = event.queue, .reason = event.reason, .by = {}};
  return {.queue = event.queue,
          .reason = event.preemption_reason,
          .by = kueue.workload(*event.preemptor).cluster_queue};
}

// Legs of a flavor, a bit each.
std::uint16_t legs_of(const Strategy& strategy, const std::string& flavor) {
  unsigned legs = 0;
  for (std::size_t i = 0; i < strategy.legs.size(); ++i) {
    if (strategy.legs[i].flavor == flavor) legs |= 1U << i;
  }
  return static_cast<std::uint16_t>(legs);
}

// Of those that have a leg which may serve the job, in the order of legs.
std::vector<std::string> flavors_of(const Strategy& strategy, const Job& job) {
  std::vector<std::string> flavors;
  for (const Leg& leg : strategy.legs) {
    const bool may_serve = leg.open_to(job.job_class) && !leg.candidates[index(job.shape)].empty();
    if (may_serve && std::ranges::find(flavors, leg.flavor) == flavors.end()) flavors.push_back(leg.flavor);
  }
  return flavors;
}

std::optional<KueueEntry::SetKey> set_of(const World& world, const Job& job) {
  const auto& set = world.sources[index(job.source)].set;
  return set ? std::optional{KueueEntry::SetKey{set->first, job.row}} : std::nullopt;
}

}  // namespace

KueueOrchestrator::KueueOrchestrator(const World& world, const Strategy& strategy)
    : world_{world},
      strategy_{strategy},
      kueue_{world.kueue->objects, world.kueue->settings},
      record_{world} {}

bool KueueOrchestrator::is_asked_for(const World& world, const Strategy& strategy) {
  return world.kueue.has_value() &&
         std::ranges::any_of(strategy.legs, [](const Leg& leg) { return !leg.flavor.empty(); });
}

bool KueueOrchestrator::concerns(const JobView& job) const {
  return !job.is_tenant && !flavors_of(strategy_, job.job).empty();
}

bool KueueOrchestrator::may_try(const JobView& job, Clerk& clerk) {
  const std::optional<Place> place = entries_.find(job.number);
  if (!place) {
    touch(clerk);
    comes(job, clerk.now());
    return false;
  }
  KueueMember& member = *place->member;
  if (!member.has_gone_on || place->entry->stage == Stage::gone_on) return member.has_gone_on;
  touch(clerk);
  member.has_gone_on = member.is_stopping = false;
  member.was_granted = job.was_granted;
  if (place->entry->is_back() && stopped(place->first, *place->entry, clerk)) back_.push_back(place->first);
  record_.begin(member, kueue_.workload(*place->entry->workload), clerk.now());
  return false;
}

// A job of a set waits for the others, which come at the same instant.
void KueueOrchestrator::comes(const JobView& job, SimTime now) {
  const Job& of = job.job;
  const std::optional<KueueEntry::SetKey> set = set_of(world_, of);
  const KueueMember member{
      .ticket = job.ticket, .job = job.number, .asked = of.shape, .was_granted = job.was_granted};
  const Place place = entries_.add(member, set);
  const Shape& shape = world_.shapes[index(of.shape)];
  const std::vector<std::string> flavors = flavors_of(strategy_, of);
  kueue::Workload workload =
      workload_of(*world_.kueue, of, shape, world_.classes[index(of.job_class)], flavors);
  if (!set) return submit(place.first, *place.entry, std::move(workload), now);
  kueue::PodSet pods = pods_of(*world_.kueue, of, shape, flavors);
  pods.name = fmt::format("source {}", index(of.source));
  if (place.first == job.number) {
    workload.spec.pod_sets.clear();
    coming_[place.first] = std::move(workload);
  }
  coming_.at(place.first).spec.pod_sets.push_back(std::move(pods));
}

void KueueOrchestrator::submit(std::uint64_t first, KueueEntry& entry, kueue::Workload workload,
                               SimTime now) {
  workload.created = now;
  firsts_.push_back(first);
  entry.workload = kueue_.submit(std::move(workload));
  record_.begin(entry, kueue_.workload(*entry.workload), now);
}

// In the legs of its flavor, with as many nodes as it was given pods.
void KueueOrchestrator::goes_on(KueueEntry& entry, std::size_t member, Clerk& clerk) {
  KueueMember& job = entry.members[member];
  const kueue::Workload& own = kueue_.workload(*entry.workload);
  job.has_gone_on = true;
  clerk.open_legs(job.ticket, legs_of(strategy_, flavor_of(own, member)));
  const kueue::PodSet& asked = own.spec.pod_sets[member];
  if (asked.min_count) {
    const kueue::PodSetAdmission& pods = own.status.admission->pod_sets[member];
    clerk.reshape(job.ticket,
                  world_.kueue->shape_with(job.asked, world_.shapes[index(job.asked)], pods.count));
    const bool is_reduced = pods.count < asked.count;
    record_.reduced(job.job, GpuCount{is_reduced ? pods.usage.at(kKueueResource).count() : 0});
  }
  clerk.admit(job.ticket);
}

// Those that make a request for capacity, and once it is admitted the others too.
void KueueOrchestrator::let_go_on(KueueEntry& entry, Clerk& clerk) {
  const kueue::Workload& own = kueue_.workload(*entry.workload);
  for (std::size_t i = 0; i < entry.members.size(); ++i) {
    if (entry.members[i].is_final || entry.members[i].has_gone_on) continue;
    if (own.status.admitted || pending_check(*world_.kueue, own, i) != nullptr) goes_on(entry, i, clerk);
  }
}

// Whom Kueue has evicted has stopped, and is pending again. True if it gave its quota back: at once, unless
// it did so often in this instant. Else two that take it from each other would never come to an end.
bool KueueOrchestrator::stopped(std::uint64_t first, KueueEntry& entry, Clerk& clerk) {
  entry.times = entry.gave_back == clerk.now() ? entry.times + 1 : 1;
  entry.gave_back = clerk.now();
  if (entry.times > kMostTimes) {
    entry.stage = Stage::leaving;
    entry.leaves = clerk.now() + kGracePeriod;
    leaving_.emplace(entry.leaves, first);
    clerk.wake(entry.leaves, kGone);
    return false;
  }
  entry.stage = Stage::pending;
  kueue_.finish_eviction(*entry.workload);
  record_.give_back(entry, clerk.now());
  return true;
}

void KueueOrchestrator::let_go(SimTime now) {
  while (!leaving_.empty() && leaving_.begin()->first <= now) {
    const std::uint64_t first = leaving_.begin()->second;
    leaving_.erase(leaving_.begin());
    KueueEntry& entry = *entries_.entry_of(first);
    entry.stage = Stage::pending;
    kueue_.finish_eviction(*entry.workload);
    record_.give_back(entry, now);
    back_.push_back(first);
  }
}

void KueueOrchestrator::touch(Clerk& clerk) {
  record_.pass(kueue_.waits_for_pods(), clerk.now());
  kueue_.advance(clerk.now());
  is_due_ = true;
}

bool KueueOrchestrator::tries_again(const JobView& job, Clerk& clerk) {
  const std::optional<Place> place = entries_.find(job.number);
  if (!place || !place->member->has_gone_on || place->entry->is_failing) return false;
  KueueEntry& entry = *place->entry;
  if (entry.stage == Stage::stopping) return place->member->is_stopping = true;
  const auto member = static_cast<std::size_t>(place->member - entry.members.data());
  const kueue::Check* const check = pending_check(*world_.kueue, kueue_.workload(*entry.workload), member);
  if (check == nullptr) return false;
  const kueue::ProvisioningRetry& rule = world_.kueue->checks.at(check->name);
  const std::int32_t attempt = check->retries + 1;
  if (attempt > rule.limit) return false;
  touch(clerk);
  record_.evicted(entry,
                  {.queue = kueue_.workload(*entry.workload).status.admission->cluster_queue,
                   .reason = kueue::kAdmissionCheck,
                   .by = {}},
                  std::nullopt, clerk.now());
  entry.stage = Stage::stopping;
  place->member->is_stopping = true;
  kueue_.set_check(*entry.workload, {.name = check->name,
                                     .state = kueue::CheckState::retry,
                                     .requeue_after = kueue::backoff(rule.base, rule.most, attempt)});
  record_.begin(entry, kueue_.workload(*entry.workload), clerk.now());
  return true;
}

void KueueOrchestrator::heard(const News& news, Clerk& clerk) {
  const std::optional<Place> place = entries_.find(news.job.number);
  if (!place) return;
  switch (news.kind) {
    case News::Kind::granted:
      return granted(*place, clerk);
    case News::Kind::starts:
      if (!world_.kueue->settings.pods_ready) return;
      place->member->works = news.works;
      ready_.emplace(news.works, news.job.number);
      return clerk.wake(news.works, kWorks);
    case News::Kind::ended:
      return ended(*place, clerk);
    case News::Kind::fails:
      place->entry->is_failing = true;
      return;
    case News::Kind::final:
      return ends(*place, news.state, clerk);
    default:
      return;
  }
}

// Capacity is there: so is the request for it.
void KueueOrchestrator::granted(const Place& place, Clerk& clerk) {
  ++place.member->leases;
  const kueue::Workload& own = kueue_.workload(*place.entry->workload);
  while (const kueue::Check* const check = met_check(*world_.kueue, own, *place.entry)) {
    touch(clerk);
    kueue_.set_check(own.id, {.name = check->name, .state = kueue::CheckState::ready});
  }
}

// The last of its leases: its pods are gone.
void KueueOrchestrator::ended(const Place& place, Clerk& clerk) {
  KueueMember& member = *place.member;
  if (--member.leases > 0) return;
  ready_.erase({std::exchange(member.works, kNever), member.job});
  member.is_ready = false;
  const auto& ready = kueue_.workload(*place.entry->workload).status.pods_ready;
  if (!ready || !ready->status) return;
  touch(clerk);
  kueue_.set_pods_ready(*place.entry->workload, {.status = false, .reason = kueue::kWaitForRecovery});
}

// The job is final. Its set may not be over yet.
void KueueOrchestrator::ends(const Place& place, FinalState state, Clerk& clerk) {
  KueueEntry& entry = *place.entry;
  KueueMember& member = *place.member;
  touch(clerk);
  record_.end(member.job);
  ready_.erase({member.works, member.job});
  member.is_final = true;
  member.has_gone_on = false;
  if (entry.is_over()) {
    if (entry.workload) kueue_.finish(*entry.workload);
    record_.give_back(entry, clerk.now());
    leaving_.erase({entry.leaves, place.first});
    return entries_.erase(place.first);
  }
  if (state == FinalState::completed) reclaim(entry, member, clerk.now());
  if (entry.stage == Stage::stopping && entry.is_back() && stopped(place.first, entry, clerk))
    back_.push_back(place.first);
}

// Pods of a set that are done need no quota, and count as ready.
void KueueOrchestrator::reclaim(KueueEntry& entry, KueueMember& done, SimTime now) {
  const kueue::Workload& own = kueue_.workload(*entry.workload);
  done.is_done = true;
  record_.give_back(done, now);
  std::map<std::string, std::int64_t> pods;
  for (std::size_t i = 0; i < entry.members.size(); ++i) {
    if (entry.members[i].is_done) pods[own.spec.pod_sets[i].name] = own.spec.pod_sets[i].count;
  }
  kueue_.set_reclaimable(own.id, std::move(pods));
  const auto& ready = own.status.pods_ready;
  if (ready && !ready->status && entry.are_pods_ready()) kueue_.set_pods_ready(own.id, {.status = true});
  if (entry.stage == Stage::stopping) record_.begin(entry, own, now);
}

void KueueOrchestrator::timer(Token token, Clerk& clerk) {
  touch(clerk);
  if (token == kDue) wakes_.erase(clerk.now());
  if (token == kWorks) become_ready(clerk.now());
  if (token == kGone) let_go(clerk.now());
}

void KueueOrchestrator::become_ready(SimTime now) {
  while (!ready_.empty() && ready_.begin()->first <= now) {
    const Place place = *entries_.find(ready_.begin()->second);
    ready_.erase(ready_.begin());
    place.member->is_ready = true;
    if (place.entry->are_pods_ready()) kueue_.set_pods_ready(*place.entry->workload, {.status = true});
  }
}

// Who gave its quota back at once may be admitted at once, or others in its stead.
void KueueOrchestrator::turn(Clerk& clerk) {
  is_due_ = false;
  for (auto& [first, workload] : std::exchange(coming_, {})) {
    KueueEntry* const entry = entries_.entry_of(first);
    if (entry != nullptr && !entry->is_failing) submit(first, *entry, std::move(workload), clerk.now());
  }
  for (const std::uint64_t first : std::exchange(back_, {})) {
    KueueEntry* const entry = entries_.entry_of(first);
    if (entry != nullptr) static_cast<void>(look_at_pending(first, *entry, clerk));
  }
  for (bool goes_on = true; goes_on;) {
    kueue_.settle();
    goes_on = false;
    for (const kueue::Event& event : kueue_.take_events()) goes_on = carry_out(event, clerk) || goes_on;
  }
  const auto next = entries_.all().empty() ? std::nullopt : kueue_.next_due();
  if (next && wakes_.insert(*next).second) clerk.wake(*next, kDue);
}

// True if it told Kueue of something.
bool KueueOrchestrator::carry_out(const kueue::Event& event, Clerk& clerk) {
  using Kind = kueue::Event::Kind;
  if (event.kind == Kind::admitted) record_.admitted(event.queue);
  const std::uint64_t first = firsts_[static_cast<std::size_t>(event.workload)];
  KueueEntry* const entry = entries_.entry_of(first);
  if (entry == nullptr) return false;
  const kueue::Workload& own = kueue_.workload(event.workload);
  if (event.kind == Kind::reserved) record_.hold(*entry, own, clerk.now());
  if (event.kind == Kind::deactivated) record_.give_back(*entry, clerk.now());  // before its pods are gone
  if (entry->stage == Stage::pending) return look_at_pending(first, *entry, clerk);
  const bool is_let_in = event.kind == Kind::admitted && entry->stage == Stage::gone_on && !entry->is_failing;
  if (is_let_in && !own.status.evicted.status) let_go_on(*entry, clerk);
  if (event.kind != Kind::evicted || entry->stage == Stage::leaving) return false;
  if (event.reason != kueue::kAdmissionCheck) {  // those are counted when they are reported
    const auto to =
        event.preemptor ? std::optional{firsts_[static_cast<std::size_t>(*event.preemptor)]} : std::nullopt;
    record_.evicted(*entry, eviction_of(kueue_, event), to, clerk.now());
  }
  suspend(*entry, clerk);
  return false;
}

// Whom Kueue evicts.
void KueueOrchestrator::suspend(KueueEntry& entry, Clerk& clerk) {
  record_.begin(entry, kueue_.workload(*entry.workload), clerk.now());
  entry.stage = Stage::stopping;
  for (KueueMember& member : entry.members) {
    if (member.has_gone_on && !std::exchange(member.is_stopping, true) && !entry.is_failing)
      clerk.suspend(member.ticket);
  }
}

// Acts on a pending workload: it goes on, fails, or gives its quota back. True if it reported to Kueue.
bool KueueOrchestrator::look_at_pending(std::uint64_t first, KueueEntry& entry, Clerk& clerk) {
  if (entry.is_failing) return false;
  const kueue::Workload& own = kueue_.workload(*entry.workload);
  if (!own.has_quota()) {
    if (own.spec.active) return false;
    entry.stage = Stage::stopping;
    for (const KueueMember& member : entry.members) {
      if (!member.is_final) clerk.fail(member.ticket);
    }
    return false;
  }
  if (own.status.evicted.status) return stopped(first, entry, clerk);
  entry.stage = Stage::gone_on;
  for (const KueueMember& member : entry.members) record_.end(member.job);
  const kueue::Check* const met = met_check(*world_.kueue, own, entry);
  if (met != nullptr) kueue_.set_check(own.id, {.name = met->name, .state = kueue::CheckState::ready});
  let_go_on(entry, clerk);
  return met != nullptr;
}

void KueueOrchestrator::check() const {
  for (const auto& [first, entry] : entries_.all()) {
    if (!entry.workload) continue;
    const bool has_quota = kueue_.workload(*entry.workload).has_quota();
    STOCKOUT_CHECK(has_quota == (entry.stage != Stage::pending),
                   "a pending job has quota of Kueue's, or one that went on has none");
    const bool uses_quota = kueue_.ledger().holds(*entry.workload);
    for (const KueueMember& member : entry.members) {
      STOCKOUT_CHECK(member.is_done || uses_quota == member.quota.has_value(),
                     "books of Kueue's quota are not those of Kueue");
      STOCKOUT_CHECK(member.leases == 0, "a lease of a job that is open has not ended");
    }
  }
}

}  // namespace stockout

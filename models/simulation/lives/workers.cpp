#include "models/simulation/lives/workers.h"

#include <algorithm>

namespace stockout {
namespace {

constexpr double kPpm = 1e6;

// kForever: to the end of its work.
SimDuration runs_for(const WorkerExits& rule, Draw& draw) {
  if (rule.share_ppm < 1'000'000 && uniform01(draw) * kPpm >= rule.share_ppm) return kForever;
  return std::max(rule.after.sample(draw), kShortestLife);
}

bool is_permanent(const WorkerExits& rule, Draw& draw) {
  if (rule.permanent_ppm == 0 || rule.permanent_ppm == 1'000'000) return rule.permanent_ppm > 0;
  return uniform01(draw) * kPpm < rule.permanent_ppm;
}

}  // namespace

void Workers::set_first_exit(LeaseSlot slot) {
  const Lease& lease = books_.leases()[slot];
  const WorkerExits& rule = rule_of(lease);
  if (!rule.any()) return;
  OfLease& all = leases_[slot];
  agenda_.cancel(all.exit);
  if (lease.times.working == kNever) return;
  add_workers(all, lease);
  SimDuration first = kForever;
  for (std::size_t i = 0; i < all.workers.size(); ++i) {
    if (is_idle(lease, i)) continue;
    const SimDuration runs = runs_for(rule, all.workers[i].draw);
    if (runs >= first) continue;
    first = runs;
    all.first = i;
  }
  if (first == kForever) return;
  all.exit = agenda_.at(later(lease.times.working, first), Phase::lifetimes,
                        Event::of(EventKind::worker_exits, slot));
}

void Workers::drop(LeaseSlot slot) {
  const auto found = leases_.find(slot);
  if (found == leases_.end()) return;
  agenda_.cancel(found->second.exit);
  leases_.erase(found);
}

Workers::Need Workers::exit(LeaseSlot slot) {
  const Lease& lease = books_.leases()[slot];
  OfLease& all = leases_.at(slot);
  Worker& worker = all.workers[all.first];
  if (is_permanent(rule_of(lease), worker.draw)) return Need::none;
  const Tries allowed = lease.asked.leg->policy.worker_restarts;
  if (allowed != kUnlimited && worker.restarts >= allowed) return Need::new_attempt;
  ++worker.restarts;
  return Need::restart;
}

void Workers::add_workers(OfLease& all, const Lease& lease) {
  const Job& job = tables_.job_of(lease).job;
  const bool is_random = rule_of(lease).is_random();
  for (std::size_t i = all.workers.size(); i < machines(lease); ++i)
    all.workers.push_back({.draw = draws_.worker(lease, job, i, is_random)});
}

// Those that have gone included.
std::size_t Workers::machines(const Lease& lease) const {
  if (lease.parts.gang != kNoGang) return gangs_.all_of(lease).size();
  const bool is_alone = lease.parts.spread == kNoSpread;
  return static_cast<std::size_t>(is_alone ? lease.asked.candidate->machines()
                                           : spreads_.machines(lease.parts.spread));
}

bool Workers::is_idle(const Lease& lease, std::size_t machine) const {
  if (lease.parts.gang == kNoGang) return false;
  const PartialMachine& one = gangs_.all_of(lease)[machine];
  return one.gone || one.waits;
}

}  // namespace stockout

#include "models/orchestrators/kueue_record.h"

#include "models/orchestrators/kueue/resource_units.h"

namespace stockout {
namespace {

// The least that will do; flavors are those that its pods demand of their nodes.
KueueWish wish_of(const kueue::Workload& workload) {
  KueueWish wish{.queue = workload.cluster_queue, .priority = workload.spec.priority, .pod_sets = {}};
  for (const kueue::PodSet& pods : workload.spec.pod_sets) {
    if (workload.status.reclaimable.contains(pods.name)) continue;
    KueuePods& asked = wish.pod_sets.emplace_back(
        KueuePods{.requests = pods.requests, .flavors = pods.nodes.terms.front().front().values});
    const std::int64_t count = pods.min_count.value_or(pods.count);
    for (auto& [resource, amount] : asked.requests) amount = amount * count;
    asked.requests[kueue::kPods] = kueue::Amount{count};
  }
  return wish;
}

}  // namespace

void KueueRecord::begin(const KueueMember& job, const kueue::Workload& workload, SimTime now) {
  waits_.end(job.job);
  const auto& requeue = workload.status.requeue;
  waits_.begin({.job = job.job,
                .wish = wish_of(workload),
                .until = requeue && requeue->at ? *requeue->at : now,
                .again = job.was_granted},
               now);
}

void KueueRecord::hold(KueueEntry& entry, const kueue::Workload& own, SimTime now) {
  if (!own.has_quota()) return;
  for (std::size_t i = 0; i < entry.members.size(); ++i) {
    KueueMember& member = entry.members[i];
    if (member.is_final) continue;
    const kueue::PodSetAdmission& pods = own.status.admission->pod_sets[i];
    member.quota = {.queue = own.status.admission->cluster_queue,
                    .priority = own.spec.priority,
                    .flavors = pods.flavors,
                    .requests = pods.usage};
    books_.hold(*member.quota, now);
  }
}

void KueueRecord::give_back(KueueMember& job, SimTime now) {
  if (job.quota) books_.give_back(*job.quota, now);
  job.quota.reset();
}

void KueueRecord::give_back(KueueEntry& entry, SimTime now) {
  for (KueueMember& member : entry.members) give_back(member, now);
}

void KueueRecord::begin(const KueueEntry& entry, const kueue::Workload& workload, SimTime now) {
  for (const KueueMember& member : entry.members) {
    if (!member.has_gone_on && !member.is_final) begin(member, workload, now);
  }
}

void KueueRecord::evicted(const KueueEntry& entry, const Eviction& eviction, std::optional<std::uint64_t> to,
                          SimTime now) {
  ++evictions_[eviction];
  for (const KueueMember& member : entry.members) {
    if (!member.has_gone_on) continue;
    ++evicted_[member.job];
    if (to) gave_way_.push_back({.at = now, .job = member.job, .to = *to});
  }
}

// Who waits still does so until the run's end.
void KueueRecord::write(RunRecord& record, bool is_blocked) const {
  KueueWaits waits = waits_;
  waits.pass(books_, is_blocked, record.end);
  std::unordered_map<std::uint64_t, KueueOutcome> outcomes;
  for (const auto& [job, times] : waits.waited()) {
    record.jobs.set_pending(job, times);
    if (times.first != WaitTimes{}) outcomes[job].wait = times.first.sum();
  }
  for (const auto& [job, evictions] : evicted_) outcomes[job].evictions = evictions;
  for (const auto& [job, gpus] : reduced_) {
    if (gpus > GpuCount{}) outcomes[job].reduced = gpus;
  }
  for (const auto& [job, outcome] : outcomes) record.jobs.set_kueue(job, outcome);
  record.evictions = evictions_;
  record.gave_way = gave_way_;
  record.kueue_queues = books_.totals(record.end);
  for (const auto& [queue, times] : admitted_) record.kueue_queues[queue].admitted = times;
}

}  // namespace stockout

#include <algorithm>
#include <cstdint>

#include "tests/support/reference/run.h"

// Section 17: why jobs are pending in Kueue.
namespace stockout::reference {

/// R17.1.
std::vector<std::string> RunBooks::flavors_for(const JobState& job) const {
  std::vector<std::string> flavors;
  if (!kueue_ || !job.recorded) return flavors;
  const ShapeId asked = job.came_to_kueue ? job.asked : job.job.shape;
  for (const Leg& leg : strategy_.legs) {
    if (!leg.open_to(job.job.job_class) || leg.candidates[index(asked)].empty()) continue;
    if (std::ranges::count(flavors, leg.flavor) == 0) flavors.push_back(leg.flavor);
  }
  return flavors;
}

/// R17.17: All that came to Kueue as a pod set of the same workload, in order of coming.
std::vector<const JobState*> RunBooks::all_mates(const JobState& job) const {
  const auto set_of = [&](const JobState& one) { return world_.sources[index(one.job.source)].set; };
  std::vector<const JobState*> mates;
  for (const JobState& other : jobs_) {
    if (!other.came_to_kueue) continue;
    const bool is_mate = set_of(job) && set_of(other) && set_of(other)->first == set_of(job)->first &&
                         other.job.row == job.job.row;
    if (&other == &job || is_mate) mates.push_back(&other);
  }
  return mates;
}

/// Those of them that are not final.
std::vector<JobState*> RunBooks::mates_of(const JobState& job) {
  std::vector<JobState*> mates;
  for (JobState& other : jobs_) {
    if (other.stage != Stage::final && std::ranges::count(all_mates(job), &other) > 0)
      mates.push_back(&other);
  }
  return mates;
}

/// R17.25: They were told to.
bool RunBooks::fails_as_set(const JobState& job) const {
  return std::ranges::any_of(all_mates(job), &JobState::is_failing);
}

/// R17.3: Whether the check is an open request for capacity in the job's flavor.
bool RunBooks::is_asked_for(const kueue::Check& check, const JobState& job) const {
  const kueue::Admission& admission = *kueue_->workload(*job.workload).status.admission;
  const std::string& flavor = admission.pod_sets[job.pod_set].flavors.at(kKueueResource);
  if (check.state != kueue::CheckState::pending) return false;
  for (const auto& rule : world_.kueue->objects.cluster_queues.at(admission.cluster_queue).checks) {
    const bool is_of_flavor = rule.flavors.empty() || std::ranges::count(rule.flavors, flavor) > 0;
    if (rule.name == check.name && is_of_flavor) return true;
  }
  return false;
}

/// R17.9: How often it has been tried again before.
const kueue::Check* RunBooks::open_check(const JobState& job) const {
  for (const kueue::Check& check : kueue_->workload(*job.workload).status.checks) {
    if (is_asked_for(check, job)) return &check;
  }
  return nullptr;
}

/// R17.19: A pending check of which no job of the workload that is not final lacks a lease.
const kueue::Check* RunBooks::met_check(const JobState& job) const {
  const auto has_lease = [&](const JobState& one) {
    return std::ranges::any_of(leases_,
                               [&](const Lease& lease) { return lease.open() && lease.job == &one; });
  };
  for (const kueue::Check& check : kueue_->workload(*job.workload).status.checks) {
    const auto lacks = [&](const JobState* one) {
      return one->stage != Stage::final && is_asked_for(check, *one) && !has_lease(*one);
    };
    if (check.state == kueue::CheckState::pending && std::ranges::none_of(all_mates(job), lacks))
      return &check;
  }
  return nullptr;
}

/// R17.14: As many pods as will do.
std::int64_t Run::least_pods(const JobState& job, const Shape& asked) const {
  if (asked.tail_gpus > 0) return 1;
  for (const PartialAdmission& entry : world_.kueue->partial) {
    if (!entry.jobs.has(job.job.job_class, job.job.user)) continue;
    std::int64_t least = 1;
    const auto is_enough = [&] {
      return entry.min_count > 0 ? least >= entry.min_count
                                 : least * 1'000'000 >= std::int64_t{entry.min_share_ppm} * asked.nodes;
    };
    while (least < asked.nodes && !is_enough()) ++least;
    return least;
  }
  return asked.nodes;
}

/// R17.4, R17.17.
kueue::PodSet Run::pods_for(const JobState& job) const {
  const Shape& shape = world_.shapes[index(job.job.shape)];
  kueue::PodSet pods;
  pods.count = shape.tail_gpus > 0 ? 1 : shape.nodes;
  const std::int64_t least = is_in_set(job) ? pods.count : least_pods(job, shape);
  if (least < pods.count) pods.min_count = least;
  const std::int64_t gpus = shape.tail_gpus > 0 ? shape.gpus().count() : shape.gpus_per_node;
  pods.requests[kKueueResource] = kueue::Amount{gpus};
  for (const PodRequest& each : world_.kueue->requests) {
    if (pods.requests.count(each.resource) > 0 || !each.jobs.has(job.job.job_class, job.job.user)) continue;
    pods.requests[each.resource] = kueue::Amount{each.per_gpu.count() * gpus};
  }
  kueue::LabelCondition is_of{.key = kKueueFlavorLabel, .op = "In", .values = flavors_for(job)};
  pods.nodes.terms.push_back({is_of});
  return pods;
}

/// R17.12: Quota that jobs of at most that priority hold.
kueue::QuotaTree RunBooks::quota_used_up_to(std::int32_t priority) const {
  kueue::QuotaTree tree;
  tree.rebuild(world_.kueue->objects);
  for (const JobState& job : jobs_) {
    if (!job.workload || !kueue_->ledger().holds(*job.workload)) continue;
    const kueue::Workload& own = kueue_->workload(*job.workload);
    if (own.spec.priority > priority) continue;
    const kueue::PodSetAdmission& pods = own.status.admission->pod_sets[job.pod_set];
    for (const auto& [resource, used] : pods.usage) {
      const kueue::CellId cell = tree.cell(pods.flavors.at(resource), resource);
      tree.add(*tree.queue(own.status.admission->cluster_queue), {{cell, used}});
    }
  }
  return tree;
}

/// R17.12.
bool RunBooks::waits_behind_higher(const JobState& job) const {
  const kueue::Workload& own = kueue_->workload(*job.workload);
  const auto stands_before = [&](const JobState& other) {
    if (!other.workload || other.stage == Stage::final || other.has_gone_on || other.is_held) return false;
    const kueue::Workload& its = kueue_->workload(*other.workload);
    const bool is_put_off = its.status.requeue && its.status.requeue->at.value_or(kStart) > kueue_told_;
    return !is_put_off && its.spec.priority > own.spec.priority && its.cluster_queue == own.cluster_queue;
  };
  return std::ranges::any_of(jobs_, stands_before);
}

/// R17.29: Quota of all that is left to find and that the group has, in one flavor of it. True if there is
/// nothing, or it was found.
bool RunBooks::finds_in_group(const JobState& job, const kueue::ResourceGroup& group, kueue::NodeId queue,
                              std::map<std::string, std::int64_t>& left, kueue::QuotaTree& tree,
                              const FitsIn& fits) const {
  for (const kueue::FlavorQuotas& quota : group.flavors) {
    const bool is_of_legs = !world_.kueue->objects.flavors.at(quota.flavor).labels.empty();
    kueue::Usage usage;
    bool does = !is_of_legs || std::ranges::count(flavors_for(job), quota.flavor) > 0;
    for (const auto& [resource, amount] : left) {
      if (quota.quotas.count(resource) == 0) continue;
      usage.push_back({tree.cell(quota.flavor, resource), kueue::Amount{amount}});
      does = does && fits(tree, queue, usage.back().cell, usage.back().amount);
    }
    if (usage.empty()) return true;
    if (!does) continue;
    tree.add(queue, usage);
    for (const auto& [resource, own] : quota.quotas) left.erase(resource);
    return true;
  }
  return group.flavors.empty();
}

/// R17.12, R17.24: In any flavor; of several pod sets one after the other, in the queue's order of flavors.
bool RunBooks::would_fit(const JobState& job, kueue::QuotaTree tree, const FitsIn& fits) const {
  const kueue::Workload& own = kueue_->workload(*job.workload);
  const kueue::NodeId queue = *tree.queue(own.cluster_queue);
  for (const JobState* mate : all_mates(job)) {
    if (mate->is_done) continue;
    const kueue::PodSet& pods = own.spec.pod_sets[mate->pod_set];
    const std::int64_t least = pods.min_count ? *pods.min_count : pods.count;
    std::map<std::string, std::int64_t> left;
    for (const auto& [resource, of_pod] : pods.requests) {
      if (of_pod.count() > 0) left[resource] = least * of_pod.count();
    }
    for (const auto& group : world_.kueue->objects.cluster_queues.at(own.cluster_queue).groups) {
      if (!group.flavors.empty() && group.flavors.front().quotas.count("pods") > 0) left["pods"] = least;
    }
    for (const auto& group : world_.kueue->objects.cluster_queues.at(own.cluster_queue).groups) {
      if (!finds_in_group(*mate, group, queue, left, tree, fits)) return false;
    }
    if (!left.empty()) return false;
  }
  return true;
}

/// R17.12.
WaitCause RunBooks::why_pending(const JobState& job) const {
  const kueue::Workload& own = kueue_->workload(*job.workload);
  if (own.status.requeue && own.status.requeue->at.value_or(kStart) > kueue_told_) return WaitCause::back_off;
  const FitsIn has_room = [](const auto& tree, auto queue, auto cell, auto asked) {
    return tree.available(queue, cell) >= asked;
  };
  const FitsIn is_own = [](const auto& tree, auto queue, auto cell, auto asked) {
    return tree.usage(queue, cell) + asked <= tree.nominal(queue, cell);
  };
  const kueue::QuotaTree all = quota_used_up_to(INT32_MAX);
  if (would_fit(job, all, has_room)) {
    if (kueue_->waits_for_pods()) return WaitCause::blocked;
    return waits_behind_higher(job) ? WaitCause::priority : WaitCause::quota;
  }
  if (would_fit(job, all, is_own)) return WaitCause::borrowing;
  const bool higher_have_it = would_fit(job, quota_used_up_to(own.spec.priority), has_room);
  return higher_have_it ? WaitCause::priority : WaitCause::quota;
}

/// R17.12, R17.13: All is as it was when Kueue was last told something.
void Run::count_kueue_time(SimTime until) {
  const SimDuration length = until - kueue_told_;
  if (length > SimDuration::zero()) {
    for (JobState& job : jobs_) {
      if (job.kueue_since == kNever) continue;
      const WaitCause cause = why_pending(job);
      note("kueue: waits for " + std::string{name_of(cause)});
      (job.was_granted ? job.pending_again : job.pending_for)[cause] += length;
    }
    count_quota_used(length);
  }
  kueue_told_ = until;
}

/// R17.13.
void Run::count_quota_used(SimDuration length) {
  kueue::QuotaTree tree = quota_used_up_to(INT32_MAX);
  for (const auto& [name, queue] : world_.kueue->objects.cluster_queues) {
    KueueQueueTotals& totals = result_.kueue_queues[name];
    for (const auto& [flavor, object] : world_.kueue->objects.flavors) {
      const kueue::CellId cell = tree.cell(flavor, kKueueResource);
      const std::int64_t used = tree.usage(*tree.queue(name), cell).count();
      const std::int64_t own = tree.nominal(*tree.queue(name), cell).count();
      totals.held += GpuCount{used} * length;
      totals.borrowed += GpuCount{std::max<std::int64_t>(0, used - own)} * length;
    }
  }
}

}  // namespace stockout::reference

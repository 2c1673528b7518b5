#include <algorithm>
#include <cstdint>
#include <utility>

#include "models/orchestrators/kueue/pods_ready.h"
#include "tests/support/reference/run.h"

// Section 17: Kueue. What it decides is asked of its library; when jobs come to it and what they do at its
// word is here.
namespace stockout::reference {
namespace {

/// R17.9: How often it has been tried again before.
const kueue::Check* open_check(const kueue::Workload& workload) {
  for (const kueue::Check& check : workload.status.checks) {
    if (check.state == kueue::CheckState::pending) return &check;
  }
  return nullptr;
}

}  // namespace

/// R17.1.
std::vector<std::string> Run::flavors_for(const JobState& job) const {
  std::vector<std::string> flavors;
  if (!kueue_ || !job.recorded) return flavors;
  const ShapeId asked = job.workload ? job.asked : job.job.shape;
  for (const Leg& leg : strategy_.legs) {
    if (!leg.open_to(job.job.job_class) || leg.candidates[index(asked)].empty()) continue;
    if (std::ranges::count(flavors, leg.flavor) == 0) flavors.push_back(leg.flavor);
  }
  return flavors;
}

/// R17.3: Time comes first.
void Run::tell_kueue() {
  count_kueue_time(now_);
  kueue_->advance(now_);
  kueue_is_due_ = true;
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

/// R17.4.
kueue::Workload Run::workload_for(const JobState& job) const {
  const Shape& shape = world_.shapes[index(job.job.shape)];
  kueue::PodSet pods;
  pods.count = shape.tail_gpus > 0 ? 1 : shape.nodes;
  if (const std::int64_t least = least_pods(job, shape); least < pods.count) pods.min_count = least;
  pods.requests[kKueueResource] =
      kueue::Amount{shape.tail_gpus > 0 ? shape.gpus().count() : shape.gpus_per_node};
  kueue::LabelCondition is_of{.key = kKueueFlavorLabel, .op = "In", .values = flavors_for(job)};
  pods.nodes.terms.push_back({is_of});
  kueue::Workload workload;
  workload.created = now_;
  workload.spec.priority = job.job_class->priority;
  workload.spec.pod_sets.push_back(pods);
  for (const KueueEntrance& entrance : world_.kueue->entrances) {
    if (!entrance.jobs.has(job.job.job_class, job.job.user)) continue;
    workload.spec.local_queue = entrance.local_queue;
    break;
  }
  return workload;
}

/// R17.2, R17.3: The job is about to begin an attempt.
bool Run::stops_at_gate(JobState& job) {
  if (flavors_for(job).empty() || (job.is_beyond_gate && !job.is_stopping)) return false;
  tell_kueue();
  job.step.due = job.patience = Due{};
  job.queues = false;
  if (!job.was_granted) job.kueue_since = now_;
  if (!job.workload) {
    note("kueue: submitted");
    job.asked = job.job.shape;
    job.workload = kueue_->submit(workload_for(job));
    return true;
  }
  note("kueue: came back");
  job.is_beyond_gate = job.is_stopping = false;
  if (gives_quota_back(job)) back_at_gate_.push_back(&job);
  return true;
}

/// R17.16: True if it does so at once.
bool Run::gives_quota_back(JobState& job) {
  job.gave_back.push_back(now_);
  if (std::ranges::count(job.gave_back, now_) > 10) {
    note("kueue: evicted again and again in one instant");
    job.pods_gone = set_for(now_ + std::chrono::seconds{30});
    kueue_instants_.push_back(job.pods_gone);
    return false;
  }
  kueue_->finish_eviction(*job.workload);
  return true;
}

/// R17.3.
void Run::kueue_grants(JobState& job) {
  if (!job.workload) return;
  while (const kueue::Check* check = open_check(kueue_->workload(*job.workload))) {
    note("kueue: capacity came");
    tell_kueue();
    kueue_->set_check(*job.workload, {.name = check->name, .state = kueue::CheckState::ready});
  }
}

/// R17.5.
void Run::pods_will_be_ready(const Lease& lease) {
  if (!lease.job->workload || !world_.kueue->settings.pods_ready) return;
  lease.job->pods_ready = set_for(lease.works);
  kueue_instants_.push_back(lease.job->pods_ready);
}

/// R17.3.
void Run::pods_are_gone(JobState& job) {
  if (!job.workload || lease_of(job) != nullptr) return;
  job.pods_ready = Due{};
  const auto& ready = kueue_->workload(*job.workload).status.pods_ready;
  if (!ready || !ready->status) return;
  note("kueue: pods lost");
  tell_kueue();
  kueue_->set_pods_ready(*job.workload, {.status = false, .reason = kueue::kWaitForRecovery});
}

/// R17.9.
bool Run::asks_for_capacity_again(JobState& job) {
  if (!job.workload || !job.is_beyond_gate || job.is_stopping) return false;
  const kueue::Check* check = open_check(kueue_->workload(*job.workload));
  if (check == nullptr) return false;
  const kueue::ProvisioningRetry& rule = world_.kueue->checks.at(check->name);
  if (check->retries >= rule.limit) {
    note("kueue: capacity failed too often");
    return false;
  }
  note("kueue: capacity failed");
  SimDuration delay = rule.base;
  for (std::int32_t k = 0; k < check->retries && delay < rule.most; ++k) delay *= 2;
  tell_kueue();
  job.is_stopping = true;
  kueue_->set_check(
      *job.workload,
      {.name = check->name, .state = kueue::CheckState::retry, .requeue_after = std::min(delay, rule.most)});
  attempt_again(job);
  return true;
}

/// R17.3.
void Run::leave_kueue(JobState& job) {
  if (!job.workload) return;
  tell_kueue();
  end_kueue_wait(job);
  job.pods_ready = job.pods_gone = Due{};
  kueue_->finish(*job.workload);
}

/// R17.11.
void Run::end_kueue_wait(JobState& job) {
  if (job.kueue_since != kNever) job.kueue.wait += now_ - std::exchange(job.kueue_since, kNever);
}

/// R17.12: Quota that jobs of at most that priority hold.
kueue::QuotaTree Run::quota_used_up_to(std::int32_t priority) const {
  kueue::QuotaTree tree;
  tree.rebuild(world_.kueue->objects);
  for (const JobState& job : jobs_) {
    if (!job.workload || !kueue_->ledger().holds(*job.workload) || job.job_class->priority > priority)
      continue;
    const kueue::Admission& admission = *kueue_->workload(*job.workload).status.admission;
    const kueue::PodSetAdmission& pods = admission.pod_sets.front();
    const kueue::CellId cell = tree.cell(pods.flavors.at(kKueueResource), kKueueResource);
    tree.add(*tree.queue(admission.cluster_queue), {{cell, pods.usage.at(kKueueResource)}});
  }
  return tree;
}

/// R17.12.
bool Run::waits_behind_higher(const JobState& job) const {
  const auto stands_before = [&](const JobState& other) {
    if (!other.workload || other.stage == Stage::final || other.is_beyond_gate) return false;
    const kueue::Workload& its = kueue_->workload(*other.workload);
    const bool is_put_off = its.status.requeue && its.status.requeue->at.value_or(kStart) > kueue_told_;
    return !is_put_off && other.job_class->priority > job.job_class->priority &&
           its.cluster_queue == kueue_->workload(*job.workload).cluster_queue;
  };
  return std::ranges::any_of(jobs_, stands_before);
}

/// R17.12.
WaitCause Run::cause_at_gate(const JobState& job) const {
  const kueue::Workload& own = kueue_->workload(*job.workload);
  if (own.status.requeue && own.status.requeue->at.value_or(kStart) > kueue_told_) return WaitCause::back_off;
  const kueue::PodSet& pods = own.spec.pod_sets.front();
  const std::int64_t least = pods.min_count ? *pods.min_count : pods.count;
  const kueue::Amount asked{least * pods.requests.at(kKueueResource).count()};
  const auto in_any_flavor = [&](kueue::QuotaTree tree, auto holds) {
    const kueue::NodeId queue = *tree.queue(own.cluster_queue);
    for (const std::string& flavor : flavors_for(job)) {
      const kueue::CellId cell = tree.cell(flavor, kKueueResource);
      if (tree.quota(queue, cell) != nullptr && holds(tree, queue, cell)) return true;
    }
    return false;
  };
  const auto has_room = [&](const kueue::QuotaTree& tree, kueue::NodeId queue, kueue::CellId cell) {
    return tree.available(queue, cell) >= asked;
  };
  const auto is_own = [&](const kueue::QuotaTree& tree, kueue::NodeId queue, kueue::CellId cell) {
    return tree.usage(queue, cell) + asked <= tree.nominal(queue, cell);
  };
  const kueue::QuotaTree all = quota_used_up_to(INT32_MAX);
  if (in_any_flavor(all, has_room)) {
    if (kueue_->waits_for_pods()) return WaitCause::blocked;
    return waits_behind_higher(job) ? WaitCause::priority : WaitCause::quota;
  }
  if (in_any_flavor(all, is_own)) return WaitCause::borrowing;
  const bool higher_have_it = in_any_flavor(quota_used_up_to(job.job_class->priority), has_room);
  return higher_have_it ? WaitCause::priority : WaitCause::quota;
}

/// R17.12, R17.13: All is as it was when Kueue was last told something.
void Run::count_kueue_time(SimTime until) {
  const SimDuration length = until - kueue_told_;
  if (length > SimDuration::zero()) {
    for (JobState& job : jobs_) {
      if (job.kueue_since == kNever) continue;
      const WaitCause cause = cause_at_gate(job);
      note("kueue: waits for " + std::string{name_of(cause)});
      job.at_gate[cause] += length;
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

/// R17.5: Phase 3, before the steps.
void Run::play_kueue_instants() {
  for (Due& due : kueue_instants_) {
    if (comes_due(due)) tell_kueue();
  }
  for (JobState& job : jobs_) {
    if (!comes_due(job.pods_ready)) continue;
    note("kueue: pods ready");
    kueue_->set_pods_ready(*job.workload, {.status = true});
  }
  for (JobState& job : jobs_) {
    if (!comes_due(job.pods_gone)) continue;
    note("kueue: pods gone");
    kueue_->finish_eviction(*job.workload);
    back_at_gate_.push_back(&job);
  }
  std::erase_if(kueue_instants_, [](const Due& due) { return due.at == kNever; });
}

/// R17.6.
void Run::look_at_kueue() {
  while (kueue_is_due_) {
    kueue_turn();
    look_at_quotas();
  }
}

void Run::kueue_turn() {
  kueue_is_due_ = false;
  std::vector<std::function<void()>> to_do;
  for (JobState* job : std::exchange(back_at_gate_, {})) {
    if (job->stage != Stage::final) look_at_gate(*job, to_do);
  }
  bool again = true;
  while (again) {
    again = false;
    kueue_->settle();
    for (const kueue::Event& event : kueue_->take_events()) look_at_event(event, to_do, again);
  }
  const auto is_in_kueue = [](const JobState& job) { return job.workload && job.stage != Stage::final; };
  const auto next = kueue_->next_due();
  if (next && std::ranges::any_of(jobs_, is_in_kueue)) {
    const auto is_set = [&](const Due& due) { return due.at == *next; };
    if (std::ranges::none_of(kueue_instants_, is_set)) kueue_instants_.push_back(set_for(*next));
  }
  for (const auto& action : to_do) action();
}

void Run::look_at_event(const kueue::Event& event, std::vector<std::function<void()>>& to_do, bool& again) {
  if (event.kind == kueue::Event::Kind::admitted) ++result_.kueue_queues[event.queue].admitted;
  const auto found =
      std::ranges::find_if(jobs_, [&](const JobState& job) { return job.workload == event.workload; });
  JobState& job = *found;
  if (job.stage == Stage::final) return;
  if (!job.is_beyond_gate) {
    again = look_at_gate(job, to_do) || again;
    return;
  }
  if (event.kind != kueue::Event::Kind::evicted) return;
  const std::string by = event.preemptor ? kueue_->workload(*event.preemptor).cluster_queue : "";
  const std::string& why = event.preemptor ? event.preemption_reason : event.reason;
  note("kueue: evicted, " + why);
  ++job.kueue.evictions;
  ++result_.kueue_evictions[{.queue = event.queue, .reason = why, .by = by}];
  if (event.preemptor) {
    const auto to =
        std::ranges::find_if(jobs_, [&](const JobState& one) { return one.workload == event.preemptor; });
    result_.gave_way.push_back({.at = now_, .job = number_of(job), .to = number_of(*to)});
  }
  if (job.is_stopping) return;
  job.is_stopping = true;
  to_do.emplace_back([this, &job] { suspend(job); });
}

/// R17.6: True if it gave quota back.
bool Run::look_at_gate(JobState& job, std::vector<std::function<void()>>& to_do) {
  const kueue::Workload& own = kueue_->workload(*job.workload);
  if (!own.has_quota()) {
    if (own.spec.active || job.is_beyond_gate) return false;
    note("kueue: given up");
    job.is_beyond_gate = job.is_stopping = true;
    to_do.emplace_back([this, &job] { make_final(job, FinalState::failed); });
    return false;
  }
  if (own.status.evicted.status) {
    note("kueue: evicted at the gate");
    return job.pods_gone.at == kNever && gives_quota_back(job);
  }
  note("kueue: admitted");
  job.is_beyond_gate = true;
  end_kueue_wait(job);
  const std::string flavor = own.status.admission->pod_sets.front().flavors.at(kKueueResource);
  job.flavor_legs.clear();
  for (std::size_t l = 0; l < strategy_.legs.size(); ++l) {
    if (strategy_.legs[l].flavor == flavor) job.flavor_legs.push_back(l);
  }
  take_shape(job, own);
  to_do.emplace_back([this, &job] { start_at_first_leg(job); });
  return false;
}

/// R17.15.
void Run::take_shape(JobState& job, const kueue::Workload& own) {
  const kueue::PodSetAdmission& pods = own.status.admission->pod_sets.front();
  const bool has_all = pods.count == own.spec.pod_sets.front().count;
  if (!has_all) note("kueue: admitted with fewer pods");
  if (has_all && job.job.shape != job.asked) note("kueue: admitted with all pods after all");
  job.job.shape = has_all ? job.asked : world_.kueue->reduced.at({job.asked, pods.count});
  job.kueue.reduced = has_all ? GpuCount{} : world_.shapes[index(job.job.shape)].gpus();
}

/// R17.8.
void Run::suspend(JobState& job) {
  note("kueue: suspended");
  withdraw(Fate::withdrawn, [&](const Request& one) { return one.job == &job; });
  if (lease_of(job) == nullptr) {
    job.past_last = false;
    leave_line(job);
    return begin_at_first_leg(job);
  }
  for (auto lease = leases_.rbegin(); lease != leases_.rend(); ++lease) {
    if (lease->job != &job || !lease->stays()) continue;
    touch(lease->pool);
    set_leaving(*lease);
  }
}

}  // namespace stockout::reference

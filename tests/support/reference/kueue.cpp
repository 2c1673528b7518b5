#include <algorithm>
#include <cstdint>
#include <utility>

#include "models/orchestrators/kueue/pods_ready.h"
#include "tests/support/reference/run.h"

// Section 17: Kueue. What it decides is asked of its library; when jobs come to it and what they do at its
// word is here.
namespace stockout::reference {
/// R17.3: Time comes first.
void Run::tell_kueue() {
  count_kueue_time(now_);
  kueue_->advance(now_);
  kueue_is_due_ = true;
}

/// R17.4, R17.17: The queue and the priority are those of the first.
void Run::submit(const std::vector<JobState*>& jobs) {
  const JobState& first = *jobs.front();
  kueue::Workload workload;
  workload.created = now_;
  workload.spec.priority = first.job_class->priority;
  for (JobState* job : jobs) {
    job->pod_set = workload.spec.pod_sets.size();
    workload.spec.pod_sets.push_back(pods_for(*job));
    if (is_in_set(*job))
      workload.spec.pod_sets.back().name = "source " + std::to_string(index(job->job.source));
  }
  for (const KueueEntrance& entrance : world_.kueue->entrances) {
    if (!entrance.jobs.has(first.job.job_class, first.job.user)) continue;
    workload.spec.local_queue = entrance.local_queue;
    break;
  }
  const kueue::WorkloadId id = kueue_->submit(workload);
  for (JobState* job : jobs) job->workload = id;
}

/// R17.2, R17.3, R17.17, R17.20: The job is about to begin an attempt.
bool Run::stops_at_kueue(JobState& job) {
  if (flavors_for(job).empty() || (job.has_gone_on && !job.is_stopping)) return false;
  if (job.came_to_kueue && !job.has_gone_on) return true;
  tell_kueue();
  job.step.due = job.patience = Due{};
  job.queues = false;
  job.kueue_since = now_;
  if (!job.came_to_kueue) {
    note("kueue: submitted");
    job.came_to_kueue = true;
    job.asked = job.job.shape;
    if (!is_in_set(job)) submit({&job});
    return true;
  }
  note("kueue: came back");
  job.has_gone_on = job.is_stopping = job.is_told = false;
  if (std::ranges::any_of(mates_of(job), [](const JobState* one) { return one->has_gone_on; })) {
    note("kueue: came back, and others of its set did not yet");
  } else if (gives_quota_back(job)) {
    pending_again_.push_back(&job);
  }
  return true;
}

/// R17.16: True if it does so at once.
bool Run::gives_quota_back(JobState& job) {
  JobState& first = *std::ranges::find(jobs_, all_mates(job).front(), [](JobState& one) { return &one; });
  first.gave_back.push_back(now_);
  if (std::ranges::count(first.gave_back, now_) > 10) {
    note("kueue: evicted again and again in one instant");
    first.pods_gone = set_for(now_ + std::chrono::seconds{30});
    kueue_instants_.push_back(first.pods_gone);
    return false;
  }
  kueue_->finish_eviction(*job.workload);
  return true;
}

/// R17.3, R17.19.
void Run::kueue_grants(JobState& job) {
  if (!job.workload) return;
  while (const kueue::Check* check = met_check(job)) {
    note("kueue: capacity came");
    tell_kueue();
    kueue_->set_check(*job.workload, {.name = check->name, .state = kueue::CheckState::ready});
  }
}

/// R17.5, R17.22.
void Run::pods_will_be_ready(const Lease& lease) {
  if (!lease.job->workload || !world_.kueue->settings.pods_ready || lease.works == kNever) return;
  lease.job->pods_ready = set_for(lease.works);
  kueue_instants_.push_back(lease.job->pods_ready);
}

/// R17.3, R17.22.
void Run::pods_are_gone(JobState& job) {
  if (!job.workload || lease_of(job) != nullptr) return;
  job.pods_ready = Due{};
  job.has_pods = false;
  const auto& ready = kueue_->workload(*job.workload).status.pods_ready;
  if (!ready || !ready->status) return;
  note("kueue: pods lost");
  tell_kueue();
  kueue_->set_pods_ready(*job.workload, {.status = false, .reason = kueue::kWaitForRecovery});
}

/// R17.9, R17.20.
bool Run::asks_for_capacity_again(JobState& job) {
  if (!job.workload || !job.has_gone_on || fails_as_set(job)) return false;
  if (job.is_stopping) {
    note("kueue: no leg is left, and its set stops");
    job.is_told = true;
    attempt_again(job);
    return true;
  }
  const kueue::Check* check = open_check(job);
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
  job.is_told = true;
  const std::string queue = kueue_->workload(*job.workload).status.admission->cluster_queue;
  ++result_.evictions[{.queue = queue, .reason = "AdmissionCheck", .by = ""}];
  for (JobState* mate : mates_of(job)) {
    mate->is_retried = true;
    if (mate->has_gone_on) ++mate->kueue.evictions;
  }
  kueue_->set_check(
      *job.workload,
      {.name = check->name, .state = kueue::CheckState::retry, .requeue_after = std::min(delay, rule.most)});
  stop_workload(job);
  attempt_again(job);
  return true;
}

/// R17.20: Who was held is pending again.
void Run::stop_workload(const JobState& job) {
  for (JobState* mate : mates_of(job)) {
    mate->is_stopping = mate->has_gone_on;
    if (std::exchange(mate->is_held, false)) mate->kueue_since = now_;
  }
}

/// R17.3, R17.20, R17.21.
void Run::leave_kueue(JobState& job, bool completed) {
  if (!job.came_to_kueue) return;
  tell_kueue();
  end_kueue_wait(job);
  std::vector<JobState*> others = mates_of(job);
  std::erase(others, &job);
  job.pods_ready = Due{};
  if (others.empty()) {
    for (JobState& one : jobs_) {
      if (job.workload && one.workload == job.workload) one.pods_gone = Due{};
    }
    if (job.workload) kueue_->finish(*job.workload);
    return;
  }
  if (completed) reclaim_pods(job, others);
  const bool is_stopping =
      job.is_stopping || std::ranges::any_of(others, [](const JobState* one) { return one->is_stopping; });
  job.has_gone_on = false;
  if (!is_stopping || fails_as_set(job) || std::ranges::any_of(others, &JobState::has_gone_on)) return;
  note("kueue: the last of its set to stop completed");
  job.stage = Stage::final;  // so that it is none of those that wait
  if (gives_quota_back(*others.front())) pending_again_.push_back(others.front());
}

/// R17.21, R17.22.
void Run::reclaim_pods(JobState& job, const std::vector<JobState*>& others) {
  note("kueue: pods of a set are done");
  job.is_done = true;
  const kueue::Workload& own = kueue_->workload(*job.workload);
  std::map<std::string, std::int64_t> done;
  for (const JobState* mate : all_mates(job)) {
    const kueue::PodSet& pods = own.spec.pod_sets[mate->pod_set];
    if (mate->is_done) done[pods.name] = pods.count;
  }
  kueue_->set_reclaimable(own.id, done);
  if (own.status.pods_ready && std::ranges::all_of(others, &JobState::has_pods))
    kueue_->set_pods_ready(own.id, {.status = true});
}

/// R17.11.
void Run::end_kueue_wait(JobState& job) {
  const SimTime since = std::exchange(job.kueue_since, kNever);
  if (since != kNever && !job.was_granted) job.kueue.wait += now_ - since;
}

/// R17.5: Phase 3, before the steps.
void Run::play_kueue_instants() {
  for (Due& due : kueue_instants_) {
    if (comes_due(due)) tell_kueue();
  }
  for (JobState& job : jobs_) {
    if (!comes_due(job.pods_ready)) continue;
    job.has_pods = true;
    if (!std::ranges::all_of(mates_of(job), &JobState::has_pods)) continue;
    note("kueue: pods ready");
    kueue_->set_pods_ready(*job.workload, {.status = true});
  }
  for (JobState& job : jobs_) {
    if (!comes_due(job.pods_gone)) continue;
    note("kueue: pods gone");
    kueue_->finish_eviction(*job.workload);
    pending_again_.push_back(&job);
  }
  std::erase_if(kueue_instants_, [](const Due& due) { return due.at == kNever; });
}

/// R17.6.
void Run::look_at_kueue() {
  while (kueue_is_due_) {
    kueue_turn();
    look_at_sets();
    look_at_quotas();
  }
}

void Run::kueue_turn() {
  kueue_is_due_ = false;
  std::vector<std::function<void()>> to_do;
  for (const JobState& job : jobs_) {
    if (job.came_to_kueue && job.stage != Stage::final && !job.workload && !fails_as_set(job)) {
      note("kueue: a set came");
      submit(mates_of(job));
    }
  }
  for (JobState* job : std::exchange(pending_again_, {})) {
    const std::vector<JobState*> mates = mates_of(*job);
    if (!mates.empty()) look_at_pending(*mates.front(), to_do);
  }
  bool again = true;
  while (again) {
    again = false;
    kueue_->settle();
    for (const kueue::Event& event : kueue_->take_events()) look_at_event(event, to_do, again);
  }
  const auto is_in_kueue = [](const JobState& job) { return job.came_to_kueue && job.stage != Stage::final; };
  const auto next = kueue_->next_due();
  if (next && std::ranges::any_of(jobs_, is_in_kueue)) {
    const auto is_set = [&](const Due& due) { return due.at == *next; };
    if (std::ranges::none_of(kueue_instants_, is_set)) kueue_instants_.push_back(set_for(*next));
  }
  for (const auto& action : to_do) action();
}

void Run::look_at_event(const kueue::Event& event, std::vector<std::function<void()>>& to_do, bool& again) {
  using enum kueue::Event::Kind;
  if (event.kind == admitted) ++result_.kueue_queues[event.queue].admitted;
  const auto first_of = [&](kueue::WorkloadId id) -> JobState& {
    return *std::ranges::find_if(jobs_, [&](const JobState& job) { return job.workload == id; });
  };
  const std::vector<JobState*> mates = mates_of(first_of(event.workload));
  if (mates.empty()) return;
  JobState& job = *mates.front();
  bool is_counted = false;
  for (JobState* mate : mates)
    is_counted = (event.kind == evicted && std::exchange(mate->is_retried, false)) || is_counted;
  if (std::ranges::none_of(mates, [](const JobState* one) { return one->has_gone_on || one->is_held; })) {
    again = look_at_pending(job, to_do) || again;
    return;
  }
  const bool is_stopping = std::ranges::any_of(mates, &JobState::is_stopping);
  const bool is_evicted = kueue_->workload(event.workload).status.evicted.status;
  if (event.kind == admitted && !is_stopping && !is_evicted && !fails_as_set(job)) let_go_on(job, to_do);
  if (event.kind != evicted) return;
  const std::string by = event.preemptor ? kueue_->workload(*event.preemptor).cluster_queue : "";
  const std::string& why = event.preemptor ? event.preemption_reason : event.reason;
  note("kueue: evicted, " + why);
  if (!is_counted) ++result_.evictions[{.queue = event.queue, .reason = why, .by = by}];
  stop_workload(job);
  for (JobState* mate : mates) {
    if (!mate->has_gone_on) continue;
    if (!is_counted) ++mate->kueue.evictions;
    if (event.preemptor)
      result_.gave_way.push_back(
          {.at = now_, .job = number_of(*mate), .to = number_of(first_of(*event.preemptor))});
    if (std::exchange(mate->is_told, true) || fails_as_set(job)) continue;
    to_do.emplace_back([this, mate] { suspend(*mate); });
  }
}

/// R17.6, R17.18: True if it told Kueue of something.
bool Run::look_at_pending(JobState& job, std::vector<std::function<void()>>& to_do) {
  const kueue::Workload& own = kueue_->workload(*job.workload);
  const std::vector<JobState*> mates = mates_of(job);
  if (fails_as_set(job)) return false;
  if (!own.has_quota()) {
    if (own.spec.active || job.has_gone_on) return false;
    note("kueue: given up");
    for (JobState* mate : mates) {
      mate->is_failing = mate->has_gone_on = mate->is_stopping = mate->is_told = true;
      to_do.emplace_back([this, mate] { make_final(*mate, FinalState::failed); });
    }
    return false;
  }
  if (own.status.evicted.status) {
    note("kueue: evicted while pending");
    const auto goes = [](const JobState* one) { return one->pods_gone.at != kNever; };
    return std::ranges::none_of(all_mates(job), goes) && gives_quota_back(job);
  }
  note("kueue: admitted");
  for (JobState* mate : mates) {
    mate->is_held = true;
    mate->is_stopping = false;
    end_kueue_wait(*mate);
  }
  const kueue::Check* const met = met_check(job);
  if (met != nullptr) {
    note("kueue: no capacity is asked for");
    kueue_->set_check(own.id, {.name = met->name, .state = kueue::CheckState::ready});
  }
  let_go_on(job, to_do);
  return met != nullptr;
}

/// R17.18.
void Run::let_go_on(JobState& job, std::vector<std::function<void()>>& to_do) {
  const kueue::Workload& own = kueue_->workload(*job.workload);
  for (JobState* mate : mates_of(job)) {
    if (!mate->is_held) continue;
    if (!own.status.admitted && open_check(*mate) == nullptr) {
      note("kueue: held until capacity for others is there");
      continue;
    }
    mate->is_held = false;
    mate->has_gone_on = true;
    const std::string flavor = own.status.admission->pod_sets[mate->pod_set].flavors.at(kKueueResource);
    mate->flavor_legs.clear();
    for (std::size_t l = 0; l < strategy_.legs.size(); ++l) {
      if (strategy_.legs[l].flavor == flavor) mate->flavor_legs.push_back(l);
    }
    take_shape(*mate, own);
    to_do.emplace_back([this, mate] { start_at_first_leg(*mate); });
  }
}

/// R17.15.
void Run::take_shape(JobState& job, const kueue::Workload& own) {
  const kueue::PodSetAdmission& pods = own.status.admission->pod_sets[job.pod_set];
  const bool has_all = pods.count == own.spec.pod_sets[job.pod_set].count;
  if (!has_all) note("kueue: admitted with fewer pods");
  if (has_all && job.job.shape != job.asked) note("kueue: admitted with all pods after all");
  job.job.shape = has_all ? job.asked : world_.kueue->reduced.at({job.asked, pods.count});
  job.kueue.reduced = has_all ? GpuCount{} : world_.shapes[index(job.job.shape)].gpus();
}

/// R17.8, R17.20.
void Run::suspend(JobState& job) {
  note("kueue: suspended");
  for (SetState& set : sets_) {
    if (is_in_set(job) && &set == &set_of(job)) set.works = false;
  }
  if (Lease* lease = lease_of(job)) {
    lease->ready = kNever;
    lease->is_suspended = true;
  }
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

#include "models/orchestrators/slurm/backfill.h"

#include <algorithm>

namespace stockout::slurm {
bool BackfillScheduler::cycle() {
  const auto& records = cluster_.queue.records();
  if (records.empty()) return false;
  plan_from(cluster_.second());
  std::size_t next = 0;
  while (next < records.size() && tries_on() && openings_.any(*plan_)) {
    const QueueRecord record = records[next];
    ++next;
    if (is_refused_array(record) || claimed_ == record.job) continue;
    const SimTime claims = cluster_.jobs[record.job].preempts_until;
    const Outcome outcome = try_record(record);
    if (cluster_.jobs[record.job].preempts_until != claims) claimed_ = record.job;
    if (outcome == Outcome::plan_is_full) break;
    follow_array(record, outcome);
    if (outcome == Outcome::started) next = cluster_.queue.place_behind(record);
  }
  plan_.reset();
  return true;
}

void BackfillScheduler::plan_from(SimTime now) {
  const BackfillParameters& parameters = cluster_.settings().backfill;
  plan_.emplace(cluster_.round_down(now, parameters.resolution),
                cluster_.round_down(now + parameters.window, parameters.resolution), cluster_.nodes.usable,
                parameters.resolution);
  openings_.begin();
  tested_ = 0;
  started_ = 0;
  reserved_.assign(cluster_.nodes.of_partition.size(), 0);
  refused_array_.reset();
  array_reservations_.reset();
  claimed_.reset();
}

bool BackfillScheduler::tries_on() const {
  const BackfillParameters& parameters = cluster_.settings().backfill;
  if (parameters.max_job_start > 0 && started_ >= parameters.max_job_start) return false;
  return tested_ < parameters.max_job_test;
}

// Once one task has been refused, or enough have a reservation, the others are passed over in the partition.
bool BackfillScheduler::is_refused_array(const QueueRecord& record) const {
  return refused_array_ && refused_array_->array == record.array &&
         refused_array_->partition == record.partition;
}

void BackfillScheduler::follow_array(const QueueRecord& record, Outcome outcome) {
  refused_array_.reset();
  if (outcome == Outcome::started) return;
  if (outcome == Outcome::refused) {
    refused_array_ = record;
    return;
  }
  const bool is_same = array_reservations_ && array_reservations_->first == record.array;
  array_reservations_ = {record.array, is_same ? array_reservations_->second + 1 : 1};
  if (array_reservations_->second >= cluster_.settings().backfill.max_job_array_resv) refused_array_ = record;
}

bool BackfillScheduler::reserves(const QueueRecord& record) const {
  const BackfillParameters& parameters = cluster_.settings().backfill;
  const Job& job = cluster_.jobs[record.job];
  if (record.priority < parameters.min_prio_reserve) return false;
  if (cluster_.age_of(job) < parameters.min_age_reserve) return false;
  const int most = parameters.job_part_count_reserve;
  return most == 0 || reserved_[record.partition] < most;
}

BackfillScheduler::Outcome BackfillScheduler::try_record(const QueueRecord& record) {
  const Job& job = cluster_.jobs[record.job];
  Search search;
  search.record = record;
  search.limit = cluster_.limit_of(job, record.partition);
  search.now_only = !reserves(record);
  search.all = cluster_.nodes.of_partition[record.partition];
  search.all &= cluster_.nodes.usable;
  search.from = cluster_.second();
  bool is_counted = false;
  while (search.from <= plan_->end()) {
    look_from(search);
    if (search.nodes.size() >= job.request.size.nodes) {
      if (!is_counted) ++tested_;
      is_counted = true;
      if (find_start(search)) return settle_on(search);
    }
    if (!search.later || search.now_only) return Outcome::refused;
    search.from = *search.later;
  }
  return Outcome::refused;
}

void BackfillScheduler::look_from(Search& search) const {
  const std::vector<Slot>& slots = plan_->slots();
  const SimTime end = std::max(search.from, cluster_.second()) + search.limit;
  const int wanted = cluster_.jobs[search.record.job].request.size.nodes;
  search.later.reset();
  search.nodes = search.all;
  for (std::size_t i = plan_->slot_at(search.from); i < slots.size(); ++i) {
    if (i + 1 < slots.size() && !search.later &&
        !search.nodes.holds_common(slots[i].nodes, search.all, slots[i + 1].nodes)) {
      search.later = slots[i].end;
    }
    if (slots[i].begin > end) {
      if (!search.later && i + 2 < slots.size()) search.later = slots[i + 1].end;
      return;
    }
    search.nodes &= slots[i].nodes;
    if (search.later && search.nodes.size() < wanted) return;
  }
}

bool BackfillScheduler::find_start(Search& search) {
  search.start = future_.find(search.record.job, search.record.partition, search.nodes, search.now_only);
  if (search.start == nullptr) return false;
  search.at = std::max(search.start->at, search.from);
  if (search.at <= cluster_.second()) return true;
  if (clashes(search)) return false;
  return search.now_only || !search.later || search.at <= *search.later;
}

// A start later than `from` may meet promises that begin meanwhile: the search goes on there.
bool BackfillScheduler::clashes(Search& search) const {
  const SimDuration resolution = cluster_.settings().backfill.resolution;
  const SimTime begin = cluster_.round_down(search.at, resolution);
  const SimTime end = cluster_.round_up(search.at + search.limit, resolution);
  if (!plan_->overlaps(search.start->nodes, begin, end)) {
    return false;
  }
  search.later = search.at;
  if (search.at == search.from) *search.later += resolution;
  return true;
}

BackfillScheduler::Outcome BackfillScheduler::settle_on(Search& search) {
  const SimTime now = cluster_.second();
  if (search.at <= now) {
    if (launcher_.try_start(search.record.job, search.record.partition, search.nodes)) {
      ++started_;
      return Outcome::started;
    }
  } else if (search.now_only) {
    return Outcome::refused;
  }
  if (search.at > now + cluster_.settings().backfill.window) return Outcome::refused;
  return reserve(search);
}

BackfillScheduler::Outcome BackfillScheduler::reserve(const Search& search) {
  const BackfillParameters& parameters = cluster_.settings().backfill;
  const int in_partition = parameters.job_part_count_reserve;
  if (in_partition > 0 && reserved_[search.record.partition] >= in_partition) return Outcome::refused;
  const int most = parameters.node_space_size > 0 ? parameters.node_space_size : parameters.max_job_test;
  if (plan_->entries() >= most) return Outcome::plan_is_full;
  ++reserved_[search.record.partition];
  plan_->reserve(search.start->nodes, cluster_.round_down(search.at, parameters.resolution),
                 cluster_.round_up(search.at + search.limit, parameters.resolution));
  return Outcome::reserved;
}

}  // namespace stockout::slurm

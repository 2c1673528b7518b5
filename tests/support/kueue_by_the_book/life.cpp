#include "tests/support/kueue_by_the_book/life.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace stockout::test::by_the_book {
namespace {

using kueue::Gate;
using kueue::Workload;
using kueue::WorkloadId;

// Of workloads with the same shape all are parked if one is: rule 45.
std::string shape_of(const Workload& workload, const kueue::Settings& settings) {
  std::string shape = std::to_string(priority_of(workload, settings));
  for (const kueue::PodSet& pod_set : workload.spec.pod_sets) {
    shape += "|" + pod_set.name + std::to_string(pods_left(workload, pod_set, settings)) + "/" +
             std::to_string(pod_set.min_count.value_or(-1));
    for (const auto& [resource, amount] : pod_set.requests)
      shape += "," + resource + std::to_string(amount.count());
    for (const auto& [key, value] : pod_set.nodes.selector) shape += ",s" + key + value;
    for (const kueue::Toleration& one : pod_set.nodes.tolerations)
      shape += ",t" + one.key + one.op + one.value + one.effect;
    for (const auto& term : pod_set.nodes.terms) {
      shape += ";";
      for (const kueue::LabelCondition& one : term) {
        shape += "," + one.key + one.op;
        for (const std::string& value : one.values) shape += value + "/";
      }
    }
  }
  return shape;
}

}  // namespace

Life::Life(kueue::Configuration objects, kueue::Settings settings)
    : objects_{std::move(objects)}, settings_{std::move(settings)} {
  for (const auto& [name, queue] : objects_.cluster_queues) lines_[name];
}

Book Life::book() const {
  Book book{.objects = &objects_, .settings = &settings_};
  for (const auto& [id, workload] : all_) {
    if (workload->status.admission) book.holders.push_back(workload.get());
  }
  return book;
}

bool Life::is_best_effort(const std::string& queue) const {
  return objects_.cluster_queues.at(queue).strategy == kueue::QueueingStrategy::best_effort_fifo;
}

std::string Life::root_of(const std::string& queue) const {
  const Node root = book().root(queue_node(queue));
  return (root.is_queue ? "queue " : "cohort ") + root.name;
}

// Rule 5.
bool Life::goes_first(WorkloadId a, WorkloadId b) const {
  const auto place = [&](WorkloadId id) {
    const Workload& one = *all_.at(id);
    const bool is_sticky = is_best_effort(one.cluster_queue) && lines_.at(one.cluster_queue).preemptor == id;
    return std::tuple{!is_sticky, -priority_of(one, settings_), queued_at(one, settings_), one.uid, id};
  };
  return place(a) < place(b);
}

void Life::submit(Workload workload) {
  workload.id = WorkloadId{static_cast<std::uint32_t>(all_.size())};
  const WorkloadId id = workload.id;
  all_[id] = std::make_unique<Workload>(std::move(workload));
  if (all_.at(id)->status.admission) {
    generations_[root_of(id)] = ++changes_;
  } else {
    wait(id);
  }
}

void Life::wait(WorkloadId id) {
  Line& line = lines_.at(queue_of(id));
  const bool is_known =
      is_best_effort(queue_of(id)) && line.parked_shapes.contains(shape_of(*all_.at(id), settings_));
  (is_known ? line.parked : line.active).insert(id);
}

void Life::leave(WorkloadId id) {
  Line& line = lines_.at(queue_of(id));
  line.active.erase(id);
  line.parked.erase(id);
  if (line.preemptor == id) line.preemptor.reset();
  memories_.erase(id);
}

void Life::give_back(WorkloadId id) {
  Workload& workload = *all_.at(id);
  if (!workload.status.admission) return;
  generations_[root_of(id)] = ++changes_;
  workload.status.admission.reset();
  to_flush_.insert(root_of(id));
}

void Life::finish(WorkloadId id) {
  leave(id);
  give_back(id);
  all_.at(id)->status.finished = true;
}

void Life::finish_eviction(WorkloadId id) {
  give_back(id);
  wait(id);
}

// Rules 46 and 47. Others may be evicted now, or evict it.
void Life::change_priority(WorkloadId id, std::int32_t priority) {
  Workload& workload = *all_.at(id);
  const bool is_changed = workload.spec.priority != priority;
  const bool was_parked = is_parked(id);
  workload.spec.priority = priority;
  generations_[root_of(id)] = ++changes_;
  to_flush_.insert(root_of(id));
  if (!is_changed) return;
  memories_.erase(id);
  if (!was_parked) return;
  lines_.at(queue_of(id)).parked.erase(id);
  wait(id);
}

// Rule 14: quota of pods that are done is free. Who waits asks for less.
void Life::end_pods(WorkloadId id, const std::map<std::string, std::int64_t>& pods) {
  Workload& workload = *all_.at(id);
  const std::string shape = shape_of(workload, settings_);
  const bool is_news = workload.status.reclaimable != pods;
  workload.status.reclaimable = pods;
  if (!settings_.gates.has(Gate::reclaimable_pods)) return;
  if (workload.status.admission) {
    scale_down(workload);
    generations_[root_of(id)] = ++changes_;
    to_flush_.insert(root_of(id));
  } else if (is_news) {
    if (shape_of(workload, settings_) != shape) memories_.erase(id);
    if (!is_parked(id)) return;
    lines_.at(queue_of(id)).parked.erase(id);
    wait(id);
  }
}

// What was admitted with fewer pods keeps them until fewer are left.
void Life::scale_down(Workload& workload) const {
  for (kueue::PodSetAdmission& given : workload.status.admission->pod_sets) {
    for (const kueue::PodSet& pod_set : workload.spec.pod_sets) {
      const std::int64_t left = pods_left(workload, pod_set, settings_);
      if (pod_set.name != given.pod_set || left >= given.count) continue;
      for (auto& [resource, amount] : given.usage)
        amount = kueue::Amount{amount.count() / given.count * left};
      given.count = left;
    }
  }
}

// Rule 46, of all at once.
void Life::change(const kueue::ClusterQueue& queue) {
  objects_.cluster_queues.at(queue.name) = queue;
  change_all();
}

void Life::change(const kueue::Cohort& cohort) {
  objects_.cohorts.at(cohort.name) = cohort;
  change_all();
}

void Life::change_all() {
  for (const auto& [name, queue] : objects_.cluster_queues) {
    const std::string root = root_of(name);
    generations_[root] = ++changes_;
    to_flush_.insert(root);
  }
}

void Life::flush() {
  for (auto& [queue, line] : lines_) {
    if (!to_flush_.contains(root_of(queue))) continue;
    line.active.merge(line.parked);
    line.parked.clear();
    line.parked_shapes.clear();
  }
  to_flush_.clear();
}

std::vector<Contender> Life::take_heads() {
  std::vector<Contender> heads;
  for (auto& [queue, line] : lines_) {
    if (line.active.empty() || !book().is_open(queue)) continue;
    const WorkloadId first = *std::min_element(line.active.begin(), line.active.end(),
                                               [&](WorkloadId a, WorkloadId b) { return goes_first(a, b); });
    line.active.erase(first);
    heads.push_back({all_.at(first).get(), remembered(first), line.preemptor == first});
  }
  return heads;
}

// Rule 22.
const kueue::TriedFlavors* Life::remembered(WorkloadId id) const {
  const auto memory = memories_.find(id);
  if (memory == memories_.end()) return nullptr;
  const auto generation = generations_.find(root_of(id));
  const bool is_same = generation == generations_.end() || generation->second <= memory->second.generation;
  const bool is_fresh =
      settings_.gates.has(Gate::preserve_scan_progress) && cycles_ - memory->second.cycle <= 1;
  return is_same || is_fresh ? &memory->second.tried : nullptr;
}

void Life::cycle() {
  ++cycles_;
  const std::map<std::string, std::int64_t> generations = generations_;
  for (const Handled& handled : play_cycle(book(), take_heads())) carry_out(handled, generations);
}

void Life::carry_out(const Handled& handled, const std::map<std::string, std::int64_t>& generations) {
  const WorkloadId id = handled.head.workload->id;
  all_.at(id)->status.pending_reason = handled.pending_reason;
  if (handled.fate == Fate::admitted) return admit(handled);
  const bool keeps = handled.fate != Fate::preempting &&
                     (handled.fate != Fate::skipped || settings_.gates.has(Gate::preserve_scan_progress));
  memories_.erase(id);
  const auto generation = generations.find(root_of(id));
  if (keeps) {
    memories_[id] = {handled.nomination.plan.tried(),
                     generation == generations.end() ? 0 : generation->second, cycles_};
  }
  if (handled.fate == Fate::preempting) evict(handled);
  requeue(id, handled.fate);
}

void Life::admit(const Handled& handled) {
  const WorkloadId id = handled.head.workload->id;
  leave(id);
  Workload& workload = *all_.at(id);
  workload.status.evicted = {};
  workload.status.preempted = {};
  workload.status.reserved = now_;
  kueue::Admission admission{.cluster_queue = workload.cluster_queue};
  for (const PodSetChoice& pod_set : handled.nomination.plan.pod_sets) {
    kueue::PodSetAdmission& given = admission.pod_sets.emplace_back();
    given.pod_set = pod_set.name;
    given.count = pod_set.count;
    for (const auto& [resource, choice] : pod_set.flavors) {
      given.flavors[resource] = choice.flavor;
      given.usage[resource] = kueue::Amount{pod_set.requests.at(resource)};
    }
  }
  workload.status.admission = admission;
  generations_[root_of(id)] = ++changes_;
}

void Life::evict(const Handled& handled) {
  for (const Leaver& leaver : handled.nomination.leaving) {
    Workload& workload = *all_.at(leaver.workload->id);
    if (workload.status.evicted.status) continue;
    generations_[root_of(workload.id)] = ++changes_;
    workload.status.evicted = {.status = true, .reason = "Preempted", .at = now_};
    workload.status.preempted = {.status = true, .reason = leaver.reason, .at = now_};
  }
}

// Rules 43, 44 and 47.
void Life::requeue(WorkloadId id, Fate fate) {
  Line& line = lines_.at(queue_of(id));
  if (fate == Fate::preempting) {
    line.preemptor = id;
  } else if (line.preemptor == id) {
    line.preemptor.reset();
  }
  const bool is_immediate =
      !is_best_effort(queue_of(id)) || fate == Fate::skipped || fate == Fate::preempting;
  const auto memory = memories_.find(id);
  const bool has_more =
      memory != memories_.end() && std::ranges::any_of(memory->second.tried, [](const auto& pod_set) {
        return std::ranges::any_of(pod_set, [](const auto& one) { return one.second != -1; });
      });
  if (is_immediate || has_more) {
    line.active.insert(id);
  } else {
    park(id, settings_.gates.has(Gate::equivalence_hashing));
  }
}

// Rule 45.
void Life::park(WorkloadId id, bool with_its_like) {
  Line& line = lines_.at(queue_of(id));
  line.parked.insert(id);
  if (!with_its_like) return;
  const std::string shape = shape_of(*all_.at(id), settings_);
  line.parked_shapes.insert(shape);
  for (const WorkloadId other : std::set<WorkloadId>{line.active}) {
    if (shape_of(*all_.at(other), settings_) != shape) continue;
    line.active.erase(other);
    line.parked.insert(other);
  }
}

}  // namespace stockout::test::by_the_book

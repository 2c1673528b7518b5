#include "models/orchestrators/kueue/cycle.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "models/orchestrators/kueue/admission_checks.h"
#include "models/orchestrators/kueue/fair_tournament.h"
#include "models/orchestrators/kueue/partial_admission.h"

namespace stockout::kueue {
namespace {

class Cycle {
 public:
  Cycle(const Scene& scene, CycleQuestion question) : scene_{scene}, question_{std::move(question)} {}

  std::vector<Entry> run() {
    for (const Head& head : question_.heads) take_up(head);
    if (scene_.settings.fair_sharing) {
      handle_by_tournament();
    } else {
      handle_in_order();
    }
    for (const auto& [queue, usage] : taken_) scene_.tree().remove(queue, usage);
    std::move(left_out_.begin(), left_out_.end(), std::back_inserter(handled_));
    return std::move(handled_);
  }

 private:
  void take_up(const Head& head) {
    Entry entry{.head = head};
    const Workload& workload = *head.workload;
    const auto queue = scene_.tree().queue(workload.cluster_queue);
    if (has_failed_check(workload)) {
      entry.pending_reason = kPendingEvaluation;
    } else if (!queue) {
      entry.pending_reason = kMisconfigured;
    } else if (!head.is_active) {
      entry.pending_reason = kSuspended;
    } else if (!workload.namespace_matches) {
      entry.pending_reason = kMisconfigured;
      entry.requeue = RequeueReason::namespace_mismatch;
    } else {
      entry.queue = *queue;
      nominate(scene_, entry, search_to_resume(head));
      finish_search(entry);
      nominated_.push_back(std::move(entry));
      return;
    }
    left_out_.push_back(std::move(entry));
  }

  // A search goes on if the workload is the same and neither quota nor its holders have changed since, or if
  // it is of the last cycle.
  [[nodiscard]] const FlavorSearch* search_to_resume(const Head& head) const {
    const auto& search = head.workload->search;
    if (!search || search->shape != shape_of(*head.workload, scene_.settings.gates)) return nullptr;
    const bool is_fresh =
        scene_.settings.gates.has(Gate::preserve_scan_progress) && question_.number - search->cycle <= 1;
    return is_fresh || head.generation <= search->queue_generation ? &*search : nullptr;
  }

  void finish_search(Entry& entry) const {
    FlavorSearch& search = entry.assignment.search;
    search.queue_generation = entry.head.generation;
    search.cycle = question_.number;
    search.shape = shape_of(*entry.head.workload, scene_.settings.gates);
  }

  void handle_in_order() {
    std::stable_sort(nominated_.begin(), nominated_.end(),
                     [&](const Entry& a, const Entry& b) { return is_handled_first(a, b, scene_.settings); });
    for (Entry& entry : nominated_) finish(std::move(entry));
  }

  // Anew after each, since what was handled changes shares.
  void handle_by_tournament() {
    while (!nominated_.empty()) {
      const std::size_t winner = tournament_winner(scene_, nominated_);
      Entry entry = std::move(nominated_[winner]);
      nominated_.erase(nominated_.begin() + static_cast<std::ptrdiff_t>(winner));
      finish(std::move(entry));
    }
  }

  void finish(Entry entry) {
    if (is_blocked_) {
      entry.decision = Decision::skipped;
      entry.pending_reason = kWaitingForPodsReady;
      entry.keeps_search = false;
    } else {
      handle(entry);
    }
    if (entry.decision == Decision::skipped) entry.requeue = RequeueReason::failed_after_nomination;
    handled_.push_back(std::move(entry));
  }

  void handle(Entry& entry) {
    if (scene_.settings.gates.has(Gate::recompute_on_overlap) && overlaps(entry)) recompute(entry);
    const Mode mode = entry.assignment.mode();
    if (mode == Mode::no_fit) {
      entry.requeue = RequeueReason::no_fit;
      entry.pending_reason = entry.assignment.reason;
    } else if (mode == Mode::preempt && entry.victims.empty()) {
      keep_for(entry);
    } else if (overlaps(entry) || !fits_after_all(entry)) {
      skip(entry, mode == Mode::preempt);
    } else {
      take(entry.queue, entry.assignment.usage);
      for (const Victim& victim : entry.victims) issued_.push_back(victim);
      for (const Victim& victim : entry.victims) issued_ids_.insert(victim.workload);
      if (mode == Mode::fit) {
        admit(entry);
      } else {
        wait_for_victims(entry);
      }
    }
  }

  [[nodiscard]] bool overlaps(const Entry& entry) const {
    return std::any_of(entry.victims.begin(), entry.victims.end(),
                       [&](const Victim& victim) { return issued_ids_.contains(victim.workload); });
  }

  // As if the victims of this cycle were gone, with the flavors it was nominated with.
  void recompute(Entry& entry) {
    FlavorsOnly only;
    for (const PodSetAssignment& pod_set : entry.assignment.pod_sets) {
      for (const auto& [resource, choice] : pod_set.flavors) only[pod_set.name][resource] = choice.flavor;
    }
    for (const Victim& victim : issued_) scene_.ledger.lift(victim.workload);
    set_aside(true);
    nominate(scene_, entry, nullptr, &only);
    set_aside(false);
    put_back(scene_.ledger, issued_);
    finish_search(entry);
    entry.recomputed = Recomputed::skipped;
    if (entry.assignment.mode() == Mode::fit) {
      entry.assignment.is_deferred = true;
      entry.recomputed = Recomputed::deferred_fit;
    } else if (!entry.victims.empty() && !overlaps(entry) && fits_after_all(entry)) {
      entry.recomputed = Recomputed::new_targets;
    }
  }

  // Nobody is evicted twice in a cycle.
  void set_aside(bool aside) {
    for (const Victim& victim : issued_) scene_.ledger.set_aside(victim.workload, aside);
  }

  [[nodiscard]] bool fits_after_all(const Entry& entry) const {
    std::set<WorkloadId> gone = issued_ids_;
    for (const Victim& victim : entry.victims) gone.insert(victim.workload);
    for (const WorkloadId id : gone) scene_.ledger.lift(id);
    const Claim claim{.queue = entry.queue, .usage = entry.assignment.usage};
    const bool enough = fits(scene_.tree(), claim);
    for (const WorkloadId id : gone) scene_.ledger.put_back(id);
    return enough;
  }

  // A queue that uses more than it may has nothing to keep; what it uses too much is not free for others.
  void keep_for(Entry& entry) {
    entry.requeue = RequeueReason::preemption_no_candidates;
    entry.pending_reason = kWaitingForQuota;
    if (scene_.queue(entry.queue).preemption.reclaim_within_cohort == PreemptionPolicy::any) return;
    Usage reserved = reserved_for(scene_.tree(), entry);
    std::erase_if(reserved, [](const CellAmount& one) { return one.amount < Amount{}; });
    take(entry.queue, std::move(reserved));
  }

  // Others of this cycle were faster, which says nothing of the flavor: the search may go on after it.
  void skip(Entry& entry, bool was_to_evict) const {
    entry.decision = Decision::skipped;
    entry.pending_reason = kWaitingForQuota;
    entry.keeps_search = scene_.settings.gates.has(Gate::preserve_scan_progress);
    entry.skipped_preemption = was_to_evict;
  }

  static void wait_for_victims(Entry& entry) {
    entry.decision = Decision::preempting;
    entry.requeue = RequeueReason::pending_preemption;
    entry.pending_reason = kWaitingForPreempted;
    entry.keeps_search = false;
  }

  void admit(Entry& entry) {
    const auto& rule = scene_.settings.pods_ready;
    if (rule && rule->block_admission && !question_.all_pods_ready) {
      entry.decision = Decision::blocked;
      entry.pending_reason = kWaitingForPodsReady;
      is_blocked_ = true;
      return;
    }
    entry.decision = Decision::admitted;
    question_.all_pods_ready = false;  // its own are not
  }

  void take(NodeId queue, Usage usage) {
    scene_.tree().add(queue, usage);
    taken_.emplace_back(queue, std::move(usage));
  }

  const Scene& scene_;
  CycleQuestion question_;
  std::vector<Entry> nominated_;
  std::vector<Entry> handled_;
  std::vector<Entry> left_out_;
  std::vector<Victim> issued_;
  std::set<WorkloadId> issued_ids_;
  std::vector<std::pair<NodeId, Usage>> taken_;
  bool is_blocked_ = false;
};

}  // namespace

std::vector<Entry> run_cycle(const Scene& scene, CycleQuestion question) {
  return Cycle{scene, std::move(question)}.run();
}

void nominate(const Scene& scene, Entry& entry, const FlavorSearch* resumed, const FlavorsOnly* only) {
  const Workload& workload = *entry.head.workload;
  const Oracle oracle = [&](CellId cell, Amount amount) {
    return offer_by_eviction(scene, workload, entry.queue, cell, amount);
  };
  const auto assign = [&](const std::vector<std::int64_t>& counts) {
    Nomination found{
        .assignment = assign_flavors(
            scene,
            {.workload = &workload, .queue = entry.queue, .resumed = resumed, .only = only, .counts = counts},
            oracle)};
    if (found.assignment.mode() == Mode::preempt) {
      found.victims = find_victims(scene, found.assignment.claim(workload, entry.queue, scene.tree()));
    }
    return found;
  };
  Nomination found = assign({});
  if (!is_admissible(found) && scene.settings.gates.has(Gate::partial_admission)) {
    if (auto reduced = largest_admissible(workload, assign)) found = std::move(*reduced);
  }
  entry.assignment = std::move(found.assignment);
  entry.victims = std::move(found.victims);
}

Usage reserved_for(const QuotaTree& tree, const Entry& entry) {
  if (entry.assignment.mode() != Mode::preempt) return entry.assignment.usage;
  Usage reserved;
  for (const auto& [cell, amount] : entry.assignment.usage) {
    const Quota* quota = tree.quota(entry.queue, cell);
    const Amount rest = tree.nominal(entry.queue, cell) - tree.usage(entry.queue, cell);
    if (entry.assignment.borrow == 0) {
      reserved.push_back({cell, std::max(Amount{}, std::min(amount, rest))});
    } else if (quota == nullptr || !quota->borrowing_limit) {
      reserved.push_back({cell, amount});
    } else {
      reserved.push_back({cell, std::min(amount, rest + *quota->borrowing_limit)});
    }
  }
  return reserved;
}

bool is_handled_first(const Entry& a, const Entry& b, const Settings& settings) {
  const Workload& first = *a.head.workload;
  const Workload& second = *b.head.workload;
  if (first.has_quota() != second.has_quota()) return first.has_quota();
  if (settings.gates.has(Gate::prioritize_preemptors) && a.head.is_preemptor != b.head.is_preemptor) {
    return a.head.is_preemptor;
  }
  if (a.assignment.borrow != b.assignment.borrow) return a.assignment.borrow < b.assignment.borrow;
  if (settings.gates.has(Gate::priority_sorting_within_cohort)) {
    const std::int64_t priority = effective_priority(first, settings.gates);
    const std::int64_t other = effective_priority(second, settings.gates);
    if (priority != other) return priority > other;
  }
  return queue_order_time(first, settings) < queue_order_time(second, settings);
}

std::string shape_of(const Workload& workload, const Gates& gates) {
  std::string shape = std::to_string(effective_priority(workload, gates));
  const std::vector<std::int64_t> counts = pod_counts(workload, gates);
  for (std::size_t i = 0; i < workload.spec.pod_sets.size(); ++i) {
    const PodSet& pod_set = workload.spec.pod_sets[i];
    shape += '|' + pod_set.name + '*' + std::to_string(counts[i]) + '/' +
             std::to_string(pod_set.min_count.value_or(-1));
    for (const auto& [resource, amount] : pod_set.requests) {
      shape += ',' + resource + '=' + std::to_string(amount.count());
    }
    shape += describe(pod_set.nodes);
  }
  return shape;
}

}  // namespace stockout::kueue

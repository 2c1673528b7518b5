#include "tests/support/kueue_by_the_book/random_cluster.h"

#include <algorithm>
#include <optional>

#include "tests/support/random_choice.h"

namespace stockout::test::by_the_book {
namespace {

using kueue::Amount;
using kueue::Gate;
using kueue::PreemptionPolicy;
using kueue::ResourceGroup;
using kueue::Workload;

// Resources that come from one flavor together, and the flavors that they may come from.
struct Kind {
  std::vector<std::string> resources;
  std::vector<std::string> flavors;
};

class Maker {
 public:
  explicit Maker(std::uint64_t seed) : choice_{seed}, crowded_{choice_.chance(50)} {}

  RandomCluster make() {
    make_kinds();
    make_flavors();
    make_cohorts();
    const std::int64_t queues = choice_.number(2, 6);
    for (std::int64_t i = 0; i < queues; ++i) make_queue("q" + std::to_string(i));
    make_settings();
    const std::int64_t holders = crowded_ ? choice_.number(6, 16) : choice_.number(0, 8);
    for (std::int64_t i = 0; i < holders; ++i) made_.holders.push_back(holder());
    for (const auto& [name, queue] : made_.objects.cluster_queues) {
      if (!choice_.chance(75)) continue;
      made_.incoming.push_back(workload(name));
      made_.incoming.back().id = number_of(made_.holders.size() + made_.incoming.size() - 1);
    }
    const std::int64_t happenings = choice_.number(10, 50);
    for (std::int64_t i = 0; i < happenings; ++i) made_.happenings.push_back(happening());
    return std::move(made_);
  }

 private:
  static kueue::WorkloadId number_of(std::size_t number) {
    return kueue::WorkloadId{static_cast<std::uint32_t>(number)};
  }

  // One group or two, with one to three flavors in all.
  void make_kinds() {
    std::vector<std::string> flavors{"a", "b", "c"};
    flavors.resize(static_cast<std::size_t>(choice_.number(1, 3)));
    if (flavors.size() > 1 && choice_.chance(25)) {
      kinds_.push_back({{"gpu"}, {flavors.begin() + 1, flavors.end()}});
      kinds_.push_back({{"cpu"}, {flavors.front()}});
    } else {
      kinds_.push_back({{"gpu"}, flavors});
      if (choice_.chance(40)) kinds_.front().resources.push_back("cpu");
      if (choice_.chance(10)) kinds_.front().resources.push_back("pods");
    }
  }

  void make_flavors() {
    const bool plain = choice_.chance(70);
    for (const Kind& kind : kinds_) {
      for (const std::string& name : kind.flavors) {
        if (choice_.chance(1)) continue;  // queues may name what is not there
        kueue::ResourceFlavor& flavor = made_.objects.flavors[name];
        flavor.name = name;
        if (plain) continue;
        if (choice_.chance(60)) flavor.labels["zone"] = choice_.chance(50) ? "x" : "y";
        if (choice_.chance(30)) flavor.labels["size"] = std::to_string(choice_.number(1, 3));
        if (choice_.chance(30)) flavor.taints.push_back({.key = "spot", .value = "yes"});
        if (choice_.chance(10)) flavor.tolerations.push_back({.key = "spot", .op = "Exists"});
      }
    }
  }

  kueue::Quota quota(bool has_parent, bool is_cohort) {
    kueue::Quota quota{.nominal = Amount{choice_.number(0, is_cohort ? 3 : 6)}};
    if (!has_parent) return quota;
    if (choice_.chance(30)) quota.borrowing_limit = Amount{choice_.number(0, 5)};
    if (choice_.chance(30)) {
      quota.lending_limit = Amount{choice_.number(0, is_cohort ? 6 : quota.nominal.count())};
    }
    return quota;
  }

  std::vector<ResourceGroup> groups(bool has_parent, bool is_cohort) {
    std::vector<ResourceGroup> groups;
    for (const Kind& kind : kinds_) {
      std::vector<std::string> flavors = kind.flavors;
      if (choice_.chance(25)) std::reverse(flavors.begin(), flavors.end());
      if (flavors.size() > 1 && choice_.chance(20)) flavors.pop_back();
      ResourceGroup& group = groups.emplace_back();
      for (const std::string& flavor : flavors) {
        kueue::FlavorQuotas& quotas = group.flavors.emplace_back();
        quotas.flavor = flavor;
        for (const std::string& resource : kind.resources)
          quotas.quotas[resource] = quota(has_parent, is_cohort);
      }
    }
    return groups;
  }

  double weight() { return choice_.one_of<double>({0, 0.5, 1, 1, 1, 2}); }

  // A forest of three levels at most; some are only named.
  void make_cohorts() {
    const std::int64_t count = choice_.number(0, 4);
    std::vector<int> depths;
    for (std::int64_t i = 0; i < count; ++i) {
      const std::string name = "c" + std::to_string(i);
      cohorts_.push_back(name);
      depths.push_back(0);
      const bool is_only_named = choice_.chance(15);
      std::optional<std::size_t> parent;
      if (i > 0 && !is_only_named && choice_.chance(75)) {
        parent = static_cast<std::size_t>(choice_.number(0, i - 1));
        if (depths[*parent] == 2) parent.reset();
      }
      if (parent) depths.back() = depths[*parent] + 1;
      if (is_only_named) continue;
      kueue::Cohort& cohort = made_.objects.cohorts[name];
      cohort.name = name;
      if (parent) cohort.parent = cohorts_[*parent];
      if (choice_.chance(50)) cohort.groups = groups(parent.has_value(), true);
      cohort.fair_weight = weight();
    }
  }

  PreemptionPolicy policy(std::int64_t most) {
    return static_cast<PreemptionPolicy>(choice_.number(crowded_ && choice_.chance(80) ? 1 : 0, most));
  }

  void make_queue(const std::string& name) {
    kueue::ClusterQueue& queue = made_.objects.cluster_queues[name];
    queue.name = name;
    if (!cohorts_.empty() && !choice_.chance(10)) queue.cohort = choice_.one_of(cohorts_);
    queue.groups = groups(!queue.cohort.empty(), false);
    if (choice_.chance(4)) queue.stop = kueue::StopPolicy::hold;
    if (choice_.chance(30)) queue.strategy = kueue::QueueingStrategy::strict_fifo;
    queue.preemption.within_queue = policy(2);
    queue.preemption.reclaim_within_cohort = policy(3);
    if (queue.preemption.reclaim_within_cohort == PreemptionPolicy::never) {
      queue.preemption.reclaim_unset = choice_.chance(50);
    } else if (choice_.chance(40)) {
      queue.preemption.borrow_within_cohort.lower_priority = true;
      if (choice_.chance(50))
        queue.preemption.borrow_within_cohort.max_priority = static_cast<std::int32_t>(choice_.number(0, 2));
    }
    queue.fungibility.next_when_borrowing = choice_.chance(50);
    queue.fungibility.next_when_preempting = choice_.chance(50);
    if (choice_.chance(30)) queue.fungibility.preference = kueue::FlavorPreference::preemption_over_borrowing;
    queue.fair_weight = weight();
    made_.objects.local_queues[name] = {.name = name, .cluster_queue = name};
  }

  // Gates are mostly as Kueue has them.
  void make_settings() {
    kueue::Settings& settings = made_.settings;
    settings.fair_sharing = choice_.chance(50);
    if (choice_.chance(40)) {
      const bool initial = choice_.chance(50);
      settings.strategies = {initial ? kueue::FairStrategy::less_than_initial_share
                                     : kueue::FairStrategy::less_than_or_equal_to_final_share};
    }
    for (const Gate gate :
         {Gate::priority_sorting_within_cohort, Gate::preempt_within_nominal,
          Gate::reevaluate_fair_candidates, Gate::prioritize_non_borrowing, Gate::equivalence_hashing,
          Gate::recompute_on_overlap, Gate::preserve_scan_progress, Gate::partial_admission}) {
      if (choice_.chance(10)) settings.gates.set(gate, false);
    }
    if (choice_.chance(10)) settings.gates.set(Gate::reevaluate_fair_candidates, true);
    if (choice_.chance(10)) settings.gates.set(Gate::prioritize_preemptors, true);
    if (choice_.chance(10)) settings.gates.set(Gate::priority_boost, true);
    if (choice_.chance(10)) settings.gates.set(Gate::reclaimable_pods, false);
    if (choice_.chance(3)) settings.gates.set(Gate::flavor_fungibility, false);
    if (choice_.chance(30)) settings.requeue_timestamp = kueue::RequeueTimestamp::creation;
  }

  kueue::NodeDemand demand() {
    kueue::NodeDemand demand;
    if (choice_.chance(70)) return demand;
    if (choice_.chance(40)) demand.selector["zone"] = choice_.chance(50) ? "x" : "y";
    if (choice_.chance(50)) demand.tolerations.push_back({.key = "spot", .value = "yes"});
    const std::int64_t terms = choice_.number(0, 2);
    for (std::int64_t i = 0; i < terms; ++i) {
      auto& term = demand.terms.emplace_back();
      if (choice_.chance(60)) {
        term.push_back({.key = "size", .op = choice_.chance(50) ? "Gt" : "Lt", .values = {"2"}});
      }
      if (choice_.chance(60)) {
        term.push_back({.key = "zone", .op = choice_.chance(50) ? "In" : "NotIn", .values = {"x"}});
      }
      if (term.empty()) term.push_back({.key = "zone", .op = "Exists"});
    }
    return demand;
  }

  kueue::PodSet pod_set(const std::string& name) {
    kueue::PodSet pod_set{.name = name, .count = choice_.chance(60) ? 1 : choice_.number(1, 4)};
    if (pod_set.count > 1 && choice_.chance(50)) pod_set.min_count = choice_.number(1, pod_set.count - 1);
    for (const char* resource : {"gpu", "cpu"}) {
      if (has(resource) && choice_.chance(85))
        pod_set.requests[resource] = Amount{choice_.chance(5) ? 0 : choice_.number(1, most_)};
    }
    if (choice_.chance(2)) pod_set.requests["disk"] = Amount{choice_.number(0, 1)};
    if (pod_set.requests.empty()) pod_set.requests["gpu"] = Amount{1};
    pod_set.nodes = demand();
    return pod_set;
  }

  [[nodiscard]] bool has(const std::string& resource) const {
    return std::any_of(kinds_.begin(), kinds_.end(), [&](const Kind& kind) {
      return std::find(kind.resources.begin(), kind.resources.end(), resource) != kind.resources.end();
    });
  }

  Workload workload(const std::string& queue) {
    Workload workload;
    workload.name = "w" + std::to_string(++names_);
    workload.uid = std::to_string(choice_.number(0, 1'000'000)) + "-" + workload.name;
    workload.cluster_queue = queue;
    workload.created = kStart + std::chrono::seconds{choice_.number(0, 8)};
    workload.spec.local_queue = queue;
    if (choice_.chance(20)) workload.spec.priority_boost = choice_.one_of<std::string>({"2", "-1", "much"});
    workload.spec.priority = static_cast<std::int32_t>(choice_.number(0, 3));
    workload.spec.pod_sets.push_back(pod_set("one"));
    if (choice_.chance(20)) workload.spec.pod_sets.push_back(pod_set("two"));
    return workload;
  }

  void evict(Workload& held) {
    const auto reason =
        choice_.one_of<std::string>({"Preempted", "Preempted", "PodsReadyTimeout", "AdmissionCheck"});
    const SimTime at = kStart + std::chrono::seconds{choice_.number(0, 8)};
    held.status.evicted = {.status = true, .reason = reason, .at = at};
    if (reason != "Preempted") return;
    const auto right = choice_.one_of<std::string>({"InClusterQueue", "InCohortReclaimWhileBorrowing"});
    held.status.preempted = {.status = true, .reason = right, .at = at};
  }

  // In some of the flavors of its queue, whether or not there is quota for it.
  Workload holder() {
    std::vector<std::string> names;
    for (const auto& [name, queue] : made_.objects.cluster_queues) names.push_back(name);
    most_ = crowded_ ? 2 : 3;
    Workload held = workload(choice_.one_of(names));
    most_ = 3;
    held.id = number_of(made_.holders.size());
    if (crowded_) held.spec.priority = std::min(held.spec.priority, 2);
    held.status.reserved = kStart + std::chrono::seconds{choice_.number(0, 5)};
    held.status.admitted = held.status.reserved;
    if (choice_.chance(15)) evict(held);
    kueue::Admission admission{.cluster_queue = held.cluster_queue};
    for (const kueue::PodSet& pod_set : held.spec.pod_sets) {
      kueue::PodSetAdmission& given = admission.pod_sets.emplace_back();
      given.pod_set = pod_set.name;
      given.count = pod_set.count;
      for (const ResourceGroup& group : made_.objects.cluster_queues.at(held.cluster_queue).groups) {
        const std::string& flavor = choice_.one_of(group.flavors).flavor;
        for (const auto& [resource, amount] : pod_set.requests) {
          if (!group.covers(resource)) continue;
          given.flavors[resource] = flavor;
          given.usage[resource] = amount * pod_set.count;
        }
      }
    }
    held.status.admission = admission;
    return held;
  }

  Happening happening() {
    using enum Happening::Kind;
    Happening one{.kind = choice_.one_of<Happening::Kind>(
                      {submit, submit, submit, submit, cycle, cycle, cycle, cycle, cycle, cycle, flush, flush,
                       finish, finish_eviction, finish_eviction, finish_eviction, new_priority})};
    if (choice_.chance(3)) one.kind = choice_.chance(70) ? new_queue : new_cohort;
    if (choice_.chance(4)) one.kind = fewer_pods;
    one.which = static_cast<std::size_t>(choice_.number(0, 1'000));
    const auto last = static_cast<std::int64_t>(made_.objects.cluster_queues.size()) - 1;
    const std::string name = "q" + std::to_string(choice_.number(0, last));
    if (one.kind == submit) one.workload = workload(name);
    if (one.kind == new_queue) one.queue = changed(made_.objects.cluster_queues.at(name));
    if (one.kind == new_cohort) change_cohort(one);
    return one;
  }

  // Other quotas, or another cohort; whatever it was before.
  kueue::ClusterQueue changed(kueue::ClusterQueue queue) {
    if (!cohorts_.empty() && choice_.chance(30)) queue.cohort = choice_.one_of(cohorts_);
    if (choice_.chance(70)) queue.groups = groups(!queue.cohort.empty(), false);
    if (choice_.chance(20)) queue.stop = kueue::StopPolicy::hold;
    return queue;
  }

  void change_cohort(Happening& one) {
    if (made_.objects.cohorts.empty()) {
      one.kind = Happening::Kind::flush;
      return;
    }
    const auto place = one.which % made_.objects.cohorts.size();
    one.cohort = std::next(made_.objects.cohorts.begin(), static_cast<std::ptrdiff_t>(place))->second;
    one.cohort.groups = groups(!one.cohort.parent.empty(), true);
    one.cohort.fair_weight = weight();
  }

  Choice choice_;
  bool crowded_;           // many small workloads, most of which may be evicted
  std::int64_t most_ = 3;  // requests of a pod
  std::vector<Kind> kinds_;
  std::vector<std::string> cohorts_;
  RandomCluster made_;
  int names_ = 0;
};

}  // namespace

RandomCluster random_cluster(std::uint64_t seed) { return Maker{seed}.make(); }

}  // namespace stockout::test::by_the_book

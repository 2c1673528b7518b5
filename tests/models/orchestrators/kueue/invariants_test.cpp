// Random clusters under random load: what must hold whatever happens.

#include <algorithm>
#include <random>

#include <catch2/catch.hpp>

#include "tests/models/orchestrators/kueue/made_up_cluster.h"

using namespace stockout;
using namespace stockout::test;

namespace {

class RandomCluster {
 public:
  explicit RandomCluster(unsigned seed) : random_{seed} {}

  std::int64_t upto(std::int64_t most) {
    return static_cast<std::int64_t>(random_() % static_cast<unsigned>(most + 1));
  }
  bool one_of(int times) { return upto(times - 1) == 0; }

  Configuration configuration() {
    std::vector<ClusterQueue> queues;
    for (int i = 0; i < 5; ++i) queues.push_back(queue(std::to_string(i)));
    return cluster_of(queues, {cohort("left", "root"), cohort("right", "root"), cohort("root", "")});
  }

  Settings settings() {
    Settings settings{.fair_sharing = one_of(2)};
    settings.gates.set(Gate::recompute_on_overlap, !one_of(4));
    return settings;
  }

  Workload workload() {
    Workload workload =
        job(std::to_string(upto(4)), 1 + upto(5), static_cast<std::int32_t>(upto(3)), upto(20));
    if (one_of(4)) workload.spec.pod_sets.front().count = 1 + upto(3);
    if (one_of(4)) workload.spec.pod_sets.front().min_count = 1;
    return workload;
  }

 private:
  Quota quota() {
    Quota quota = nominal(upto(8));
    if (one_of(3)) quota.borrowing_limit = Amount{upto(6)};
    if (one_of(3)) quota.lending_limit = Amount{upto(quota.nominal.count())};
    return quota;
  }

  PreemptionPolicy policy() { return static_cast<PreemptionPolicy>(upto(3)); }

  ClusterQueue queue(const std::string& name) {
    ClusterQueue queue{.name = name, .cohort = one_of(6) ? "" : (one_of(2) ? "left" : "right")};
    queue.groups = gpus({{"a", quota()}, {"b", quota()}});
    queue.strategy = one_of(3) ? QueueingStrategy::strict_fifo : QueueingStrategy::best_effort_fifo;
    queue.preemption = {.within_queue = policy(), .reclaim_within_cohort = policy()};
    queue.preemption.borrow_within_cohort.lower_priority = one_of(3);
    queue.fungibility = {.next_when_borrowing = one_of(2), .next_when_preempting = one_of(2)};
    queue.fair_weight = static_cast<double>(upto(2));
    return queue;
  }

  Cohort cohort(const std::string& name, const std::string& parent) {
    return {.name = name, .parent = parent, .groups = gpus({{"a", quota()}, {"b", quota()}})};
  }

  std::mt19937 random_;
};

// While evictions go on more may be used: Kueue admits in a cycle as if victims of the cycle were gone.
bool is_anybody_leaving(const Kueue& kueue) {
  for (const auto& [name, queue] : kueue.objects().configuration().cluster_queues) {
    for (const WorkloadId id : kueue.ledger().held_in(name)) {
      if (kueue.workload(id).status.evicted.status) return true;
    }
  }
  return false;
}

// Each cell of each node: no more than it may.
void check_quota(Kueue& kueue) {
  const QuotaTree& tree = kueue.ledger().tree();
  for (const auto& [name, queue] : kueue.objects().configuration().cluster_queues) {
    const NodeId node = *tree.queue(name);
    for (const CellId cell : tree.cells(node)) {
      CAPTURE(name, tree.cell(cell).flavor);
      CHECK(tree.usage(node, cell) <= std::max(Amount{}, tree.potentially_available(node, cell)));
      const Quota* quota = tree.quota(node, cell);
      if (quota->borrowing_limit) CHECK(tree.usage(node, cell) <= quota->nominal + *quota->borrowing_limit);
    }
  }
  for (const char* name : {"left", "right", "root"}) {
    const NodeId node = *tree.cohort(name);
    for (const CellId cell : tree.cells(node)) {
      CAPTURE(name);
      const Quota* quota = tree.quota(node, cell);
      const Amount subtree = tree.subtree_quota(node, cell);
      if (!tree.parent(node)) CHECK(tree.usage(node, cell) <= subtree);
      const bool is_bounded = tree.parent(node) && quota != nullptr && quota->borrowing_limit;
      if (is_bounded) CHECK(tree.usage(node, cell) <= subtree + *quota->borrowing_limit);
    }
  }
}

// What of a child's usage counts against its parent: all that its lending limit does not keep for itself.
Amount usage_above(const QuotaTree& tree, NodeId child, CellId cell) {
  const Quota* quota = tree.quota(child, cell);
  const bool keeps = quota != nullptr && quota->lending_limit;
  const Amount kept =
      keeps ? std::max(Amount{}, tree.subtree_quota(child, cell) - *quota->lending_limit) : Amount{};
  return std::max(Amount{}, tree.usage(child, cell) - kept);
}

// Usage in the tree is that of the workloads that hold it, and of a cohort that of its children.
void check_sums(const Kueue& kueue) {
  for (const auto& [name, queue] : kueue.objects().configuration().cluster_queues) {
    const QuotaTree& tree = kueue.ledger().tree();
    std::int64_t sum = 0;
    for (const CellId cell : tree.cells(*tree.queue(name)))
      sum += tree.usage(*tree.queue(name), cell).count();
    CHECK(sum == used(kueue, name));
  }
  for (const char* name : {"left", "right", "root"}) {
    const QuotaTree& tree = kueue.ledger().tree();
    const NodeId node = *tree.cohort(name);
    for (const CellId cell : tree.cells(node)) {
      Amount below;
      for (const NodeId child : tree.child_cohorts(node)) below += usage_above(tree, child, cell);
      for (const NodeId child : tree.child_queues(node)) below += usage_above(tree, child, cell);
      CHECK(tree.usage(node, cell).count() == below.count());
    }
  }
}

// Some time in the life of a cluster, and what happened as text.
std::string live(unsigned seed) {
  RandomCluster random{seed};
  const Configuration configuration = random.configuration();
  Kueue kueue{configuration, random.settings()};
  std::vector<WorkloadId> all;
  for (int step = 0; step < 60; ++step) {
    kueue.advance(kueue.now() + std::chrono::seconds{1});
    if (all.empty() || !random.one_of(3)) {
      all.push_back(kueue.submit(random.workload()));
    } else {
      const WorkloadId id =
          all[static_cast<std::size_t>(random.upto(static_cast<std::int64_t>(all.size()) - 1))];
      if (kueue.workload(id).status.evicted.status) {
        kueue.finish_eviction(id);
      } else if (kueue.workload(id).has_quota()) {
        kueue.finish(id);
      }
    }
    kueue.settle();
    if (!is_anybody_leaving(kueue)) check_quota(kueue);
    check_sums(kueue);
  }
  std::string text;
  for (const Event& event : kueue.events()) {
    text += std::to_string(static_cast<int>(event.kind)) + ' ' +
            std::to_string(static_cast<unsigned>(event.workload)) + ' ' + event.preemption_reason + ';';
  }
  return text;
}

}  // namespace

TEST_CASE("Limits hold, sums agree and the same happens again, whatever the cluster", "[kueue][property]") {
  std::size_t evictions = 0;
  for (unsigned seed = 0; seed < 100; ++seed) {
    CAPTURE(seed);
    const std::string once = live(seed);
    CHECK(once == live(seed));
    evictions += static_cast<std::size_t>(std::count(once.begin(), once.end(), 'I'));
  }
  CHECK(evictions > 100);
}

TEST_CASE("The order in which queues are named changes nothing", "[kueue][property]") {
  const Configuration cluster = cluster_of({queue_of("x", "c", nominal(3)), queue_of("y", "c", nominal(5))});
  for (const bool turned : {false, true}) {
    Kueue kueue{cluster, {}};
    std::vector<Workload> jobs{job("x", 5, 0, 1), job("y", 4, 0, 2), job("x", 2, 1, 3), job("y", 1, 0, 4)};
    if (turned) std::reverse(jobs.begin(), jobs.end());
    for (const Workload& workload : jobs) kueue.submit(workload);
    kueue.settle();
    CHECK(used(kueue, "x") == 2);
    CHECK(used(kueue, "y") == 5);
  }
}

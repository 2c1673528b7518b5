// Who waits in a queue, active or parked.

#include <catch2/catch.hpp>

#include <chrono>
#include <deque>

#include "models/orchestrators/kueue/pending_queue.h"
#include "tests/models/orchestrators/kueue/made_up_cluster.h"

using namespace stockout;
using namespace stockout::test;
using namespace std::chrono_literals;

namespace {

// Workloads with numbers, which stay where they are.
class Crowd {
 public:
  const Workload& come(Workload workload) {
    workload.id = WorkloadId{static_cast<std::uint32_t>(all_.size())};
    return all_.emplace_back(std::move(workload));
  }

 private:
  std::deque<Workload> all_;
};

std::vector<WorkloadId> order_of(PendingQueue& queue) {
  std::vector<WorkloadId> order;
  while (const Workload* head = queue.pop()) order.push_back(head->id);
  return order;
}

}  // namespace

TEST_CASE("Those like a head that does not fit are parked with it, and a flush brings them back in order",
          "[kueue][queues]") {
  const Settings settings;
  Crowd crowd;
  PendingQueue queue{settings, QueueingStrategy::best_effort_fifo};
  const Workload& late = crowd.come(job("x", 2, 0, 3));
  const Workload& first = crowd.come(job("x", 2, 0, 1));
  const Workload& small = crowd.come(job("x", 1, 0, 2));
  for (const Workload* one : {&late, &first, &small}) queue.push(*one, kStart);
  REQUIRE(queue.pop() == &first);
  queue.requeue(first, RequeueReason::no_fit, kStart);
  CHECK(queue.parked() == std::vector<const Workload*>{&late, &first});
  CHECK(queue.active() == std::vector<const Workload*>{&small});
  const Workload& another = crowd.come(job("x", 2, 0, 4));
  queue.push(another, kStart);
  CHECK(queue.is_parked(another.id));
  CHECK(queue.flush(kStart) == 3);
  CHECK(queue.parked_count() == 0);
  CHECK(order_of(queue) == std::vector<WorkloadId>{first.id, small.id, late.id, another.id});
}

TEST_CASE("A flush leaves those that are put off, and those of another namespace", "[kueue][queues]") {
  const Settings settings;
  Crowd crowd;
  PendingQueue queue{settings, QueueingStrategy::best_effort_fifo};
  Workload elsewhere = job("x", 2);
  elsewhere.namespace_matches = false;
  Workload put_off = job("x", 2);
  put_off.status.requeue = RequeueState{.count = 1, .at = kStart + 10s};
  const Workload& free = crowd.come(job("x", 2));
  const Workload& stays = crowd.come(elsewhere);
  const Workload& later = crowd.come(put_off);
  for (const Workload* one : {&free, &stays, &later}) queue.push(*one, kStart);
  CHECK(queue.is_parked(later.id));
  REQUIRE(queue.pop() == &free);
  queue.requeue(free, RequeueReason::no_fit, kStart);
  CHECK(queue.parked_count() == 3);
  CHECK(queue.flush(kStart) == 1);
  CHECK(queue.active() == std::vector<const Workload*>{&free});
  CHECK(queue.flush(kStart + 10s) == 1);
  CHECK(queue.parked() == std::vector<const Workload*>{&stays});
}

TEST_CASE("A queue that counts usage keeps its workloads, parked ones too, when it no longer does",
          "[kueue][queues]") {
  const Settings settings;
  Crowd crowd;
  PendingQueue queue{settings, QueueingStrategy::best_effort_fifo,
                     [](const std::string& lane) { return lane == "a" ? 2.0 : 1.0; }};
  const Workload& parked = crowd.come(job("a", 3, 0, 1));
  const Workload& used = crowd.come(job("a", 2, 0, 2));
  const Workload& unused = crowd.come(job("b", 2, 0, 3));
  queue.push(parked, kStart);
  REQUIRE(queue.pop() == &parked);
  queue.requeue(parked, RequeueReason::no_fit, kStart);
  queue.push(used, kStart);
  queue.push(unused, kStart);
  REQUIRE(queue.pop() == &unused);
  queue.push(unused, kStart);
  queue.set_rules(QueueingStrategy::best_effort_fifo, nullptr, kStart);
  CHECK(queue.flush(kStart) == 1);
  CHECK(order_of(queue) == std::vector<WorkloadId>{parked.id, used.id, unused.id});
}

TEST_CASE("Who waits for its victims stays first, until it comes back for another reason or another evicts",
          "[kueue][queues]") {
  const Settings settings;
  Crowd crowd;
  const Workload& preemptor = crowd.come(job("x", 1, 0, 1));
  const Workload& urgent = crowd.come(job("x", 1, 9, 2));
  for (const auto strategy : {QueueingStrategy::best_effort_fifo, QueueingStrategy::strict_fifo}) {
    PendingQueue queue{settings, strategy};
    queue.requeue(preemptor, RequeueReason::pending_preemption, kStart);
    queue.push(urgent, kStart);
    const bool stays = strategy == QueueingStrategy::best_effort_fifo;
    CHECK(queue.pop() == (stays ? &preemptor : &urgent));
  }
  PendingQueue queue{settings, QueueingStrategy::best_effort_fifo};
  queue.requeue(preemptor, RequeueReason::pending_preemption, kStart);
  REQUIRE(queue.pop() == &preemptor);
  queue.requeue(preemptor, RequeueReason::failed_after_nomination, kStart);
  queue.push(urgent, kStart);
  REQUIRE(queue.pop() == &urgent);
  queue.requeue(urgent, RequeueReason::pending_preemption, kStart);
  CHECK(queue.is_sticky(urgent.id));
  queue.remove(urgent.id);
  CHECK_FALSE(queue.is_sticky(urgent.id));
}

TEST_CASE("Who waits for its victims stays first when its priority changes, or its pods are counted anew",
          "[kueue][queues]") {
  ClusterQueue queue = queue_of("x", "", nominal(2));
  queue.preemption.within_queue = PreemptionPolicy::lower_priority;
  Kueue kueue{cluster_of({queue}), {}};
  const WorkloadId low = kueue.submit(job("x", 2));
  kueue.settle();
  const WorkloadId preemptor = kueue.submit(job("x", 2, 2));
  kueue.settle();
  REQUIRE(kueue.workload(low).status.evicted.status);
  kueue.submit(job("x", 1, 3));
  WorkloadSpec spec = kueue.workload(preemptor).spec;
  spec.priority = 1;
  kueue.update(preemptor, spec);
  kueue.set_reclaimable(preemptor, {{"main", 0}});
  kueue.finish_eviction(low);
  kueue.settle();
  CHECK(kueue.workload(preemptor).has_quota());
}

TEST_CASE("A head is not parked if quota was freed while it was tried, or flavors are left to try",
          "[kueue][queues]") {
  const Settings settings;
  Crowd crowd;
  Workload half_tried = job("x", 1);
  half_tried.search = FlavorSearch{.tried = {{{"gpu", 0}}}};
  Workload all_tried = job("x", 2);
  all_tried.search = FlavorSearch{.tried = {{{"gpu", -1}}}};
  const Workload& some = crowd.come(half_tried);
  const Workload& none = crowd.come(all_tried);
  PendingQueue queue{settings, QueueingStrategy::best_effort_fifo};
  queue.requeue(some, RequeueReason::no_fit, kStart);
  CHECK(queue.is_active(some.id));
  queue.requeue(none, RequeueReason::no_fit, kStart);
  CHECK(queue.is_parked(none.id));
  queue.flush(kStart);
  queue.remove(some.id);
  REQUIRE(queue.pop() == &none);
  queue.flush(kStart);
  queue.requeue(none, RequeueReason::no_fit, kStart);
  CHECK(queue.is_active(none.id));
}

TEST_CASE("What a user asks for otherwise brings a parked workload back, a change of nothing does not",
          "[kueue][queues]") {
  const Settings settings;
  Crowd crowd;
  PendingQueue queue{settings, QueueingStrategy::best_effort_fifo};
  const Workload& before = crowd.come(job("x", 1));
  queue.requeue(before, RequeueReason::generic, kStart);
  Workload same = before;
  queue.update(before, same, kStart);
  CHECK(queue.is_parked(before.id));
  Workload bounded = before;
  bounded.spec.max_execution = 60s;
  queue.update(same, bounded, kStart);
  CHECK(queue.is_active(before.id));
}

TEST_CASE("A strict queue parks nobody but those of another namespace", "[kueue][queues]") {
  const Settings settings;
  Crowd crowd;
  PendingQueue queue{settings, QueueingStrategy::strict_fifo};
  const Workload& head = crowd.come(job("x", 1));
  const Workload& like = crowd.come(job("x", 1));
  queue.push(like, kStart);
  queue.requeue(head, RequeueReason::no_fit, kStart);
  CHECK(queue.active_count() == 2);
  queue.remove(head.id);
  queue.requeue(head, RequeueReason::namespace_mismatch, kStart);
  CHECK(queue.is_parked(head.id));
}

TEST_CASE("Quota that changes below a root, or everywhere, is news for the heads there", "[kueue][queues]") {
  ObjectStore objects{cluster_of({queue_of("x", "c", nominal(1)), queue_of("y", "", nominal(1))})};
  const CohortForest forest{objects.configuration()};
  objects.refresh(forest);
  const Settings settings;
  QueueManager manager{settings};
  manager.rebuild(objects.configuration(), nullptr, kStart);
  Workload in_x = job("x", 1);
  Workload in_y = job("y", 1);
  in_y.id = WorkloadId{1};
  const auto generations = [&] {
    manager.find("x")->push(in_x, kStart);
    manager.find("y")->push(in_y, kStart);
    std::vector<std::int64_t> all;
    for (const Head& head : manager.pop_heads(objects, forest)) all.push_back(head.generation);
    return all;
  };
  const std::vector<std::int64_t> before = generations();
  manager.quota_changed("c");
  const std::vector<std::int64_t> of_one = generations();
  CHECK(of_one[0] > before[0]);
  CHECK(of_one[1] == before[1]);
  manager.all_quota_changed();
  const std::vector<std::int64_t> of_all = generations();
  CHECK(of_all[0] > of_one[0]);
  CHECK(of_all[1] > of_one[1]);
}

TEST_CASE("A full queue drains in a time that its length sets, not the square of it",
          "[kueue][queues][speed]") {
  Kueue kueue{cluster_of({queue_of("x", "", nominal(1))}), {}};
  constexpr int kJobs = 10'000;  // took minutes, and takes a second where nobody else computes
  std::vector<WorkloadId> jobs;
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < kJobs; ++i) {
    jobs.push_back(kueue.submit(job("x", 1, 0, i)));
    kueue.settle();
  }
  for (const WorkloadId id : jobs) {
    REQUIRE(kueue.workload(id).has_quota());
    kueue.finish(id);
    kueue.settle();
  }
  CHECK(std::chrono::steady_clock::now() - start < 30s);
}

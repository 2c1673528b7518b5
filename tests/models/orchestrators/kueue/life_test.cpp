// What becomes of workloads over time.

#include <catch2/catch.hpp>

#include "models/orchestrators/kueue/admission_checks.h"
#include "models/orchestrators/kueue/ordering.h"
#include "tests/models/orchestrators/kueue/made_up_cluster.h"

using namespace stockout;
using namespace stockout::test;
using namespace std::chrono_literals;

namespace {

bool runs(const Kueue& kueue, WorkloadId id) { return kueue.workload(id).status.admitted.has_value(); }

Configuration one_queue(QueueingStrategy strategy, std::int64_t gpus) {
  ClusterQueue queue = queue_of("x", "", nominal(gpus));
  queue.strategy = strategy;
  return cluster_of({queue});
}

}  // namespace

TEST_CASE("The head of a strict queue blocks those behind it, that of another does not", "[kueue][queues]") {
  for (const bool strict : {true, false}) {
    CAPTURE(strict);
    Kueue kueue{one_queue(strict ? QueueingStrategy::strict_fifo : QueueingStrategy::best_effort_fifo, 4),
                {}};
    kueue.submit(job("x", 3));
    kueue.settle();
    const WorkloadId large = kueue.submit(job("x", 2, 5));
    const WorkloadId small = kueue.submit(job("x", 1));
    kueue.settle();
    CHECK_FALSE(runs(kueue, large));
    CHECK(runs(kueue, small) == !strict);
    CHECK(kueue.pending("x")->is_parked(large) == !strict);
  }
}

TEST_CASE("Priority goes first, then who came first", "[kueue][queues]") {
  Kueue kueue{one_queue(QueueingStrategy::best_effort_fifo, 1), {}};
  const WorkloadId late = kueue.submit(job("x", 1, 0, 2));
  const WorkloadId early = kueue.submit(job("x", 1, 0, 1));
  const WorkloadId high = kueue.submit(job("x", 1, 1, 3));
  std::vector<WorkloadId> order;
  for (int i = 0; i < 3; ++i) {
    kueue.settle();
    for (const WorkloadId id : {late, early, high}) {
      if (!runs(kueue, id)) continue;
      order.push_back(id);
      kueue.finish(id);
    }
  }
  CHECK(order == std::vector<WorkloadId>{high, early, late});
}

TEST_CASE("Parked workloads come back when quota is freed in their tree, not when others come",
          "[kueue][queues]") {
  Kueue kueue{cluster_of({queue_of("x", "c", nominal(2)), queue_of("y", "c", nominal(2)),
                          queue_of("z", "", nominal(2))}),
              {}};
  const WorkloadId first = kueue.submit(job("x", 4));
  const WorkloadId elsewhere = kueue.submit(job("z", 2));
  kueue.settle();
  const WorkloadId waits = kueue.submit(job("y", 2));
  kueue.settle();
  CHECK(kueue.pending("y")->is_parked(waits));
  kueue.finish(elsewhere);
  kueue.settle();
  CHECK(kueue.pending("y")->is_parked(waits));
  kueue.finish(first);
  kueue.settle();
  CHECK(runs(kueue, waits));
}

TEST_CASE("An evicted workload holds its quota until its job has stopped, and keeps its place in the queue",
          "[kueue][queues]") {
  ClusterQueue queue = queue_of("x", "", nominal(2));
  queue.preemption.within_queue = PreemptionPolicy::lower_priority;
  Kueue kueue{cluster_of({queue}), {}};
  const WorkloadId low = kueue.submit(job("x", 2, 0, 1));
  kueue.settle();
  const WorkloadId high = kueue.submit(job("x", 2, 1, 2));
  kueue.settle();
  CHECK(kueue.workload(low).status.evicted.reason == kPreempted);
  CHECK_FALSE(runs(kueue, high));
  CHECK(used(kueue, "x") == 2);
  kueue.finish_eviction(low);
  kueue.settle();
  CHECK(runs(kueue, high));
  CHECK(queue_order_time(kueue.workload(low), Settings{}) == kStart + 1s);
  kueue.finish(high);
  kueue.settle();
  CHECK(runs(kueue, low));
}

TEST_CASE("Pods that are late cost the workload its quota, later and later, and at last its being active",
          "[kueue][pods_ready]") {
  Settings settings;
  settings.pods_ready = WaitForPodsReady{.timeout = 5min, .backoff_limit = 2, .backoff_base = 1min};
  Kueue kueue{one_queue(QueueingStrategy::best_effort_fifo, 2), settings};
  const WorkloadId id = kueue.submit(job("x", 2));
  const auto time_out = [&](SimDuration delay) {
    kueue.settle();
    REQUIRE(runs(kueue, id));
    const SimTime due = kueue.now() + 5min;
    kueue.advance(due - 1ms);
    CHECK_FALSE(kueue.workload(id).status.evicted.status);
    kueue.advance(due);
    CHECK(kueue.workload(id).status.evicted.status);
    kueue.finish_eviction(id);
    kueue.settle();
    CHECK_FALSE(runs(kueue, id));
    kueue.advance(due + delay);
  };
  time_out(1min);
  time_out(2min);
  CHECK(kueue.workload(id).status.requeue->count == 2);
  time_out(10min);
  kueue.settle();
  CHECK_FALSE(kueue.workload(id).spec.active);
  CHECK_FALSE(runs(kueue, id));
}

TEST_CASE("Admission may wait until the pods of all who were admitted are ready", "[kueue][pods_ready]") {
  Settings settings;
  settings.pods_ready = WaitForPodsReady{.block_admission = true};
  Kueue kueue{cluster_of({queue_of("x", "", nominal(2)), queue_of("y", "", nominal(2))}), settings};
  const WorkloadId first = kueue.submit(job("x", 1, 0, 1));
  const WorkloadId second = kueue.submit(job("y", 1, 0, 2));
  kueue.settle();
  CHECK(runs(kueue, first));
  CHECK_FALSE(runs(kueue, second));
  CHECK(kueue.workload(second).status.pending_reason == kWaitingForPodsReady);
  kueue.set_pods_ready(first, {.status = true});
  kueue.settle();
  CHECK(runs(kueue, second));
}

TEST_CASE("A check keeps a workload with quota waiting, puts it off, or ends it", "[kueue][checks]") {
  ClusterQueue queue = queue_of("x", "", nominal(2));
  queue.checks = {{.name = "capacity"}};
  Kueue kueue{cluster_of({queue}), {}};
  const WorkloadId id = kueue.submit(job("x", 2));
  kueue.settle();
  CHECK(kueue.workload(id).has_quota());
  CHECK_FALSE(runs(kueue, id));
  kueue.set_check(id, {.name = "capacity", .state = CheckState::retry, .requeue_after = 60s});
  CHECK(kueue.workload(id).status.evicted.reason == kAdmissionCheck);
  CHECK(kueue.workload(id).status.checks.front().retries == 1);
  kueue.finish_eviction(id);
  kueue.settle();
  CHECK_FALSE(kueue.workload(id).has_quota());  // quota is free meanwhile
  kueue.advance(kStart + 60s);
  kueue.settle();
  CHECK(kueue.workload(id).has_quota());
  kueue.set_check(id, {.name = "capacity", .state = CheckState::ready});
  CHECK(runs(kueue, id));
  kueue.set_check(id, {.name = "capacity", .state = CheckState::rejected});
  CHECK_FALSE(kueue.workload(id).spec.active);
}

TEST_CASE("A queue may be stopped, emptied and removed while workloads are there", "[kueue][queues]") {
  Kueue kueue{cluster_of({queue_of("x", "", nominal(2))}), {}};
  const WorkloadId id = kueue.submit(job("x", 2));
  kueue.settle();
  ClusterQueue stopped = queue_of("x", "", nominal(2));
  stopped.stop = StopPolicy::hold_and_drain;
  kueue.apply(stopped);
  CHECK(kueue.workload(id).status.evicted.reason == kClusterQueueStopped);
  kueue.finish_eviction(id);
  kueue.settle();
  CHECK_FALSE(kueue.workload(id).has_quota());
  kueue.apply(queue_of("x", "", nominal(2)));
  kueue.settle();
  CHECK(kueue.workload(id).has_quota());
  kueue.remove(ObjectKind::cluster_queue, "x");
  CHECK_FALSE(kueue.objects().is_active("x"));
  kueue.finish(id);
  CHECK(kueue.pending("x") == nullptr);
}

TEST_CASE("Pods that are done are counted in all, however often they are told", "[kueue][queues]") {
  Kueue kueue{one_queue(QueueingStrategy::best_effort_fifo, 5), {}};
  Workload five = job("x", 1);
  five.spec.pod_sets.front().count = 5;
  const WorkloadId id = kueue.submit(five);
  kueue.settle();
  const auto used_after = [&](std::int64_t done) {
    kueue.set_reclaimable(id, {{"main", done}});
    return used(kueue, "x");
  };
  CHECK(used_after(2) == 3);
  CHECK(used_after(2) == 3);
  CHECK(used_after(3) == 2);
  CHECK(used_after(9) == 0);
}

TEST_CASE("Pods that are done count from the whole workload, where fewer were admitted", "[kueue][queues]") {
  Kueue kueue{one_queue(QueueingStrategy::best_effort_fifo, 3), {}};
  Workload five = job("x", 1);
  five.spec.pod_sets.front().count = 5;
  five.spec.pod_sets.front().min_count = 1;
  const WorkloadId id = kueue.submit(five);
  kueue.settle();
  REQUIRE(used(kueue, "x") == 3);
  kueue.set_reclaimable(id, {{"main", 2}});
  CHECK(used(kueue, "x") == 3);
  kueue.set_reclaimable(id, {{"main", 4}});
  CHECK(used(kueue, "x") == 1);
}

TEST_CASE("An eviction counts the retry of a check that asked for it, and forgets those of the others",
          "[kueue][checks]") {
  const auto check = [](CheckState state) {
    return Check{.name = "c", .state = state, .changed = kStart, .retries = 2, .requeue_after = 60s};
  };
  Workload workload = job("x", 1);
  workload.status.checks = {check(CheckState::retry), check(CheckState::ready), check(CheckState::pending)};
  reset_checks(workload, kStart + 5s);
  const auto stands = [&](std::size_t place, std::int32_t retries, SimTime changed) {
    const Check& one = workload.status.checks[place];
    return one.state == CheckState::pending && one.retries == retries && one.changed == changed &&
           one.requeue_after == 60s;
  };
  CHECK(stands(0, 3, kStart + 5s));
  CHECK(stands(1, 0, kStart + 5s));
  CHECK(stands(2, 2, kStart));
}

TEST_CASE("A check that asks a waiting workload to be tried later is heard", "[kueue][checks]") {
  Kueue kueue{one_queue(QueueingStrategy::best_effort_fifo, 1), {}};
  const WorkloadId runner = kueue.submit(job("x", 1));
  kueue.settle();
  const WorkloadId id = kueue.submit(job("x", 1));
  kueue.settle();
  kueue.set_check(id, {.name = "c", .state = CheckState::retry, .requeue_after = 60s});
  kueue.finish(runner);
  kueue.settle();
  CHECK(kueue.pending("x")->is_parked(id));
  CHECK(kueue.next_due() == kStart + 60s);
}

TEST_CASE("Who failed a check waits behind those of its priority that came before its eviction",
          "[kueue][checks]") {
  ClusterQueue queue = queue_of("x", "", nominal(1));
  queue.checks = {{.name = "c"}};
  Kueue kueue{cluster_of({queue}), {}};
  const WorkloadId failed = kueue.submit(job("x", 1, 0, 0));
  kueue.settle();
  kueue.advance(kStart + 20s);
  const WorkloadId later = kueue.submit(job("x", 1, 0, 10));
  kueue.set_check(failed, {.name = "c", .state = CheckState::retry});
  kueue.finish_eviction(failed);
  kueue.settle();
  CHECK(kueue.workload(later).has_quota());
  CHECK(queue_order_time(kueue.workload(failed), {}) == kStart + 20s);
}

TEST_CASE("Pods that are done, and another priority, wake those that are parked", "[kueue][queues]") {
  ClusterQueue queue = queue_of("x", "", nominal(4));
  queue.preemption.within_queue = PreemptionPolicy::lower_priority;
  Kueue kueue{cluster_of({queue}), {}};
  Workload four = job("x", 1, 1);
  four.spec.pod_sets.front().count = 4;
  const WorkloadId first = kueue.submit(four);
  kueue.settle();
  const WorkloadId small = kueue.submit(job("x", 1, 1));
  kueue.settle();
  REQUIRE(kueue.pending("x")->is_parked(small));
  kueue.set_reclaimable(first, {{"main", 1}});
  kueue.settle();
  CHECK(runs(kueue, small));
  const WorkloadId large = kueue.submit(job("x", 4, 1));
  kueue.settle();
  REQUIRE(kueue.pending("x")->is_parked(large));
  WorkloadSpec urgent = kueue.workload(large).spec;
  urgent.priority = 2;
  kueue.update(large, urgent);
  kueue.settle();
  CHECK(kueue.workload(first).status.evicted.status);
}

TEST_CASE("Only checks of the flavors that were assigned are waited for, and no others kept",
          "[kueue][checks]") {
  ClusterQueue queue = queue_of("x", "", nominal(2));
  queue.checks = {{.name = "of_a", .flavors = {"a"}}, {.name = "of_b", .flavors = {"b"}}};
  Kueue kueue{cluster_of({queue}), {}};
  const WorkloadId id = kueue.submit(job("x", 2));
  kueue.settle();
  REQUIRE(kueue.workload(id).status.checks.size() == 1);
  CHECK(kueue.workload(id).status.checks.front().name == "of_a");
  CHECK_FALSE(runs(kueue, id));
  kueue.set_check(id, {.name = "of_a", .state = CheckState::ready});
  CHECK(runs(kueue, id));
}

TEST_CASE("A queue that asks for other checks asks those who hold quota for them too", "[kueue][checks]") {
  ClusterQueue queue = queue_of("x", "", nominal(1));
  queue.checks = {{.name = "old"}, {.name = "kept"}};
  Kueue kueue{cluster_of({queue}), {}};
  const WorkloadId id = kueue.submit(job("x", 1));
  kueue.settle();
  kueue.set_check(id, {.name = "kept", .state = CheckState::ready});
  CHECK_FALSE(runs(kueue, id));
  queue.checks = {{.name = "kept"}, {.name = "new"}};
  kueue.apply(queue);
  REQUIRE(kueue.workload(id).status.checks.size() == 2);
  CHECK(kueue.workload(id).status.checks.back().name == "new");
  CHECK_FALSE(runs(kueue, id));
  queue.checks = {{.name = "kept"}};
  kueue.apply(queue);
  CHECK(runs(kueue, id));
  queue.checks = {{.name = "kept"}, {.name = "new"}};
  kueue.apply(queue);
  CHECK(runs(kueue, id));
}

TEST_CASE("A flavor goes when no queue names it any more, and a queue may wait for a check",
          "[kueue][queues]") {
  ClusterQueue queue = queue_of("x", "", nominal(2));
  queue.checks = {{.name = "c"}};
  Configuration cluster = cluster_of({queue});
  cluster.admission_checks.emplace();
  Kueue kueue{cluster, {}};
  CHECK_FALSE(kueue.objects().is_active("x"));
  kueue.apply(AdmissionCheck{"c"});
  CHECK(kueue.objects().is_active("x"));
  kueue.remove(ObjectKind::resource_flavor, "a");
  CHECK(kueue.objects().is_active("x"));
  queue.groups = gpus({});
  kueue.apply(queue);
  kueue.apply(queue_of("x", "", nominal(2)));
  CHECK_FALSE(kueue.objects().is_active("x"));
}

TEST_CASE("Without fungibility a head that does not fit is tried again in each cycle", "[kueue][queues]") {
  Settings settings;
  settings.gates.set(Gate::flavor_fungibility, false);
  Kueue kueue{one_queue(QueueingStrategy::best_effort_fifo, 1), settings};
  kueue.submit(job("x", 1));
  kueue.settle();
  const WorkloadId id = kueue.submit(job("x", 1));
  kueue.settle();
  CHECK(kueue.pending("x")->is_active(id));
}

TEST_CASE("A queue that uses more than it may keeps nothing, and frees nothing for others",
          "[kueue][queues]") {
  Kueue kueue{cluster_of({queue_of("a", "co", {.nominal = Amount{4}, .borrowing_limit = Amount{2}}),
                          queue_of("b", "co", nominal(0)), queue_of("c", "co", nominal(0)),
                          queue_of("d", "co", nominal(10))}),
              {}};
  Workload old = job("a", 10);
  old.status.admission = Admission{
      .cluster_queue = "a",
      .pod_sets = {
          {.pod_set = "main", .count = 1, .flavors = {{"gpu", "a"}}, .usage = {{"gpu", Amount{10}}}}}};
  kueue.submit(old);
  kueue.submit(job("a", 1, 10));
  const WorkloadId first = kueue.submit(job("b", 3, 5));
  const WorkloadId second = kueue.submit(job("c", 3, 1));
  kueue.cycle();
  CHECK(runs(kueue, first));
  CHECK_FALSE(runs(kueue, second));
}

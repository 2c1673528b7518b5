// What a simulation hears from Kueue, and when it has to ask again.

#include <catch2/catch.hpp>

#include "models/orchestrators/kueue/ordering.h"
#include "tests/models/orchestrators/kueue/made_up_cluster.h"

using namespace stockout;
using namespace stockout::test;
using namespace std::chrono_literals;

namespace {

using Kind = Event::Kind;

std::vector<Kind> kinds_of(const std::vector<Event>& events) {
  std::vector<Kind> kinds;
  for (const Event& event : events) kinds.push_back(event.kind);
  return kinds;
}

// Settles and says what came of it.
std::vector<Event> heard(Kueue& kueue) {
  kueue.settle();
  return kueue.take_events();
}

Settings with_timeout(SimDuration timeout, std::int32_t limit) {
  Settings settings;
  settings.pods_ready = WaitForPodsReady{.timeout = timeout, .backoff_limit = limit, .backoff_base = 1min};
  return settings;
}

}  // namespace

TEST_CASE("Events say who may start, who must stop and for whom, once each", "[kueue][events]") {
  ClusterQueue queue = queue_of("x", "", nominal(2));
  queue.preemption.within_queue = PreemptionPolicy::lower_priority;
  Kueue kueue{cluster_of({queue}), {}};
  const WorkloadId low = kueue.submit(job("x", 2, 0));
  CHECK(kinds_of(heard(kueue)) == std::vector{Kind::reserved, Kind::admitted});
  kueue.advance(kStart + 10s);
  const WorkloadId high = kueue.submit(job("x", 2, 1));
  const std::vector<Event> stops = heard(kueue);
  REQUIRE(kinds_of(stops) == std::vector{Kind::evicted});
  CHECK(stops.front().workload == low);
  CHECK(stops.front().at == kStart + 10s);
  CHECK(stops.front().reason == kPreempted);
  CHECK(stops.front().preemption_reason == kInClusterQueue);
  CHECK(stops.front().preemptor == high);
  kueue.advance(kStart + 30s);
  kueue.finish_eviction(low);
  const std::vector<Event> then = heard(kueue);
  REQUIRE(kinds_of(then) == std::vector{Kind::requeued, Kind::reserved, Kind::admitted});
  CHECK(then[0].workload == low);
  CHECK_FALSE(then[0].until);
  CHECK(then[1].workload == high);
  CHECK(then[2].at == kStart + 30s);
  CHECK(heard(kueue).empty());
  kueue.finish_eviction(low);  // is over already
  CHECK(heard(kueue).empty());
}

TEST_CASE("Whose pods are late is requeued with a time, which falls due by itself", "[kueue][events]") {
  Kueue kueue{cluster_of({queue_of("x", "", nominal(2))}), with_timeout(5min, 1)};
  const WorkloadId id = kueue.submit(job("x", 2));
  heard(kueue);
  CHECK(kueue.next_due() == kStart + 5min);
  kueue.advance(kStart + 5min);
  CHECK(kinds_of(heard(kueue)) == std::vector{Kind::evicted});
  kueue.advance(kStart + 5min + 20s);  // the job stops
  kueue.finish_eviction(id);
  const std::vector<Event> events = heard(kueue);
  REQUIRE(kinds_of(events) == std::vector{Kind::requeued});
  CHECK(events.front().until == kStart + 6min);
  CHECK(kueue.next_due() == kStart + 6min);
  kueue.advance(kStart + 6min);
  CHECK(kinds_of(heard(kueue)) == std::vector{Kind::reserved, Kind::admitted});
  kueue.set_pods_ready(id, {.status = true});
  CHECK_FALSE(kueue.next_due());
}

TEST_CASE("Who was tried too often is deactivated, until its user makes it active again", "[kueue][events]") {
  Kueue kueue{cluster_of({queue_of("x", "", nominal(2))}), with_timeout(5min, 0)};
  const WorkloadId id = kueue.submit(job("x", 2));
  heard(kueue);
  kueue.advance(kStart + 5min);
  const std::vector<Event> events = heard(kueue);
  REQUIRE(kinds_of(events) == std::vector{Kind::evicted, Kind::deactivated});
  CHECK(events.front().reason == kDeactivated);
  kueue.finish_eviction(id);
  CHECK(heard(kueue).empty());
  CHECK_FALSE(kueue.next_due());
  WorkloadSpec again = kueue.workload(id).spec;
  again.active = true;
  kueue.update(id, again);
  CHECK(kinds_of(heard(kueue)) == std::vector{Kind::reserved, Kind::admitted});
}

TEST_CASE("Who has run for as long as it may is deactivated, over all its admissions", "[kueue][events]") {
  ClusterQueue queue = queue_of("x", "", nominal(2));
  queue.preemption.within_queue = PreemptionPolicy::lower_priority;
  Kueue kueue{cluster_of({queue}), {}};
  Workload an_hour = job("x", 2, 0);
  an_hour.spec.max_execution = 60min;
  const WorkloadId id = kueue.submit(an_hour);
  heard(kueue);
  CHECK(kueue.next_due() == kStart + 60min);
  kueue.advance(kStart + 20min);
  const WorkloadId high = kueue.submit(job("x", 2, 1));
  heard(kueue);
  CHECK_FALSE(kueue.next_due());
  kueue.finish_eviction(id);  // after 20 minutes
  heard(kueue);
  kueue.advance(kStart + 30min);
  kueue.finish(high);
  heard(kueue);
  CHECK(kueue.next_due() == kStart + 70min);
  kueue.advance(kStart + 70min);
  const std::vector<Event> events = heard(kueue);
  REQUIRE(kinds_of(events) == std::vector{Kind::evicted, Kind::deactivated});
  CHECK(events.front().at == kStart + 70min);
  CHECK(events.front().reason == kDeactivated);
  kueue.finish_eviction(id);
  WorkloadSpec again = kueue.workload(id).spec;
  again.active = true;
  kueue.update(id, again);
  heard(kueue);
  CHECK(kueue.next_due() == kStart + 130min);  // the time begins anew
}

TEST_CASE("Who ends has nothing due any more", "[kueue][events]") {
  Kueue kueue{cluster_of({queue_of("x", "", nominal(4))}), with_timeout(5min, 3)};
  const WorkloadId first = kueue.submit(job("x", 2));
  kueue.settle();
  kueue.advance(kStart + 1min);
  const WorkloadId second = kueue.submit(job("x", 2));
  kueue.settle();
  CHECK(kueue.next_due() == kStart + 5min);
  kueue.finish(first);
  CHECK(kueue.next_due() == kStart + 6min);
  kueue.deactivate(second);
  CHECK_FALSE(kueue.next_due());
}

// As in Kueue, which looks at checks of those that hold quota and are not being evicted.
TEST_CASE("A rejected check gives up nobody that is being evicted already, who then waits until it is none",
          "[kueue][events]") {
  ClusterQueue queue = queue_of("x", "", nominal(2));
  queue.checks = {{.name = "capacity"}};
  Kueue kueue{cluster_of({queue}), {}};
  const WorkloadId id = kueue.submit(job("x", 2));
  heard(kueue);
  kueue.set_check(id, {.name = "capacity", .state = CheckState::retry, .requeue_after = 60s});
  CHECK(kinds_of(heard(kueue)) == std::vector{Kind::evicted});
  kueue.set_check(id, {.name = "capacity", .state = CheckState::rejected});
  CHECK(heard(kueue).empty());
  kueue.finish_eviction(id);
  CHECK(kinds_of(heard(kueue)) == std::vector{Kind::requeued});
  kueue.advance(kStart + 2min);
  CHECK(heard(kueue).empty());
  kueue.set_check(id, {.name = "capacity", .state = CheckState::pending});
  kueue.apply(queue);
  CHECK(kinds_of(heard(kueue)) == std::vector{Kind::reserved});
}

TEST_CASE(
    "What is only reserved is taken back when its queue is stopped, and the queue goes when it is empty",
    "[kueue][events]") {
  ClusterQueue queue = queue_of("x", "", nominal(2));
  queue.checks = {{.name = "capacity"}};
  Kueue kueue{cluster_of({queue}), {}};
  const WorkloadId id = kueue.submit(job("x", 2));
  CHECK(kinds_of(heard(kueue)) == std::vector{Kind::reserved});
  queue.stop = StopPolicy::hold_and_drain;
  kueue.apply(queue);
  CHECK(kinds_of(heard(kueue)) == std::vector{Kind::taken_back, Kind::requeued});
  CHECK_FALSE(kueue.workload(id).status.evicted.status);
  queue.stop = StopPolicy::none;
  kueue.apply(queue);
  CHECK(kinds_of(heard(kueue)) == std::vector{Kind::reserved});
  kueue.remove(ObjectKind::cluster_queue, "x");
  CHECK(kinds_of(heard(kueue)) == std::vector{Kind::taken_back, Kind::requeued});
  CHECK(kueue.pending("x") == nullptr);
}

TEST_CASE("A queue that is to go does so when the last who holds its quota is given up", "[kueue][events]") {
  Kueue kueue{cluster_of({queue_of("x", "", nominal(2))}), {}};
  const WorkloadId id = kueue.submit(job("x", 2));
  heard(kueue);
  kueue.remove(ObjectKind::cluster_queue, "x");
  REQUIRE(kueue.pending("x") != nullptr);
  kueue.deactivate(id);
  CHECK(kueue.pending("x") == nullptr);
  CHECK(kinds_of(heard(kueue)) == std::vector{Kind::evicted, Kind::deactivated});
  kueue.finish_eviction(id);
  CHECK_FALSE(kueue.workload(id).has_quota());
}

TEST_CASE("Who waits for ready pods moves on with what its user changes", "[kueue][events]") {
  Settings settings;
  settings.pods_ready = WaitForPodsReady{.block_admission = true};
  Kueue kueue{cluster_of({queue_of("x", "", nominal(2)), queue_of("y", "", nominal(2))}), settings};
  const WorkloadId first = kueue.submit(job("x", 1, 0, 1));
  const WorkloadId second = kueue.submit(job("y", 1, 0, 2));
  heard(kueue);
  WorkloadSpec larger = kueue.workload(second).spec;
  larger.pod_sets.front().count = 2;
  kueue.update(second, larger);
  kueue.set_pods_ready(first, {.status = true});
  CHECK(kinds_of(heard(kueue)) == std::vector{Kind::reserved, Kind::admitted});
  CHECK(kueue.workload(second).status.admission->pod_sets.front().count == 2);
  const WorkloadId third = kueue.submit(job("x", 1, 0, 3));
  heard(kueue);
  kueue.finish(third);
  kueue.set_pods_ready(second, {.status = true});
  CHECK(heard(kueue).empty());
}

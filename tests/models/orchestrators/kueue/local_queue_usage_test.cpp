// Admission fair sharing: whose local queue used less goes first.

#include <cmath>

#include <catch2/catch.hpp>

#include "tests/models/orchestrators/kueue/made_up_cluster.h"

using namespace stockout;
using namespace stockout::test;
using namespace std::chrono_literals;

namespace {

// Two local queues, "x" and "y", of the cluster queue "x".
Configuration two_local_queues() {
  ClusterQueue queue = queue_of("x", "", nominal(2));
  queue.usage_based_admission = true;
  Configuration cluster = cluster_of({queue});
  cluster.local_queues["y"] = {.name = "y", .cluster_queue = "x"};
  return cluster;
}

}  // namespace

TEST_CASE("With admission fair sharing the local queue that used less goes first", "[kueue][queues]") {
  Configuration cluster = two_local_queues();
  cluster.local_queues["x"].consumed = {{"gpu", 1}};
  Settings settings;
  settings.admission_fair_sharing = AdmissionFairSharing{.half_life = 10min, .sampling = 5min};
  Kueue kueue{cluster, settings};
  const WorkloadId high = kueue.submit(job("x", 2, 9));
  const WorkloadId low = kueue.submit(job("y", 2, 0));
  kueue.settle();
  CHECK(kueue.workload(low).has_quota());
  kueue.advance(kStart + 30min);  // y uses 2 of the time, x what is left of 1
  kueue.finish(low);
  kueue.submit(job("y", 2, 9));
  kueue.settle();
  CHECK(kueue.workload(high).has_quota());
}

TEST_CASE("Usage is weighted by resource, and divided by the weight of the local queue", "[kueue][queues]") {
  Configuration cluster = two_local_queues();
  cluster.local_queues["x"].consumed = {{"gpu", 4}, {"cpu", 2000}};  // thousandths of a CPU
  cluster.local_queues["x"].fair_weight = 2;
  cluster.local_queues["y"].fair_weight = 0;
  const AdmissionFairSharing rule{.half_life = 10min, .weights = {{"gpu", 3}}};
  const LocalQueueUsages usages{cluster, rule};
  CHECK(usages.usage("x") == Approx(7));  // (3 * 4 + 2) / 2
  CHECK(std::isinf(usages.usage("y")));
  CHECK(usages.usage("elsewhere") == 0);
}

TEST_CASE("An admission costs what a sample would count of it, until that is taken", "[kueue][queues]") {
  const Configuration cluster = two_local_queues();
  const AdmissionFairSharing rule{.half_life = 5min};
  LocalQueueUsages usages{cluster, rule};
  usages.admitted(job("x", 8));
  CHECK(usages.usage("x") == Approx(4));  // half of it: a sample every 5 minutes
  Ledger ledger;
  ledger.rebuild(cluster);
  usages.pass_time(kStart, kStart + 4min, ledger);
  CHECK(usages.usage("x") == Approx(4));
  usages.pass_time(kStart + 4min, kStart + 5min, ledger);
  CHECK(usages.usage("x") == Approx(4));
  usages.pass_time(kStart + 5min, kStart + 10min, ledger);  // nothing is in use
  CHECK(usages.usage("x") == Approx(2));
  LocalQueueUsages at_once{cluster, rule};
  at_once.admitted(job("x", 8));
  at_once.pass_time(kStart, kStart + 10min, ledger);
  CHECK(at_once.usage("x") == Approx(2));
}

TEST_CASE("With a half life of zero nothing is remembered, and an admission costs nothing",
          "[kueue][queues]") {
  Configuration cluster = two_local_queues();
  cluster.local_queues["x"].consumed = {{"gpu", 4}};
  const AdmissionFairSharing rule{};
  LocalQueueUsages usages{cluster, rule};
  usages.admitted(job("x", 8));
  CHECK(usages.usage("x") == Approx(4));
  Workload running = job("x", 2);
  running.status.admission = Admission{
      .cluster_queue = "x",
      .pod_sets = {
          {.pod_set = "main", .count = 1, .flavors = {{"gpu", "a"}}, .usage = {{"gpu", Amount{2}}}}}};
  Ledger ledger;
  ledger.rebuild(cluster);
  ledger.hold(running);
  usages.pass_time(kStart, kStart + 5min, ledger);
  CHECK(usages.usage("x") == 0);
}

TEST_CASE("Quota that is only reserved is no usage of a local queue", "[kueue][queues]") {
  const Configuration cluster = two_local_queues();
  Workload waits = job("x", 2);
  waits.status.admission = Admission{
      .cluster_queue = "x",
      .pod_sets = {
          {.pod_set = "main", .count = 1, .flavors = {{"gpu", "a"}}, .usage = {{"gpu", Amount{2}}}}}};
  Ledger ledger;
  ledger.rebuild(cluster);
  ledger.hold(waits);
  const AdmissionFairSharing rule{.half_life = 5min};
  LocalQueueUsages usages{cluster, rule};
  usages.pass_time(kStart, kStart + 5min, ledger);
  CHECK(usages.usage("x") == 0);
  waits.status.admitted = kStart + 5min;
  usages.pass_time(kStart + 5min, kStart + 10min, ledger);
  CHECK(usages.usage("x") == Approx(1));
}

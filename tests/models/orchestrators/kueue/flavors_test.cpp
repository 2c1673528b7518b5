// Which flavor a workload gets.

#include <catch2/catch.hpp>

#include "models/orchestrators/kueue/flavor_assigner.h"
#include "tests/models/orchestrators/kueue/made_up_cluster.h"

using namespace stockout;
using namespace stockout::test;

namespace {

const Taint kSpotTaint{.key = "spot", .value = "true", .effect = "NoSchedule"};

// The flavor that one pod with these GPUs gets, "" if it must wait, as the cluster stands.
std::string flavor_of(Kueue& kueue, std::int64_t gpus, NodeDemand nodes = {}) {
  Workload workload = job("x", gpus);
  workload.spec.pod_sets.front().nodes = std::move(nodes);
  const WorkloadId id = kueue.submit(workload);
  kueue.settle();
  const auto& admission = kueue.workload(id).status.admission;
  return admission ? admission->pod_sets.front().flavors.at("gpu") : "";
}

Configuration two_flavors(FlavorFungibility rules = {}) {
  ClusterQueue queue = queue_of("x", "c", nominal(0));
  queue.groups = gpus({{"reserved", nominal(4)}, {"spot", nominal(8)}});
  queue.fungibility = rules;
  ClusterQueue lender = queue_of("y", "c", nominal(0));
  lender.groups = gpus({{"reserved", nominal(4)}});
  return cluster_of({queue, lender});
}

}  // namespace

TEST_CASE("Flavors are tried in order, and the next where the first is used up", "[kueue][flavors]") {
  Kueue kueue{two_flavors(), {}};
  CHECK(flavor_of(kueue, 4) == "reserved");
  CHECK(flavor_of(kueue, 5) == "spot");      // 9 of "reserved" are more than there are
  CHECK(flavor_of(kueue, 4) == "reserved");  // borrowed
  CHECK(flavor_of(kueue, 3) == "spot");
  CHECK(flavor_of(kueue, 1).empty());
}

TEST_CASE("A queue may prefer the next flavor to borrowing", "[kueue][flavors]") {
  Kueue kueue{two_flavors({.next_when_borrowing = true}), {}};
  CHECK(flavor_of(kueue, 4) == "reserved");
  CHECK(flavor_of(kueue, 4) == "spot");
  CHECK(flavor_of(kueue, 5).empty());
  CHECK(flavor_of(kueue, 4) == "spot");
  CHECK(flavor_of(kueue, 4) == "reserved");  // nothing else is left
}

TEST_CASE("Taints keep pods off a flavor that do not tolerate them", "[kueue][flavors]") {
  ResourceFlavor flavor{.name = "spot", .labels = {{"kind", "spot"}}, .taints = {kSpotTaint}};
  CHECK_FALSE(admits(flavor, {}));
  CHECK(admits(flavor, {.tolerations = {{.key = "spot", .value = "true"}}}));
  CHECK(admits(flavor, {.tolerations = {{.key = "spot", .op = "Exists", .effect = "NoSchedule"}}}));
  CHECK(admits(flavor, {.tolerations = {{.key = "", .op = "Exists"}}}));
  CHECK_FALSE(admits(flavor, {.tolerations = {{.key = "spot", .value = "true", .effect = "NoExecute"}}}));
  CHECK_FALSE(admits(flavor, {.tolerations = {{.key = "spot", .value = "other"}}}));
  flavor.tolerations = {{.key = "spot", .value = "true"}};
  CHECK(admits(flavor, {}));
  flavor = {.name = "soft", .taints = {{.key = "spot", .effect = "PreferNoSchedule"}}};
  CHECK(admits(flavor, {}));
}

TEST_CASE("Of selectors and affinity only labels that the flavor has count", "[kueue][flavors]") {
  const ResourceFlavor flavor{.name = "a", .labels = {{"kind", "spot"}, {"size", "8"}}};
  CHECK(admits(flavor, {.selector = {{"kind", "spot"}, {"zone", "elsewhere"}}}));
  CHECK_FALSE(admits(flavor, {.selector = {{"kind", "reserved"}}}));
  const auto affinity = [](LabelCondition condition) {
    return NodeDemand{.terms = {{std::move(condition)}}};
  };
  CHECK(admits(flavor, affinity({.key = "kind", .op = "In", .values = {"x", "spot"}})));
  CHECK_FALSE(admits(flavor, affinity({.key = "kind", .op = "NotIn", .values = {"spot"}})));
  CHECK(admits(flavor, affinity({.key = "kind", .op = "Exists"})));
  CHECK_FALSE(admits(flavor, affinity({.key = "kind", .op = "DoesNotExist"})));
  CHECK(admits(flavor, affinity({.key = "size", .op = "Gt", .values = {"4"}})));
  CHECK_FALSE(admits(flavor, affinity({.key = "size", .op = "Lt", .values = {"8"}})));
  CHECK(admits(flavor, affinity({.key = "zone", .op = "In", .values = {"elsewhere"}})));
}

TEST_CASE("A workload goes to the flavor that its pods can use", "[kueue][flavors]") {
  Configuration cluster = two_flavors();
  cluster.flavors["reserved"].labels = {{"kind", "reserved"}};
  cluster.flavors["spot"] = {.name = "spot", .labels = {{"kind", "spot"}}, .taints = {kSpotTaint}};
  Kueue kueue{cluster, {}};
  const NodeDemand on_spot{.selector = {{"kind", "spot"}}, .tolerations = {{.key = "spot", .op = "Exists"}}};
  CHECK(flavor_of(kueue, 1, {.selector = {{"kind", "spot"}}}).empty());
  CHECK(flavor_of(kueue, 1, on_spot) == "spot");
}

TEST_CASE("Which offer is better", "[kueue][flavors]") {
  const auto borrowing = FlavorPreference::borrowing_over_preemption;
  const auto preempting = FlavorPreference::preemption_over_borrowing;
  const Offer fit_far{Prospect::fit, 2};
  const Offer evict_near{Prospect::preempt, 0};
  CHECK(is_better(fit_far, evict_near, borrowing));
  CHECK(is_better(evict_near, fit_far, preempting));
  CHECK(is_better({Prospect::reclaim, 1}, {Prospect::preempt, 1}, preempting));
  CHECK(is_better(fit_far, {Prospect::no_candidates, 0}, preempting));
  CHECK(is_better({Prospect::no_candidates, 0}, {Prospect::no_fit, 0}, borrowing));
  CHECK_FALSE(is_better(fit_far, fit_far, borrowing));
}

TEST_CASE("Pod sets are assigned one after the other, and share the quota", "[kueue][flavors]") {
  Kueue kueue{two_flavors(), {}};
  Workload set = job("x", 1);
  set.spec.pod_sets = {{.name = "driver", .count = 1, .requests = {{"gpu", Amount{3}}}},
                       {.name = "workers", .count = 3, .requests = {{"gpu", Amount{2}}}}};
  const WorkloadId id = kueue.submit(set);
  kueue.settle();
  const auto& admission = kueue.workload(id).status.admission;
  REQUIRE(admission);
  CHECK(admission->pod_sets[0].flavors.at("gpu") == "reserved");
  CHECK(admission->pod_sets[1].flavors.at("gpu") == "spot");  // 3 + 6 are more than 8
  CHECK(admission->pod_sets[1].usage.at("gpu") == Amount{6});
}

TEST_CASE("A workload that may be smaller is admitted as large as fits", "[kueue][flavors]") {
  Kueue kueue{cluster_of({queue_of("x", "", nominal(10))}), {}};
  Workload set = job("x", 1);
  set.spec.pod_sets = {{.count = 20, .min_count = 5, .requests = {{"gpu", Amount{1}}}}};
  WorkloadId id = kueue.submit(set);
  kueue.settle();
  REQUIRE(kueue.workload(id).status.admission);
  CHECK(kueue.workload(id).status.admission->pod_sets.front().count == 10);
  id = kueue.submit(set);
  kueue.settle();
  CHECK_FALSE(kueue.workload(id).status.admission);
}

TEST_CASE("A search for flavors that is older than the last cycle starts anew when somebody was admitted",
          "[kueue][flavors]") {
  ClusterQueue queue = queue_of("x", "", nominal(0));
  queue.groups = gpus({{"a", nominal(3)}, {"b", nominal(2)}});
  Kueue kueue{cluster_of({queue}), {}};
  Workload large = job("x", 2);  // its first pod set gets "a", its second fits nowhere
  large.spec.pod_sets.push_back({.name = "second", .requests = {{"gpu", Amount{4}}}});
  const WorkloadId id = kueue.submit(large);
  kueue.cycle();
  kueue.submit(job("x", 1, 1));
  kueue.cycle();  // the other is admitted
  kueue.cycle();
  CHECK(kueue.pending("x")->is_active(id));  // "b" is left to try
  kueue.cycle();
  CHECK(kueue.pending("x")->is_parked(id));
}

// Quota in a tree of cohorts, worked out by hand.

#include <catch2/catch.hpp>

#include "models/orchestrators/kueue/fair_share.h"
#include "tests/models/orchestrators/kueue/made_up_cluster.h"

using namespace stockout;
using namespace stockout::test;

namespace {

QuotaTree tree_of(const Configuration& configuration) {
  QuotaTree tree;
  tree.rebuild(configuration);
  return tree;
}

struct Row {
  std::int64_t available;
  std::int64_t potential;
};

void check(QuotaTree& tree, const std::string& queue, Row expected) {
  CAPTURE(queue);
  const CellId cell = tree.cell("a", "gpu");
  CHECK(tree.available(*tree.queue(queue), cell).count() == expected.available);
  CHECK(tree.potentially_available(*tree.queue(queue), cell).count() == expected.potential);
}

void use(QuotaTree& tree, const std::string& queue, std::int64_t count) {
  tree.add(*tree.queue(queue), {{tree.cell("a", "gpu"), Amount{count}}});
}

}  // namespace

TEST_CASE("A queue without a cohort has its own quota only", "[kueue][quota]") {
  QuotaTree tree = tree_of(cluster_of({queue_of("x", "", nominal(8))}));
  check(tree, "x", {8, 8});
  use(tree, "x", 10);
  check(tree, "x", {-2, 8});
}

TEST_CASE("Queues of a cohort share what the others leave", "[kueue][quota]") {
  QuotaTree tree = tree_of(cluster_of({queue_of("x", "c", nominal(8)), queue_of("y", "c", nominal(4))}));
  use(tree, "x", 5);
  check(tree, "x", {7, 12});
  check(tree, "y", {7, 12});
}

TEST_CASE("What a lending limit keeps back is used first and counts for nobody else", "[kueue][quota]") {
  Quota kept = nominal(8);
  kept.lending_limit = Amount{3};  // 5 are its own
  QuotaTree tree = tree_of(cluster_of({queue_of("x", "c", kept), queue_of("y", "c", nominal(4))}));
  check(tree, "x", {12, 12});
  check(tree, "y", {7, 7});
  use(tree, "x", 5);
  check(tree, "y", {7, 7});
  use(tree, "x", 2);
  check(tree, "y", {5, 7});
  check(tree, "x", {5, 12});
}

TEST_CASE("A borrowing limit bounds what comes from above", "[kueue][quota]") {
  Quota bounded = nominal(4);
  bounded.borrowing_limit = Amount{2};
  QuotaTree tree = tree_of(cluster_of({queue_of("x", "c", bounded), queue_of("y", "c", nominal(8))}));
  check(tree, "x", {6, 6});
  use(tree, "x", 3);
  check(tree, "x", {3, 6});
  use(tree, "y", 7);
  check(tree, "x", {2, 6});
  bounded.borrowing_limit = Amount{0};
  tree = tree_of(cluster_of({queue_of("x", "c", bounded), queue_of("y", "c", nominal(8))}));
  check(tree, "x", {4, 4});
}

TEST_CASE("Cohorts have quota and limits of their own", "[kueue][quota]") {
  Quota of_left = nominal(2);
  of_left.lending_limit = Amount{1};  // the subtree has 6 and keeps 5
  QuotaTree tree = tree_of(cluster_of({queue_of("x", "left", nominal(4)), queue_of("y", "right", nominal(4))},
                                      {{.name = "left", .parent = "root", .groups = gpus({{"a", of_left}})},
                                       {.name = "right", .parent = "root"}}));
  check(tree, "x", {10, 10});
  check(tree, "y", {5, 5});
  use(tree, "y", 5);
  check(tree, "x", {5, 10});
}

TEST_CASE("Whatever the order, taking quota and giving it back leaves the tree as it was", "[kueue][quota]") {
  Quota kept = nominal(8);
  kept.lending_limit = Amount{3};
  QuotaTree tree = tree_of(cluster_of({queue_of("x", "c", kept), queue_of("y", "c", nominal(4))}));
  const CellId cell = tree.cell("a", "gpu");
  const Usage three{{cell, Amount{3}}};
  const Usage four{{cell, Amount{4}}};
  tree.add(*tree.queue("x"), three);
  tree.add(*tree.queue("x"), four);
  tree.remove(*tree.queue("x"), three);
  tree.add(*tree.queue("y"), four);
  tree.remove(*tree.queue("x"), four);
  tree.remove(*tree.queue("y"), four);
  CHECK(tree.usage(*tree.cohort("c"), cell) == Amount{});
  check(tree, "x", {12, 12});
}

TEST_CASE("Unlimited quota stays so in sums, and other sums stop short of it", "[kueue][quota]") {
  constexpr Amount kUnlimited = Amount::unlimited();
  CHECK(kUnlimited + Amount{1} == kUnlimited);
  CHECK(kUnlimited - Amount{1} == kUnlimited);
  CHECK(kUnlimited - kUnlimited == Amount{});
  const Amount huge = Amount::request(kUnlimited.count());
  CHECK(huge < kUnlimited);
  CHECK(huge + huge < kUnlimited);
  CHECK(huge * 3 < kUnlimited);
  CHECK((Amount{0} - huge) - huge < Amount{0});
}

TEST_CASE("A cohort that is its own ancestor gives nothing, and neither do those below", "[kueue][quota]") {
  const QuotaTree tree = tree_of(
      cluster_of({queue_of("x", "a", nominal(8)), queue_of("y", "other", nominal(8))},
                 {{.name = "a", .parent = "b"}, {.name = "b", .parent = "c"}, {.name = "c", .parent = "b"}}));
  CHECK(tree.is_in_cycle(*tree.queue("x")));
  CHECK(tree.is_in_cycle(*tree.cohort("c")));
  CHECK_FALSE(tree.is_in_cycle(*tree.queue("y")));
}

TEST_CASE("A share is what is borrowed of what could be lent, per mille and over the weight",
          "[kueue][fair_sharing]") {
  ClusterQueue heavy = queue_of("x", "c", nominal(2));
  heavy.fair_weight = 2;
  QuotaTree tree = tree_of(cluster_of({heavy, queue_of("y", "c", nominal(8))}));
  use(tree, "x", 5);
  const FairShare share = fair_share(tree, *tree.queue("x"));
  CHECK(share.ratio == Approx(300));  // 3 of 10
  CHECK(share.reported() == 150);
  CHECK(share.resource == "gpu");
  CHECK_FALSE(fair_share(tree, *tree.queue("y")).borrows());
  CHECK_FALSE(fair_share(tree, *tree.cohort("c")).borrows());
}

TEST_CASE("With a weight of zero whoever borrows has the largest share", "[kueue][fair_sharing]") {
  ClusterQueue light = queue_of("x", "c", nominal(2));
  light.fair_weight = 0;
  QuotaTree tree = tree_of(cluster_of({light, queue_of("y", "c", nominal(8))}));
  CHECK_FALSE(fair_share(tree, *tree.queue("x")).is_infinite());
  use(tree, "x", 3);
  use(tree, "y", 9);
  const FairShare infinite = fair_share(tree, *tree.queue("x"));
  CHECK(infinite.is_infinite());
  CHECK((compare(infinite, fair_share(tree, *tree.queue("y"))) > 0));
  FairShare larger = infinite;
  larger.ratio += 1;
  CHECK((compare(infinite, larger) < 0));
}

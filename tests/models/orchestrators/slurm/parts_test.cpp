// Parts of the model of Slurm by themselves.

#include <catch2/catch.hpp>

#include "models/orchestrators/slurm/fair_tree.h"
#include "models/orchestrators/slurm/plan.h"
#include "models/orchestrators/slurm/priority.h"
#include "models/orchestrators/slurm/selector.h"
#include "tests/models/orchestrators/slurm/made_up_slurm.h"

using namespace stockout;
using namespace stockout::test;

namespace {

NodeSet set_with(std::size_t all, std::initializer_list<NodeIndex> nodes) {
  NodeSet set{all};
  for (const NodeIndex node : nodes) set.insert(node);
  return set;
}

}  // namespace

TEST_CASE("Nodes are taken from the smallest run that is enough, else from the largest",
          "[slurm][selector]") {
  Cluster cluster{cluster_of(10, 4)};
  std::vector<NodeIndex> chosen;
  const auto choose = [&](std::initializer_list<NodeIndex> candidates, Shape shape) {
    cluster.nodes.selector.choose(set_with(10, candidates), cluster.nodes.free, cluster.nodes.weights, shape,
                                  chosen);
    return chosen;
  };
  using Nodes = std::vector<NodeIndex>;
  CHECK(choose({0, 1, 2, 4, 5, 7}, {.nodes = 2}) == Nodes{4, 5});
  CHECK(choose({0, 1, 2, 4, 5, 7}, {.nodes = 1}) == Nodes{7});
  CHECK(choose({0, 1, 2, 4, 5, 7}, {.nodes = 4}) == Nodes{0, 1, 2, 7});  // what is left is one node
  cluster.nodes.weights[7] = 5;                                          // dearer: last
  CHECK(choose({0, 1, 2, 4, 5, 7}, {.nodes = 1}) == Nodes{4});
  cluster.nodes.free.take({1}, {.nodes = 1, .cpus = 3}, cluster.configuration.nodes);
  CHECK(choose({0, 1, 2}, {.nodes = 1}) == Nodes{1});  // the least CPUs stay free
}

TEST_CASE("A plan is cut where promises begin and end", "[slurm][plan]") {
  Plan plan{kStart, kStart + sec(600), set_with(4, {0, 1, 2, 3}), sec(60)};
  plan.reserve(set_with(4, {0, 1}), kStart + sec(120), kStart + sec(240));
  CHECK(plan.overlaps(set_with(4, {1}), kStart + sec(180), kStart + sec(300)));
  CHECK_FALSE(plan.overlaps(set_with(4, {1}), kStart + sec(240), kStart + sec(300)));
  CHECK_FALSE(plan.overlaps(set_with(4, {2}), kStart, kStart + sec(600)));
  plan.reserve(set_with(4, {2}), kStart + sec(120), kStart + sec(130));  // at least the resolution
  CHECK(plan.overlaps(set_with(4, {2}), kStart + sec(170), kStart + sec(175)));
  CHECK_FALSE(plan.overlaps(set_with(4, {2}), kStart + sec(180), kStart + sec(200)));
}

TEST_CASE("Fair tree: accounts first, then users below them; equals share the higher rank",
          "[slurm][priority]") {
  // A has used half of what B has. Below A, x has used more than y. Below B, u and v are equal.
  const std::vector<Association> tree{{.name = "A"},
                                      {.name = "B"},
                                      {.name = "x", .parent = 0, .is_user = true},
                                      {.name = "y", .parent = 0, .is_user = true},
                                      {.name = "u", .parent = 1, .is_user = true},
                                      {.name = "v", .parent = 1, .is_user = true}};
  FairTree shares{tree};
  CHECK(shares.factor(2) == 1);  // nobody has used anything: all are equal
  shares.use(2, 60);
  shares.use(3, 40);
  shares.use(4, 100);
  shares.use(5, 100);
  shares.rank();
  CHECK(shares.factor(3) == 1);
  CHECK(shares.factor(2) == 0.75);
  CHECK(shares.factor(4) == 0.5);
  CHECK(shares.factor(5) == 0.5);
  shares.decay(604'800, 604'800);
  CHECK(shares.usage(0) == Approx(50).epsilon(0.001));
}

TEST_CASE("Priority is the weighted sum of factors, cut to a whole number from 1", "[slurm][priority]") {
  Configuration made = cluster_of(4, 8);
  made.partitions.push_back({.name = "b", .nodes = {0}, .priority_job_factor = 4});
  made.settings.priority.weights = {.age = 1000, .job_size = 100, .partition = 40};
  Cluster cluster{made};
  const FairTree none{cluster.configuration.associations};
  const PriorityCalculator priority{cluster, none};
  Job job;
  job.request.size = {.nodes = 2, .cpus_per_node = 8};
  CHECK(priority.of(job, 0) == 60);  // size (2/4 + 16/32)/2, partition 1/4
  CHECK(priority.of(job, 1) == 90);
  cluster.now = kStart + std::chrono::hours{84};  // half of the greatest age
  CHECK(priority.of(job, 0) == 560);
  job.request.nice = 5000;
  CHECK(priority.of(job, 0) == 1);
}

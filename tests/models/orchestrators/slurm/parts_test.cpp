// Parts of the model of Slurm by themselves.

#include <utility>

#include <catch2/catch.hpp>

#include "models/orchestrators/slurm/fair_tree.h"
#include "models/orchestrators/slurm/node_calendar.h"
#include "models/orchestrators/slurm/openings.h"
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

// A job of `nodes` nodes that may run for so many seconds comes into the queue of the partition.
JobId wait_in(Cluster& cluster, int nodes, double limit, PartitionIndex partition = 0) {
  const auto id = static_cast<JobId>(cluster.jobs.size());
  JobRequest request{.size = {.nodes = nodes}, .time_limit = sec(limit), .partitions = {partition}};
  cluster.jobs.push_back({.request = std::move(request), .array = id, .priorities = {1}});
  cluster.enqueue(id);
  return id;
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

TEST_CASE("A calendar finds the first time at which enough nodes are free at once", "[slurm][calendar]") {
  NodeCalendar calendar{3};
  std::vector<PromiseId> displaced;
  const NodeSet all = set_with(3, {0, 1, 2});
  const NodeSet none{3};
  const auto at = [&](int count, double length) {
    return calendar.earliest(
        {.among = all, .count = count, .length = sec(length), .from = kStart, .own = none});
  };
  calendar.hold(0, kStart + sec(100), displaced);
  calendar.promise(1, set_with(3, {1, 2}), kStart + sec(50), kStart + sec(150));
  CHECK(at(2, 50).at == kStart);
  CHECK(at(2, 50).nodes == set_with(3, {1, 2}));
  CHECK(at(1, 51).at == kStart + sec(100));
  CHECK(at(1, 51).nodes == set_with(3, {0}));
  CHECK(at(3, 1).at == kStart + sec(150));
  CHECK(displaced.empty());
}

TEST_CASE("Free time that has grown concerns whom it is long and early enough for", "[slurm][calendar]") {
  NodeCalendar calendar{2};
  std::vector<PromiseId> displaced;
  const NodeSet both = set_with(2, {0, 1});
  const NodeSet first = set_with(2, {0});
  calendar.hold(0, kStart + sec(100), displaced);
  calendar.hold(1, kStart + sec(100), displaced);
  calendar.promise(1, first, kStart + sec(100), kStart + sec(200));
  calendar.promise(2, first, kStart + sec(200), kStart + sec(300));
  const auto moves = [&](PromiseId who, double length, double promised, std::uint64_t seen = 0) {
    return calendar.may_differ({.among = both,
                                .length = sec(length),
                                .from = kStart,
                                .who = who,
                                .own = first,
                                .promised = kStart + sec(promised)},
                               seen);
  };
  CHECK_FALSE(calendar.has_growths());
  calendar.hold(0, kStart + sec(40), displaced);  // its job has ended early
  REQUIRE(calendar.has_growths());
  CHECK(moves(1, 100, 100) == kStart + sec(40));  // beside its own promise
  CHECK(moves(2, 100, 200) == kNever);            // 60 s are too short for the next
  CHECK(moves(2, 60, 200) == kStart + sec(40));
  CHECK(moves(2, 60, 30) == kNever);  // it begins earlier as it is
  CHECK(moves(2, 60, 200, calendar.growths()) == kNever);
  calendar.forget(calendar.growths());
  CHECK_FALSE(calendar.has_growths());

  calendar.hold(0, kStart + sec(150), displaced);
  CHECK(displaced == std::vector<PromiseId>{1});
}

TEST_CASE("The queue knows the shortest limit of each kind of job", "[slurm][queue]") {
  Cluster cluster{cluster_of(4)};
  wait_in(cluster, 2, 600);
  const JobId shorter = wait_in(cluster, 2, 60);
  wait_in(cluster, 1, 30);
  const JobKind two_nodes{.shape = {.nodes = 2}};
  const auto& kinds = cluster.queue.kinds();
  CHECK(kinds.size() == 2);
  CHECK(*kinds.at(two_nodes).begin() == std::pair{sec(60), shorter});
  cluster.hold_nodes(shorter, 0, {0, 1}, kStart);
  CHECK(kinds.at(two_nodes).begin()->first == sec(600));
  cluster.dequeue(0);
  CHECK_FALSE(kinds.contains(two_nodes));
}

TEST_CASE("A cycle of backfill has work while somebody fits beside its promises", "[slurm][backfill]") {
  // Three of four nodes are busy, and the fourth is promised to somebody from 300 on.
  Cluster cluster{cluster_of(4)};
  cluster.hold_nodes(wait_in(cluster, 3, 1000), 0, {0, 1, 2}, kStart);
  Plan plan{kStart, kStart + sec(3600), set_with(4, {0, 1, 2, 3}), sec(60)};
  plan.reserve(set_with(4, {3}), kStart + sec(300), kStart + sec(900));
  Openings openings{cluster};
  const auto any = [&] {
    openings.begin();
    return openings.any(plan);
  };
  CHECK_FALSE(any());  // nobody waits
  wait_in(cluster, 2, 10);
  CHECK_FALSE(any());  // two nodes are not free
  wait_in(cluster, 1, 300);
  CHECK_FALSE(any());  // to the very beginning of the promise is too long
  const JobId fits = wait_in(cluster, 1, 299);
  CHECK(any());
  plan.reserve(set_with(4, {3}), kStart + sec(240), kStart + sec(300));
  CHECK_FALSE(openings.any(plan));  // now the promise begins before its end
  wait_in(cluster, 1, 200);
  CHECK(openings.any(plan));  // the queue has changed
  cluster.hold_nodes(fits, 0, {3}, kStart);
  CHECK_FALSE(openings.any(plan));  // no node is free any more
}

TEST_CASE("A cycle of backfill has work while somebody may preempt others", "[slurm][backfill]") {
  Configuration made = cluster_of(2);
  made.partitions.push_back({.name = "first", .nodes = {0, 1}, .priority_tier = 2});
  made.settings.preemption = {.type = PreemptType::partition_priority, .mode = PreemptMode::requeue};
  Cluster cluster{made};
  const JobId victim = wait_in(cluster, 2, 600);
  cluster.hold_nodes(victim, 0, {0, 1}, kStart);
  cluster.jobs[victim].state = JobState::running;
  const Plan plan{kStart, kStart + sec(3600), set_with(2, {0, 1}), sec(60)};
  Openings openings{cluster};
  openings.begin();
  wait_in(cluster, 2, 600);
  CHECK_FALSE(openings.any(plan));
  wait_in(cluster, 2, 600, 1);
  CHECK(openings.any(plan));
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
  shares.decay(0.5);
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
  CHECK(priority.of(job, 0, cluster.now) == 60);  // size (2/4 + 16/32)/2, partition 1/4
  CHECK(priority.of(job, 1, cluster.now) == 90);
  cluster.now = kStart + std::chrono::hours{84};  // half of the greatest age
  CHECK(priority.of(job, 0, cluster.now) == 560);
  job.request.nice = 5000;
  CHECK(priority.of(job, 0, cluster.now) == 1);
}

// Who starts when, by hand.

#include <catch2/catch.hpp>

#include "tests/models/orchestrators/slurm/made_up_slurm.h"

using namespace stockout;
using namespace stockout::test;

TEST_CASE("A batch job waits for the next round of the main loop, and three seconds since the last cycle",
          "[slurm][main]") {
  // Asked at 2.5, done at 3. Asked at 3.2: 3 + 3 = 6. Asked at 20.4, long after: 21.
  CHECK(starts_of(cluster_of(4), {listed(2.5, 1, 60, 5), listed(3.2, 1, 60, 5), listed(20.4, 1, 60, 5)}) ==
        Starts{3, 6, 21});
}

TEST_CASE("A job that is not a batch job starts at once, unless others go before it", "[slurm][main]") {
  ListedJob job = listed(2.5, 2, 60, 10);
  job.request.batch = false;
  ListedJob next = listed(3.5, 1, 60, 10);
  next.request.batch = false;
  CHECK(starts_of(cluster_of(2), {job, next}) == Starts{2.5, 12.5});
  // An equal that came first does not hold it back; one of a higher priority does.
  Configuration cluster = cluster_of(2);
  cluster.settings.priority.weights.job_size = 1000;
  const std::vector<ListedJob> jobs{listed(1, 1, 60, 20), listed(5, 2, 60, 10), next};
  ListedJob late = next;
  late.submit = kStart + sec(8.5);
  CHECK(starts_of(cluster_of(2), {jobs[0], jobs[1], late}) == Starts{3, 23, 8.5});
  CHECK(starts_of(with_backfill(cluster, Backfill::none), {jobs[0], jobs[1], late}) == Starts{3, 23, 33});
}

TEST_CASE("The end of a job starts a cycle at once only where there is an Epilog", "[slurm][main]") {
  Configuration cluster = with_backfill(cluster_of(1), Backfill::none);
  const std::vector<ListedJob> jobs{listed(1, 1, 60, 10.25), listed(2, 1, 60, 5)};
  CHECK(starts_of(cluster, jobs) == Starts{3, 13.25});
  cluster.settings.main.cycle_at_end = false;
  CHECK(starts_of(cluster, jobs) == Starts{3, 14});
}

TEST_CASE("A short cycle looks at default_queue_depth records, the one of each minute at all",
          "[slurm][main]") {
  Configuration cluster = with_backfill(cluster_of(4), Backfill::none);
  cluster.partitions.push_back({.name = "other", .nodes = {2, 3}});
  cluster.partitions.front().nodes = {0, 1};
  cluster.settings.main.default_queue_depth = 1;
  ListedJob elsewhere = listed(3, 1, 600, 5);
  elsewhere.request.partitions = {1};
  CHECK(starts_of(cluster, {listed(1, 2, 600, 100), listed(2, 1, 600, 5), elsewhere}) == Starts{3, 103, 60});
}

TEST_CASE("A job without room stops its partition, and keeps the partition's nodes from all others",
          "[slurm][main]") {
  Configuration cluster = with_backfill(cluster_of(4), Backfill::none);
  cluster.partitions.push_back({.name = "overlaps", .nodes = {1, 2, 3}});
  cluster.partitions.front().nodes = {0, 1};
  ListedJob narrow = listed(3, 1, 60, 5);
  narrow.request.partitions = {1};
  ListedJob wide = listed(3, 3, 60, 5);
  wide.request.partitions = {1};
  const ListedJob first = listed(1, 1, 60, 30);
  CHECK(starts_of(cluster, {first, listed(2, 2, 60, 5), narrow, listed(3, 1, 60, 5)}) ==
        Starts{3, 33, 3, 38});
  CHECK(starts_of(cluster, {first, listed(2, 2, 60, 5), wide})[2] == 38);  // node 1 is withheld until then
}

TEST_CASE("The queue: tier, then priority, then time of submission", "[slurm][queue]") {
  Configuration cluster = with_backfill(cluster_of(1), Backfill::none);
  cluster.partitions.push_back({.name = "first", .nodes = {0}, .priority_tier = 2});
  cluster.settings.priority.type = PriorityType::multifactor;
  ListedJob nice = listed(2, 1, 60, 10);
  nice.request.priority = 5;
  ListedJob urgent = listed(4, 1, 60, 10);
  urgent.request.priority = 9;
  ListedJob other = listed(5, 1, 60, 10);
  other.request.partitions = {1};
  CHECK(starts_of(cluster, {listed(1, 1, 60, 10), nice, listed(3, 1, 60, 10), urgent, other}) ==
        Starts{33, 3, 43, 23, 13});
}

TEST_CASE("Backfill starts a job that ends before a promise begins", "[slurm][backfill]") {
  // The first cycle is at 3. Two of three nodes are busy until 303 by their limit. The second job is promised
  // all three, from 300 on (rounded down). At 30 the third may run 240 s, which ends by then; the fourth may
  // not run 300.
  const std::vector<ListedJob> jobs{listed(1, 2, 300, 200), listed(2, 3, 60, 10), listed(3, 1, 240, 20),
                                    listed(4, 1, 300, 20)};
  CHECK(starts_of(cluster_of(3), jobs) == Starts{3, 203, 30, 213});
  CHECK(starts_of(with_backfill(cluster_of(3), Backfill::none), jobs) == Starts{3, 203, 213, 213});
}

TEST_CASE("Every job that backfill looks at has a promise, not only the first", "[slurm][backfill]") {
  // At 30: the first job ends by 303. B (4 nodes) is promised 300 to 360, C (3 nodes) 360 to 960. D would end
  // before C begins only if it were shorter than 330 s.
  const auto jobs = [](double limit) {
    return std::vector<ListedJob>{listed(1, 3, 300, 300), listed(2, 4, 60, 60), listed(3, 4, 600, 60),
                                  listed(4, 1, limit, 10)};
  };
  Configuration cluster = cluster_of(4);
  CHECK(starts_of(cluster, jobs(240)) == Starts{3, 303, 363, 30});
  CHECK(starts_of(cluster, jobs(600)).back() == 423);
  // EASY promises only the first: so does Slurm with this.
  cluster.settings.backfill.job_part_count_reserve = 1;
  CHECK(starts_of(cluster, jobs(240)) == Starts{3, 303, 363, 30});
}

TEST_CASE("Backfill counts on a job that may be preempted once, where others must end too",
          "[slurm][backfill]") {
  Configuration cluster = cluster_of(2);
  cluster.partitions.push_back({.name = "first", .nodes = {0, 1}, .priority_tier = 2});
  cluster.settings.preemption.type = PreemptType::partition_priority;
  cluster.settings.preemption.mode = PreemptMode::requeue;
  ListedJob beside = listed(2, 1, 600, 50);
  beside.request.partitions = {1};
  ListedJob wide = listed(5, 2, 60, 5);
  wide.request.partitions = {1};
  const Starts starts = starts_of(cluster, {listed(1, 1, 600, 100), beside, wide});
  CHECK(starts[1] == 3);
  CHECK(starts[2] == 53);  // at 30 it was planned for 603
}

TEST_CASE("bf_max_job_test, bf_window and bf_min_prio_reserve limit the plan", "[slurm][backfill]") {
  const std::vector<ListedJob> jobs{listed(1, 2, 600, 600), listed(2, 3, 60, 10), listed(3, 1, 60, 20)};
  Configuration cluster = cluster_of(3);
  CHECK(starts_of(cluster, jobs)[2] == 30);
  cluster.settings.backfill.max_job_test = 1;
  CHECK(starts_of(cluster, jobs)[2] == 613);
  cluster = cluster_of(3);
  const std::vector<ListedJob> later{jobs[0], jobs[1], listed(3, 1, 1200, 700)};
  CHECK(starts_of(cluster, later)[1] == 603);
  cluster.settings.backfill.window = sec(300);  // the promise would begin beyond: there is none
  CHECK(starts_of(cluster, later) == Starts{3, 730, 30});
  cluster = cluster_of(3);
  cluster.settings.backfill.min_prio_reserve = 2;  // all have priority 1: nobody holds back nodes
  CHECK(starts_of(cluster, later)[2] == 3);
}

TEST_CASE("Ends are looked at in groups that double: far starts are planned late", "[slurm][backfill]") {
  // Ends at 603 and 643 are one group (the first reaches to 630 + 30). The second job needs only the first of
  // them, but is planned for the last, 643, and promised from 600. A third of 600 s at 30 then fits before.
  Configuration cluster = cluster_of(3);
  const std::vector<ListedJob> jobs{listed(1, 1, 600, 600), listed(1, 1, 640, 640), listed(2, 2, 60, 10),
                                    listed(3, 1, 540, 5)};
  CHECK(starts_of(cluster, jobs)[3] == 30);
}

TEST_CASE("Textbook EASY lets jobs pass on nodes that the head does not need, conservative backfill does not",
          "[slurm][textbook]") {
  // One of four nodes is busy until 100. The head needs four. A: 3 nodes, B: passes if it ends by 100.
  const std::vector<ListedJob> jobs{listed(0, 2, 100, 100), listed(1, 3, 50, 50), listed(2, 1, 500, 500),
                                    listed(3, 1, 90, 10), listed(4, 2, 100, 100)};
  // Head (3 nodes) at 100 leaves one of four: the long job has it at once. Then 90 s end by 100.
  CHECK(starts_of(with_backfill(cluster_of(4), Backfill::easy), jobs) == Starts{0, 100, 2, 3, 150});
  // Conservative: the last job, of two nodes, is promised 150; the fourth may not delay the third.
  CHECK(starts_of(with_backfill(cluster_of(4), Backfill::conservative), jobs) == Starts{0, 100, 2, 3, 150});
}

TEST_CASE("EASY by number promises the lowest nodes, although others will be free", "[slurm][textbook]") {
  // Nodes 0 and 1 are free, 2 and 3 busy until 100. The head needs three of them: 0, 1, 2 by number, and node
  // 3 is left. Interchangeable nodes: 2, 3 and one of the free ones, so that a long job has the other.
  const std::vector<ListedJob> jobs{listed(0, 2, 10, 10), listed(0, 2, 100, 100), listed(20, 3, 50, 50),
                                    listed(21, 1, 500, 500)};
  CHECK(starts_of(with_backfill(cluster_of(4), Backfill::easy), jobs) == Starts{0, 0, 100, 21});
  CHECK(starts_of(with_backfill(cluster_of(4), Backfill::easy_by_number), jobs) == Starts{0, 0, 100, 100});
}

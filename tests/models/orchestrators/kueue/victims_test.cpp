// Who is evicted, worked out by hand.

#include <algorithm>

#include <catch2/catch.hpp>

#include "models/orchestrators/kueue/ordering.h"

#include "tests/models/orchestrators/kueue/made_up_cluster.h"

using namespace stockout;
using namespace stockout::test;

namespace {

// Admits jobs one after the other, then says what the last one evicts: queue and reason of each victim.
class Contest {
 public:
  explicit Contest(const Configuration& cluster, Settings settings = {})
      : kueue_{cluster, std::move(settings)} {}

  Contest& running(const Workload& workload) {
    const WorkloadId id = kueue_.submit(workload);
    kueue_.settle();
    REQUIRE(kueue_.workload(id).has_quota());
    kueue_.advance(kueue_.now() + std::chrono::seconds{1});
    return *this;
  }

  std::vector<std::string> evicts(const Workload& workload) {
    kueue_.submit(workload);
    kueue_.settle();
    std::vector<std::string> victims;
    for (const Event& event : kueue_.events()) {
      if (event.kind != Event::Kind::evicted) continue;
      victims.push_back(std::to_string(static_cast<std::uint32_t>(event.workload)) + ' ' +
                        event.preemption_reason);
    }
    return victims;
  }

 private:
  Kueue kueue_;
};

using Victims = std::vector<std::string>;

ClusterQueue with(ClusterQueue queue, PreemptionPolicy within,
                  PreemptionPolicy reclaim = PreemptionPolicy::never) {
  queue.preemption.within_queue = within;
  queue.preemption.reclaim_within_cohort = reclaim;
  return queue;
}

constexpr auto kLower = PreemptionPolicy::lower_priority;
constexpr auto kAny = PreemptionPolicy::any;
constexpr auto kNobody = PreemptionPolicy::never;

}  // namespace

TEST_CASE("In its own queue a workload evicts the lowest priority first, and no more than it needs",
          "[kueue][victims]") {
  const Configuration cluster = cluster_of({with(queue_of("x", "", nominal(6)), kLower)});
  const auto three = [&](std::int32_t first, std::int32_t second, std::int32_t third) {
    return Contest{cluster}
        .running(job("x", 2, first))
        .running(job("x", 2, second))
        .running(job("x", 2, third))
        .evicts(job("x", 2, 2));
  };
  CHECK(three(1, 0, 1) == Victims{"1 InClusterQueue"});
  CHECK(three(1, 1, 1) == Victims{"2 InClusterQueue"});  // the last that came
  CHECK(three(2, 2, 2) == Victims{});
}

TEST_CASE("Of candidates those go first that are being evicted, then others' by priority and time",
          "[kueue][victims]") {
  std::vector<Workload> all;
  const auto add = [&](const std::string& name, const char* queue, std::int32_t priority, int reserved) {
    Workload one = job(queue, 1, priority);
    one.id = WorkloadId{static_cast<std::uint32_t>(all.size())};
    one.name = name;
    one.status.admission = Admission{.cluster_queue = queue};
    one.status.reserved = kStart + std::chrono::seconds{reserved};
    all.push_back(one);
  };
  add("own", "x", -1, 0);
  add("early", "y", 0, 1);
  add("late", "y", 0, 2);
  add("low", "y", -1, 0);
  add("going", "x", 9, 0);
  all.back().status.evicted.status = true;
  std::sort(all.begin(), all.end(),
            [](const Workload& a, const Workload& b) { return is_evicted_first({&a}, {&b}, "x", {}); });
  std::vector<std::string> order;
  for (const Workload& one : all) order.push_back(one.name);
  CHECK(order == std::vector<std::string>{"going", "low", "late", "early", "own"});
}

TEST_CASE("Equals go only if they were queued later, and the policy says so", "[kueue][victims]") {
  const Configuration cluster =
      cluster_of({with(queue_of("x", "", nominal(2)), PreemptionPolicy::lower_or_newer_equal_priority)});
  CHECK(Contest{cluster}.running(job("x", 2, 0, 5)).evicts(job("x", 2, 0, 3)) == Victims{"0 InClusterQueue"});
  CHECK(Contest{cluster}.running(job("x", 2, 0, 5)).evicts(job("x", 2, 0, 5)) == Victims{});
}

TEST_CASE("Whom the others make superfluous is left alone", "[kueue][victims]") {
  const Configuration cluster = cluster_of({with(queue_of("x", "", nominal(6)), kLower)});
  const auto evicted =
      Contest{cluster}.running(job("x", 1, 0)).running(job("x", 5, 1)).evicts(job("x", 5, 2));
  CHECK(evicted == Victims{"1 InClusterQueue"});
}

TEST_CASE("All or nobody is evicted", "[kueue][victims]") {
  const Configuration cluster = cluster_of({with(queue_of("x", "", nominal(6)), kLower)});
  CHECK(Contest{cluster}.running(job("x", 3, 9)).running(job("x", 3, 0)).evicts(job("x", 4, 5)) == Victims{});
}

TEST_CASE("A queue reclaims what others borrow of it, whatever their priority, if it may",
          "[kueue][victims]") {
  const auto contest = [](PreemptionPolicy reclaim, std::int32_t priority) {
    return Contest{
        cluster_of({with(queue_of("x", "c", nominal(4)), kNobody, reclaim), queue_of("y", "c", nominal(4))})}
        .running(job("y", 4, 9))
        .running(job("y", 4, priority))
        .evicts(job("x", 4, 5));
  };
  CHECK(contest(kAny, 9) == Victims{"1 InCohortReclamation"});
  CHECK(contest(kLower, 1) == Victims{"1 InCohortReclamation"});
  CHECK(contest(kLower, 9) == Victims{});
  CHECK(contest(kNobody, 1) == Victims{});
}

TEST_CASE("Nobody who keeps to his quota is evicted by another queue", "[kueue][victims]") {
  const Configuration cluster =
      cluster_of({with(queue_of("x", "c", nominal(4)), kNobody, kAny), queue_of("y", "c", nominal(4))});
  CHECK(Contest{cluster}.running(job("y", 4)).running(job("x", 4)).evicts(job("x", 1, 9)) == Victims{});
}

TEST_CASE("While borrowing a workload evicts others only if its queue may, and only lower priorities",
          "[kueue][victims]") {
  ClusterQueue queue = with(queue_of("x", "c", nominal(2)), kNobody, kAny);
  const auto contest = [&](BorrowWithinCohort rule) {
    queue.preemption.borrow_within_cohort = rule;
    return Contest{cluster_of({queue, queue_of("y", "c", nominal(2)), queue_of("z", "c", nominal(4))})}
        .running(job("y", 8, 0))
        .evicts(job("x", 4, 5));
  };
  CHECK(contest({}) == Victims{});
  CHECK(contest({.lower_priority = true}) == Victims{"0 InCohortReclaimWhileBorrowing"});
  CHECK(contest({.lower_priority = true, .max_priority = -1}) == Victims{});
}

TEST_CASE("With fair sharing the larger share gives way, until shares are equal",
          "[kueue][victims][fair_sharing]") {
  const auto fair = [](const std::string& name) {
    return with(queue_of(name, "c", nominal(0)), kNobody, kAny);
  };
  const Configuration cluster = cluster_of({fair("x"), fair("y"), queue_of("lender", "c", nominal(8))});
  Contest contest{cluster, {.fair_sharing = true}};
  for (int i = 0; i < 4; ++i) contest.running(job("x", 2));
  CHECK(contest.evicts(job("y", 2)) == Victims{"3 InCohortFairSharing"});
  Contest even{cluster, {.fair_sharing = true}};
  even.running(job("x", 4)).running(job("y", 4));
  CHECK(even.evicts(job("y", 4)) == Victims{});
}

TEST_CASE("With fair sharing a queue within its quota reclaims it at once",
          "[kueue][victims][fair_sharing]") {
  const Configuration cluster =
      cluster_of({with(queue_of("x", "c", nominal(4)), kNobody, kAny), queue_of("y", "c", nominal(4))});
  Contest contest{cluster, {.fair_sharing = true}};
  contest.running(job("y", 8));
  CHECK(contest.evicts(job("x", 4)) == Victims{"0 InCohortReclamation"});
}

// With what it asks for x has 4 of 6, and y keeps 3 at most without one of its own. Once x gives up 1, it
// has 3.
TEST_CASE(
    "With fair sharing others are looked at again once own victims have made the share smaller, if asked",
    "[kueue][victims][fair_sharing]") {
  const auto victims = [](bool again) {
    const Configuration cluster =
        cluster_of({with(queue_of("x", "c", nominal(0)), kLower, kAny), queue_of("y", "c", nominal(0)),
                    queue_of("lender", "c", nominal(6))});
    Settings settings{.fair_sharing = true, .strategies = {FairStrategy::less_than_or_equal_to_final_share}};
    settings.gates.set(Gate::reevaluate_fair_candidates, again);
    Contest contest{cluster, settings};
    contest.running(job("x", 1)).running(job("y", 2)).running(job("y", 3));
    return contest.evicts(job("x", 3, 1));
  };
  CHECK(victims(false) == Victims{});
  CHECK(victims(true) == Victims{"0 InClusterQueue", "1 InCohortFairSharing"});
}

TEST_CASE("A request for none of a resource evicts as if it were not there", "[kueue][victims]") {
  const auto queue = [](const char* name, std::int64_t gpus) {
    ClusterQueue made = with(queue_of(name, "c", nominal(gpus)), kNobody, kAny);
    made.groups.front().flavors.front().quotas["cpu"] = nominal(4);
    return made;
  };
  const auto cpus = [](const char* name, std::int64_t count) {
    Workload made = job(name, 0);
    made.spec.pod_sets.front().requests = {{"cpu", Amount{count}}};
    return made;
  };
  Workload incoming = cpus("x", 4);
  incoming.spec.pod_sets.front().requests["gpu"] = Amount{0};
  Contest contest{cluster_of({queue("x", 0), queue("y", 4)})};
  contest.running(job("x", 2)).running(cpus("y", 4)).running(cpus("y", 4));
  CHECK(contest.evicts(incoming) == Victims{"2 InCohortReclamation"});
}

TEST_CASE("Nobody is evicted for another queue from one that may not admit", "[kueue][victims]") {
  const auto [stop, evicted, fair] = GENERATE(table<StopPolicy, bool, bool>({
      {StopPolicy::none, true, false},
      {StopPolicy::hold, false, false},
      {StopPolicy::none, true, true},
      {StopPolicy::hold, false, true},
  }));
  ClusterQueue owner = queue_of("x", "c", nominal(2));
  owner.preemption.reclaim_within_cohort = PreemptionPolicy::any;
  Configuration cluster = cluster_of({owner, queue_of("y", "c", nominal(2))});
  Kueue kueue{cluster, {.fair_sharing = fair}};
  const WorkloadId borrower = kueue.submit(job("y", 4));
  kueue.settle();
  cluster.cluster_queues.at("y").stop = stop;
  kueue.apply(cluster.cluster_queues.at("y"));
  kueue.submit(job("x", 2));
  kueue.settle();
  CHECK(kueue.workload(borrower).status.evicted.status == evicted);
}

TEST_CASE("Of equal shares the queue whose workload is evicted first gives way, also to the second strategy",
          "[kueue][victims]") {
  ClusterQueue own = queue_of("x", "c", nominal(2));
  own.preemption.reclaim_within_cohort = PreemptionPolicy::lower_priority;
  Cohort cohort{.name = "c", .groups = gpus({{"a", nominal(10)}})};
  Kueue kueue{cluster_of({own, queue_of("y", "c", nominal(2)), queue_of("z", "c", nominal(2))}, {cohort}),
              {.fair_sharing = true}};
  const WorkloadId large = kueue.submit(job("y", 4, 1));  // after it "y" would have less than "x" is to get
  const WorkloadId small = kueue.submit(job("y", 1, 2));
  const WorkloadId low = kueue.submit(job("z", 4, 0));
  for (const char* queue : {"y", "z"}) kueue.submit(job(queue, 3, 9));
  kueue.settle();
  kueue.submit(job("x", 6, 5));
  kueue.settle();
  CHECK(kueue.workload(small).status.evicted.status);
  CHECK(kueue.workload(low).status.evicted.status);
  CHECK_FALSE(kueue.workload(large).status.evicted.status);
}

// What becomes of jobs and nodes: preemption, arrays, dependencies, time limits, power saving.

#include <algorithm>

#include <catch2/catch.hpp>

#include "tests/models/orchestrators/slurm/made_up_slurm.h"

using namespace stockout;
using namespace stockout::test;

namespace {

Configuration preempting(PreemptMode mode) {
  Configuration made = cluster_of(2);
  made.partitions.push_back({.name = "urgent", .nodes = {0, 1}, .priority_tier = 2});
  made.settings.preemption.type = PreemptType::partition_priority;
  made.settings.preemption.mode = mode;
  made.settings.requeue_delay = sec(21);
  return made;
}

ListedJob urgent(double submit, int nodes) {
  ListedJob job = listed(submit, nodes, 60, 10);
  job.request.partitions = {1};
  return job;
}

int count(const std::vector<Event>& events, Event::Kind kind) {
  return static_cast<int>(
      std::count_if(events.begin(), events.end(), [&](const Event& e) { return e.kind == kind; }));
}

// To the time, with all that falls due on the way.
void advance_to(Slurm& slurm, double seconds) {
  while (slurm.next_due().value_or(kNever) <= kStart + sec(seconds)) {
    slurm.advance(*slurm.next_due());
    slurm.settle();
  }
  slurm.advance(kStart + sec(seconds));
}

Configuration elastic() {
  Configuration made = cluster_of(2);
  for (Node& node : made.nodes) node.cloud = true;
  made.settings.power = {.suspend_time = sec(100), .suspend_timeout = sec(30), .resume_timeout = sec(60)};
  made.settings.requeue_delay = sec(21);
  return made;
}

}  // namespace

TEST_CASE("A job of a higher tier preempts; the victim is eligible again after its delay",
          "[slurm][preempt]") {
  // At 10 the urgent job takes the node of the younger of two equal victims, who ran since 1 and 1: the
  // first.
  const std::vector<ListedJob> jobs{listed(1, 1, 600, 50), listed(1, 1, 600, 100), urgent(9.5, 1)};
  const auto played = replay(preempting(PreemptMode::requeue), jobs);
  CHECK(played[2].start == kStart + sec(10));
  CHECK(played[0].restarts == 1);
  CHECK(played[1].restarts == 0);
  CHECK(played[0].start >= kStart + sec(31));  // 10 + 21, and the next cycle
  CHECK(played[0].start <= kStart + sec(60));
  const auto cancelled = replay(preempting(PreemptMode::cancel), jobs);
  CHECK(cancelled[0].end == kStart + sec(10));
  CHECK(cancelled[0].restarts == 0);
  const auto off = replay(preempting(PreemptMode::off), jobs);
  CHECK(off[2].start == kStart + sec(53));
}

TEST_CASE("Only as many victims give way as are needed, and the smallest first", "[slurm][preempt]") {
  Configuration cluster = preempting(PreemptMode::requeue);
  cluster.nodes.push_back({.name = "n2"});
  cluster.partitions[0].nodes = {0, 1, 2};
  cluster.partitions[1].nodes = {0, 1, 2};
  const auto played = replay(cluster, {listed(1, 2, 600, 100), listed(1, 1, 600, 100), urgent(9.5, 1)});
  CHECK(played[0].restarts == 0);
  CHECK(played[1].restarts == 1);
}

TEST_CASE("Quality of service preempts only those that it names", "[slurm][preempt]") {
  Configuration cluster = cluster_of(1);
  cluster.qos = {{.name = "low"}, {.name = "other"}, {.name = "high", .priority = 1, .preempts = {0}}};
  cluster.settings.preemption = {.type = PreemptType::qos, .mode = PreemptMode::cancel};
  const auto start_of_high = [&](QosIndex victim) {
    ListedJob first = listed(1, 1, 600, 100);
    first.request.qos = victim;
    ListedJob second = listed(9.5, 1, 600, 100);
    second.request.qos = 2;
    return starts_of(cluster, {first, second})[1];
  };
  CHECK(start_of_high(0) == 10);
  CHECK(start_of_high(1) == 103);
}

TEST_CASE("Tasks of an array start one by one as there is room", "[slurm][array]") {
  ListedJob array = listed(1, 1, 60, 10);
  array.tasks = 3;
  CHECK(starts_of(cluster_of(2), {array}) == Starts{3, 3, 13});
}

// The second task has the age that it would have had in the queue.
TEST_CASE("A task of an array with a limit takes the place of one that has ended", "[slurm][array]") {
  Slurm slurm{cluster_of(2)};
  const JobRequest request{.tasks_at_once = 1};
  const JobId first = slurm.submit(request);
  JobRequest further = request;
  further.array = first;
  const JobId second = slurm.submit(further);
  const JobId third = slurm.submit(further);
  advance_to(slurm, 30);
  CHECK(slurm.job(first).state == JobState::running);
  CHECK(slurm.job(second).state == JobState::waiting);
  slurm.cancel(second);
  slurm.finish(first);
  CHECK(slurm.job(third).state == JobState::pending);
  CHECK(slurm.job(third).array == first);
  CHECK(slurm.job(third).eligible == kStart);
  CHECK(slurm.job(third).queued == kStart + sec(30));
}

TEST_CASE("A job waits for those that it depends on, or for ever", "[slurm][dependency]") {
  Slurm slurm{cluster_of(2)};
  const JobId first = slurm.submit({});
  const auto on = [&](DependencyKind kind) {
    JobRequest request;
    request.dependencies = {{.kind = kind, .job = first}};
    return slurm.submit(request);
  };
  const JobId any = on(DependencyKind::after_any);
  const JobId well = on(DependencyKind::after_ok);
  const JobId started = on(DependencyKind::after);
  advance_to(slurm, 30);  // nothing asks for a cycle when a job starts: backfill is the first to see it
  CHECK(slurm.job(first).state == JobState::running);
  CHECK(slurm.job(started).state == JobState::running);
  CHECK(slurm.job(any).state == JobState::waiting);
  slurm.finish(first, false);
  slurm.settle();
  CHECK(slurm.job(any).state == JobState::running);
  CHECK(slurm.job(well).state == JobState::held);
}

TEST_CASE("A job is told to stop at the next look at time limits", "[slurm][limit]") {
  const auto played = replay(cluster_of(1), {listed(1, 1, 60, 1000)});
  CHECK(played[0].timed_out);
  CHECK(played[0].end == kStart + sec(90));
  CHECK(replay(cluster_of(1), {listed(1, 1, 60, 60)})[0].end == kStart + sec(63));
}

TEST_CASE("Nodes are powered up for a job, whose limit counts from then, and down when idle",
          "[slurm][power]") {
  Slurm slurm{elastic()};
  const JobId id = slurm.submit({.size = {.nodes = 2}, .time_limit = sec(60)});
  advance_to(slurm, 5);
  CHECK(slurm.job(id).state == JobState::configuring);
  CHECK(count(slurm.take_events(), Event::Kind::power_up) == 2);
  slurm.node_is_up(0);
  CHECK(slurm.job(id).state == JobState::configuring);
  advance_to(slurm, 40);
  slurm.node_is_up(1);
  CHECK(slurm.job(id).state == JobState::running);
  CHECK(slurm.job(id).run.expected_end == kStart + sec(100));
  slurm.finish(id);
  advance_to(slurm, 139);
  CHECK(count(slurm.take_events(), Event::Kind::power_down) == 0);
  advance_to(slurm, 140);
  CHECK(count(slurm.take_events(), Event::Kind::power_down) == 2);
  const JobId next = slurm.submit({});
  advance_to(slurm, 169);
  CHECK(slurm.job(next).state == JobState::pending);  // nodes that power down cannot be used
  advance_to(slurm, 200);
  CHECK(slurm.job(next).state == JobState::configuring);
}

TEST_CASE("A node that is not up in time is DOWN, and its job waits again", "[slurm][power]") {
  Slurm slurm{elastic()};
  const JobId id = slurm.submit({.size = {.nodes = 2}, .time_limit = sec(60)});
  advance_to(slurm, 60.5);
  slurm.node_is_up(0);
  advance_to(slurm, 63);
  const auto events = slurm.take_events();
  CHECK(count(events, Event::Kind::node_down) == 1);
  CHECK(count(events, Event::Kind::requeued) == 1);
  CHECK(slurm.job(id).state == JobState::waiting);
  CHECK(slurm.job(id).eligible == kStart + sec(84));
}

TEST_CASE("A stock-out sets a node DOWN for a while; then it is tried again", "[slurm][power]") {
  Slurm slurm{elastic()};
  const JobId id = slurm.submit({.time_limit = sec(60)});
  advance_to(slurm, 4);
  REQUIRE(slurm.job(id).run.nodes == std::vector<NodeIndex>{0});
  slurm.node_is_down(0, kStart + sec(90));
  CHECK(slurm.job(id).state == JobState::waiting);
  advance_to(slurm, 60);
  CHECK(slurm.job(id).run.nodes == std::vector<NodeIndex>{1});  // another name of the set
  slurm.node_is_down(1, kNever);
  advance_to(slurm, 89);
  CHECK(slurm.job(id).run.nodes.empty());
  advance_to(slurm, 149);  // backfill sees at 90 that it is back
  CHECK(slurm.job(id).run.nodes == std::vector<NodeIndex>{0});
}

TEST_CASE("A batch job whose nodes are up may start only at the next look at time limits", "[slurm][power]") {
  Configuration made = elastic();
  made.settings.main.starts_at_looks = true;
  Slurm slurm{made};
  const JobId id = slurm.submit({.time_limit = sec(60)});
  advance_to(slurm, 5);
  REQUIRE(slurm.job(id).state == JobState::configuring);
  slurm.node_is_up(slurm.job(id).run.nodes.front());
  advance_to(slurm, 29);
  CHECK(slurm.job(id).state == JobState::configuring);
  advance_to(slurm, 30);
  CHECK(slurm.job(id).state == JobState::running);
  CHECK(slurm.job(id).run.started == kStart + sec(30));
}

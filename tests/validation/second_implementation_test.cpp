// The second implementation (tests/support/reference) against simulate(): over 10,000 random small worlds
// they agree on every job's state and times, on every lease, on all usage, on the books of pools and on the
// end of the run. A world on which they do not is shrunk, printed and left in the build folder; its seed goes
// to tests/support/kept_worlds/seeds.txt.

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <map>
#include <string>

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include "tests/support/fewer.h"
#include "tests/support/runs/agreement.h"
#include "tests/support/worlds/describe_world.h"
#include "tests/support/worlds/plain_world.h"
#include "tests/support/worlds/random_world.h"
#include "tests/support/worlds/shrink_world.h"
#include "tests/support/worlds/world_builder.h"

using namespace stockout;
using namespace stockout::test;
using namespace std::chrono_literals;

namespace {

constexpr std::uint64_t kWorlds = fewer(10'000);
constexpr std::uint64_t kPlainWorlds = fewer(5'000);

/// Kind of disagreement: shrinking must not wander from one mistake to another.
std::string kind_of(const std::string& disagreement) {
  const std::string first_line = disagreement.substr(0, disagreement.find('\n'));
  const bool threw = first_line.find("threw") != std::string::npos;
  return threw ? first_line : first_line.substr(0, first_line.find(' '));
}

/// Empty if both agree on the world of this seed; else the world at its smallest, in words, and how they
/// differ.
std::string trouble_with(std::uint64_t seed) {
  const World world = random_world(seed);
  const std::string found = disagreement(world);
  if (found.empty()) return "";
  const auto fails_alike = [&](const World& smaller) {
    return kind_of(disagreement(smaller)) == kind_of(found);
  };
  const World smallest = shrink_world(world, fails_alike);
  return fmt::format("seed {}\n{}\n{}", seed, describe_world(smallest), disagreement(smallest));
}

void check_seed(std::uint64_t seed) {
  const std::string trouble = trouble_with(seed);
  if (trouble.empty()) return;
  const std::string file = fmt::format("{}/failed_world_{}.txt", STOCKOUT_FAILED_WORLDS_DIR, seed);
  std::ofstream{file} << trouble;
  INFO("left in " << file << "\n" << trouble);
  FAIL_CHECK("simulate() and the second implementation disagree");
}

void check_seeds(std::uint64_t first, std::uint64_t last) {
  int failures = 0;
  for (std::uint64_t seed = first; seed <= last && failures < 3; ++seed) {
    if (disagreement(random_world(seed)).empty()) continue;
    ++failures;
    check_seed(seed);
  }
  CHECK(failures == 0);
}

}  // namespace

TEST_CASE("Both implementations agree on worlds that once told them apart", "[second_implementation]") {
  std::ifstream seeds{STOCKOUT_KEPT_WORLDS_DIR "/seeds.txt"};
  REQUIRE(seeds);
  int checked = 0;
  for (std::string line; std::getline(seeds, line);) {
    if (line.empty() || line.front() == '#') continue;
    check_seed(std::stoull(line));
    ++checked;
  }
  CHECK(checked > 0);
}

TEST_CASE("Both implementations agree on random worlds", "[second_implementation]") {
  check_seeds(1, kWorlds);
}

// As many as one wants: STOCKOUT_FIRST_SEED and STOCKOUT_LAST_SEED (tests/README.md).
TEST_CASE("Worlds of other seeds", "[.world_seeds]") {
  const char* first = std::getenv("STOCKOUT_FIRST_SEED");
  const char* last = std::getenv("STOCKOUT_LAST_SEED");
  REQUIRE(first != nullptr);
  REQUIRE(last != nullptr);
  check_seeds(std::stoull(first), std::stoull(last));
}

TEST_CASE("Both implementations agree on random worlds with plain jobs", "[second_implementation]") {
  int failures = 0;
  for (std::uint64_t seed = 1; seed <= kPlainWorlds && failures < 3; ++seed) {
    const std::string differences = disagreement(plain_world(seed));
    if (differences.empty()) continue;
    ++failures;
    INFO("plain_world(" << seed << ")\n" << differences);
    CHECK(differences.empty());
  }
  CHECK(failures == 0);
}

TEST_CASE("Both implementations agree on made-up and resampled demand", "[second_implementation]") {
  WorldBuilder make;
  make.world.window_end = kStart + 8h;
  make.leg({.policy = spot(), .places = {make.pool(4)}});
  make.leg({.policy = flex(), .places = {PoolId{0}}, .limit = 30min});
  make.job({.at = 0s, .work = 20min, .gpus = 2});
  make.job({.at = 70min, .work = 50min});
  SyntheticDemand made_up;
  made_up.arrivals = PoissonArrivals{.peak_per_hour = 6, .intensity = {}, .origin = kStart};
  made_up.shapes = {{.weight = 2, .shape = make.shape(1)}, {.weight = 1, .shape = make.shape(3)}};
  made_up.work = {.kind = Law::Kind::lognormal, .a = 20min, .sigma = 1.0};
  make.source(made_up);
  World world = make.build();
  auto& trace = std::get<TraceDemand>(world.sources[0].demand);
  trace.resampled = true;
  trace.resample = {.block = 2h, .step = 10min, .length = 8h};
  for (const std::uint64_t replication : {0U, 1U, 2U}) {
    const BothRuns runs = run_both(world, 0, replication);
    INFO(runs.disagreement);
    CHECK(runs.disagreement.empty());
    CHECK(runs.reference.jobs.size() > 20);
  }
}

TEST_CASE("A failing world is shrunk to what makes it fail", "[second_implementation][evidence]") {
  const auto has_notice = [](const World& world) {
    const auto& legs = world.strategies.back().legs;
    return std::any_of(legs.begin(), legs.end(), [](const Leg& leg) { return leg.policy.notice > 0s; });
  };
  int shrunk = 0;
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const World world = random_world(seed);
    if (!has_notice(world)) continue;
    const World smallest = shrink_world(world, has_notice);
    CHECK(has_notice(smallest));
    CHECK(smallest.strategies.back().legs.size() == 1);
    CHECK(std::get<TraceDemand>(smallest.sources[0].demand).jobs->size() == 0);
    ++shrunk;
  }
  CHECK(shrunk > 1);
}

TEST_CASE("Shrinking drops the rules that do not matter", "[second_implementation][evidence]") {
  const auto is_booked = [](const World& world) {
    return std::any_of(world.held.begin(), world.held.end(),
                       [](const HeldPool& held) { return held.booking.has_value() && held.share; });
  };
  int shrunk = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const World world = random_world(seed);
    if (!is_booked(world)) continue;
    const World smallest = shrink_world(world, is_booked);
    for (const Pool& pool : smallest.pools) CHECK(pool.faults.empty());
    for (const HeldPool& held : smallest.held) {
      CHECK(held.pool.faults.empty());
      CHECK(!held.scaling);
      if (held.booking) CHECK(held.booking->decided == held.from);
    }
    CHECK(!smallest.strategies.back().deadline_rule);
    for (const Leg& leg : smallest.strategies.back().legs) CHECK(leg.policy.health.takes == 0s);
    ++shrunk;
  }
  CHECK(shrunk > 1);
}

TEST_CASE("The random worlds visit every rule often", "[second_implementation][evidence]") {
  std::map<std::string, int> worlds_where;
  for (std::uint64_t seed = 1; seed <= kWorlds; ++seed) {
    const World world = random_world(seed);
    const auto result = reference::reference_simulate(world, world.strategies.size() - 1, 0);
    for (const auto& [what, count] : result.happened) worlds_where[what] += count > 0 ? 1 : 0;
  }
  const auto happens = [&](const char* what, int least) {
    INFO(what << ": in " << worlds_where[what] << " of " << kWorlds << " worlds");
    CHECK(worlds_where[what] >= least);
  };
  for (const char* what : {"a commitment is paid after its until",
                           "a delayed lease was reclaimed",
                           "a machine lives the least",
                           "an idle machine breaks",
                           "an idle machine of an elastic pool breaks",
                           "asked the next place",
                           "booked machines wait for the window",
                           "booking accepted",
                           "booking finds too little room",
                           "booking gathers",
                           "booking opens late",
                           "booking refused by chance",
                           "booking refused for want of room",
                           "came back to kept requests",
                           "capacity fell",
                           "chained",
                           "decided at a tick",
                           "delayed lease",
                           "delayed lease began later",
                           "delayed machines of a held pool",
                           "elastic: a machine was given back",
                           "elastic: grew",
                           "elastic: grew by several",
                           "elastic: too little room",
                           "end moved to the grid",
                           "ends by itself within its notice",
                           "fault in a booked pool",
                           "fault in a held pool",
                           "fault in a zone pool",
                           "fault in an elastic pool",
                           "fault takes capacity",
                           "final: completed",
                           "final: cut_off",
                           "final: expired",
                           "final: failed",
                           "final: refused",
                           "final: unfinished",
                           "first boot: ended, the race goes on",
                           "first boot: lost",
                           "first boot: won",
                           "first boot: won against open requests",
                           "first boot: won at its end",
                           "first boot: won while leaving",
                           "gave up resubmitting",
                           "health test",
                           "health test failed",
                           "held by its group",
                           "held pool added to the supply",
                           "held pool refused",
                           "hosts: delayed lease",
                           "hosts: delayed lease began later",
                           "hosts: refused for want of hosts",
                           "hosts: spot leases make way",
                           "interrupted between the end of work and the grid",
                           "kept its requests",
                           "kept request ended: the job is elsewhere",
                           "kept request ended: the job is past its last leg",
                           "kept request granted",
                           "kueue: admitted",
                           "kueue: came back",
                           "kueue: submitted",
                           "kueue: suspended",
                           "last checkpoint does not fit the notice",
                           "last checkpoint within the notice",
                           "lease closed by the run's end",
                           "lifetime over, with notice",
                           "lifetime over, without notice",
                           "limit: left the line without a request",
                           "limit: let in later",
                           "limit: waits in line",
                           "limit: went through at once",
                           "losses are equal",
                           "no last checkpoint before work began",
                           "node groups: a longer back-off",
                           "node groups: a shorter back-off again",
                           "node groups: failed while it backed off",
                           "elastic: machines stay, as one was added",
                           "node groups: passed over a place",
                           "node groups: failed for want of quota",
                           "pods: booking expired",
                           "pods: booking expired, asked later",
                           "pods: late, in time",
                           "node groups: waits for another leg's",
                           "nothing to chain",
                           "over-full: a delayed lease begins",
                           "over-full: a stronger lease runs on",
                           "over-full: granted again",
                           "over: exhausted the leg",
                           "over: the job goes on",
                           "overtook by being shorter, with ageing",
                           "overtook by being smaller",
                           "own maximum wait ended",
                           "partial: begins with fewer than it asked for",
                           "partial: delayed batch",
                           "partial: gathered all",
                           "partial: gathered too few",
                           "partial: gathers anew",
                           "partial: gives machines",
                           "partial: granted with fewer",
                           "partial: last checkpoint",
                           "partial: leave with others",
                           "partial: lost a machine by a fault",
                           "partial: lost a machine by its lifetime",
                           "partial: lost at a loss",
                           "partial: lost machines before work began",
                           "partial: machines end with the lease",
                           "partial: no batch",
                           "partial: reclaimed as a whole",
                           "partial: reclaimed while machines leave",
                           "partial: saved at a loss",
                           "partial: took a batch",
                           "passed on to a later leg",
                           "preempted",
                           "price: legs in another order",
                           "price: places in another order",
                           "quota: backs off",
                           "quota: found later",
                           "quota: more than there ever is",
                           "quota: passed over a place",
                           "quota: refused",
                           "quota: refused again",
                           "quota: stands in line from tick to tick",
                           "quota: waits in line",
                           "race won, others withdrawn",
                           "rate: faster",
                           "rate: slower",
                           "repaired",
                           "restarts exhausted",
                           "resubmitted",
                           "retry pending beside kept requests",
                           "retry used",
                           "room gathers for the head of the queue",
                           "rule: asks cheap",
                           "rule: asks safe",
                           "pipeline: a step begins anyway",
                           "pipeline: ended with a failure",
                           "pipeline: holds a step",
                           "pipeline: let a step go",
                           "pipeline: skipped a step",
                           "rule: from cheap to safe",
                           "rule: from safe to cheap",
                           "rule: gives up at once",
                           "rule: leaves already",
                           "rule: no leg could ever hold the job",
                           "rule: on a grid",
                           "rule: preempted",
                           "rule: refused by a leg",
                           "rule: saves what it gives up",
                           "rule: starts first",
                           "rule: stays cheap",
                           "rule: stays safe",
                           "rule: waits",
                           "saved although it would have been done",
                           "shortest life of several machines",
                           "spared victim",
                           "spread: balanced",
                           "spread: leaves along with another",
                           "spread: over several places",
                           "starts first: elastic grew",
                           "starts first: window over",
                           "taken in a mass reclaim",
                           "too many machines for one request",
                           "victims by draw",
                           "victims by loss",
                           "waits by priority",
                           "waits for kept requests after its last leg",
                           "went on from a checkpoint",
                           "window over",
                           "window over before it was there",
                           "window over: nothing saved",
                           "window over: went on elsewhere",
                           "workers: a job fails",
                           "workers: a job restarts",
                           "workers: an attempt ends",
                           "workers: an exit passes by",
                           "workers: one is restarted",
                           "workers: one runs to the end"}) {
    happens(what, 40);
  }
  for (const char* what :
       {"closed in a last checkpoint", "first boot: lost while leaving",
        "limit: let in with several requests", "interrupted in the last checkpoint of a chain",
        "kept request ended: the job is in that leg", "over: the job was past its last leg",
        "quota: no place is left", "quota: turned away at its start", "window over while it gathered"})
    happens(what, 20);
  for (const char* what : {"a delayed lease of a held pool ended",
                           "first boot: lost while delayed",
                           "hosts: spared victim",
                           "kueue: admitted with all pods after all",
                           "kueue: admitted with fewer pods",
                           "kueue: capacity came",
                           "kueue: capacity failed",
                           "kueue: capacity failed too often",
                           "kueue: evicted, InClusterQueue",
                           "kueue: evicted, PodsReadyTimeout",
                           "kueue: given up",
                           "kueue: pods lost",
                           "kueue: pods ready",
                           "kueue: stopped",
                           "partial: leave before others",
                           "partial: machines do not join",
                           "partial: machines join",
                           "partial: nobody joins",
                           "partial: works on while it gathers anew",
                           "quota: asks anew after its start",
                           "restarted after a fault",
                           "spread: leaves along while delayed",
                           "workers: one is restarted in a gang over places",
                           "workers: one is restarted in a partial gang"})
    happens(what, 5);
}

// Shares of accounts, usage and the rhythm in which they are counted: what a real Slurm 22.05 with slurmdbd
// does.

#include <cmath>
#include <string>

#include <catch2/catch.hpp>

#include "models/orchestrators/slurm/fair_tree.h"
#include "tests/models/orchestrators/slurm/made_up_slurm.h"

using namespace stockout;
using namespace stockout::test;

namespace {

Configuration with_users(int nodes, const std::vector<std::string>& users) {
  Configuration made = cluster_of(nodes);
  for (const std::string& user : users) made.associations.push_back({.name = user, .is_user = true});
  made.settings.priority = {
      .weights = {.fair_share = 10'000}, .calculation_period = sec(60), .half_life = sec(120)};
  return made;
}

ListedJob of_user(std::uint32_t user, ListedJob job) {
  job.request.user = user;
  return job;
}

}  // namespace

TEST_CASE("A user who equals an account shares the rank of its first user", "[slurm][priority]") {
  const std::vector<Association> tree{{.name = "A"},
                                      {.name = "root", .is_user = true},
                                      {.name = "x", .parent = 0, .is_user = true},
                                      {.name = "y", .parent = 0, .is_user = true}};
  FairTree shares{tree};
  for (const std::uint32_t user : {1U, 2U, 3U}) CHECK(shares.factor(user) == 1);  // nobody has used anything
}

TEST_CASE("Users of equal accounts are ranked in their own account", "[slurm][priority]") {
  // Both accounts have used as much. In each one user has used all of it; x has more shares than its sibling.
  const std::vector<Association> tree{{.name = "A"},
                                      {.name = "B"},
                                      {.name = "x", .parent = 0, .shares = 9, .is_user = true},
                                      {.name = "y", .parent = 0, .is_user = true},
                                      {.name = "u", .parent = 1, .is_user = true},
                                      {.name = "v", .parent = 1, .is_user = true}};
  FairTree shares{tree};
  shares.use(2, 100);
  shares.use(4, 100);
  shares.rank();
  CHECK(shares.factor(3) == 1);     // y comes first in A
  CHECK(shares.factor(2) == 0.75);  // x
  CHECK(shares.factor(5) == 0.75);  // v is the first of B, which equals A: the rank of the user before it
  CHECK(shares.factor(4) == 0.25);  // u
}

TEST_CASE("Usage is counted at full periods since the start, however long nothing was to do",
          "[slurm][priority]") {
  // a runs from 61 s to 75 s, and is ranked behind b at 120 s, not 60 s after it came.
  const Configuration made = with_users(1, {"a", "b"});
  const auto starts = starts_of(made, {of_user(0, listed(61, 1, 60, 14)), of_user(0, listed(100, 1, 60, 40)),
                                       of_user(0, listed(101, 1, 60, 5)), of_user(1, listed(102, 1, 60, 5))});
  CHECK(starts[3] < starts[2]);
}

TEST_CASE("What a job uses has decayed when it is counted, and before that what was there",
          "[slurm][priority]") {
  // a has used 50 s before 60 s; b uses 39 s of the minute after it. At 120 s what a used is worth 50 d^50
  // d^60, less than the 39 d^39 of b: b comes last.
  const double d = 1 - 0.693 / 120;
  REQUIRE(50 * std::pow(d, 110) < 39 * std::pow(d, 39));
  REQUIRE(50 * std::pow(d, 60) > 39 * std::pow(d, 60));  // as if all had decayed as long
  Configuration made = with_users(1, {"a", "b"});
  made.settings.main.batch_sched_delay = sec(1);
  const auto starts = starts_of(made, {of_user(0, listed(3, 1, 60, 50)), of_user(1, listed(62, 1, 60, 39)),
                                       of_user(1, listed(103, 1, 60, 30)), of_user(1, listed(104, 1, 60, 5)),
                                       of_user(0, listed(105, 1, 60, 5))});
  CHECK(starts[4] < starts[3]);
}

TEST_CASE("Where limits are not enforced, the time after the last count is never charged",
          "[slurm][priority]") {
  Configuration made = with_users(1, {"a", "b"});
  made.settings.priority.charges_at_end = false;
  // a has run and ended before the count at 60 s; b runs at it.
  const std::vector<ListedJob> jobs{of_user(0, listed(3, 1, 60, 50)), of_user(1, listed(54, 1, 60, 8)),
                                    of_user(1, listed(61, 1, 60, 20)), of_user(0, listed(61.5, 1, 60, 20))};
  const auto uncharged = starts_of(made, jobs);
  CHECK(uncharged[3] < uncharged[2]);
  made.settings.priority.charges_at_end = true;
  const auto charged = starts_of(made, jobs);
  CHECK(charged[2] < charged[3]);
}

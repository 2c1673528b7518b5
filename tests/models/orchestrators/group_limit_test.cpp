// Of a group so many jobs are open at a time. No engine: jobs and clerk are made up.

#include <vector>

#include <catch2/catch.hpp>

#include "models/orchestrators/group_limit.h"
#include "sim/core/check.h"
#include "tests/models/orchestrators/made_up_clerk.h"

using namespace stockout;
using namespace stockout::test;

namespace {

using Slots = std::vector<std::uint32_t>;

// Class 0 has a limit of two, class 1 has none.
struct Groups {
  Groups() { classes[0].parallel = 2; }
  MadeUpJob job(std::uint32_t group, std::uint16_t job_class = 0, std::uint16_t source = 0) {
    return {.slot = jobs++,
            .job = {.job_class = ClassId{job_class}, .group = group, .source = SourceId{source}}};
  }
  /// Whether it begins.
  bool comes(MadeUpJob& of) {
    REQUIRE(limit.concerns(of.view()));
    of.has_begun = limit.may_begin(of.view(), clerk);
    return of.has_begun;
  }
  /// It is final; who is admitted in its stead.
  Slots ends(const MadeUpJob& of) {
    limit.heard(of.news(News::Kind::final), clerk);
    return clerk.take();
  }

  std::vector<JobClass> classes = std::vector<JobClass>(2);
  GroupLimit limit{classes};
  MadeUpClerk clerk;
  std::uint32_t jobs = 0;
};

}  // namespace

TEST_CASE("Of a group only so many jobs are open; the others follow in order of arrival", "[orchestrators]") {
  Groups groups;
  std::vector<MadeUpJob> jobs;
  std::vector<bool> begins;
  for (int i = 0; i < 4; ++i) {
    jobs.push_back(groups.job(7));
    begins.push_back(groups.comes(jobs.back()));
  }
  CHECK(begins == std::vector{true, true, false, false});
  CHECK(groups.ends(jobs[1]) == Slots{2});
  CHECK(groups.ends(jobs[0]) == Slots{3});
  jobs[2].has_begun = jobs[3].has_begun = true;
  CHECK(groups.ends(jobs[2]).empty());
  MadeUpJob next = groups.job(7);
  MadeUpJob last = groups.job(7);
  CHECK(groups.comes(next));
  CHECK_FALSE(groups.comes(last));
  CHECK_NOTHROW(groups.limit.check());
}

TEST_CASE("Groups are those of a source and a class", "[orchestrators]") {
  Groups groups;
  groups.classes[1].parallel = 1;
  std::vector<MadeUpJob> full{groups.job(7), groups.job(7)};
  for (MadeUpJob& job : full) CHECK(groups.comes(job));
  std::vector<MadeUpJob> others{groups.job(8), groups.job(7, 1), groups.job(7, 0, 1)};
  for (MadeUpJob& job : others) CHECK(groups.comes(job));
}

TEST_CASE("Jobs without a group, and groups without a limit, are let be", "[orchestrators]") {
  Groups groups;
  CHECK_FALSE(groups.limit.concerns(groups.job(0).view()));
  CHECK_FALSE(groups.limit.concerns(groups.job(7, 1).view()));
  CHECK(GroupLimit::is_asked_for(groups.classes));
  CHECK_FALSE(GroupLimit::is_asked_for(std::vector<JobClass>(2)));
}

TEST_CASE("A job that ends while its group holds it makes no room", "[orchestrators]") {
  Groups groups;
  std::vector<MadeUpJob> jobs;
  for (int i = 0; i < 4; ++i) {
    jobs.push_back(groups.job(7));
    groups.comes(jobs.back());
  }
  CHECK(groups.ends(jobs[2]).empty());
  CHECK(groups.ends(jobs[0]) == Slots{3});
}

TEST_CASE("A group that is told of a job it does not know has wrong books", "[orchestrators]") {
  Groups groups;
  MadeUpJob job = groups.job(7);
  job.has_begun = true;
  CHECK_THROWS_AS(groups.ends(job), InvariantError);
  CHECK(groups.comes(job));
  groups.classes[0].parallel = 0;  // while the group is open
  MadeUpJob other = groups.job(7);
  (void)groups.limit.may_begin(other.view(), groups.clerk);
  CHECK_THROWS_AS(groups.limit.check(), InvariantError);
}

// Tables of sacctmgr, the columns of jobs that name what is in them, and how nodes power up.

#include <catch2/catch.hpp>

#include "tests/support/scratch_folder.h"
#include "tools/slurm_replay/account_tables.h"
#include "tools/slurm_replay/job_list.h"
#include "tools/slurm_replay/power_plan.h"
#include "tools/slurm_replay/replay.h"

using namespace stockout;
using namespace stockout::slurm;
using Catch::Contains;

namespace {

const std::string kConf =
    "NodeName=c[1-2] CPUs=4 State=CLOUD\nResumeTimeout=20\nAuthInfo=cred_expire=20\n"
    "PartitionName=p Nodes=ALL Default=YES\n";
const std::string kAccounts =
    "Account|ParentName|User|Share\nroot|||1\nroot||root|1\na|root||5\nb|a||2\nb||ann|3\na||ann|1\na||bob|4\n";
const std::string kQos =
    "Name|Priority|GraceTime|Preempt|PreemptMode|Flags|UsageFactor|MaxWall\n"
    "normal|10|00:00:00||cluster||1.000000|\nlow|0|00:00:30||requeue||0.500000|\n"
    "high|30|00:00:00|low,normal|cluster|||\n";

ClusterFile cluster_of(const test::ScratchFolder& folder, const std::string& more = "") {
  return read_cluster_file(folder.file("slurm.conf", kConf + more), "");
}

ClusterFile with_tables(const test::ScratchFolder& folder) {
  ClusterFile cluster = cluster_of(folder);
  read_accounts(folder.file("accounts", kAccounts), cluster);
  read_qos(folder.file("qos", kQos), cluster);
  return cluster;
}

std::vector<ListedJob> jobs_of(const std::string& rows) {
  const test::ScratchFolder folder;
  return read_job_list(folder.file("jobs", "id,submit,nodes,limit,runtime,account,user,qos\n" + rows),
                       with_tables(folder));
}

}  // namespace

TEST_CASE("Accounts and users, as sacctmgr shows them", "[slurm][accounts]") {
  const test::ScratchFolder folder;
  const auto& all = with_tables(folder).configuration.associations;
  REQUIRE(all.size() == 6);  // root is above all
  CHECK((all[0].name == "root" && all[0].is_user && !all[0].parent));
  CHECK((all[1].name == "a" && all[1].shares == 5 && !all[1].is_user && !all[1].parent));
  CHECK((all[2].name == "b" && all[2].parent == 1U));
  CHECK((all[3].name == "ann" && all[3].shares == 3 && all[3].is_user && all[3].parent == 2U));
}

TEST_CASE("Qualities of service, as sacctmgr shows them", "[slurm][accounts]") {
  const test::ScratchFolder folder;
  const ClusterFile cluster = with_tables(folder);
  const auto& all = cluster.configuration.qos;
  REQUIRE(all.size() == 3);
  CHECK((all[0].priority == 10 && !all[0].preempt_mode && all[0].usage_factor == 1));
  CHECK((all[1].preempt_mode == PreemptMode::requeue && all[1].usage_factor == 0.5));
  CHECK(all[2].preempts == std::vector<QosIndex>{1, 0});
  REQUIRE(cluster.not_modelled.size() == 1);
  CHECK_THAT(cluster.not_modelled[0], Contains(":3: GraceTime of QOS low"));
}

TEST_CASE("Jobs name users, accounts and QOS", "[slurm][accounts][jobs]") {
  const auto jobs = jobs_of("1,0,1,60,5,b,ann,high\n2,0,1,60,5,,bob,\n3,0,1,60,5,,,low\n");
  CHECK((jobs[0].request.user == 3U && jobs[0].request.qos == 2U));
  CHECK((jobs[1].request.user == 5U && jobs[1].request.qos == 0U));
  CHECK((!jobs[2].request.user && jobs[2].request.qos == 1U));
}

TEST_CASE("Users and QOS that there are not are refused", "[slurm][accounts][bad]") {
  CHECK_THROWS_WITH(jobs_of("1,0,1,60,5,,ann,\n"), Contains(":2:") && Contains("the user has several"));
  CHECK_THROWS_WITH(jobs_of("1,0,1,60,5,a,eve,\n"), Contains("a user of the accounts"));
  CHECK_THROWS_WITH(jobs_of("1,0,1,60,5,,,higj\n"), Contains("there is no QOS"));
  CHECK_THROWS_WITH(jobs_of("1,0,1,60,5,a,,\n"), Contains("empty where the job has no user"));
}

TEST_CASE("Tables that are none of sacctmgr's are refused", "[slurm][accounts][bad]") {
  const auto read = [](const std::string& rows) {
    const test::ScratchFolder folder;
    ClusterFile cluster = cluster_of(folder);
    read_accounts(folder.file("accounts", rows), cluster);
  };
  CHECK_THROWS_WITH(read(""), Contains("is empty"));
  CHECK_THROWS_WITH(read("Account|User|Share\n"), Contains("has no column \"ParentName\""));
  CHECK_THROWS_WITH(read("Account|ParentName|User|Share\na|root||1\n"),
                    Contains("an account of a row above"));
  CHECK_THROWS_WITH(read("Account|ParentName|User|Share\nroot||\n"), Contains("has 3 fields"));
  CHECK_THROWS_WITH(read("Account|ParentName|User|Share\nroot|||1\nroot||eve|parent\n"),
                    Contains(":3:") && Contains("not modelled"));
  std::string deep = "Account|ParentName|User|Share\nroot|||1\n";
  for (int i = 0; i < 1'001; ++i)
    deep += "a" + std::to_string(i) + '|' + (i == 0 ? "root" : "a" + std::to_string(i - 1)) + "||1\n";
  CHECK_THROWS_WITH(read(deep), Contains(":1003:") && Contains("fewer than 1000 levels"));
}

TEST_CASE("The end of a job is charged where limits are enforced", "[slurm][conf]") {
  const auto charges = [](const std::string& more) {
    const test::ScratchFolder folder;
    return cluster_of(folder, more).configuration.settings.priority.charges_at_end;
  };
  CHECK_FALSE(charges(""));
  CHECK_FALSE(charges("AccountingStorageEnforce=associations,qos\n"));
  CHECK(charges("AccountingStorageEnforce=associations,Limits\n"));
  CHECK(charges("AccountingStorageEnforce=safe\n"));
}

TEST_CASE("Nodes come up as planned, or are DOWN and may be asked again later", "[slurm][power]") {
  const test::ScratchFolder folder;
  ClusterFile cluster = cluster_of(folder);
  const PowerPlan plan =
      read_power_plan(folder.file("power", "node,boot,down,back\nc1,,2,100\nc1,40,,\nc2,,,500\n"), cluster);
  CHECK((plan[0].size() == 2 && plan[0][0].down == std::chrono::seconds{2} && !plan[0][1].down));
  cluster.configuration.settings.main.starts_at_looks = false;
  cluster.configuration.settings.power.resume_timeout = std::chrono::seconds{50};
  ListedJob job;
  job.run_time = std::chrono::seconds{10};
  job.request.time_limit = std::chrono::seconds{60};
  // c1 is DOWN at once, c2 at its ResumeTimeout; then c1 is back, and comes up.
  const auto played = replay(cluster.configuration, {job}, plan);
  REQUIRE(played[0].start);
  CHECK(played[0].nodes == std::vector<NodeIndex>{0});
  CHECK(*played[0].start > kStart + std::chrono::seconds{100 + 40});
}

TEST_CASE("Plans of power-ups that contradict themselves are refused", "[slurm][power][bad]") {
  const test::ScratchFolder folder;
  const ClusterFile cluster = cluster_of(folder);
  const auto read = [&](const std::string& rows) {
    return read_power_plan(folder.file("power", rows), cluster);
  };
  CHECK_THROWS_WITH(read("node,boot,down\nc1,3,4\n"), Contains(":2:") && Contains("leave one of both empty"));
  CHECK_THROWS_WITH(read("node,boot\nc9,3\n"), Contains("there is no node \"c9\""));
  CHECK_THROWS_WITH(read("node,boot\nc1,soon\n"), Contains("must be a number of seconds"));
}

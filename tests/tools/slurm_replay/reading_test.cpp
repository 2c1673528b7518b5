// slurm.conf, gres.conf and lists of jobs as they are read.

#include <catch2/catch.hpp>

#include "tests/support/scratch_folder.h"
#include "tools/slurm_replay/conf_reader.h"
#include "tools/slurm_replay/host_list.h"
#include "tools/slurm_replay/job_list.h"

using namespace stockout;
using namespace stockout::slurm;
using Catch::Contains;

namespace {

const std::string kCluster = "NodeName=n[1-4] CPUs=8 Gres=gpu:4\nPartitionName=all Nodes=ALL Default=YES\n";

ClusterFile read(const test::ScratchFolder& folder, const std::string& text) {
  return read_cluster_file(folder.file("slurm.conf", text), "");
}

}  // namespace

TEST_CASE("Lists of hosts: ranges keep leading zeros", "[slurm][conf]") {
  using Names = std::vector<std::string>;
  CHECK(read_host_list("n[1-3,07-08]x,login", 100, {}) ==
        Names{"n1x", "n2x", "n3x", "n07x", "n08x", "login"});
  for (const std::string bad :
       {"", "n[1-3", "n[3-1]", "n[a]", "n[1-3],", "a[1][2]", "n[1-99999999999]", "n]"}) {
    CAPTURE(bad);
    CHECK_THROWS_AS(read_host_list(bad, 100, {}), InputError);
  }
  CHECK_THROWS_WITH(read_host_list("n[1-999999999]", 100, {}), Contains("at most 100 names"));
}

TEST_CASE("A cluster's configuration", "[slurm][conf]") {
  const test::ScratchFolder folder;
  const ClusterFile read_one =
      read(folder,
           "# a comment\n"
           "SchedulerParameters=bf_interval=60,bf_window=2880,bf_continue,max_rpc_cnt=5\n"
           "PriorityType=priority/multifactor\n"
           "PriorityWeightAge=1000 PriorityMaxAge=14-0\n"
           "PreemptType=preempt/partition_prio PreemptMode=REQUEUE\n"
           "AuthInfo=socket=/run/x,cred_expire=20\n"
           "SuspendTime=300 ResumeTimeout=65535 ControlAddr=here \\\n  Licenses=a:1\n"
           "nodename=DEFAULT CPUs=8\n"
           "NodeName=n[1-3] Gres=gpu:a100:4 Weight=5\n"
           "NodeName=c[1-2] Sockets=2 CoresPerSocket=4 State=CLOUD\n"
           "PartitionName=DEFAULT MaxTime=1-0\n"
           "PartitionName=small Nodes=n1 PriorityTier=3\n"
           "PartitionName=all Nodes=ALL Default=YES OverSubscribe=EXCLUSIVE ResumeTimeout=600\n");
  const Configuration& cluster = read_one.configuration;
  REQUIRE(cluster.nodes.size() == 5);
  CHECK(cluster.nodes[0].gpus == 4);
  CHECK(cluster.nodes[0].weight == 5);
  CHECK(cluster.nodes[4].cpus == 8);
  CHECK(cluster.nodes[4].cloud);
  REQUIRE(read_one.partition_names == std::vector<std::string>{"all", "small"});  // the default is the first
  CHECK(cluster.partitions[0].exclusive);
  CHECK(cluster.partitions[0].max_time == std::chrono::hours{24});
  CHECK(cluster.partitions[0].power->resume_timeout == std::chrono::seconds{600});
  CHECK(cluster.partitions[1].nodes == std::vector<NodeIndex>{0});
  CHECK(cluster.partitions[1].priority_tier == 3);
  const Settings& settings = cluster.settings;
  CHECK(settings.backfill.interval == std::chrono::seconds{60});
  CHECK(settings.backfill.window == std::chrono::hours{48});
  CHECK(settings.priority.max_age == std::chrono::hours{14 * 24});
  CHECK(settings.preemption.mode == PreemptMode::requeue);
  CHECK(settings.requeue_delay == std::chrono::seconds{21});
  CHECK(settings.power.suspend_time == std::chrono::seconds{300});
  CHECK_FALSE(settings.main.cycle_at_end);  // no Epilog
  REQUIRE(read_one.not_modelled.size() == 3);
  CHECK_THAT(read_one.not_modelled[0], Catch::EndsWith("slurm.conf:2: max_rpc_cnt"));
  CHECK_THAT(read_one.not_modelled[2], Catch::EndsWith("slurm.conf:7: Licenses"));
}

TEST_CASE("What is no configuration is refused with file, line and key", "[slurm][conf][bad]") {
  const test::ScratchFolder folder;
  const auto [text, words] = GENERATE(table<std::string, std::string>({
      {"", "names no node"},
      {"NodeName=n1\n", "names no partition"},
      {"NodeName=n1\nNonsense\n", "slurm.conf:2: \"Nonsense\" is no \"Key=value\""},
      {"NodeName=n1 CPUs=-3\n", "slurm.conf:1: CPUs: must be a whole number from 1"},
      {"NodeName=n1\nNodeName=n1\n", "already a node \"n1\""},
      {kCluster + "PartitionName=b Nodes=n9\n", "slurm.conf:3: Nodes: there is no node \"n9\""},
      {kCluster + "PartitionName=b MaxTime=soon\n", "MaxTime: must be a time such as"},
      {kCluster + "PartitionName=all\n", "already a partition"},
      {kCluster + "SchedulerParameters=bf_interval=x\n", "bf_interval: must be a whole number"},
      {kCluster + "PreemptMode=SUSPEND,GANG\n", "PreemptMode: must be OFF, REQUEUE or CANCEL"},
      {kCluster + "NodeName=z[1-200000]\n", "at most"},
      {kCluster + "Include /etc/no/such/x\n", "slurm.conf:3: include: there is no file"},
      {"NodeName=n1 \\", "ends in a backslash"},
  }));
  CAPTURE(text);
  CHECK_THROWS_WITH(read(folder, text), Contains(words));
}

TEST_CASE("gres.conf must not have fewer GPUs than slurm.conf gives", "[slurm][conf][bad]") {
  const test::ScratchFolder folder;
  const std::string conf = folder.file("slurm.conf", kCluster);
  CHECK_NOTHROW(read_cluster_file(conf, folder.file("a.conf", "NodeName=n[1-4] Name=gpu Count=4\n")));
  CHECK_THROWS_WITH(read_cluster_file(conf, folder.file("b.conf", "NodeName=n[1-4] Name=gpu Count=2\n")),
                    Contains("b.conf:1: Count: must be at least 4"));
}

TEST_CASE("Lists of jobs", "[slurm][jobs]") {
  const test::ScratchFolder folder;
  const ClusterFile cluster = read(folder, kCluster);
  const auto jobs = read_job_list(folder.file("jobs.csv",
                                              "id,submit,nodes,limit,runtime,gpus,array,after\n"
                                              "a,0.5,1,60,10,2,3,\n"
                                              "b,1,2,60,10,,,a\n"),
                                  cluster);
  REQUIRE(jobs.size() == 2);
  CHECK(jobs[0].submit == kStart + SimDuration{500});
  CHECK(jobs[0].tasks == 3);
  CHECK(jobs[0].request.size.gpus_per_node == 2);
  CHECK(jobs[1].request.dependencies.front().job == 0);
  const auto [text, words] = GENERATE(table<std::string, std::string>({
      {"id,submit,nodes,limit\n", "has no column \"runtime\""},
      {"id,submit,nodes,limit,runtime,colour\n", "colour"},
      {"id,submit,nodes,limit,runtime\na,0,0,1,1\n", "jobs.csv:2: nodes must be a whole number from 1"},
      {"id,submit,nodes,limit,runtime\na,-1,1,1,1\n", "submit must be a number of seconds"},
      {"id,submit,nodes,limit,runtime\na,1,1,1,1\na,1,1,1,1\n", "already a job \"a\""},
      {"id,submit,nodes,limit,runtime\na,2,1,1,1\nb,1,1,1,1\n", "in the order of their submission"},
      {"id,submit,nodes,limit,runtime,partition\na,1,1,1,1,x\n", "no partition \"x\""},
      {"id,submit,nodes,limit,runtime,after\na,1,1,1,1,b\n", "after must be the id of a job above"},
      {"id,submit,nodes,limit,runtime,array\na,1,1,1,1,2000000\n", "array must be"},
  }));
  CAPTURE(text);
  CHECK_THROWS_WITH(read_job_list(folder.file("jobs.csv", text), cluster), Contains(words));
}

TEST_CASE("Cloud nodes that never power down are always on", "[slurm][conf]") {
  const test::ScratchFolder folder;
  const std::string nodes =
      "NodeName=st-[0-1] State=CLOUD\nNodeName=fx-[0-1] State=CLOUD\nPartitionName=static Nodes=st-[0-1]\n"
      "PartitionName=flex Nodes=fx-[0-1]\n";
  const auto clouds = [&](const std::string& line) {
    std::string all;
    for (const Node& node : read(folder, line + nodes).configuration.nodes) all += node.cloud ? 'c' : '-';
    return all;
  };
  CHECK(clouds("") == "cccc");
  CHECK(clouds("SuspendExcNodes=st-[0-1]\n") == "--cc");
  CHECK(clouds("SuspendExcParts=static\n") == "--cc");
  CHECK(clouds("SuspendExcParts=static,flex\n") == "----");
  CHECK(clouds("SuspendExcParts=off\nPartitionName=off Nodes=fx-1 State=DOWN\n") == "ccc-");
  // So many of them: not modelled.
  const auto counted = read(folder, "SuspendExcNodes=st-[0-1]:1\n" + nodes).not_modelled;
  REQUIRE(counted.size() == 1);
  CHECK_THAT(counted[0], Contains("slurm.conf:1: SuspendExcNodes"));
  CHECK_THROWS_WITH(read(folder, "SuspendExcParts=nobody\n" + nodes),
                    Contains("must be names of partitions"));
}

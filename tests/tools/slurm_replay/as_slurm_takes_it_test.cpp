// Values of slurm.conf and gres.conf that slurmctld takes otherwise than a reader might: defaults, repeated
// keys, states, node sets, files that are included.

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include "tests/support/scratch_folder.h"
#include "tools/slurm_replay/conf_reader.h"
#include "tools/slurm_replay/job_list.h"

using namespace stockout;
using namespace stockout::slurm;
using Catch::Contains;

namespace {

const std::string kOneNode = "NodeName=n1 CPUs=4\nPartitionName=p Nodes=ALL Default=YES\n";

ClusterFile cluster_of(const std::string& conf, const std::string& gres = "") {
  const test::ScratchFolder folder;
  const std::string gres_file = gres.empty() ? "" : folder.file("gres.conf", gres);
  return read_cluster_file(folder.file("slurm.conf", conf), gres_file);
}

int cpus_of(const std::string& defaults, const std::string& node) {
  return cluster_of(defaults + "\nNodeName=n1 " + node + "\nPartitionName=p Nodes=ALL\n")
      .configuration.nodes[0]
      .cpus;
}

}  // namespace

TEST_CASE("A node has each key that it does not name from NodeName=DEFAULT", "[slurm][conf]") {
  const std::string defaults = "NodeName=DEFAULT CoresPerSocket=32\nNodeName=DEFAULT ThreadsPerCore=2";
  CHECK(cpus_of(defaults, "Sockets=2") == 128);
  CHECK(cpus_of(defaults, "CPUs=64 Sockets=1") == 64);
  CHECK(cpus_of(defaults, "CPUs=32 Sockets=1") == 32);  // cores
  CHECK(cpus_of(defaults, "Boards=2 SocketsPerBoard=2 CoresPerSocket=16 ThreadsPerCore=1") == 64);
  CHECK(cpus_of(defaults, "SocketsPerBoard=2 CoresPerSocket=8") == 32);
  CHECK(cpus_of(defaults, "Sockets=4 SocketsPerBoard=2") == 128);
  CHECK(cpus_of(defaults, "Boards=2") == 128);
  CHECK(cpus_of(defaults, "CPUs=128") == 128);
  CHECK(cpus_of("NodeName=DEFAULT Procs=8", "") == 8);
  CHECK(cpus_of("NodeName=DEFAULT CPUs=8", "Procs=4") == 8);
  CHECK(cpus_of("", "Boards=1 SocketsPerBoard=2 CoresPerSocket=52 ThreadsPerCore=2 CPUs=208") == 208);
  CHECK(cpus_of("", "") == 1);
  const ClusterFile odd = cluster_of(defaults + "\nNodeName=d[1-2] Procs=8\nPartitionName=p Nodes=ALL\n");
  CHECK(odd.configuration.nodes[1].cpus == 64);
  REQUIRE(odd.notes.size() == 1);
  CHECK_THAT(odd.notes[0], Contains("slurm.conf:3: CPUs=8 are neither") && Catch::EndsWith("Slurm takes 64"));
}

TEST_CASE("Of a key that is said twice, the latest value counts alone", "[slurm][conf]") {
  const ClusterFile cluster = cluster_of(
      "SchedulerParameters=bf_window=10080,bf_interval=120\n"
      "schedulerparameters=default_queue_depth=7\n"
      "SlurmctldHost=a\nSlurmctldHost=b\n" +
      kOneNode);
  const Settings& settings = cluster.configuration.settings;
  CHECK(settings.main.default_queue_depth == 7);
  CHECK(settings.backfill.window == BackfillParameters{}.window);
  CHECK(settings.backfill.interval == BackfillParameters{}.interval);
  REQUIRE(cluster.notes.size() == 1);
  CHECK_THAT(cluster.notes[0], Contains("slurm.conf:1: SchedulerParameters is said again in ") &&
                                   Contains("slurm.conf:2, and Slurm takes the latest alone"));
}

TEST_CASE("Nodes that no job may have are left out, with a line", "[slurm][conf]") {
  const ClusterFile cluster = cluster_of(
      "NodeName=DEFAULT CPUs=64 State=FUTURE\nNodeName=f[1-100]\nNodeName=u1 State=UNKNOWN\n"
      "NodeName=c1 State=cloud\nNodeName=d1 State=DOWN\nNodeName=d2 State=DRAINED\nNodeName=d3 State=FAIL\n"
      "PartitionName=p Nodes=ALL\nPartitionName=q Nodes=f1,u1,d[1-3]\n");
  REQUIRE(cluster.configuration.nodes.size() == 2);
  CHECK_FALSE(cluster.configuration.nodes[0].cloud);
  CHECK(cluster.configuration.nodes[1].cloud);
  CHECK(cluster.configuration.partitions[0].nodes == std::vector<NodeIndex>{0, 1});
  CHECK(cluster.configuration.partitions[1].nodes == std::vector<NodeIndex>{0});
  REQUIRE(cluster.notes.size() == 4);
  CHECK_THAT(cluster.notes[0],
             Catch::EndsWith(":2: nodes f[1-100] are left out: State=FUTURE gives them no job"));
  CHECK_THROWS_WITH(cluster_of("NodeName=n1 State=DOWN\nPartitionName=p Nodes=n1\n"),
                    Contains("names no node that a job may have"));
  CHECK_THROWS_WITH(cluster_of("NodeName=n1 State=UP\nPartitionName=p Nodes=n1\n"),
                    Contains("slurm.conf:1: State: must be UNKNOWN, CLOUD"));
}

TEST_CASE("Partitions that start no job are left out, and their jobs are refused", "[slurm][conf]") {
  const test::ScratchFolder folder;
  const ClusterFile cluster = cluster_of(
      "NodeName=n1\nPartitionName=DEFAULT Nodes=n1\nPartitionName=p State=UP\n"
      "PartitionName=shut State=DOWN Default=TRUE\nPartitionName=dry State=DRAIN\nPartitionName=off State=INACTIVE\n");
  CHECK(cluster.partition_names == std::vector<std::string>{"p"});
  REQUIRE(cluster.notes.size() == 3);
  CHECK_THAT(cluster.notes[0], Catch::EndsWith(":4: partition shut is left out: State=DOWN starts no job"));
  const auto jobs = [&](const std::string& partition) {
    const std::string text = "id,submit,nodes,limit,runtime,partition\na,1,1,60,1," + partition + "\n";
    return read_job_list(folder.file("jobs.csv", text), cluster);
  };
  CHECK(jobs("p").size() == 1);
  CHECK_THROWS_WITH(jobs("dry"), Contains("jobs.csv:2: partition \"dry\" starts no job: its State is DRAIN"));
  CHECK_THROWS_WITH(jobs(""), Contains("partition \"shut\" starts no job"));
  CHECK_THROWS_WITH(cluster_of("NodeName=n1\nPartitionName=p State=DOWN\n"),
                    Contains("no partition that starts"));
  CHECK_THROWS_WITH(cluster_of("NodeName=n1\nPartitionName=p State=LEFT\n"),
                    Contains("State: must be UP, DOWN"));
}

TEST_CASE("The default partition is the last that says so, also by PartitionName=DEFAULT", "[slurm][conf]") {
  const auto first = [](const std::string& lines) {
    return cluster_of("NodeName=n1\nPartitionName=a\n" + lines).partition_names.front();
  };
  CHECK(first("PartitionName=b\n") == "a");
  CHECK(first("PartitionName=b Default=1\nPartitionName=c Default=false\n") == "b");
  CHECK(first("PartitionName=DEFAULT Default=up\nPartitionName=b\nPartitionName=c\n") == "c");
}

TEST_CASE("Partitions have the nodes of node sets, by name and by feature", "[slurm][conf]") {
  const ClusterFile cluster = cluster_of(
      "NodeName=a[1-2] State=CLOUD Features=fast,near\nNodeName=b[1-2]\n"
      "NodeSet=both Nodes=mine\nNodeSet=mine Nodes=b2,both\nNodeSet=fast Feature=fast\nNodeSet=b Nodes=b[1-2]\n"
      "NodeSet=none Feature=dynamic\nNodeSet=every Nodes=ALL\n"
      "PartitionName=p Nodes=fast\nPartitionName=q Nodes=a2,b\nPartitionName=r Nodes=\"none,b1 a1\"\n"
      "PartitionName=s Nodes=every\n");
  const auto& partitions = cluster.configuration.partitions;
  CHECK(partitions[0].nodes == std::vector<NodeIndex>{0, 1});
  CHECK(partitions[1].nodes == std::vector<NodeIndex>{1, 2, 3});
  CHECK(partitions[2].nodes == std::vector<NodeIndex>{0, 2});
  CHECK(partitions[3].nodes.size() == 4);
  CHECK_THROWS_WITH(
      cluster_of("NodeName=n1\nNodeSet=x Nodes=y\nNodeSet=y Nodes=x\nPartitionName=p Nodes=x\n"),
      Contains("slurm.conf:3: Nodes: there is no node \"x\""));
  CHECK_THROWS_WITH(cluster_of("NodeName=n1\nNodeSet=x\nNodeSet=x\nPartitionName=p\n"),
                    Contains("already a node set \"x\""));
}

TEST_CASE("Node sets of node sets take no longer than the file is, however they are nested",
          "[slurm][conf]") {
  std::string doubled = "NodeName=n[1-2]\n";
  for (int i = 0; i < 60; ++i) doubled += fmt::format("NodeSet=s{} Nodes=s{},s{}\n", i, i + 1, i + 1);
  CHECK(cluster_of(doubled + "NodeSet=s60 Nodes=\"n1,  n2\"\nPartitionName=p Nodes=s0\n")
            .configuration.partitions[0]
            .nodes.size() == 2);
  std::string chain = "NodeName=n1\n";
  for (int i = 0; i < 60'000; ++i) chain += fmt::format("NodeSet=s{} Nodes=s{}\n", i, i + 1);
  CHECK(cluster_of(chain + "NodeSet=s60000 Nodes=n1\nPartitionName=p Nodes=s0\n")
            .configuration.partitions[0]
            .nodes.size() == 1);
  std::string words = "NodeName=n[1-50000] Feature=a";
  for (int i = 0; i < 10'000; ++i) words += ",a";
  CHECK(cluster_of(words + "\nNodeSet=s Feature=a\nPartitionName=p Nodes=s\n").configuration.nodes.size() ==
        50'000);
}

TEST_CASE("Lines of gres.conf for all nodes are read once, and types have an end", "[slurm][conf]") {
  const std::string nodes = "NodeName=n[1-50000] Gres=gpu:1\nPartitionName=p Nodes=ALL\n";
  std::string same;
  for (int i = 0; i < 3'000; ++i) same += "Name=gpu Type=a100 Count=0\n";
  CHECK(cluster_of(nodes, same + "Name=gpu Type=a100 Count=1\n").node_lines[0].gpu_type == "a100");
  std::string types;
  for (int i = 0; i < 17; ++i) types += fmt::format("Name=gpu Type=t{} Count=0\n", i);
  CHECK_THROWS_WITH(cluster_of(nodes, types), Contains("gres.conf:17: ") && Contains("at most 16 types"));
  CHECK_THROWS_WITH(
      cluster_of("NodeName=n1 Gres=gpu:" + std::string(101, 'a') + ":1\nPartitionName=p Nodes=ALL\n"),
      Contains("with at most 100 characters"));
  CHECK(cluster_of("NodeName=n1 Gres=gpu:h100:no_consume:2\nPartitionName=p Nodes=ALL\n")
            .node_lines[0]
            .gpu_type == "h100");
  CHECK_THROWS_WITH(
      cluster_of("NodeName=n1 Gres=gpu:a100:4\nPartitionName=p Nodes=ALL\n", "Name=gpu Count=0\n"),
      Contains("gres.conf:1: Count: must be at least 4"));
}

TEST_CASE("Files that slurm.conf includes stand in the place of the line", "[slurm][conf]") {
  const test::ScratchFolder folder;
  const auto read = [&](const std::string& text) {
    return read_cluster_file(folder.file("slurm.conf", text), "");
  };
  (void)folder.file("cloud.conf", "  include lab.conf  # of the site\nPartitionName=p Nodes=ALL\n");
  (void)folder.file("lab.conf", kOneNode.substr(0, kOneNode.find('\n') + 1));
  const ClusterFile cluster = read("ClusterName=LAB\nKillWait=7\ninclude cloud.conf\nLicenses=a\n");
  CHECK(cluster.configuration.nodes.size() == 1);
  CHECK(cluster.files ==
        std::vector{folder.path("slurm.conf"), folder.path("cloud.conf"), folder.path("lab.conf")});
  CHECK_THAT(cluster.not_modelled.back(), Catch::EndsWith("slurm.conf:4: Licenses"));
  CHECK(read("ClusterName=LAB\nInclude %c.conf\nPartitionName=p\n").configuration.nodes.size() == 1);
  CHECK(read("include " + folder.path("lab.conf") + "\nPartitionName=p\n").configuration.nodes.size() == 1);
  CHECK_THROWS_WITH(read(kOneNode + "include no.conf\n"),
                    Contains("slurm.conf:3: include: there is no file ") && Contains("no.conf"));
  CHECK_THROWS_WITH(read("include %c.conf\n"), Contains("\"%c\" needs a ClusterName"));
  CHECK_THROWS_WITH(read("include\n"), Contains("must be followed by the name of one file"));
  CHECK_THROWS_WITH(read("include " + folder.path() + "\n"), Contains("is no plain file"));
  CHECK(read("include /dev/null\n" + kOneNode).configuration.nodes.size() == 1);
  CHECK(read("SlurmUser=x ClusterName=LAB\nInclude %c.conf\nPartitionName=p\n").configuration.nodes.size() ==
        1);
  CHECK_THROWS_WITH(read("ClusterName=" + std::string(3'000, 'a') + "\ninclude %c%c\n"),
                    Contains("is too long"));
  CHECK_THROWS_WITH(read("include slurm.conf\n"), Contains("includes itself"));
  (void)folder.file("a.conf", "include ./b.conf\n");
  (void)folder.file("b.conf", "include a.conf\n");
  CHECK_THROWS_WITH(read("include a.conf\n"), Contains("b.conf:1: include: ") && Contains("includes itself"));
  (void)folder.file("empty.conf", "");
  std::string often;
  for (int i = 0; i < 101; ++i) often += "include empty.conf\n";
  CHECK_THROWS_WITH(read(often), Contains("slurm.conf:101: ") && Contains("at most 100 files"));
}

TEST_CASE("slurm.conf is written as Slurm's reader takes it", "[slurm][conf]") {
  const ClusterFile cluster = cluster_of(
      "KillWait = 7\nSchedulerParameters= bf_interval=60\nLicenses=a\\#b # c \\\n"
      "NodeName =n1 CPUs\t=\t4 \\  \n  Weight = 3\\\n0\nPartitionName=p Nodes=n1 MaxTime=90:30 DefaultTime=0:1\n");
  CHECK(cluster.configuration.settings.preemption.kill_wait == std::chrono::seconds{7});
  CHECK(cluster.configuration.settings.backfill.interval == std::chrono::seconds{60});
  CHECK(cluster.configuration.nodes[0].weight == 30);
  CHECK(cluster.configuration.partitions[0].max_time == std::chrono::minutes{91});
  CHECK(cluster.configuration.partitions[0].default_time == std::chrono::minutes{1});
  CHECK_THROWS_WITH(cluster_of("KillWait =\nNodeName n1\n"),
                    Contains("slurm.conf:2: \"NodeName\" is no \"Key=value\""));
  CHECK_THROWS_WITH(cluster_of("=4\n"), Contains("is no \"Key=value\""));
  CHECK_THROWS_WITH(cluster_of("Include=/x\n" + kOneNode), Contains("must be written as \"include FILE\""));
}

TEST_CASE("SelectType=select/linear gives jobs whole nodes", "[slurm][conf]") {
  CHECK(cluster_of("SelectType=select/linear\n" + kOneNode).configuration.partitions[0].exclusive);
  CHECK_FALSE(cluster_of("SelectType=select/cons_tres\n" + kOneNode).configuration.partitions[0].exclusive);
}

TEST_CASE("PreemptType and PreemptMode come together, or Slurm does not start", "[slurm][conf][bad]") {
  for (const std::string type : {"qos", "partition_prio"}) {
    CHECK_NOTHROW(cluster_of("PreemptType=preempt/" + type + "\nPreemptMode=CANCEL\n" + kOneNode));
    CHECK_THROWS_WITH(
        cluster_of("PreemptType=preempt/" + type + "\n" + kOneNode),
        Contains("slurm.conf:1: PreemptType: ") && Contains("PreemptMode must be REQUEUE or CANCEL"));
    CHECK_THROWS_WITH(cluster_of("PreemptType=preempt/" + type + "\nPreemptMode=OFF\n" + kOneNode),
                      Contains("slurm.conf:2: PreemptMode: "));
  }
  CHECK_NOTHROW(cluster_of("PreemptMode=OFF\n" + kOneNode));
  for (const std::string mode : {"REQUEUE", "CANCEL"}) {
    CHECK_THROWS_WITH(cluster_of("PreemptMode=" + mode + "\n" + kOneNode),
                      Contains("slurm.conf:1: PreemptMode: needs PreemptType"));
    CHECK_THROWS_WITH(cluster_of("PreemptType=preempt/none\nPreemptMode=" + mode + "\n" + kOneNode),
                      Contains("slurm.conf:2: PreemptMode: needs PreemptType"));
  }
}

TEST_CASE("Lines of gres.conf add up by node and type, and must not have less than slurm.conf",
          "[slurm][conf]") {
  const auto gpu_type = [](const std::string& gres, const std::string& lines) {
    return cluster_of("NodeName=n[1-2] Gres=" + gres + "\nNodeName=c1\nPartitionName=p Nodes=ALL\n", lines)
        .node_lines[0]
        .gpu_type;
  };
  const std::string halves =
      "NodeName=n[1-2] Name=gpu Count=2 File=/dev/nvidia[0-1] Cores=0-31\n"
      "NodeName=n[1-2] Name=gpu Count=2 File=/dev/nvidia[2-3]\n";
  CHECK(gpu_type("gpu:4", halves).empty());
  CHECK_THROWS_WITH(gpu_type("gpu:5", halves), Contains("gres.conf:2: Count: must be at least 5") &&
                                                   Contains("\"n1\"") && Contains("have 4"));
  CHECK_THROWS_WITH(gpu_type("gpu:4", "NodeName=n1 Name=gpu File=/dev/nvidia[0-1]\n"),
                    Contains("gres.conf:1: File: must be at least 4"));
  CHECK_THROWS_WITH(gpu_type("gpu:4", "NodeName=n1 Name=gpu\n"),
                    Contains("gres.conf:1: Name: must be at least 4"));
  CHECK_THROWS_WITH(gpu_type("gpu:2", "Name=gpu Count=2 File=/dev/nvidia0\n"),
                    Contains("gres.conf:1: Count: must be 1, as many as File names"));
  CHECK(gpu_type("gpu:4", "Name=gpu Type=a100 File=/dev/nvidia[0-3]\n") == "a100");  // every node
  CHECK_THROWS_WITH(gpu_type("gpu:4", "Name=gpu Type=a100 Count=1 File=/dev/nvidia[0]\n"),
                    Contains("gres.conf:1: Count: must be at least 4"));
  CHECK(gpu_type("gpu:H100:4", "Name=gpu Type=h100 Count=4\n") == "H100");
  CHECK_THROWS_WITH(
      gpu_type("gpu:h100:4", "NodeName=n1 Name=gpu Type=a100 Count=4\n"),
      Contains("gres.conf:1: Type: must be \"h100\", the type that slurm.conf gives \"n1\", but is "
               "\"a100\""));
  CHECK_THROWS_WITH(gpu_type("gpu:h100:4", "Name=gpu Type=a100 Count=2\nName=gpu Type=h100 Count=3\n"),
                    Contains("gres.conf:2: Count: must be at least 4, the GPUs of type \"h100\""));
  CHECK(gpu_type("gpu:4", "Name=gpu Type=a100 Count=2\nName=gpu Type=h100 Count=2\n") == "a100,h100");
  CHECK(gpu_type("gpu:a100:2,gpu:h100:2", "Name=mps Count=7\n") == "a100,h100");
  CHECK(gpu_type("gpu:4", "AutoDetect=nvml\n").empty());
  CHECK(gpu_type("gpu:4", "AutoDetect=nvml\nName=gpu Type=a100 Count=1\n") ==
        "a100");  // the rest is detected
}

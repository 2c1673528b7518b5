// A cluster as slurm.conf describes it, as the key `slurm` of a scenario.

#include <algorithm>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/support/scratch_folder.h"
#include "tools/slurm_replay/scenario_part.h"

using namespace stockout;
using namespace stockout::slurm;
using Catch::Contains;
using Json = nlohmann::json;

namespace {

struct ImportedPart {
  Json slurm;
  std::string left_out;  // all lines
};

ImportedPart imported(const std::string& conf, const GivenMachines& given = {},
                      const std::string& gres = "") {
  const test::ScratchFolder folder;
  const std::string gres_file = gres.empty() ? "" : folder.file("gres.conf", gres);
  const ClusterFile cluster = read_cluster_file(folder.file("slurm.conf", conf), gres_file);
  const SlurmPart part = scenario_part(cluster, Catalog::embedded(), given);
  ImportedPart result{.slurm = Json::parse(part.json).at("slurm"), .left_out = {}};
  for (const std::string& line : part.left_out) result.left_out += line + '\n';
  return result;
}

}  // namespace

TEST_CASE("Nodes that are always on become those of a reservation", "[slurm][part]") {
  const ImportedPart part = imported(
      "NodeName=a3-[1-16] CPUs=208 Gres=gpu:h100_mega:8\nPartitionName=train Nodes=ALL MaxTime=7-0 "
      "OverSubscribe=EXCLUSIVE PriorityTier=3\n");
  CHECK(part.slurm["node_sets"] == Json::parse(R"([{"name": "a3", "reservation": "a3"}])"));
  CHECK(part.slurm["partitions"] ==
        Json::parse(R"([{"name": "train", "node_set": "a3", "max_time": "7d", "priority_tier": 3}])"));
  CHECK_THAT(part.left_out, Contains("it needs a reservation \"a3\" of 16 x a3-megagpu-8g\n"));
}

TEST_CASE("Nodes that come and go are of one machine type, which GPUs and CPUs tell", "[slurm][part]") {
  const std::string partition =
      "\nPartitionName=p Nodes=ALL OverSubscribe=EXCLUSIVE PowerDownOnIdle=YES "
      "ResumeTimeout=65535 SuspendTimeout=120\n";
  const auto machine = [&](const std::string& node, const GivenMachines& given = {},
                           const std::string& gres = "") {
    return imported("NodeName=flex-[0-3] State=CLOUD " + node + partition, given, gres)
        .slurm["node_sets"][0]["machine"]
        .get<std::string>();
  };
  CHECK(machine("Gres=gpu:nvidia_h200:8 CPUs=224") == "a3-ultragpu-8g");
  CHECK(machine("Gres=gpu:8 CPUs=48", {}, "NodeName=flex-[0-3] Name=gpu Type=l4 File=/dev/nvidia[0-7]\n") ==
        "g2-standard-96");  // without hyper-threading
  CHECK(machine("Gres=gpu:8 CPUs=208", {{"flex", "a3-highgpu-8g"}}) == "a3-highgpu-8g");
  CHECK_THROWS_WITH(machine("Gres=gpu:8 CPUs=208"), Contains("slurm.conf:1: ") &&
                                                        Contains("a3-highgpu-8g, a3-megagpu-8g") &&
                                                        Contains("say --machine flex=TYPE"));
  CHECK_THROWS_WITH(machine("Gres=gpu:7 CPUs=208"), Contains("no machine type of the catalogue has"));
  CHECK_THROWS_WITH(machine("Gres=gpu:8", {{"flex", "a3-highgpu-4g"}}), Contains("a3-highgpu-4g has 4 GPUs"));
  CHECK_THROWS_WITH(machine("Gres=gpu:8", {{"flex", "a3-highgpu-9g"}}), Contains("did you mean"));
  CHECK_THROWS_WITH(machine("Gres=gpu:8", {{"fles", "a3-highgpu-8g"}}), Contains("did you mean \"flex\""));
  const ImportedPart part = imported("NodeName=flex-[0-3] State=CLOUD Gres=gpu:h200:8" + partition);
  CHECK(part.slurm["node_sets"][0] == Json::parse(R"({"name": "flex", "machine": "a3-ultragpu-8g", "nodes": 4,
      "resume_timeout": "18h 12min 15s"})"));
}

TEST_CASE("Nodes are never of a machine type with other GPUs than the files name", "[slurm][part]") {
  const auto part_of = [](const std::string& node, const GivenMachines& given = {}) {
    return imported("NodeName=x[1-2] " + node +
                        "\nPartitionName=p Nodes=ALL OverSubscribe=EXCLUSIVE PowerDownOnIdle=YES\n",
                    given);
  };
  const auto machine = [&](const std::string& node, const GivenMachines& given = {}) {
    return part_of("State=CLOUD " + node, given).slurm["node_sets"][0]["machine"].get<std::string>();
  };
  CHECK_THROWS_WITH(
      machine("Gres=gpu:v100:16 CPUs=96"),
      Contains("have 16 GPUs of type \"v100\" and 96 CPUs: no machine type of the catalogue has such "
               "GPUs; as many have a2-megagpu-16g; say --machine x=TYPE"));
  CHECK_THROWS_WITH(machine("Gres=gpu:mi300x:16 CPUs=96"),
                    Contains("\"mi300x\"") && Contains("a2-megagpu-16g"));
  CHECK_THROWS_WITH(machine("Gres=gpu:a100:2,gpu:h100:2 CPUs=48"), Contains("4 GPUs of type \"a100,h100\""));
  CHECK_THROWS_WITH(machine("Gres=gpu:t400:1 CPUs=8"), Contains("such GPUs"));
  CHECK_THROWS_WITH(machine("Gres=gpu:a100_3g.20gb:8"), Contains("such GPUs"));
  CHECK_THROWS_WITH(machine("Gres=gpu:h100:16"), Contains("such GPUs; as many have a2-megagpu-16g"));
  CHECK(machine("Gres=gpu:tesla_v100-sxm2-16gb:8 CPUs=64") == "n1-standard-64+v100x8");
  CHECK(machine("Gres=gpu:nvidia_gb200:4") == "a4x-highgpu-4g");
  CHECK(machine("Gres=gpu:nvidia_a100-pcie-40gb:1") == "a2-highgpu-1g");
  CHECK(machine("Gres=gpu:nvidia_a100-sxm4-80gb:1") == "a2-ultragpu-1g");
  CHECK_THAT(part_of("Gres=gpu:nvidia_a100-sxm4-80gb:1").left_out, !Contains("are taken for"));
  CHECK(machine("Gres=gpu:tesla_t4:4 CPUs=32") == "n1-standard-32+t4x4");
  CHECK(machine("Gres=gpu:rtx_pro_6000:8") == "g4-standard-384");
  CHECK(machine("Gres=gpu:v100:16", {{"x", "a2-megagpu-16g"}}) == "a2-megagpu-16g");
  CHECK_THAT(part_of("Gres=gpu:a100:2,gpu:h100:2").left_out,
             Contains("of 2 x 4 GPUs of type \"a100,h100\"\n"));
  const std::string doubt = "node set x: GPUs \"a100\" are taken for A100-80GB\n";
  CHECK_THAT(part_of("Gres=gpu:a100:8").left_out, Contains(doubt));
  CHECK_THAT(part_of("Gres=gpu:a100-80gb:8").left_out, !Contains("are taken for"));
  CHECK_THAT(part_of("Gres=gpu:a100:8", {{"x", "a2-highgpu-8g"}}).left_out, !Contains("are taken for"));
  CHECK_THAT(part_of("Gres=gpu:v100:16").left_out, Contains("of 2 x 16 GPUs of type \"v100\"\n"));
}

TEST_CASE("Nodes that stay on after their job become slurm_nodes", "[slurm][part]") {
  const ImportedPart part = imported(
      "NodeName=dyn-[0-3] State=CLOUD Gres=gpu:h200:8\nPartitionName=p Nodes=ALL SuspendTime=600 "
      "ResumeTimeout=900 SuspendTimeout=120\n");
  CHECK(part.slurm["node_sets"][0] ==
        Json::parse(R"({"name": "dyn", "reservation": "dyn", "resume_timeout": "15min"})"));
  CHECK_THAT(part.left_out, Contains("a reservation \"dyn\" of 4 x a3-ultragpu-8g with \"model\": "
                                     "\"slurm_nodes\" and \"idle_after\": \"10min\""));
}

TEST_CASE("Partitions that share nodes have them of one set, in a row", "[slurm][part]") {
  const ImportedPart part = imported(
      "NodeName=n[1-8] Gres=gpu:8\nNodeName=c[1-2] CPUs=64\nPartitionName=all Nodes=n[1-8]\n"
      "PartitionName=short Nodes=n[7-8]\nPartitionName=odd Nodes=n1,n3\nPartitionName=mixed Nodes=ALL\n"
      "PartitionName=cpu Nodes=c[1-2]\n");
  REQUIRE(part.slurm["partitions"].size() == 3);
  CHECK(part.slurm["partitions"][0] == Json::parse(R"({"name": "all", "node_set": "n"})"));
  CHECK(part.slurm["partitions"][1] ==
        Json::parse(R"({"name": "short", "node_set": "n", "first_node": 7, "nodes": 2})"));
  CHECK(part.slurm["partitions"][2] == Json::parse(R"({"name": "cpu", "node_set": "c"})"));
  CHECK_THAT(part.left_out, Contains("partition odd: its nodes are in no row") &&
                                Contains("partition mixed: its nodes are of several kinds"));
  CHECK_THROWS_WITH(imported("NodeName=a\nNodeName=b Gres=gpu:1\nPartitionName=p Nodes=ALL\n"),
                    Contains("slurm.conf:1: ") && Contains("none of the partitions"));
}

TEST_CASE("A partition whose jobs have their nodes to themselves, among others, is named", "[slurm][part]") {
  const ImportedPart part = imported(
      "SelectType=select/cons_tres\nNodeName=n[1-2] Gres=gpu:8\nPartitionName=p Nodes=ALL\n"
      "PartitionName=x Nodes=ALL OverSubscribe=EXCLUSIVE\n");
  CHECK_THAT(part.left_out, Contains("\"share\": true, as jobs may share a node") &&
                                Contains("partition x: OverSubscribe=EXCLUSIVE, as others share its nodes") &&
                                !Contains("partition p: OverSubscribe"));
}

TEST_CASE("Settings are written where they are not Slurm's own", "[slurm][part]") {
  const std::string nodes = "NodeName=n[1-2] Gres=gpu:8\nPartitionName=p Nodes=ALL\nEpilog=/x\n";
  CHECK(imported(nodes).slurm.size() == 2);
  const ImportedPart part =
      imported(nodes +
               "SchedulerParameters=bf_interval=60,bf_window=2880,bf_continue,bf_node_space_size=9\n"
               "PriorityWeightAge=1000 PriorityWeightFairshare=5 PriorityMaxAge=14-0 PriorityFavorSmall=YES\n"
               "PreemptType=preempt/partition_prio PreemptMode=CANCEL\nAuthInfo=cred_expire=20\n");
  CHECK(part.slurm["scheduler"] == Json::parse(R"({"bf_interval": "1min", "bf_window": "2d"})"));
  CHECK(part.slurm["priority"] ==
        Json::parse(R"({"weight_age": 1000, "max_age": "14d", "favor_small": true})"));
  CHECK(part.slurm["preemption"] == Json::parse(R"({"type": "partition_prio", "mode": "cancel"})"));
  CHECK(part.slurm["requeue_delay"] == "21s");
  CHECK_THAT(part.left_out, Contains("bf_node_space_size: ") && Contains("PriorityWeightFairshare: "));
}

TEST_CASE("Values that a scenario may not have are written as the nearest, with a line", "[slurm][part]") {
  const ImportedPart part = imported(
      "NodeName=n[1-2] State=CLOUD Gres=gpu:h200:8\nPartitionName=p Nodes=ALL PowerDownOnIdle=YES\n"
      "PriorityMaxAge=0\nSuspendTime=1\nResumeTimeout=0\nSuspendTimeout=0\n"
      "PreemptType=preempt/partition_prio\nPreemptMode=CANCEL\n"
      "SchedulerParameters=preempt_reorder_count=2147483647\n");
  CHECK(part.slurm["priority"]["max_age"] == "1s");
  CHECK(part.slurm["node_sets"][0]["resume_timeout"] == "1s");
  CHECK(part.slurm["node_sets"][0]["suspend_timeout"] == "0s");
  CHECK(part.slurm["preemption"]["reorder_count"] == 1'000);
  CHECK_THAT(part.left_out, Contains("max_age: less than 1s is written as that\n") &&
                                Contains("resume_timeout: less than 1s is written as that\n") &&
                                Contains("reorder_count: more than 1000 is written as that\n"));
}

#include "models/scenario/buying/slurm_cluster.h"

#include <algorithm>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "models/orchestrators/slurm/configuration.h"
#include "models/scenario/buying/some_jobs.h"
#include "models/scenario/format/fill.h"
#include "models/scenario/format/known_names.h"
#include "models/scenario/workload/workload.h"

namespace stockout {
namespace {

using NodeNames = std::vector<std::string>;

// Cluster Toolkit's, in its blueprints for A3 Ultra and A4.
constexpr SimDuration kResumeTimeoutOfLargest = std::chrono::minutes{20};

/// Reads what an administrator has set up, object by object.
class SlurmReader {
 public:
  SlurmReader(const Draft& draft, const Node& node)
      : draft_{draft},
        node_{node},
        sets_{distinct_names(node.list("node_sets"), "node set")},
        qos_{distinct_names(node.list("qos"), "QOS")},
        accounts_{distinct_names(node.list("accounts"), "account")} {
    static_cast<void>(distinct_names(node.list("partitions"), "partition"));
  }

  SlurmCluster read() {
    for (const Node& node : node_.list("node_sets")) read_node_set(node);
    for (const Node& node : node_.list("partitions")) read_partition(node);
    for (const Node& node : node_.list("qos")) read_qos(node);
    for (const Node& node : node_.list("accounts")) read_account(node);
    for (const Node& node : node_.list("jobs")) read_options(node);
    read_settings();
    fill(cluster_, node_);
    return std::move(cluster_);
  }

 private:
  void read_node_set(const Node& node);
  void read_held_set(const Node& node, slurm::Partition& set);
  void read_power_saving(const Node& node, const HeldPool& held, slurm::Partition& set);
  void add_nodes(slurm::Partition& set, const std::string& name, std::int64_t count, std::int64_t gpus,
                 bool is_elastic);
  static void take_part(const Node& node, slurm::Partition& partition);
  void read_partition(const Node& node);
  void read_qos(const Node& node);
  void read_account(const Node& node);
  void read_options(const Node& node);
  void read_settings();

  [[nodiscard]] bool is_of_nodes(PoolId id) const {
    return draft_.held_models[index(id) - draft_.scenario.world.pools.size()] == HeldModel::slurm_nodes;
  }

  const Draft& draft_;
  Node node_;
  NodeNames sets_;
  NodeNames qos_;
  NodeNames accounts_;
  std::set<std::string> reservations_ = {};   // whose machines are nodes
  std::vector<slurm::Partition> kinds_ = {};  // what partitions of each node set have in common
  SlurmCluster cluster_ = {};
};

void SlurmReader::add_nodes(slurm::Partition& set, const std::string& name, std::int64_t count,
                            std::int64_t gpus, bool is_elastic) {
  std::vector<slurm::Node>& nodes = cluster_.configuration.nodes;
  for (std::int64_t i = 0; i < count; ++i) {
    set.nodes.push_back(static_cast<slurm::NodeIndex>(nodes.size()));
    nodes.push_back({.name = fmt::format("{}-{}", name, i),
                     .cpus = static_cast<int>(gpus),
                     .gpus = static_cast<int>(gpus),
                     .cloud = is_elastic});
  }
}

void SlurmReader::read_node_set(const Node& node) {
  slurm::Partition& set = kinds_.emplace_back();
  if (node.has("reservation")) return read_held_set(node, set);
  const MachineId machine = find_machine(draft_, node.at("machine"), node.text("machine"));
  add_nodes(set, node.text("name"), node.integer("nodes"), draft_.catalog.machine(machine).gpus.count(),
            /*is_elastic=*/true);
  set.exclusive = set.power_down_on_idle = true;
  fill(set.power.emplace(), node);
}

// Its machines have to be there all the time, unless Slurm itself switches them on and off: it is not told of
// others that are not.
void SlurmReader::read_held_set(const Node& node, slurm::Partition& set) {
  const Node name = node.at("reservation");
  const PoolId id = draft_.find_reservation(name);
  const World& world = draft_.scenario.world;
  const HeldPool& held = world.held_pool(id);
  const auto refuse = [&](const char* why) {
    name.fail(fmt::format("\"{}\" {}: nodes of Slurm's have to be there all the time", held.pool.name, why));
  };
  const bool is_of_slurm = is_of_nodes(id);
  if (held.machines == MachineCount{}) refuse("has no machines");
  if (held.booking || (held.scaling && !is_of_slurm)) refuse("is no plain reservation");
  if (held.from > world.begin) refuse("begins after the run");
  if (held.until != kNever) refuse("has an end");
  if (!held.pool.faults.empty()) refuse("has machines that break (\"faults\")");
  if (!reservations_.insert(name.as_text()).second) name.fail("another node set has its machines already");
  add_nodes(set, name.as_text(), held.machines.count(), held.machine_gpus().count(), is_of_slurm);
  set.exclusive = !held.share;
  if (is_of_slurm) return read_power_saving(node, held, set);
  for (const char* key : {"resume_timeout", "suspend_timeout"}) {
    if (node.has(key)) node.at(key).fail("has no effect: nodes of a reservation are always on");
  }
}

// Slurm and the pool each count how long nodes are idle.
void SlurmReader::read_power_saving(const Node& node, const HeldPool& held, slurm::Partition& set) {
  set.power =
      slurm::PowerSave{.suspend_time = held.scaling->idle_after, .resume_timeout = kResumeTimeoutOfLargest};
  fill(*set.power, node);
}

// Nodes of the set in a row.
void SlurmReader::take_part(const Node& node, slurm::Partition& partition) {
  const auto all = static_cast<std::int64_t>(partition.nodes.size());
  const std::int64_t first = node.integer("first_node");
  const auto refuse = [&](const char* key) {
    node.at(key).fail(fmt::format("goes beyond the {} nodes of \"{}\"", all, node.text("node_set")));
  };
  if (first > all) refuse("first_node");
  const std::int64_t count = node.has("nodes") ? node.integer("nodes") : all - first + 1;
  if (count > all - first + 1) refuse("nodes");
  const auto begin = partition.nodes.begin() + (first - 1);
  partition.nodes = {begin, begin + count};
}

void SlurmReader::read_partition(const Node& node) {
  slurm::Partition partition = kinds_[find_name(node.at("node_set"), "node set", sets_)];
  take_part(node, partition);
  fill(partition, node);
  if (partition.default_time != kForever && partition.default_time > partition.max_time)
    node.at("default_time").fail("is more than \"max_time\"");
  cluster_.configuration.partitions.push_back(std::move(partition));
}

void SlurmReader::read_qos(const Node& node) {
  slurm::Qos qos;
  fill(qos, node);
  for (const Node& other : node.list("preempts"))
    qos.preempts.push_back(static_cast<slurm::QosIndex>(find_name(other, "QOS", qos_)));
  cluster_.configuration.qos.push_back(std::move(qos));
}

void SlurmReader::read_account(const Node& node) {
  auto& all = cluster_.configuration.associations;
  slurm::Association account;
  fill(account, node);
  if (node.has("parent")) {
    const std::size_t parent = find_name(node.at("parent"), "account", accounts_);
    if (parent >= all.size()) node.at("parent").fail("stands below this account in the list");
    account.parent = static_cast<std::uint32_t>(parent);
  }
  all.push_back(std::move(account));
}

// Each of the users is a leaf below the account.
void SlurmReader::read_options(const Node& node) {
  SlurmOptions options{.jobs = read_some_jobs(draft_, node)};
  fill(options, node);
  if (node.has("qos")) options.qos = static_cast<slurm::QosIndex>(find_name(node.at("qos"), "QOS", qos_));
  if (node.has("account")) {
    const auto account = static_cast<std::uint32_t>(find_name(node.at("account"), "account", accounts_));
    auto& all = cluster_.configuration.associations;
    for (const std::string& user : draft_.users.names()) {
      const auto is_it = [&](const slurm::Association& each) {
        return each.is_user && each.parent == account && each.name == user;
      };
      const auto known = std::ranges::find_if(all, is_it);
      options.associations.push_back(static_cast<std::uint32_t>(known - all.begin()));
      if (known == all.end()) all.push_back({.name = user, .parent = account, .is_user = true});
    }
  }
  cluster_.options.push_back(std::move(options));
}

void SlurmReader::read_settings() {
  slurm::Settings& settings = cluster_.configuration.settings;
  fill(settings, node_);
  if (node_.has("scheduler")) {
    const Node node = node_.at("scheduler");
    fill(settings, node);
    fill(settings.main, node);
    fill(settings.backfill, node);
  }
  if (node_.has("priority")) {
    fill(settings.priority, node_.at("priority"));
    fill(settings.priority.weights, node_.at("priority"));
    if (settings.priority.weights.fair_share > 0 && accounts_.empty())
      node_.at("priority").at("weight_fair_share").fail("has no effect: there are no \"accounts\"");
  }
  if (!node_.has("preemption")) return;
  const Node node = node_.at("preemption");
  fill(settings.preemption, node);
  settings.preemption.type =
      node.text("type") == "qos" ? slurm::PreemptType::qos : slurm::PreemptType::partition_priority;
}

}  // namespace

void build_slurm(Draft& draft) {
  if (!draft.root.has("slurm")) return;
  draft.world().slurm = SlurmReader{draft, draft.root.at("slurm")}.read();
  draft.assume(
      "Slurm: scheduling takes no time; a job's nodes are all as large as its first, and one that loses its "
      "machines is requeued");
}

}  // namespace stockout

#include "tools/slurm_replay/scenario_part.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/core/duration_text.h"
#include "sim/core/error.h"
#include "sim/core/unknown_name.h"
#include "sim/io/line_reader.h"
#include "tools/slurm_replay/node_sets.h"
#include "tools/slurm_replay/settings_part.h"

namespace stockout::slurm {
namespace {

std::string in_words(const Node& node, const std::string& gpu_type) {
  if (node.gpus == 0) return fmt::format("{} CPUs", node.cpus);
  return fmt::format("{} GPUs{}", node.gpus,
                     gpu_type.empty() ? "" : fmt::format(" of type {}", in_quotes(gpu_type)));
}

/// Turns nodes and partitions into a scenario's, and says what is lost.
class PartWriter {
 public:
  PartWriter(const ClusterFile& cluster, const Catalog& catalog, const GivenMachines& given)
      : cluster_{cluster},
        catalog_{catalog},
        given_{given},
        nodes_{group_nodes(cluster)},
        partitions_of_(nodes_.sets.size()) {
    for (std::size_t i = 0; i < nodes_.of_partition.size(); ++i) {
      if (const auto& place = nodes_.of_partition[i]) partitions_of_[place->set].push_back(i);
    }
  }

  SlurmPart write() {
    check();
    PartJson slurm = PartJson::object();
    for (std::size_t set = 0; set < nodes_.sets.size(); ++set) slurm["node_sets"].push_back(node_set(set));
    const auto& partitions = cluster_.configuration.partitions;
    for (std::size_t i = 0; i < partitions.size(); ++i) {
      if (const auto place = nodes_.of_partition[i])
        slurm["partitions"].push_back(partition_part(partitions[i], *place));
    }
    put_settings(cluster_.configuration.settings, slurm, left_out_);
    left_out_.emplace_back("who may use a partition: name it as \"partition\" of legs, with \"classes\"");
    PartJson part = PartJson::object();
    part["slurm"] = std::move(slurm);
    return {.json = part.dump(2, ' ', false, PartJson::error_handler_t::replace) + '\n',
            .left_out = std::move(left_out_)};
  }

 private:
  void check() {
    for (const auto& [name, machine] : given_) {
      std::vector<std::string> known;
      for (const KindOfNodes& set : nodes_.sets) known.push_back(set.name);
      if (std::ranges::find(known, name) == known.end())
        throw InputError{{.file = "command line", .pointer = "--machine"},
                         fmt::format("there is no node set \"{}\"{}", name, suggest(name, known))};
    }
    left_out_ = nodes_.left_out;
    if (nodes_.sets.empty())
      throw InputError{cluster_.node_lines.front().where,
                       fmt::format("a scenario can have none of the partitions ({}): nothing is written",
                                   fmt::join(left_out_, "; "))};
  }

  // The rules of its partitions; a node in several takes the largest value.
  [[nodiscard]] PowerSave power_of(std::size_t set) const {
    const Configuration& all = cluster_.configuration;
    PowerSave power{.suspend_time = {}, .suspend_timeout = {}, .resume_timeout = {}};
    for (const std::size_t i : partitions_of_[set]) {
      const PowerSave own = all.partitions[i].power.value_or(all.settings.power);
      power.suspend_time = std::max(power.suspend_time, own.suspend_time);
      power.suspend_timeout = std::max(power.suspend_timeout, own.suspend_timeout);
      power.resume_timeout = std::max(power.resume_timeout, own.resume_timeout);
    }
    return power;
  }

  [[nodiscard]] bool is_exclusive(std::size_t set) const {
    return std::ranges::all_of(partitions_of_[set],
                               [&](std::size_t i) { return cluster_.configuration.partitions[i].exclusive; });
  }

  // In a scenario nodes are shared, or not, by all partitions that have them.
  void tell_exclusive(std::size_t set) {
    if (is_exclusive(set)) return;
    for (const std::size_t i : partitions_of_[set]) {
      const Partition& partition = cluster_.configuration.partitions[i];
      if (partition.exclusive)
        left_out_.push_back(fmt::format(
            "partition {}: OverSubscribe=EXCLUSIVE, as others share its nodes; here its jobs may share them too",
            partition.name));
    }
  }

  [[noreturn]] void fail_machine(const KindOfNodes& set) const {
    const Node& node = cluster_.configuration.nodes[set.front()];
    const NodeLine& line = cluster_.node_lines[set.front()];
    const std::vector<std::string> like = machines_like(set, cluster_, catalog_);
    const std::vector<std::string> others = machines_with_as_many(set, cluster_, catalog_);
    std::string answer = fmt::format("they may be {}", fmt::join(like, ", "));
    if (like.empty()) answer = "no machine type of the catalogue has";
    if (like.empty() && !others.empty())
      answer += fmt::format(" such GPUs; as many have {}", fmt::join(others, ", "));
    throw InputError{line.where,
                     fmt::format("nodes \"{}\" have {} and {} CPUs: {}; say --machine {}=TYPE", set.name,
                                 in_words(node, line.gpu_type), node.cpus, answer, set.name)};
  }

  PartJson node_set(std::size_t number) {
    const KindOfNodes& set = nodes_.sets[number];
    const Node& node = cluster_.configuration.nodes[set.front()];
    const std::string machine = machine_of(set, cluster_, catalog_, given_);
    tell_weights(set);
    tell_exclusive(number);
    if (node.cloud && machine.empty()) fail_machine(set);
    const std::string doubt = doubt_of_gpu(set, cluster_, catalog_);
    if (!machine.empty() && !given_.contains(set.name) && !doubt.empty())
      left_out_.push_back(fmt::format("node set {}: {}", set.name, doubt));
    PartJson json{{"name", set.name}};
    if (node.cloud && !goes_with_job(number)) return staying_on(number, machine, std::move(json));
    if (!node.cloud) {
      json["reservation"] = set.name;
      left_out_.push_back(
          fmt::format("node set {}: its machines; it needs a reservation \"{}\" of {} x {}{}", set.name,
                      set.name, set.nodes.size(),
                      machine.empty() ? in_words(node, cluster_.node_lines[set.front()].gpu_type) : machine,
                      sharing(number)));
      return json;
    }
    json["machine"] = machine;
    json["nodes"] = set.nodes.size();
    put_power(power_of(number), std::chrono::minutes{5}, json);
    if (!is_exclusive(number))
      left_out_.push_back(fmt::format("node set {}: in a scenario a job has its nodes to itself", set.name));
    return json;
  }

  // Nodes that stay on, and paid, for SuspendTime after their last job.
  PartJson staying_on(std::size_t number, const std::string& machine, PartJson json) {
    const KindOfNodes& set = nodes_.sets[number];
    const PowerSave power = power_of(number);
    json["reservation"] = set.name;
    put_power(power, std::chrono::minutes{20}, json);
    left_out_.push_back(fmt::format(
        "node set {}: its machines; it needs a reservation \"{}\" of {} x {} with \"model\": \"slurm_nodes\" "
        "and \"idle_after\": \"{}\"{}",
        set.name, set.name, set.nodes.size(), machine, format_duration(power.suspend_time), sharing(number)));
    return json;
  }

  [[nodiscard]] const char* sharing(std::size_t set) const {
    return is_exclusive(set) ? "" : ", and \"share\": true, as jobs may share a node";
  }

  // Whether its nodes power down as soon as a job leaves.
  [[nodiscard]] bool goes_with_job(std::size_t set) const {
    return std::ranges::any_of(partitions_of_[set], [&](std::size_t i) {
      return cluster_.configuration.partitions[i].power_down_on_idle;
    });
  }

  // `by_default`: the ResumeTimeout that a scenario takes.
  void put_power(const PowerSave& power, SimDuration by_default, PartJson& json) {
    ScenarioValues values{json, left_out_};
    values.put_length("resume_timeout", power.resume_timeout, by_default, std::chrono::seconds{1});
    values.put_length("suspend_timeout", power.suspend_timeout, std::chrono::minutes{2});
  }

  void tell_weights(const KindOfNodes& set) {
    const auto& all = cluster_.configuration.nodes;
    if (std::ranges::any_of(set.nodes,
                            [&](NodeIndex node) { return all[node].weight != all[set.front()].weight; }))
      left_out_.push_back(fmt::format("node set {}: the weights of its nodes", set.name));
  }

  PartJson partition_part(const Partition& partition, const PlaceInSet& place) {
    const KindOfNodes& set = nodes_.sets[place.set];
    PartJson json{{"name", partition.name}, {"node_set", set.name}};
    ScenarioValues values{json, left_out_};
    values.put_number("first_node", static_cast<std::int64_t>(place.first) + 1, 1);
    values.put_number("nodes", static_cast<std::int64_t>(partition.nodes.size()),
                      static_cast<std::int64_t>(set.nodes.size()));
    values.put_length("max_time", partition.max_time, kForever);
    if (partition.default_time < partition.max_time)
      values.put_length("default_time", partition.default_time, kForever);
    if (partition.max_nodes == 0)
      left_out_.push_back(fmt::format("partition {}: MaxNodes=0; leave it out of the legs", partition.name));
    else if (partition.max_nodes)
      values.put_number("max_nodes", std::min<std::int64_t>(*partition.max_nodes, 100'000), 0);
    values.put_number("priority_tier", partition.priority_tier, 1);
    values.put_number("priority_job_factor", std::max(partition.priority_job_factor, 1), 1);
    const bool is_of_partitions =
        cluster_.configuration.settings.preemption.type == PreemptType::partition_priority;
    if (partition.preempt_mode && is_of_partitions) json["preempt_mode"] = word_of(*partition.preempt_mode);
    return json;
  }

  const ClusterFile& cluster_;
  const Catalog& catalog_;
  const GivenMachines& given_;
  NodeSets nodes_;
  std::vector<std::vector<std::size_t>> partitions_of_;  // by set
  LeftOut left_out_ = {};
};

}  // namespace

SlurmPart scenario_part(const ClusterFile& cluster, const Catalog& catalog, const GivenMachines& given) {
  return PartWriter{cluster, catalog, given}.write();
}

}  // namespace stockout::slurm

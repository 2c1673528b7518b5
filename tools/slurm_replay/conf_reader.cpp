#include "tools/slurm_replay/conf_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "sim/io/line_reader.h"
#include "tools/slurm_replay/conf_line.h"
#include "tools/slurm_replay/host_list.h"
#include "tools/slurm_replay/scheduler_keys.h"

namespace stockout::slurm {
namespace {

constexpr std::size_t kMostNodes = 100'000;
constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();

// Keys that say how daemons work, or what users see: they change nothing of what is modelled.
constexpr std::array<std::string_view, 52> kOfNoConsequence{"AccountingStorageType",
                                                            "AccountingStorageHost",
                                                            "AuthType",
                                                            "AuthAltTypes",
                                                            "AuthAltParameters",
                                                            "CacheGroups",
                                                            "ClusterName",
                                                            "CommunicationParameters",
                                                            "ControlMachine",
                                                            "CredType",
                                                            "DebugFlags",

                                                            "GresTypes",
                                                            "JobAcctGatherFrequency",
                                                            "JobAcctGatherType",
                                                            "JobCompLoc",
                                                            "JobCompType",
                                                            "LaunchParameters",
                                                            "MailProg",
                                                            "MaxArraySize",
                                                            "MaxJobCount",
                                                            "MessageTimeout",
                                                            "MinJobAge",
                                                            "MpiDefault",
                                                            "PluginDir",
                                                            "PrivateData",
                                                            "ProctrackType",
                                                            "Prolog",
                                                            "PrologFlags",
                                                            "PropagateResourceLimits",
                                                            "ReturnToService",
                                                            "SchedulerType",
                                                            "SelectType",
                                                            "SlurmctldDebug",
                                                            "SlurmctldHost",
                                                            "SlurmctldLogFile",
                                                            "SlurmctldParameters",
                                                            "SlurmctldPidFile",
                                                            "SlurmctldPort",
                                                            "SlurmctldTimeout",
                                                            "SlurmdDebug",
                                                            "SlurmdLogFile",
                                                            "SlurmdParameters",
                                                            "SlurmdPidFile",
                                                            "SlurmdPort",
                                                            "SlurmdSpoolDir",
                                                            "SlurmdTimeout",
                                                            "SlurmdUser",
                                                            "SlurmSchedLogFile",
                                                            "SlurmSchedLogLevel",
                                                            "SlurmUser",
                                                            "StateSaveLocation",
                                                            "TaskPlugin"};
constexpr std::array<std::string_view, 12> kOfNodes{
    "NodeHostname",   "NodeAddr",       "Port",    "RealMemory", "Sockets",         "Boards",
    "CoresPerSocket", "ThreadsPerCore", "TmpDisk", "Reason",     "SocketsPerBoard", "BcastAddr"};

bool is_one_of(std::string_view word, std::span<const std::string_view> words) {
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view each) { return is_same_word(word, each); });
}

class ClusterReader {
 public:
  explicit ClusterReader(const std::string& file) : file_{file} {
    result_.configuration.settings.main.cycle_at_end = false;  // unless there is an Epilog
  }

  ClusterFile read(const std::string& gres_conf) {
    for (const ConfLine& line : read_conf_lines(file_)) read_line(line);
    finish_defaults();
    if (!gres_conf.empty()) {
      for (const ConfLine& line : read_conf_lines(gres_conf)) read_gres_line(line);
    }
    for (const ConfLine& line : partition_lines_) read_partition(line);
    check();
    return std::move(result_);
  }

 private:
  void read_line(const ConfLine& line) {
    const ConfField& first = line.front();
    if (first.is("NodeName")) return read_nodes(line);
    if (first.is("PartitionName")) return partition_lines_.push_back(line);
    for (const ConfField& field : line) {
      if (!read_global(field) && !is_one_of(field.key, kOfNoConsequence)) skip(field);
    }
  }

  bool read_global(const ConfField& field) {
    Settings& settings = result_.configuration.settings;
    if (field.is("Include")) field.fail("left out: include the text of the other file instead");
    return read_scheduler_key(field, settings, result_.not_modelled);
  }

  void skip(const ConfField& field) {
    result_.not_modelled.push_back(fmt::format("{}:{}: {}", field.where.file, field.where.line, field.key));
  }

  void read_nodes(const ConfLine& line) {
    Node node = node_defaults_;
    NodeLine from{.where = line.front().where, .gpu_type = gpu_type_default_};
    int sockets = 0;
    int cores = 1;
    int threads = 1;
    bool has_cpus = false;
    for (const ConfField& field : line) {
      if (field.is("NodeName")) continue;
      if (field.is("CPUs")) {
        node.cpus = static_cast<int>(field.whole_number(1, kMost));
        has_cpus = true;
      } else if (field.is("Gres")) {
        node.gpus = gpus_in(field, from.gpu_type);
      } else if (field.is("Weight")) {
        node.weight = field.whole_number(1, kMost);
      } else if (field.is("State")) {
        node.cloud = is_same_word(field.value, "CLOUD");
      } else if (field.is("Sockets")) {
        sockets = static_cast<int>(field.whole_number(1, 1024));
      } else if (field.is("CoresPerSocket")) {
        cores = static_cast<int>(field.whole_number(1, 1024));
      } else if (field.is("ThreadsPerCore")) {
        threads = static_cast<int>(field.whole_number(1, 64));
      } else if (!is_one_of(field.key, kOfNodes)) {
        skip(field);
      }
    }
    if (!has_cpus && sockets > 0) node.cpus = sockets * cores * threads;
    add_nodes(line.front(), node, from);
  }

  void add_nodes(const ConfField& names, const Node& node, const NodeLine& from) {
    if (is_same_word(names.value, "DEFAULT")) {
      node_defaults_ = node;
      gpu_type_default_ = from.gpu_type;
      return;
    }
    const std::size_t room = kMostNodes - result_.configuration.nodes.size();
    for (std::string& name : read_host_list(names.value, room, names.where)) {
      const auto number = static_cast<NodeIndex>(result_.configuration.nodes.size());
      if (!numbers_.emplace(name, number).second) {
        throw InputError{names.where, fmt::format("there is already a node {}", in_quotes(name))};
      }
      result_.configuration.nodes.push_back(node);
      result_.configuration.nodes.back().name = std::move(name);
      result_.node_lines.push_back(from);
    }
  }

  // "gpu:4", "gpu:a100:4", "gpu:a100:2,gpu:h100:2"
  [[nodiscard]] int gpus_in(const ConfField& field, std::string& type) {
    std::int64_t sum = 0;
    type.clear();
    for (const std::string& item : split_words(field.value, ',')) {
      const std::vector<std::string> words = split_words(item.substr(0, item.find('(')), ':');
      if (words.empty() || !is_same_word(words.front(), "gpu")) {
        skip(field);
        continue;
      }
      ConfField count = field;
      count.value = words.size() == 1 ? "1" : words.back();
      sum += count.whole_number(0, 1024);
      if (words.size() == 3) type = words[1];
    }
    return static_cast<int>(sum);
  }

  // A node's Gres in slurm.conf is what jobs may have; gres.conf must not have less.
  void read_gres_line(const ConfLine& line) {
    const auto find = [&](std::string_view key) {
      return std::find_if(line.begin(), line.end(), [&](const ConfField& field) { return field.is(key); });
    };
    const auto name = find("Name");
    const auto count = find("Count");
    const auto nodes = find("NodeName");
    const auto type = find("Type");
    if (name == line.end() || !is_same_word(name->value, "gpu") || nodes == line.end()) return;
    constexpr std::int64_t kMostGpus = 1024;  // of a node
    const std::int64_t has = count == line.end() ? kMostGpus : count->whole_number(0, kMostGpus);
    for (const std::string& each : read_host_list(nodes->value, kMostNodes, nodes->where)) {
      const NodeIndex number = number_of(each, *nodes);
      const Node& node = result_.configuration.nodes[number];
      if (type != line.end()) {
        result_.node_lines[number].gpu_type = type->value;
      } else if (node.gpus > has) {
        count->fail(
            fmt::format("at least {}, the GPUs that slurm.conf gives {}", node.gpus, in_quotes(each)));
      }
    }
  }

  [[nodiscard]] NodeIndex number_of(const std::string& name, const ConfField& field) const {
    const auto found = numbers_.find(name);
    if (found == numbers_.end()) {
      throw InputError{field.where, fmt::format("there is no node {}", in_quotes(name))};
    }
    return found->second;
  }

  void read_partition(const ConfLine& line) {
    Partition partition = partition_defaults_;
    for (const ConfField& field : line) read_partition_field(field, partition);
    if (is_same_word(partition.name, "DEFAULT")) {
      partition_defaults_ = std::move(partition);
      return;
    }
    auto& names = result_.partition_names;
    if (std::find(names.begin(), names.end(), partition.name) != names.end()) {
      throw InputError{line.front().where, "there is already a partition of that name"};
    }
    names.push_back(partition.name);
    result_.configuration.partitions.push_back(std::move(partition));
  }

  void read_partition_field(const ConfField& field, Partition& partition) {
    if (field.is("PartitionName")) {
      partition.name = field.value;
    } else if (field.is("Nodes")) {
      partition.nodes = nodes_in(field);
    } else if (field.is("Default") && field.yes()) {
      default_first_ = result_.partition_names.size();
    } else if (field.is("OverSubscribe") || field.is("Shared")) {
      partition.exclusive = is_same_word(field.value, "EXCLUSIVE");
      if (!partition.exclusive && !is_same_word(field.value, "NO")) skip(field);
    } else if (!read_partition_key(field, partition, result_.configuration.settings) &&
               !field.is("Default") && !field.is("State")) {
      skip(field);
    }
  }

  [[nodiscard]] std::vector<NodeIndex> nodes_in(const ConfField& field) const {
    std::vector<NodeIndex> nodes;
    if (is_same_word(field.value, "ALL")) {
      for (NodeIndex i = 0; i < result_.configuration.nodes.size(); ++i) nodes.push_back(i);
      return nodes;
    }
    for (const std::string& name : read_host_list(field.value, kMostNodes, field.where)) {
      nodes.push_back(number_of(name, field));
    }
    std::sort(nodes.begin(), nodes.end());
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    return nodes;
  }

  void finish_defaults() {
    if (result_.configuration.nodes.empty())
      throw InputError{{.file = file_}, "names no node (NodeName=...)"};
  }

  // The default partition becomes the first: that is where jobs without one go.
  void check() {
    auto& partitions = result_.configuration.partitions;
    if (partitions.empty()) throw InputError{{.file = file_}, "names no partition (PartitionName=...)"};
    if (default_first_ >= partitions.size()) return;
    const auto shift = [&](auto& list) {
      const auto at = list.begin() + static_cast<std::ptrdiff_t>(default_first_);
      std::rotate(list.begin(), at, at + 1);
    };
    shift(partitions);
    shift(result_.partition_names);
  }

  const std::string& file_;
  ClusterFile result_;
  Node node_defaults_;
  std::string gpu_type_default_;
  Partition partition_defaults_;
  std::map<std::string, NodeIndex, std::less<>> numbers_;
  std::vector<ConfLine> partition_lines_;
  std::size_t default_first_ = 0;
};

}  // namespace

ClusterFile read_cluster_file(const std::string& slurm_conf, const std::string& gres_conf) {
  return ClusterReader{slurm_conf}.read(gres_conf);
}

}  // namespace stockout::slurm

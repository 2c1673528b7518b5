#include "tools/slurm_replay/conf_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "tools/slurm_replay/conf_file.h"
#include "tools/slurm_replay/conf_line.h"
#include "tools/slurm_replay/gres_reader.h"
#include "tools/slurm_replay/node_reader.h"
#include "tools/slurm_replay/scheduler_keys.h"

namespace stockout::slurm {
namespace {

// Keys that say how daemons work, or what users see: they change nothing of what is modelled.
constexpr std::array<std::string_view, 56> kOfNoConsequence{"AccountingStorageType",
                                                            "AccountingStoragePass",
                                                            "AccountingStoragePort",
                                                            "ResumeProgram",
                                                            "SuspendProgram",
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
// Keys that Slurm reads from each line that has them.
constexpr std::array<std::string_view, 5> kOfSeveralLines{"slurmctldhost", "prolog", "epilog",
                                                          "prologslurmctld", "epilogslurmctld"};

bool is_one_of(std::string_view word, std::span<const std::string_view> words) {
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view each) { return is_same_word(word, each); });
}

// A partition, and that which the model has not of it.
struct PartitionLine {
  Partition partition;
  std::optional<ConfField> state = std::nullopt;
  bool is_default = false;

  [[nodiscard]] bool is_closed() const {
    if (!state || begins_with_word(state->value, "UP")) return false;
    for (const std::string_view closed : {"DOWN", "DRAIN", "INACTIVE"}) {
      if (begins_with_word(state->value, closed)) return true;
    }
    state->fail("UP, DOWN, DRAIN or INACTIVE");
  }
};

class ClusterReader {
 public:
  explicit ClusterReader(const std::string& file) : file_{file} {
    result_.configuration.settings.main.cycle_at_end = false;  // unless there is an Epilog
    result_.configuration.settings.main.starts_at_looks = true;
    result_.configuration.settings.priority.charges_at_end = false;  // unless limits are enforced
  }

  ClusterFile read(const std::string& gres_conf) {
    for (const ConfLine& line : read_conf_lines(file_, result_.files)) read_line(line);
    nodes_.check(file_);
    nodes_.resolve_sets();
    read_globals();
    check_preemption();
    if (!gres_conf.empty()) read_gres_conf(gres_conf, nodes_, result_);
    for (const ConfLine& line : partition_lines_) read_partition(line);
    if (always_on_parts_) keep_on(nodes_of_partitions(*always_on_parts_));
    check();
    return std::move(result_);
  }

 private:
  void read_line(const ConfLine& line) {
    const ConfField& first = line.front();
    if (first.is("NodeName")) return nodes_.read(line);
    if (first.is("NodeSet")) return nodes_.read_set(line);
    if (first.is("PartitionName")) return partition_lines_.push_back(line);
    if (first.is("DownNodes")) return skip(first);
    globals_.insert(globals_.end(), line.begin(), line.end());
  }

  // Of a key that is said twice, the last value counts alone.
  void read_globals() {
    std::map<std::string, std::size_t> last;
    for (std::size_t i = 0; i < globals_.size(); ++i) last[in_lower_case(globals_[i].key)] = i;
    for (std::size_t i = 0; i < globals_.size(); ++i) {
      const ConfField& field = globals_[i];
      const std::string key = in_lower_case(field.key);
      const ConfField& latest = globals_[last.at(key)];
      if (last.at(key) == i || is_one_of(key, kOfSeveralLines))
        read_global(field);
      else
        result_.notes.push_back(
            at_line(field.where, fmt::format("{} is said again in {}:{}, and Slurm takes the latest alone",
                                             field.key, latest.where.file, latest.where.line)));
    }
  }

  void read_global(const ConfField& field) {
    if (field.is("Include")) field.fail("written as \"include FILE\", without \"=\"");
    if (field.is("PreemptType")) preempt_type_ = field.where;
    if (field.is("PreemptMode")) preempt_mode_ = field.where;
    if (field.is("SuspendExcNodes") && field.value.find(':') == std::string::npos)
      return keep_on(nodes_.nodes_in(field));
    if (field.is("SuspendExcParts")) {
      always_on_parts_ = field;
      return;
    }
    if (field.is("SelectType")) whole_nodes_ = is_same_word(field.value, "select/linear");
    const bool is_read = read_scheduler_key(field, result_.configuration.settings, result_.not_modelled);
    if (!is_read && !is_one_of(field.key, kOfNoConsequence)) skip(field);
  }

  // Nodes that are never powered down: Cluster Toolkit's static ones, for which it powers them up at first.
  void keep_on(const std::vector<NodeIndex>& nodes) {
    for (const NodeIndex node : nodes) result_.configuration.nodes[node].cloud = false;
  }

  [[nodiscard]] std::vector<NodeIndex> nodes_of_partitions(const ConfField& list) const {
    std::vector<NodeIndex> nodes;
    for (const std::string& name : split_words(list.value, ',')) {
      const auto found = partitions_.find(name);
      if (found == partitions_.end()) list.fail("names of partitions");
      nodes.insert(nodes.end(), found->second.begin(), found->second.end());
    }
    return nodes;
  }

  // slurmctld does not start with the one and without the other.
  void check_preemption() const {
    const PreemptionParameters& own = result_.configuration.settings.preemption;
    if (own.type != PreemptType::none && own.mode == PreemptMode::off)
      throw InputError{preempt_mode_.value_or(*preempt_type_),
                       "with this PreemptType, PreemptMode must be REQUEUE or CANCEL: Slurm does not start"};
    if (own.type == PreemptType::none && own.mode != PreemptMode::off)
      throw InputError{*preempt_mode_,
                       "needs PreemptType=preempt/partition_prio or preempt/qos: Slurm does not start"};
  }

  void skip(const ConfField& field) { result_.not_modelled.push_back(at_line(field.where, field.key)); }

  void read_partition(const ConfLine& line) {
    PartitionLine own = partition_defaults_;
    for (const ConfField& field : line) read_partition_field(field, own);
    if (is_same_word(own.partition.name, "DEFAULT")) {
      partition_defaults_ = std::move(own);
      return;
    }
    if (!partitions_.emplace(own.partition.name, own.partition.nodes).second)
      throw InputError{line.front().where, "there is already a partition of that name"};
    if (own.is_default) default_ = own.partition.name;
    if (own.is_closed()) return close(line.front().where, own);
    result_.partition_names.push_back(own.partition.name);
    result_.configuration.partitions.push_back(std::move(own.partition));
  }

  void close(const SourceRef& where, const PartitionLine& line) {
    result_.notes.push_back(at_line(where, fmt::format("partition {} is left out: State={} starts no job",
                                                       line.partition.name, line.state->value)));
    result_.closed_partitions.push_back({.name = line.partition.name, .state = line.state->value});
  }

  void read_partition_field(const ConfField& field, PartitionLine& line) {
    Partition& partition = line.partition;
    if (field.is("PartitionName")) {
      partition.name = field.value;
    } else if (field.is("Nodes")) {
      partition.nodes = nodes_.nodes_in(field);
    } else if (field.is("Default")) {
      line.is_default = field.yes();
    } else if (field.is("State")) {
      line.state = field;
    } else if (field.is("OverSubscribe") || field.is("Shared")) {
      partition.exclusive = is_same_word(field.value, "EXCLUSIVE");
      if (!partition.exclusive && !is_same_word(field.value, "NO")) skip(field);
    } else if (!read_partition_key(field, partition, result_.configuration.settings)) {
      skip(field);
    }
  }

  void check() {
    auto& partitions = result_.configuration.partitions;
    if (partitions_.empty()) throw InputError{{.file = file_}, "names no partition (PartitionName=...)"};
    if (partitions.empty())
      throw InputError{{.file = file_},
                       "names no partition that starts jobs: all are DOWN, DRAIN or INACTIVE"};
    for (Partition& partition : partitions) partition.exclusive = partition.exclusive || whole_nodes_;
    for (ClosedPartition& closed : result_.closed_partitions) closed.is_default = closed.name == default_;
    put_default_first();
  }

  // That is where jobs without a partition go.
  void put_default_first() {
    const auto& names = result_.partition_names;
    const auto found = std::find(names.begin(), names.end(), default_);
    if (found == names.end()) return;
    const auto place = found - names.begin();
    const auto shift = [&](auto& list) {
      std::rotate(list.begin(), list.begin() + place, list.begin() + place + 1);
    };
    shift(result_.configuration.partitions);
    shift(result_.partition_names);
  }

  const std::string& file_;
  ClusterFile result_;
  NodeReader nodes_{result_};
  std::vector<ConfField> globals_;
  std::optional<SourceRef> preempt_type_;
  std::optional<SourceRef> preempt_mode_;
  bool whole_nodes_ = false;  // SelectType=select/linear
  std::optional<ConfField> always_on_parts_;
  PartitionLine partition_defaults_;
  std::vector<ConfLine> partition_lines_;
  std::map<std::string, std::vector<NodeIndex>> partitions_;  // their nodes; also of those that start no job
  std::string default_;                                       // the last partition with Default=YES
};

}  // namespace

ClusterFile read_cluster_file(const std::string& slurm_conf, const std::string& gres_conf) {
  return ClusterReader{slurm_conf}.read(gres_conf);
}

}  // namespace stockout::slurm

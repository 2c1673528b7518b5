#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "models/orchestrators/slurm/configuration.h"
#include "sim/core/error.h"

namespace stockout::slurm {

/// Types of GPUs that a node has at most.
inline constexpr std::size_t kMostTypes = 16;

/// GPUs of a node that have one type; an empty type is any.
struct GpusOfType {
  std::string type;
  std::int64_t count = 0;
};

/// Facts of a node in the files that the model does not know.
struct NodeLine {
  SourceRef where;                    // NodeName, in slurm.conf
  std::string gpu_type = {};          // as Gres, or gres.conf, names it; "a,b" if they are of two types
  std::vector<GpusOfType> gpus = {};  // as Gres has them
  std::shared_ptr<const std::vector<std::string>> features = {};  // of NodeSet=... Feature=...; none: none
};

/// A partition that starts no job, or takes none: it is none of the configuration's.
struct ClosedPartition {
  std::string name;
  std::string state;        // as State has it
  bool is_default = false;  // jobs that name none would go there
};

/// A cluster as its configuration files describe it.
struct ClusterFile {
  Configuration configuration;
  std::vector<NodeLine> node_lines;  // by node
  std::vector<std::string> partition_names;
  std::vector<ClosedPartition> closed_partitions;
  /// Keys of the files that could change who starts when but are not modelled, with file and line. Keys that
  /// only say how daemons work are left out.
  std::vector<std::string> not_modelled;
  /// All files that were read.
  std::vector<std::string> files;
  /// Values that Slurm takes otherwise than they are written, or leaves out, with file and line.
  std::vector<std::string> notes;
};

/// Reads slurm.conf and the files that it includes, and gres.conf unless its name is empty. Values are those
/// that slurmctld takes from them. Throws InputError that names file, line and key for what is no such file,
/// for values that are none or contradict each other, and for names of nodes that there are not.
[[nodiscard]] ClusterFile read_cluster_file(const std::string& slurm_conf, const std::string& gres_conf);

}  // namespace stockout::slurm

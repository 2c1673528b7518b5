#pragma once

#include <string>
#include <vector>

#include "models/orchestrators/slurm/configuration.h"
#include "sim/core/error.h"

namespace stockout::slurm {

/// What the files say of a node beyond that which the model knows.
struct NodeLine {
  SourceRef where;            // NodeName, in slurm.conf
  std::string gpu_type = {};  // as Gres, or gres.conf, names it; empty: it does not
};

/// A cluster as its configuration files describe it.
struct ClusterFile {
  Configuration configuration;
  std::vector<NodeLine> node_lines;  // by node
  std::vector<std::string> partition_names;
  /// Keys of the files that could change who starts when but are not modelled, with file and line. Keys that
  /// only say how daemons work are left out.
  std::vector<std::string> not_modelled;
};

/// Reads slurm.conf, and gres.conf unless its name is empty. Throws InputError that names file, line and key
/// for what is no such file, for values that are none, and for names of nodes that there are not.
[[nodiscard]] ClusterFile read_cluster_file(const std::string& slurm_conf, const std::string& gres_conf);

}  // namespace stockout::slurm

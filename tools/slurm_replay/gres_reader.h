#pragma once

#include <string>

#include "tools/slurm_replay/conf_reader.h"
#include "tools/slurm_replay/node_reader.h"

namespace stockout::slurm {

/// Reads gres.conf: the devices of nodes, and their types where slurm.conf names none. Lines of one node add
/// up; lines without NodeName are of every node. A node's Gres in slurm.conf is what jobs may have: throws
/// InputError, with the line, for nodes that have fewer devices here, or others.
void read_gres_conf(const std::string& gres_conf, const NodeReader& nodes, ClusterFile& cluster);

}  // namespace stockout::slurm

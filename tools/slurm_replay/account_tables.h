#pragma once

#include <string>

#include "tools/slurm_replay/conf_reader.h"

namespace stockout::slurm {

/// Reads accounts and users into the cluster's configuration: what `sacctmgr -P show assoc
/// format=account,parentname,user,share` prints. Other columns are passed over. Throws InputError with file
/// and line for what is none, for two clusters and for shares that are not modelled.
void read_accounts(const std::string& file, ClusterFile& cluster);

/// Reads qualities of service: what `sacctmgr -P show qos` prints. Columns that limit jobs and are not
/// modelled are listed with those of slurm.conf.
void read_qos(const std::string& file, ClusterFile& cluster);

}  // namespace stockout::slurm

#pragma once

#include <string>
#include <vector>

#include "tools/slurm_replay/conf_line.h"

namespace stockout::slurm {

/// The lines of slurm.conf or gres.conf that say something: comments are taken off, and a line that ends in a
/// backslash goes on in the next. The lines of another file stand in the place of "include FILE", which is
/// sought in the folder of the file that says so; "%c" in its name is ClusterName.
/// Throws InputError for a word that is no "Key=value", for a file that is not there, and for files that
/// include each other. The names of all files that were read go to `files`.
[[nodiscard]] std::vector<ConfLine> read_conf_lines(const std::string& file, std::vector<std::string>& files);

}  // namespace stockout::slurm

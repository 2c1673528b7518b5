#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/core/error.h"

namespace stockout::slurm {

/// The names in a list as Slurm writes it: "n[1-3,07-08],login" is n1, n2, n3, n07, n08, login. A range keeps
/// the leading zeros of its first number. Throws InputError at `where` for what is none, and for more than
/// `most` names.
[[nodiscard]] std::vector<std::string> read_host_list(std::string_view text, std::size_t most,
                                                      const SourceRef& where);

}  // namespace stockout::slurm

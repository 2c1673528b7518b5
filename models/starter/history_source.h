#pragma once

#include <string>

#include "models/starter/findings.h"
#include "sim/io/commented_json.h"

namespace stockout {

/// The source of a scenario that replays a history. `file`: its path from the scenario's folder.
/// `keeps_dates`: its times stay on the
/// calendar. `gpu`: of jobs whose row names none that is known.
[[nodiscard]] CommentedJson history_source(const FoundHistory& history, const std::string& name,
                                           const std::string& file, const std::string& gpu, bool keeps_dates);

}  // namespace stockout

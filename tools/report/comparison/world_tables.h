#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "tools/report/comparison/report.h"
#include "tools/table/relation.h"

namespace stockout {

/// Of each strategy: in how many of the worlds it is the answer, and between what cost, wait and goal lie
/// there, beside the noise in the world in the middle. The report has a world band.
[[nodiscard]] Relation worlds_table(const Report& report);

/// The same as text; nothing if the report has no worlds.
[[nodiscard]] std::string write_worlds(const Report& report, const TextLayout& layout);

/// The same as JSON, with the verdict in each world.
[[nodiscard]] nlohmann::ordered_json worlds_json(const Report& report);

}  // namespace stockout

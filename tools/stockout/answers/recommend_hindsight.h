#pragma once

#include <CLI/CLI.hpp>

#include "tools/stockout/answers/recommend_arguments.h"
#include "tools/stockout/terminal/console.h"

namespace stockout {

/// Adds --observed and what belongs to it: --split, --baseline. `arguments` outlive the command.
void add_hindsight_to(CLI::App& command, RecommendArguments& arguments);

/// `recommend --observed`: what is advised on the jobs of a history before a split is paid on those after it.
void recommend_in_hindsight(const RecommendArguments& arguments, Console& console);

}  // namespace stockout

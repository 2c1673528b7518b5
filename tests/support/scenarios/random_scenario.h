#pragma once

#include <cstdint>
#include <string>

#include <nlohmann/json.hpp>

#include "models/catalog/catalog.h"

namespace stockout::test {

using Json = nlohmann::ordered_json;

/// A small scenario file as a planner could write it, with every key that the engine knows, at random: a few
/// machine families, pools and sources, a window of a day or two. It names the files of
/// write_files_of_scenarios() and nothing else. The same seed always gives the same file. The reader may
/// refuse some of them, with an InputError.
[[nodiscard]] Json random_scenario(std::uint64_t seed, const Catalog& catalog);

/// Whether the file of that seed is calm: nothing of the planner's is drawn, so that the numbers of its jobs
/// do not hang on which source is the first, and few things happen in one instant.
[[nodiscard]] constexpr bool is_calm(std::uint64_t seed) { return seed % 4 == 0; }

/// Puts the traces, series and lengths that random scenarios name into a folder that is there.
void write_files_of_scenarios(const std::string& folder);

}  // namespace stockout::test

#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "models/scenario/format/node.h"

namespace stockout {

/// The place of a name among those known. Throws InputError at `node`, which says the name or something
/// around it, with the nearest of them or up to `most` of them: `there is no machine type "x", did you mean
/// "y"?`.
[[nodiscard]] std::size_t find_name(const Node& node, std::string_view what, std::string_view name,
                                    std::span<const std::string> known, std::size_t most = 12);

/// The same for a node that is the name.
[[nodiscard]] std::size_t find_name(const Node& node, std::string_view what,
                                    std::span<const std::string> known, std::size_t most = 12);

/// Throws that error for a name that is known not to be among them. `cure`, a sentence of its own, is said
/// where none of them is near.
[[noreturn]] void fail_unknown(const Node& node, std::string_view what, std::string_view name,
                               std::span<const std::string> known, std::size_t most = 12,
                               std::string_view cure = {});

/// The problem, and then the cure as a sentence of its own; the cure may be empty.
[[nodiscard]] std::string with_cure(std::string problem, std::string_view cure);

/// The names of the objects of a list. Throws InputError at one that is another's too: `there is a cohort "x"
/// already`.
[[nodiscard]] std::vector<std::string> distinct_names(const std::vector<Node>& list, std::string_view what);

}  // namespace stockout

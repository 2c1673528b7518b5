#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace stockout {

/// `there is no machine type "x", did you mean "y"?`: what every error says of a name that is none of those
/// known; suggest() says how it ends. `what` is the kind of name.
[[nodiscard]] std::string unknown_name(std::string_view what, std::string_view given,
                                       std::span<const std::string> known, std::size_t most = 12);

/// `, did you mean "x"?` for the known name nearest to `given` (edit distance at most a third of its
/// length, at least 1), else ` (known: "a", "b", ...)`, with at most `most` names listed; nothing if that is
/// 0.
[[nodiscard]] std::string suggest(std::string_view given, std::span<const std::string> known,
                                  std::size_t most = 12);

}  // namespace stockout

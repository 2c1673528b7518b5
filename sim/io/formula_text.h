#pragma once

#include <string>
#include <string_view>

namespace stockout {

// Spreadsheets run what begins with =, +, -, @, a tab or a line end, in a CSV file too ("CSV injection",
// OWASP). Names are anybody's, so a text of ours that would be run has an apostrophe before it, which
// spreadsheets take for "this is text". Numbers stay as they are.

/// The text as it stands in a CSV file of ours.
[[nodiscard]] std::string disarmed(std::string_view text);

/// The text that disarmed() made this of.
[[nodiscard]] std::string_view rearmed(std::string_view text);

}  // namespace stockout

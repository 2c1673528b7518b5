#pragma once

#include <string>
#include <vector>

namespace stockout {

/// Parts of imported files that a scenario has not, under a heading and a line each; nothing without lines.
[[nodiscard]] std::string list_left_out(const std::vector<std::string>& lines);

/// The same under another heading.
[[nodiscard]] std::string list_under(const std::string& heading, const std::vector<std::string>& lines);

/// Writes a part of a scenario, whole or not at all. Throws InputError if it cannot be written.
void write_scenario_part(const std::string& json, const std::string& path);

}  // namespace stockout

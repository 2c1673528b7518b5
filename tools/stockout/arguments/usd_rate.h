#pragma once

#include <optional>

#include <CLI/CLI.hpp>

namespace stockout {

/// Adds --usd-rate: how much of a billing export's currency one USD is. Absent: none was given.
void add_usd_rate(CLI::App& command, std::optional<double>& rate);

}  // namespace stockout

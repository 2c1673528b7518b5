#pragma once

#include <cstddef>
#include <functional>
#include <optional>

#include "tools/stockout/terminal/console.h"

namespace stockout {

/// A variable of the environment; nullptr if it is not set.
using Environment = std::function<const char*(const char* name)>;

/// When colours are written unless the command line says: never with NO_COLOR (no-color.org), in any case
/// with CLICOLOR_FORCE, never with CLICOLOR=0 or on a terminal that has none (TERM=dumb), else to terminals.
[[nodiscard]] ColourChoice colour_choice(const Environment& environment);

/// The COLUMNS that the environment asks for, 20 at least; none: it asks for none.
[[nodiscard]] std::optional<std::size_t> asked_width(const Environment& environment);

/// Columns of a terminal: COLUMNS, else what it says, else 120; 20 at least.
[[nodiscard]] std::size_t terminal_width(int file, const Environment& environment);

/// Whether the locale of the environment has the characters of UTF-8.
[[nodiscard]] bool is_utf8_locale(const Environment& environment);

/// The standard streams as the process finds them.
void describe_terminal(Console& console, const Environment& environment);

}  // namespace stockout

#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "tools/report/focus/focus_charge.h"

namespace stockout {

/// Names of the columns of FinOps FOCUS 1.2 that a run has anything to say about, and of our own (`x_`), and
/// a line break.
[[nodiscard]] std::string focus_csv_header();

/// Gives the rows of a run to `write`, each with its line break. README.md of this folder says what each
/// column is.
void write_focus_csv(const FocusRun& run, std::span<const ChargeRow> rows,
                     const std::function<void(std::string_view)>& write);

}  // namespace stockout

#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "models/sweep/stored_sweep.h"
#include "tools/report/chart_spec.h"

namespace stockout {

/// A parameter that the reader chooses, below the picture.
[[nodiscard]] ChartJson dropdown(const std::string& name, const std::string& title,
                                 const std::vector<std::string>& options, const std::string& chosen);

/// So many digits behind the point are enough for a picture.
[[nodiscard]] double rounded_to(double value, int decimals);

/// The values of an axis as the page writes them, in their order.
[[nodiscard]] std::vector<std::string> texts_of(const SweepAxis& axis);

}  // namespace stockout

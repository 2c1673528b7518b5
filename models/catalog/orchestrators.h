#pragma once

#include <string>
#include <string_view>

#include "models/catalog/catalog.h"

namespace stockout {

/// Empty if requests under the consumption model may be put by the orchestrator on the day, else a sentence
/// that says since when, or never, and what may.
[[nodiscard]] std::string why_not(const Catalog& catalog, OrchestratorName orchestrator,
                                  std::string_view model, Date day);

/// Empty if nothing is known against the two models together, in any order, for one job (or in one request)
/// of the orchestrator on the day, else a sentence that says since when, or never.
[[nodiscard]] std::string why_not_together(const Catalog& catalog, OrchestratorName orchestrator,
                                           std::string_view model, std::string_view with, bool for_request,
                                           Date day);

}  // namespace stockout

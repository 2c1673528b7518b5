#pragma once

#include <optional>
#include <vector>

#include "models/consumption/strategy.h"
#include "models/scenario/draft/draft.h"

namespace stockout {

/// Who puts the requests of a leg: the leg's own `orchestrator`, else its strategy's, if either is said.
[[nodiscard]] std::optional<OrchestratorName> orchestrator_of(const Node& strategy, const Node& leg);

/// Whether some job may go through both of two legs, by their Leg::classes.
[[nodiscard]] bool serve_one_job(const std::vector<bool>& a, const std::vector<bool>& b);

/// Holds a leg that has an orchestrator against the catalogue's matrix on the scenario's first day: its
/// model, and its price. InputError at the leg for a pair that is not allowed then.
void check_orchestrator(const Draft& draft, const Node& node, const Leg& leg);

/// Holds the legs that have an orchestrator against the catalogue's matrix on the scenario's first day: each
/// leg's model, and the models of two legs of one orchestrator that one job may go through. InputError at the
/// leg for a pair that is not allowed then.
void check_orchestrators(const Draft& draft, const Node& node, const Strategy& strategy);

/// Warns of what a strategy asks of an orchestrator that this does not do of itself: more tries than it
/// makes, or the overflow of a reservation on Vertex AI in another zone.
void warn_of_orchestrators(Draft& draft, const Strategy& strategy);

/// Lists what the orchestrators of the strategies charge that is not in the cost. To be called once.
void assume_of_orchestrators(Draft& draft);

}  // namespace stockout

#pragma once

#include "models/consumption/strategy.h"
#include "models/scenario/draft/draft.h"
#include "models/scenario/format/node.h"

namespace stockout {

/// An orchestrator that has jobs of its own wait before they may ask, and lets a leg have those of a name.
struct Gate {
  const char* key;       // of legs: "flavor"
  const char* name;      // "Kueue"
  const char* settings;  // of the scenario: "kueue"
};

/// Whether legs of the strategy stand behind the gate. InputError if only some do, if the scenario has none,
/// or if the strategy does what jobs that wait there cannot.
[[nodiscard]] bool is_gated(const Draft& draft, const Node& node_of_strategy, const Gate& gate);

/// InputError if steps of pipelines are tried again, which no gate knows of.
void refuse_steps_tried_again(const Draft& draft, const Gate& gate);

}  // namespace stockout

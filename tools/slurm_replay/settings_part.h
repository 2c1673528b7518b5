#pragma once

#include "models/orchestrators/slurm/settings.h"
#include "tools/slurm_replay/scenario_values.h"

namespace stockout::slurm {

/// Adds the keys `scheduler`, `priority`, `preemption` and `requeue_delay` to the object `slurm` of a
/// scenario, as far as they differ from Slurm's own values.
void put_settings(const Settings& settings, PartJson& slurm, LeftOut& left_out);

/// Mode of preemption, in the words of a scenario.
[[nodiscard]] const char* word_of(PreemptMode mode);

}  // namespace stockout::slurm

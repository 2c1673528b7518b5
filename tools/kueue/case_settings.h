#pragma once

#include "models/orchestrators/kueue/settings.h"
#include "tools/kueue/case_value.h"

namespace stockout::kueue {

/// The gates of the head of the file, or of a case, over `gates`. Throws NotModelled for one that is not
/// known, if it must be.
[[nodiscard]] Gates read_gates(const CaseValue& value, Gates gates, bool must_know);

/// The settings of a case.
[[nodiscard]] Settings read_settings(const CaseValue& value, const Gates& defaults);

}  // namespace stockout::kueue

#pragma once

#include "models/scenario/format/node.h"

namespace stockout {

/// Checks the whole text against the spec: unknown and missing keys, kinds, ranges, words, dates. Throws
/// InputError for all that is wrong; returns the root.
[[nodiscard]] Node check_scenario(const ScenarioText& text, const ValueSpec& spec);

/// The same, with the errors in `errors`: what they do not concern can be read nevertheless.
[[nodiscard]] Node check_scenario(const ScenarioText& text, const ValueSpec& spec, ErrorList& errors);

}  // namespace stockout

#pragma once

#include <string>

#include "models/supply/markov_profile.h"

namespace stockout {

/// The profile as the text of a profile file. `made_by`: the command.
[[nodiscard]] std::string profile_text(const MarkovProfile& profile, const std::string& made_by);

}  // namespace stockout

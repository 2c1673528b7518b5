#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "tools/page/page.h"

namespace stockout {

/// The two questions of a wait limit, and the sentence that answers them as asked at first.
[[nodiscard]] std::string choice_html(const WaitChoice& choice);

/// The sentence for every limit and share that the page offers, so that the script only looks it up:
/// {"within_h": [...], "shares": [...], "strategies": [names], "answers": [[{"text", "cheapest", "same",
/// "misses"}, by share], by limit]}; strategies in answers by their place in "strategies".
[[nodiscard]] nlohmann::json choice_json(const WaitChoice& choice);

}  // namespace stockout

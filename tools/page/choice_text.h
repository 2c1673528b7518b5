#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "tools/page/page.h"

namespace stockout {

/// The answer to one wait limit: which strategy is the cheapest that meets it.
struct ChoiceAnswer {
  std::string text;                         // one or two sentences
  std::optional<std::size_t> cheapest;      // of WaitChoice::rows; none: no strategy meets it
  std::vector<std::size_t> costs_the_same;  // meet it too, and cost no more than chance may explain
  std::vector<std::size_t> misses;          // do not meet it
};

/// Answer for WaitChoice::within_h[limit] and `share` of the jobs.
[[nodiscard]] ChoiceAnswer choose_by_wait(const WaitChoice& choice, std::size_t limit, double share);

/// The shares that the page offers, ascending: usual ones, and what is asked for at first.
[[nodiscard]] std::vector<double> offered_shares(const WaitChoice& choice);

/// "30 min", "4 h", "3 days"
[[nodiscard]] std::string wait_limit_text(double hours);

/// "95 %", "99.5 %"
[[nodiscard]] std::string wanted_share_text(double share);

}  // namespace stockout

#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "models/measures/measure_table.h"
#include "models/sweep/sensitivity.h"
#include "tools/report/sweep/sweep_page.h"

namespace stockout {

// The sentences of a page on a sweep.

/// Which strategy is the cheapest under the goal at most points, and what flips it.
[[nodiscard]] std::string sweep_answer(const SweepStory& story);

/// The axes that could flip the answer, the first ones first: a sentence or two each.
[[nodiscard]] std::vector<std::string> what_could_flip(const SweepStory& story);

/// Caveats before the answer is believed: points that are missing or failed, a shard, noise. May be empty.
[[nodiscard]] std::vector<std::string> sweep_caveats(const SweepStory& story);

/// How effects of axes were told from one another, and what that cannot tell.
[[nodiscard]] std::vector<std::string> sensitivity_rule(const SweepStory& story);

/// The worlds over which the sweep was run, of which there are some: "20 worlds that agree with waits.csv".
[[nodiscard]] std::string worlds_text(const StoredSweep& sweep);

/// "spot" in quotes.
[[nodiscard]] std::string quoted(const std::string& name);

/// A winner as the page names it: the strategy, or that none qualifies.
[[nodiscard]] std::string winner_name(const StoredSweep& sweep, const std::optional<std::size_t>& winner);

/// Advice on an axis that is a decision: "4, $105,915", or where it depends on what is given at how many
/// combinations of that.
[[nodiscard]] std::string decision_text(const SweepStory& story, const AxisDecision& decision);

/// "Decision reserved: 4, $105,915.", of each such axis.
[[nodiscard]] std::vector<std::string> decision_lines(const SweepStory& story);

/// "no strategy meets the goal", or gets the same work done where there is no goal.
[[nodiscard]] std::string none_text(const StoredSweep& sweep);

/// Of a group of an effect the values of the axis that are in it.
[[nodiscard]] const std::string& group_label(const SweepFindings& findings, const AxisEffect& effect,
                                             const GroupMean& mean);

}  // namespace stockout

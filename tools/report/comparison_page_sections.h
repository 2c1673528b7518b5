#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tools/page/page.h"
#include "tools/report/comparison_page.h"

namespace stockout {

// The parts of a page on a comparison, a file each. Those that write rows for charts put them into `data`.

/// What the reader may ask of waits and costs; none if no job says anything. At the scenario's own goal it
/// has the answer of the verdict.
[[nodiscard]] std::optional<WaitChoice> wait_choice(const PageStory& story);

/// A row a strategy, and what could change the answer.
[[nodiscard]] PageSection answer_section(const PageStory& story);

/// Cost against jobs in time; how long jobs waited.
[[nodiscard]] PageSection waits_section(const PageStory& story, nlohmann::json& data);

/// Where every dollar went.
[[nodiscard]] PageSection money_section(const PageStory& story);

/// Pools over time.
[[nodiscard]] PageSection pools_section(const PageStory& story, nlohmann::json& data);

/// Break-even prices, assumptions and the lower bound.
[[nodiscard]] PageSection prices_section(const PageStory& story);

/// Every table of the report, by group if one was asked for.
[[nodiscard]] PageSection tables_section(const PageStory& story);

/// What the numbers rest on.
[[nodiscard]] PageSection made_section(const PageStory& story);

/// What each share is a share of, and words.
[[nodiscard]] PageSection words_section();

/// Names of strategies of the comparison.
[[nodiscard]] std::vector<std::string> names_of(const Report& report, const std::vector<std::size_t>& places);

/// Says that not all strategies are drawn; nothing if all are.
[[nodiscard]] std::string drawn_note(const Report& report);

}  // namespace stockout

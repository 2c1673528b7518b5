#pragma once

#include <string>
#include <vector>

#include "tools/report/sweep_page.h"
#include "tools/report/text_table.h"

namespace stockout {

// The tables of a page on a sweep.

/// A row a strategy: how often it is the cheapest, and what it costs and gives over the points.
[[nodiscard]] TextTable strategies_table(const SweepStory& story);

/// What is varied: values, place in the scenario, and what it does to the winner.
[[nodiscard]] TextTable axes_table(const SweepStory& story);

/// Points and strategies with their costs and waits: of as many points as the page bears, or a sample of so
/// many.
[[nodiscard]] TextTable points_table(const SweepStory& story);
/// Says which points are left out of it, and how to get all; empty if it has all.
[[nodiscard]] std::string points_left_out(const SweepStory& story);

/// Failed points with their errors, as many as the page bears.
[[nodiscard]] TextTable failed_table(const SweepStory& story);

/// What the numbers were made from.
[[nodiscard]] TextTable made_from_table(const SweepStory& story);
[[nodiscard]] TextTable inputs_table(const SweepStory& story);

/// What each share is a share of.
[[nodiscard]] TextTable shares_table();

/// A wait in hours, "> 12.3" for one that is longer than measured; "-" if there is none.
[[nodiscard]] std::string stored_wait_cell(const std::optional<StoredMean>& wait);

/// Places, ascending, of at most `most` of `count` things, at least one: all, or a sample without a pattern,
/// the same every time. Every tenth point of a grid would leave out values of its lists.
[[nodiscard]] std::vector<std::size_t> sample_of(std::size_t count, std::size_t most);

}  // namespace stockout

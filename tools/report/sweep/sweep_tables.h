#pragma once

#include <string>
#include <vector>

#include "tools/report/sweep/sweep_page.h"
#include "tools/table/relation.h"

namespace stockout {

// The tables of a page on a sweep.

/// A row a strategy: how often it is the cheapest, and what it costs and gives over the points.
[[nodiscard]] Relation strategies_table(const SweepStory& story);

/// Axes of the sweep: values, place in the scenario, and effect on the winner.
[[nodiscard]] Relation axes_table(const SweepStory& story);

/// Points and strategies with their costs and waits: of as many points as the page bears, or a sample of so
/// many.
[[nodiscard]] Relation points_table(const SweepStory& story);
/// Says which points are left out of it, and how to get all; empty if it has all.
[[nodiscard]] std::string points_left_out(const SweepStory& story);

/// Failed points with their errors, as many as the page bears.
[[nodiscard]] Relation failed_table(const SweepStory& story);

/// Origin of the numbers.
[[nodiscard]] Relation made_from_table(const SweepStory& story);
[[nodiscard]] Relation inputs_table(const SweepStory& story);

/// Base of each share.
[[nodiscard]] Relation shares_of_sweep();

/// A mean of the store; nothing if there is none.
[[nodiscard]] Cell stored_cell(const std::optional<StoredMean>& mean);

/// The wait that 95 % of jobs do not exceed.
[[nodiscard]] Column stored_wait_column();

/// Axes, a column each, and their values at a point.
void add_axis_columns(const StoredSweep& sweep, Relation& table);
void add_axis_cells(const StoredSweep& sweep, const std::vector<std::uint32_t>& at, std::vector<Cell>& cells);

/// The values of a point in words: "demand 0.5, load 0.9"; of many axes the first.
[[nodiscard]] std::string text_of_point(const StoredSweep& sweep, const StoredPoint& point);

/// The values of an axis as the page writes them, in their order.
[[nodiscard]] std::vector<std::string> texts_of(const SweepAxis& axis);

/// Columns f0, f1, ... of a picture, by which readers choose points.
void add_filter_columns(std::size_t count, Relation& rows);

/// So many digits behind the point are enough for a picture.
[[nodiscard]] double rounded_to(double value, int decimals);

/// Places, ascending, of at most `most` of `count` things, at least one: all, or a sample without a pattern,
/// the same every time. Every tenth point of a grid would leave out values of its lists.
[[nodiscard]] std::vector<std::size_t> sample_of(std::size_t count, std::size_t most);

}  // namespace stockout

#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace stockout {

// Pieces of Vega-Lite specifications, so that a chart is a few readable lines of data. README.md of
// tools/page says what the page adds to each.

/// A part of a specification.
using ChartJson = nlohmann::json;

/// The page's data of that name.
[[nodiscard]] ChartJson named_data(const std::string& name);

/// A channel of numbers: its field, the title of its axis, how its numbers are written (d3-format), and what
/// else there is to say of it.
[[nodiscard]] ChartJson number_channel(const std::string& field, const std::string& title,
                                       const std::string& format,
                                       const ChartJson& more = ChartJson::object());

/// Rows of names in this order, without a title: the names say what they are.
[[nodiscard]] ChartJson name_channel(const std::string& field, const std::vector<std::string>& order);

/// The far end of a bar or rule.
[[nodiscard]] ChartJson far_end(const std::string& field);

/// What is shown where the pointer is: field, title and, for numbers, the format.
[[nodiscard]] ChartJson tooltip_number(const std::string& field, const std::string& title,
                                       const std::string& format);
[[nodiscard]] ChartJson tooltip_name(const std::string& field, const std::string& title);

/// A channel (colour, symbol or dashes) that tells strategies apart; the page says which is which.
[[nodiscard]] ChartJson strategy_channel(const std::vector<std::string>& strategies);

/// A legend without a title: its names say what they are.
[[nodiscard]] ChartJson plain_legend();

/// A parameter that the page sets, and what it is before.
[[nodiscard]] ChartJson page_parameter(const std::string& name, ChartJson value);

/// Keeps the rows of the strategies that are ticked; wants the parameter `shown`.
[[nodiscard]] ChartJson only_shown();

/// Keeps the rows for which an expression holds.
[[nodiscard]] ChartJson only_where(const std::string& expression);

/// A dashed line across at a value of the page: an expression of its parameters, on channel "x" or "y".
[[nodiscard]] ChartJson page_rule(const std::string& channel, const std::string& expression);

/// An axis of hours on a logarithmic scale, in words: "5 min", "4 h", "7 days".
[[nodiscard]] ChartJson hours_axis();

}  // namespace stockout

#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sim/stats/interval.h"
#include "tools/table/text_layout.h"

namespace stockout {

/// How the values of a column are written for people. In files numbers are as they are.
struct Style {
  /// When the numbers of a column need no digits behind the point.
  enum class Whole : std::uint8_t { never, all_are_whole, all_are_whole_or_large, any_is_large };

  bool is_text = false;  // names and sentences: to the left
  int decimals = 0;
  Whole whole = Whole::never;      // large: from 1000 on
  double scale = 1;                // from the unit of files to that of people
  bool has_plus = false;           // in front of what is above 0
  bool keeps_rest = false;         // a share that is not all and not nothing is never written as one of them
  std::optional<int> digits = {};  // that count, in place of decimals; 0: all that there are
};

inline constexpr Style kText{.is_text = true};
inline constexpr Style kWhole{};
inline constexpr Style kTenths{.decimals = 1};
inline constexpr Style kHundredths{.decimals = 2};
inline constexpr Style kThousandths{.decimals = 3};
inline constexpr Style kUnitPrice{.decimals = 4};
inline constexpr Style kCount{.decimals = 1, .whole = Style::Whole::all_are_whole};  // a mean of counts
inline constexpr Style kGpuHours{.decimals = 1, .whole = Style::Whole::all_are_whole_or_large};
inline constexpr Style kUsd{.decimals = 2, .whole = Style::Whole::any_is_large};
inline constexpr Style kUsdMore{.decimals = 2, .whole = Style::Whole::any_is_large, .has_plus = true};
inline constexpr Style kPercent{.decimals = 1, .scale = 100};
inline constexpr Style kShare{.decimals = 1, .scale = 100, .keeps_rest = true};

/// Where half of the 95 % interval of a column's values stands: "±", KEY_plus_minus.
enum class Interval : std::uint8_t { none, in_files, shown };

/// Values of a column, and the numbers beside them.
struct Column {
  std::string key = {};  // in files: "cost_usd"; empty: for people only
  std::string title =
      {};  // for people, '\n' between lines, '-' before it inside a word; empty: for files only
  std::string unit = {};  // for people: below the title, unless it is the table's
  Style style = kText;
  Interval interval = Interval::none;
  bool replications = false;  // over how many the mean is: "(3/5)", KEY_replications
  bool bound = false;         // whether it is one: "> x", KEY_is_lower_bound
  bool optional = false;      // not shown to people where no row has anything but 0
  bool once = false;  // shown to people once above a block: where all such columns are as in the row above
};

/// A column whose key is its title: "strategy".
[[nodiscard]] Column name_column(const std::string& name);

/// Columns that are for files only.
[[nodiscard]] std::vector<Column> files_only(std::initializer_list<const char*> keys);

/// A value and how well it is known.
struct Cell {
  /// Nothing, a truth, a count, a number, a text.
  using Value = std::variant<std::monostate, bool, std::int64_t, double, std::string>;

  Value value;
  std::optional<double> half_width = {};   // of the 95 % interval
  bool at_least = false;                   // the number is a bound from below
  std::size_t replications = 0;            // that have a value ...
  std::size_t replications_run = 0;        // ... of so many; 0: all have
  std::optional<bool> may_be_chance = {};  // of a difference: "~" where it may
  std::string words = {};                  // what people read in its place; a cell of words has no interval
  std::optional<Tone> tone = {};

  // A row is written as a list of values.
  // NOLINTBEGIN(google-explicit-constructor)
  Cell() = default;
  Cell(std::string text) : value{std::move(text)} {}
  Cell(std::string_view text) : value{std::string{text}} {}
  Cell(const char* text) : value{std::string{text}} {}
  Cell(bool truth) : value{truth} {}
  Cell(double number) : value{number} {}
  template <std::integral Count>
  Cell(Count count) : value{static_cast<std::int64_t>(count)} {}
  Cell(const Estimate& estimate) : value{estimate.mean}, half_width{estimate.half_width} {}
  template <typename Known>
  Cell(const std::optional<Known>& known) {
    if (known) *this = Cell{*known};
  }
  // NOLINTEND(google-explicit-constructor)
  // Not inline: g++ 12 warns of moves of a variant that it has inlined.
  Cell(const Cell& other);
  Cell(Cell&& other) noexcept;
  Cell& operator=(const Cell& other);
  Cell& operator=(Cell&& other) noexcept;
  ~Cell();

  /// Nothing for programs, these words for people.
  [[nodiscard]] static Cell said(std::string words);

  /// The same value, which people read as these words.
  [[nodiscard]] Cell as(std::string other) const;

  [[nodiscard]] bool is_nothing() const { return std::holds_alternative<std::monostate>(value); }
  /// Of a count or a number.
  [[nodiscard]] std::optional<double> number() const;
};

struct Row {
  std::vector<Cell> cells;  // by column
  std::optional<Tone> tone = {};
};

/// A table before it is written in any format: every format has the same columns and values.
struct Relation {
  std::string title = {};
  std::string unit = {};  // of all columns that have no other, as the title says it
  std::vector<Column> columns = {};
  std::vector<Row> rows = {};

  /// Columns for people only.
  void add_columns(const Style& style, std::initializer_list<const char*> titles);

  /// One cell a column.
  void add(std::vector<Cell> cells, std::optional<Tone> tone = std::nullopt);

  [[nodiscard]] bool empty() const { return rows.empty(); }
};

/// The columns of a relation that files have, with plain cells: what stands beside a value is a column of its
/// own, KEY_plus_minus, KEY_replications and KEY_is_lower_bound.
[[nodiscard]] Relation flat(const Relation& relation);

/// The rows with this text under `key`, without that column.
[[nodiscard]] Relation part_of(const Relation& relation, std::string_view key, const std::string& text);

/// A column of one of these keys, and how it is called then.
struct Picked {
  std::string_view key;
  std::string_view as = {};  // empty: as before
};

/// Columns of a relation in this order, under these keys.
[[nodiscard]] Relation pick(const Relation& relation, const std::vector<Picked>& columns);

}  // namespace stockout

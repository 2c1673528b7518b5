#include "tools/table/text_table.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "models/measures/number_text.h"

namespace stockout {
namespace {

constexpr double kLarge = 1000;

std::vector<std::string> split_lines(const std::string& text) {
  std::vector<std::string> lines(1);
  for (const char c : text) {
    if (c == '\n') {
      lines.emplace_back();
    } else {
      lines.back() += c;
    }
  }
  return lines;
}

bool is_whole(double value) { return value == std::floor(value); }

bool needs_no_digits(Style::Whole whole, const std::vector<double>& numbers) {
  switch (whole) {
    case Style::Whole::never:
      return false;
    case Style::Whole::all_are_whole:
      return std::ranges::all_of(numbers, is_whole);
    case Style::Whole::all_are_whole_or_large:
      return std::ranges::all_of(numbers, [](double n) { return is_whole(n) || n >= kLarge; });
    case Style::Whole::any_is_large:
      return std::ranges::any_of(numbers, [](double n) { return std::abs(n) >= kLarge; });
  }
  return false;
}

// So many decimals that `digits` digits of the value count.
int decimals_for(double value, int digits) {
  const double size = std::abs(value);
  if (size < 1e-9) return digits - 1;
  return std::max(0, digits - 1 - static_cast<int>(std::floor(std::log10(size))));
}

/// How the numbers of a column are written, now that all are known.
class NumberForm {
 public:
  NumberForm(const Style& style, const std::vector<double>& numbers)
      : style_{style}, decimals_{needs_no_digits(style.whole, numbers) ? 0 : style.decimals} {}

  [[nodiscard]] std::string text(double value) const {
    if (style_.keeps_rest) return without_sign(share_text(value));
    std::string text = scaled_text(value, value);
    const bool is_more = value > 0 && text.find_first_of("123456789") != std::string::npos;
    return style_.has_plus && is_more ? '+' + text : text;
  }

  // With the decimals of the value.
  [[nodiscard]] std::string half_width(double half, double value) const { return scaled_text(half, value); }

 private:
  [[nodiscard]] std::string scaled_text(double number, double of) const {
    constexpr double kTooLong = 1e15;
    const double scaled = number * style_.scale;
    if (!style_.digits) return number_text(scaled, decimals_);
    if (*style_.digits == 0) return fmt::format("{}", scaled);
    if (std::abs(scaled) >= kTooLong) return fmt::format("{:.6g}", scaled);
    return number_text(scaled, decimals_for(of * style_.scale, *style_.digits));
  }

  static std::string without_sign(const std::string& share) { return share.substr(0, share.size() - 2); }

  Style style_;
  int decimals_;
};

std::string value_text(const Cell& cell, const NumberForm& form) {
  if (!cell.words.empty()) return cell.words;
  if (cell.is_nothing()) return std::string{kNone};
  if (const auto* truth = std::get_if<bool>(&cell.value)) return *truth ? "yes" : "no";
  if (const auto* text = std::get_if<std::string>(&cell.value)) return *text;
  std::string text = form.text(*cell.number());
  if (cell.replications < cell.replications_run)
    text += fmt::format(" ({}/{})", cell.replications, cell.replications_run);
  return cell.at_least ? std::string{kAtLeast} + text : text;
}

std::string half_width_text(const Cell& cell, const NumberForm& form) {
  const bool is_said = !cell.words.empty() || std::holds_alternative<std::string>(cell.value);
  if (is_said) return {};
  return cell.half_width ? form.half_width(*cell.half_width, cell.number().value_or(0)) : std::string{kNone};
}

// Of a cell by itself.
NumberForm form_of(const Cell& cell, const Style& style) {
  const std::optional<double> number = cell.number();
  return NumberForm{style, number ? std::vector{*number} : std::vector<double>{}};
}

/// A column of a relation with its values.
class ColumnText {
 public:
  ColumnText(const Relation& relation, std::size_t place)
      : relation_{relation},
        place_{place},
        form_{relation.columns[place].style, numbers()},
        has_signs_{any([](const Cell& cell) { return cell.may_be_chance.value_or(false); })} {}

  [[nodiscard]] bool says_nothing() const {
    return !any([](const Cell& cell) {
      return cell.number() ? *cell.number() != 0 : !cell.is_nothing() || !cell.words.empty();
    });
  }

  [[nodiscard]] std::vector<std::string> header() const {
    const Column& column = relation_.columns[place_];
    std::vector<std::string> lines = split_lines(column.title);
    if (!column.unit.empty() && column.unit != relation_.unit) lines.push_back('[' + column.unit + ']');
    return lines;
  }

  [[nodiscard]] TextTable::Cell value(std::size_t row) const {
    const Cell& cell = at(row);
    TextTable::Cell shown = with_tone(value_text(cell, form_), row);
    if (cell.may_be_chance.value_or(false)) {
      shown = {.text = fmt::format("{} {}", shown.text, kChanceSign), .tone = Tone::doubtful};
    } else if (has_signs_ && cell.number() && cell.words.empty()) {
      shown.text.append(1 + kChanceSign.size(), ' ');
    }
    return shown;
  }

  [[nodiscard]] TextTable::Cell half_width(std::size_t row) const {
    return with_tone(half_width_text(at(row), form_), row);
  }

 private:
  [[nodiscard]] const Cell& at(std::size_t row) const { return relation_.rows[row].cells[place_]; }

  template <typename Holds>
  [[nodiscard]] bool any(Holds holds) const {
    return std::ranges::any_of(relation_.rows, [&](const Row& row) { return holds(row.cells[place_]); });
  }

  [[nodiscard]] std::vector<double> numbers() const {
    std::vector<double> numbers;
    for (std::size_t row = 0; row < relation_.rows.size(); ++row)
      if (const auto number = at(row).number()) numbers.push_back(*number);
    return numbers;
  }

  // A name from a trace may hold a tab.
  [[nodiscard]] TextTable::Cell with_tone(std::string text, std::size_t row) const {
    std::ranges::replace_if(
        text, [](char c) { return static_cast<unsigned char>(c) < ' '; }, ' ');
    const std::optional<Tone> tone = at(row).tone;
    return {.text = std::move(text), .tone = tone ? tone : relation_.rows[row].tone};
  }

  const Relation& relation_;
  std::size_t place_;
  NumberForm form_;
  bool has_signs_;
};

// Whether a row belongs to the block of the row above it.
bool is_in_block(const Relation& relation, std::size_t row) {
  if (row == 0) return false;
  for (std::size_t place = 0; place < relation.columns.size(); ++place) {
    const auto& above = relation.rows[row - 1].cells[place].value;
    if (relation.columns[place].once && relation.rows[row].cells[place].value != above) return false;
  }
  return true;
}

void add_column(TextTable& table, const Relation& relation, std::size_t place, bool every_row_named) {
  const Column& column = relation.columns[place];
  const ColumnText texts{relation, place};
  if (column.title.empty() || (column.optional && texts.says_nothing())) return;
  using Align = TextTable::Align;
  table.columns.push_back(
      {.header = texts.header(), .align = column.style.is_text ? Align::left : Align::right});
  const bool has_interval = column.interval == Interval::shown;
  if (has_interval)
    table.columns.push_back({.header = {"±"}, .align = Align::right, .belongs_to_last = true});
  for (std::size_t row = 0; row < relation.rows.size(); ++row) {
    TextTable::Cell shown = texts.value(row);
    if (column.once && !every_row_named && is_in_block(relation, row)) shown.text.clear();
    table.rows[row].push_back(std::move(shown));
    if (has_interval) table.rows[row].push_back(texts.half_width(row));
  }
}

}  // namespace

TextTable text_table(const Relation& relation, bool every_row_named) {
  TextTable table{.title = relation.title, .columns = {}, .rows = {}};
  table.rows.resize(relation.rows.size());
  for (std::size_t place = 0; place < relation.columns.size(); ++place)
    add_column(table, relation, place, every_row_named);
  return table;
}

std::string cell_text(const Cell& cell, const Style& style) { return value_text(cell, form_of(cell, style)); }

std::string estimate_text(const Cell& cell, const Style& style) {
  const NumberForm form = form_of(cell, style);
  const bool is_shown = cell.number() && !cell.at_least && cell.half_width.value_or(0) > 0;
  return with_noise(value_text(cell, form), is_shown ? half_width_text(cell, form) : "");
}

std::string joined_header(const TextTable::Column& column) {
  std::string header;
  for (const std::string& line : column.header) {
    const bool hyphenated = !header.empty() && header.back() == '-';
    if (hyphenated) header.pop_back();
    header += (header.empty() || hyphenated ? "" : " ") + line;
  }
  return header;
}

}  // namespace stockout

#include "tools/python/frame.h"

#include <algorithm>
#include <charconv>
#include <limits>

namespace stockout {
namespace {

constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();

// The cells of one column of a flat relation.
std::vector<const Cell*> cells_of(const Relation& table, std::size_t place) {
  std::vector<const Cell*> cells;
  for (const Row& row : table.rows) cells.push_back(&row.cells[place]);
  return cells;
}

template <typename Kind>
bool has_any(const std::vector<const Cell*>& cells) {
  return std::ranges::any_of(cells,
                             [](const Cell* cell) { return std::holds_alternative<Kind>(cell->value); });
}

template <typename Kind>
std::vector<std::optional<Kind>> values_or_nothing(const std::vector<const Cell*>& cells) {
  std::vector<std::optional<Kind>> values;
  for (const Cell* cell : cells) {
    const Kind* value = std::get_if<Kind>(&cell->value);
    values.push_back(value != nullptr ? std::optional{*value} : std::nullopt);
  }
  return values;
}

FrameValues values_of(const std::vector<const Cell*>& cells) {
  if (has_any<std::string>(cells)) return values_or_nothing<std::string>(cells);
  if (has_any<bool>(cells)) return values_or_nothing<bool>(cells);
  if (!cells.empty() && !has_any<std::monostate>(cells) && !has_any<double>(cells)) {
    std::vector<std::int64_t> counts;
    for (const Cell* cell : cells) counts.push_back(std::get<std::int64_t>(cell->value));
    return counts;
  }
  std::vector<double> numbers;
  for (const Cell* cell : cells) numbers.push_back(cell->number().value_or(kNotANumber));
  return numbers;
}

// The number that all of a text is.
template <typename Number>
std::optional<Number> read_whole(const std::string& text) {
  Number number{};
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  return error == std::errc{} && stop == end ? std::optional{number} : std::nullopt;
}

template <typename Number>
std::optional<std::vector<Number>> read_all(const std::vector<std::string>& texts,
                                            std::optional<Number> if_empty) {
  std::vector<Number> numbers;
  for (const std::string& text : texts) {
    const std::optional<Number> number = text.empty() ? if_empty : read_whole<Number>(text);
    if (!number) return std::nullopt;
    numbers.push_back(*number);
  }
  return numbers;
}

}  // namespace

void WordCodes::add(std::string_view word) {
  const auto [known, is_new] =
      known_.try_emplace(std::string{word}, static_cast<std::int32_t>(words_.size()));
  if (is_new) words_.emplace_back(word);
  codes_.push_back(known->second);
}

Frame frame_of(const Relation& relation) {
  const Relation table = flat(relation);
  Frame frame;
  for (std::size_t place = 0; place < table.columns.size(); ++place)
    frame.push_back({.name = table.columns[place].key, .values = values_of(cells_of(table, place))});
  return frame;
}

FrameColumn number_column(std::string name, const std::vector<std::string>& texts) {
  if (auto counts = read_all<std::int64_t>(texts, std::nullopt))
    return {.name = std::move(name), .values = std::move(*counts)};
  if (auto numbers = read_all<double>(texts, kNotANumber))
    return {.name = std::move(name), .values = std::move(*numbers)};
  return text_column(std::move(name), texts);
}

FrameColumn text_column(std::string name, const std::vector<std::string>& texts) {
  std::vector<std::optional<std::string>> values;
  for (const std::string& text : texts) values.push_back(text.empty() ? std::nullopt : std::optional{text});
  return {.name = std::move(name), .values = std::move(values)};
}

}  // namespace stockout

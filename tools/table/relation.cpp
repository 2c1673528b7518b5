#include "tools/table/relation.h"

#include <algorithm>
#include <utility>

#include "sim/core/check.h"

namespace stockout {
namespace {

void add_flat_columns(Relation& table, const Column& column) {
  table.columns.push_back({.key = column.key});
  if (column.interval != Interval::none) table.columns.push_back({.key = column.key + "_plus_minus"});
  if (column.replications) table.columns.push_back({.key = column.key + "_replications"});
  if (column.bound) table.columns.push_back({.key = column.key + "_is_lower_bound"});
}

void add_flat_cells(std::vector<Cell>& cells, const Column& column, const Cell& cell) {
  cells.emplace_back().value = cell.value;
  if (column.interval != Interval::none) cells.emplace_back(cell.half_width);
  if (column.replications) cells.emplace_back(cell.replications);
  if (column.bound) cells.push_back(cell.is_nothing() ? Cell{} : Cell{cell.at_least});
}

}  // namespace

Column name_column(const std::string& name) { return {.key = name, .title = name}; }

std::vector<Column> files_only(std::initializer_list<const char*> keys) {
  std::vector<Column> columns;
  for (const char* key : keys) columns.push_back({.key = key});
  return columns;
}

Cell::Cell(const Cell& other) = default;
Cell::Cell(Cell&& other) noexcept = default;
Cell& Cell::operator=(const Cell& other) = default;
Cell& Cell::operator=(Cell&& other) noexcept = default;
Cell::~Cell() = default;

Cell Cell::said(std::string words) { return Cell{}.as(std::move(words)); }

Cell Cell::as(std::string other) const {
  Cell cell = *this;
  cell.words = std::move(other);
  return cell;
}

std::optional<double> Cell::number() const {
  if (const auto* count = std::get_if<std::int64_t>(&value)) return static_cast<double>(*count);
  if (const auto* number = std::get_if<double>(&value)) return *number;
  return std::nullopt;
}

void Relation::add_columns(const Style& style, std::initializer_list<const char*> titles) {
  for (const char* one : titles) columns.push_back({.title = one, .style = style});
}

void Relation::add(std::vector<Cell> cells, std::optional<Tone> tone) {
  STOCKOUT_CHECK(cells.size() == columns.size(), title);
  rows.push_back({.cells = std::move(cells), .tone = tone});
}

Relation flat(const Relation& relation) {
  Relation table{.title = relation.title};
  for (const Column& column : relation.columns) {
    if (!column.key.empty()) add_flat_columns(table, column);
  }
  for (const Row& row : relation.rows) {
    std::vector<Cell> cells;
    for (std::size_t place = 0; place < relation.columns.size(); ++place) {
      if (!relation.columns[place].key.empty())
        add_flat_cells(cells, relation.columns[place], row.cells[place]);
    }
    table.add(std::move(cells));
  }
  return table;
}

Relation part_of(const Relation& relation, std::string_view key, const std::string& text) {
  const auto found = std::ranges::find(relation.columns, key, &Column::key);
  STOCKOUT_CHECK(found != relation.columns.end(), std::string{key});
  const auto place = found - relation.columns.begin();
  Relation part{.title = relation.title, .unit = relation.unit, .columns = relation.columns, .rows = {}};
  part.columns.erase(part.columns.begin() + place);
  for (const Row& row : relation.rows) {
    if (row.cells[static_cast<std::size_t>(place)].value != Cell::Value{text}) continue;
    part.rows.push_back(row);
    part.rows.back().cells.erase(part.rows.back().cells.begin() + place);
  }
  return part;
}

Relation pick(const Relation& relation, const std::vector<Picked>& columns) {
  Relation picked{.title = relation.title, .unit = relation.unit};
  picked.rows.resize(relation.rows.size());
  for (std::size_t row = 0; row < relation.rows.size(); ++row)
    picked.rows[row].tone = relation.rows[row].tone;
  for (const Picked& one : columns) {
    const auto found = std::ranges::find(relation.columns, one.key, &Column::key);
    STOCKOUT_CHECK(found != relation.columns.end(), std::string{one.key});
    picked.columns.push_back(*found);
    if (!one.as.empty()) picked.columns.back().key = one.as;
    const auto place = static_cast<std::size_t>(found - relation.columns.begin());
    for (std::size_t row = 0; row < relation.rows.size(); ++row)
      picked.rows[row].cells.push_back(relation.rows[row].cells[place]);
  }
  return picked;
}

}  // namespace stockout

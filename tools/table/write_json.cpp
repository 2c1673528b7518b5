#include "tools/table/write_json.h"

namespace stockout {
namespace {

using Json = nlohmann::ordered_json;

template <typename Object>
Object plain_json(const Cell& cell) {
  return std::visit(
      [](const auto& value) -> Object {
        if constexpr (std::is_same_v<std::decay_t<decltype(value)>, std::monostate>) {
          return nullptr;
        } else {
          return value;
        }
      },
      cell.value);
}

Json cell_json(const Column& column, const Cell& cell) {
  const bool is_plain = column.interval == Interval::none && !column.replications && !column.bound;
  if (is_plain || cell.is_nothing()) return plain_json<Json>(cell);
  Json object{{"mean", plain_json<Json>(cell)}};
  if (cell.half_width) object["half_width_95"] = *cell.half_width;
  if (cell.replications < cell.replications_run) object["replications"] = cell.replications;
  if (cell.at_least) object["is_lower_bound"] = true;
  if (cell.may_be_chance) object["may_be_chance"] = *cell.may_be_chance;
  return object;
}

// Of the columns from `from` to `to`.
Json row_json(const Relation& relation, const Row& row, std::size_t from, std::size_t to,
              JsonNothing nothing) {
  Json object = Json::object();
  for (std::size_t place = from; place < to; ++place) {
    const Column& column = relation.columns[place];
    const Cell& cell = row.cells[place];
    if (column.key.empty() || (cell.is_nothing() && nothing == JsonNothing::left_out)) continue;
    object[column.key] = cell_json(column, cell);
  }
  return object;
}

}  // namespace

Json write_json(const Relation& relation, JsonNothing nothing) {
  Json rows = Json::array();
  for (const Row& row : relation.rows)
    rows.push_back(row_json(relation, row, 0, relation.columns.size(), nothing));
  return rows;
}

Json write_nested_json(const Relation& relation, std::size_t shared, const std::string& key) {
  Json blocks = Json::array();
  Json last;
  for (const Row& row : relation.rows) {
    Json block = row_json(relation, row, 0, shared, JsonNothing::null);
    if (last != block) {
      blocks.push_back(block);
      blocks.back()[key] = Json::array();
      last = std::move(block);
    }
    blocks.back()[key].push_back(row_json(relation, row, shared, relation.columns.size(), JsonNothing::null));
  }
  return blocks;
}

nlohmann::json write_chart_rows(const Relation& relation) {
  nlohmann::json rows = nlohmann::json::array();
  for (const Row& row : relation.rows) {
    nlohmann::json object = nlohmann::json::object();
    for (std::size_t place = 0; place < relation.columns.size(); ++place) {
      const Column& column = relation.columns[place];
      const Cell& cell = row.cells[place];
      if (column.key.empty() || cell.is_nothing()) continue;
      object[column.key] = plain_json<nlohmann::json>(cell);
      if (column.interval == Interval::none || !cell.number()) continue;
      object[column.key + "_low"] = *cell.number() - cell.half_width.value_or(0);
      object[column.key + "_high"] = *cell.number() + cell.half_width.value_or(0);
    }
    rows.push_back(std::move(object));
  }
  return rows;
}

}  // namespace stockout

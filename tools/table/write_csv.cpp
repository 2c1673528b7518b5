#include "tools/table/write_csv.h"

#include <vector>

#include <fmt/format.h>

#include "tools/table/csv_text.h"

namespace stockout {
namespace {

struct CsvValue {
  std::string operator()(std::monostate) const { return {}; }
  std::string operator()(bool truth) const { return truth ? "1" : "0"; }
  std::string operator()(const std::string& text) const { return csv_text(text); }
  template <typename Number>
  std::string operator()(Number number) const {
    return fmt::format("{}", number);
  }
};

}  // namespace

std::string write_csv(const Relation& relation) {
  const Relation table = flat(relation);
  std::vector<std::string> fields;
  for (const Column& column : table.columns) fields.push_back(column.key);
  std::string text = csv_row(fields);
  for (const Row& row : table.rows) {
    fields.clear();
    for (const Cell& cell : row.cells) fields.push_back(std::visit(CsvValue{}, cell.value));
    text += csv_row(fields);
  }
  return text;
}

}  // namespace stockout

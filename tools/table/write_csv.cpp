#include "tools/table/write_csv.h"

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

/// The fields of a line, with commas between them.
class CsvLine {
 public:
  void add(std::string_view field) {
    if (!is_first_) text_ += ',';
    text_ += field;
    is_first_ = false;
  }
  [[nodiscard]] std::string take() { return std::move(text_) + '\n'; }

 private:
  std::string text_;
  bool is_first_ = true;
};

std::string csv_header(const Relation& relation) {
  CsvLine line;
  for (const Column& column : relation.columns) {
    if (column.key.empty()) continue;
    line.add(column.key);
    if (column.interval != Interval::none) line.add(column.key + "_plus_minus");
    if (column.replications) line.add(column.key + "_replications");
    if (column.bound) line.add(column.key + "_is_lower_bound");
  }
  return line.take();
}

void add_fields(CsvLine& line, const Column& column, const Cell& cell) {
  line.add(std::visit(CsvValue{}, cell.value));
  if (column.interval != Interval::none) line.add(cell.half_width ? fmt::format("{}", *cell.half_width) : "");
  if (column.replications) line.add(fmt::format("{}", cell.replications));
  if (column.bound) line.add(cell.is_nothing() ? "" : cell.at_least ? "1" : "0");
}

}  // namespace

std::string write_csv(const Relation& relation) {
  std::string text = csv_header(relation);
  for (const Row& row : relation.rows) {
    CsvLine line;
    for (std::size_t place = 0; place < relation.columns.size(); ++place) {
      if (!relation.columns[place].key.empty()) add_fields(line, relation.columns[place], row.cells[place]);
    }
    text += line.take();
  }
  return text;
}

}  // namespace stockout

#include "models/repricing/record_rows.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "sim/core/error.h"
#include "sim/io/utf8.h"

namespace stockout {

RecordRows::RecordRows(SQLite::Database& database, std::string file, std::string_view table,
                       std::string_view columns, std::string_view order)
    : file_{std::move(file)},
      table_{table},
      statement_{database, fmt::format("SELECT {} FROM main.{} ORDER BY {}", columns, table, order)} {}

bool RecordRows::next() {
  ++row_;
  cell_ = 0;
  return statement_.executeStep();
}

bool RecordRows::is_none() const { return statement_.getColumn(cell_).isNull(); }

std::int64_t RecordRows::whole(std::int64_t least, std::int64_t most) {
  const SQLite::Column cell = statement_.getColumn(cell_);
  if (!cell.isInteger()) fail(fmt::format("{} must be a whole number", cell.getName()));
  const std::int64_t value = cell.getInt64();
  if (value < least || value > most)
    fail(fmt::format("{} must be {} to {}, but is {}", cell.getName(), least, most, value));
  ++cell_;
  return value;
}

std::optional<std::int64_t> RecordRows::whole_or_none(std::int64_t least, std::int64_t most) {
  if (!is_none()) return whole(least, most);
  ++cell_;
  return std::nullopt;
}

double RecordRows::number() {
  const SQLite::Column cell = statement_.getColumn(cell_++);
  if (!cell.isFloat() || !std::isfinite(cell.getDouble()))
    fail(fmt::format("{} must be a number", cell.getName()));
  return cell.getDouble();
}

std::optional<double> RecordRows::number_or_none() {
  if (!is_none()) return number();
  ++cell_;
  return std::nullopt;
}

std::string RecordRows::raw_text() {
  const SQLite::Column cell = statement_.getColumn(cell_++);
  if (!cell.isText()) fail(fmt::format("{} must be a text", cell.getName()));
  return cell.getString();
}

std::string RecordRows::text() {
  const SQLite::Column cell = statement_.getColumn(cell_);
  std::string value = raw_text();
  std::string seen = value;
  std::ranges::replace(seen, '\t', ' ');  // as catalogues may have it
  if (first_not_utf8(seen) != seen.size() || first_control(seen) != seen.size())
    fail(fmt::format("{} must be text without control characters", cell.getName()));
  return value;
}

std::optional<std::string> RecordRows::text_or_none() {
  if (!is_none()) return text();
  ++cell_;
  return std::nullopt;
}

std::uint64_t RecordRows::number_in_text(int base) {
  const std::string digits = text();
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
  if (error != std::errc{} || end != digits.data() + digits.size()) fail("a number in it is damaged");
  return value;
}

Date RecordRows::day_in(const std::string& text) const {
  const auto day = parse_date(text);
  if (!day) fail(fmt::format("\"{}\" is no day", text.substr(0, 40)));
  return *day;
}

Date RecordRows::day() { return day_in(text()); }

std::optional<Date> RecordRows::day_or_none() {
  const auto text = text_or_none();
  return text ? std::optional{day_in(*text)} : std::nullopt;
}

std::size_t RecordRows::place_of(const std::string& name, std::span<const std::string_view> names) const {
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) fail(fmt::format("there is no \"{}\"", name.substr(0, 40)));
  return static_cast<std::size_t>(found - names.begin());
}

void RecordRows::check_number(std::size_t expected) {
  if (whole(0, kRecordMostCount) != static_cast<std::int64_t>(expected)) fail("a row before it is missing");
}

void RecordRows::fail(std::string_view problem) const {
  throw InputError{{.file = file_}, fmt::format("row {} of its table {}: {}", row_, table_, problem)};
}

}  // namespace stockout

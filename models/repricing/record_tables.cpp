#include "models/repricing/record_tables.h"

#include <fmt/format.h>

namespace stockout {

std::string Day::decode(const StoredValue& value, Date& member) {
  std::string text;
  std::string problem = Line::decode(value, text);
  if (!problem.empty()) return problem;
  const auto day = parse_date(text);
  if (!day) return fmt::format("must be {}, but is \"{}\"", kDayForm, text.substr(0, 40));
  member = *day;
  return {};
}

std::string Day::decode(const StoredValue& value, std::string& member) {
  Date day{};
  std::string problem = decode(value, day);
  if (problem.empty()) member = to_text(day);
  return problem;
}

}  // namespace stockout

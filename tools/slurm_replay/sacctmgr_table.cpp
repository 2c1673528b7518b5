#include "tools/slurm_replay/sacctmgr_table.h"

#include <fmt/format.h>

#include <algorithm>

namespace stockout::slurm {

SacctmgrTable::SacctmgrTable(const std::string& file, const std::vector<std::string_view>& needed,
                             std::string_view how)
    : lines_{file} {
  if (!read(columns_)) lines_.fail_at(1, fmt::format("is empty, but must be what {} prints", how));
  for (const std::string_view column : needed) {
    if (std::ranges::none_of(columns_, [&](const std::string& name) { return is_same_word(name, column); }))
      lines_.fail(fmt::format("has no column \"{}\": it must be what {} prints", column, how));
  }
}

bool SacctmgrTable::next() {
  if (!read(fields_)) return false;
  if (fields_.size() != columns_.size())
    lines_.fail(fmt::format("has {} fields, but the header has {}", fields_.size(), columns_.size()));
  return true;
}

bool SacctmgrTable::read(std::vector<std::string>& fields) {
  std::string_view line;
  do {
    if (!lines_.next(line)) return false;
  } while (line.empty());
  fields = split_words(line, '|');
  if (line.back() == '|') fields.emplace_back();
  return true;
}

ConfField SacctmgrTable::field(std::string_view column) const {
  const auto is_meant = [&](const std::string& name) { return is_same_word(name, column); };
  const auto found = std::ranges::find_if(columns_, is_meant);
  if (found != columns_.end()) return field(static_cast<std::size_t>(found - columns_.begin()));
  return {.key = std::string{column}, .value = {}, .where = {}};
}

ConfField SacctmgrTable::field(std::size_t column) const {
  return {.key = columns_[column],
          .value = fields_[column],
          .where = {.file = lines_.path(),
                    .pointer = columns_[column],
                    .line = static_cast<int>(lines_.line_number())}};
}

}  // namespace stockout::slurm

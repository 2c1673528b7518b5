#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "sim/io/line_reader.h"
#include "tools/slurm_replay/conf_line.h"

namespace stockout::slurm {

/// A table as `sacctmgr -P show ...` prints it: a header, and rows of fields with "|" between them.
class SacctmgrTable {
 public:
  /// Throws InputError unless the file has these columns; `how`: the command that prints them.
  SacctmgrTable(const std::string& file, const std::vector<std::string_view>& needed, std::string_view how);

  /// Goes to the next row; false at the end. Throws InputError for one with more or fewer fields.
  [[nodiscard]] bool next();
  [[nodiscard]] const std::vector<std::string>& columns() const { return columns_; }
  /// A field of the row, by the name of its column. Columns that there are not are empty.
  [[nodiscard]] ConfField field(std::string_view column) const;
  [[nodiscard]] ConfField field(std::size_t column) const;

 private:
  bool read(std::vector<std::string>& fields);

  LineReader lines_;
  std::vector<std::string> columns_;
  std::vector<std::string> fields_;
};

}  // namespace stockout::slurm

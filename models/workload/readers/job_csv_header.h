#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "sim/io/csv_reader.h"

namespace stockout {

/// A column of our own CSV. models/workload/README.md has what stands in each.
enum class JobColumn : std::size_t {
  submit,
  eligible,
  duration,
  gpus,
  nodes,
  gpus_per_node,
  estimate,
  deadline,
  max_wait,
  user,
  job_class,
  gpu,
  machine,
  speed,
  gpu_memory,
  group,
  id,
  job,
  outcome,
  start,
  end,
  team,
  partition,
  dependency,
  array,
  array_limit,
  columns
};

/// For messages: `column "duration"`.
[[nodiscard]] std::string column_text(JobColumn column);

/// Where the columns of a file of our own CSV are.
class JobCsvHeader {
 public:
  /// Of the header that `csv` stands on. Throws InputError for one that is not of the format, and for names
  /// that must not be passed over in silence, each with its cure.
  explicit JobCsvHeader(const CsvReader& csv);

  [[nodiscard]] bool has(JobColumn column) const { return at(column) != kNoColumn; }
  [[nodiscard]] std::size_t at(JobColumn column) const { return at_[static_cast<std::size_t>(column)]; }

  /// Whether the file has starts and ends.
  [[nodiscard]] bool is_record() const { return is_record_; }
  /// Whether it says how many GPUs a job has.
  [[nodiscard]] bool counts_gpus() const { return counts_gpus_; }
  /// Columns that are not used, and those under other names: "gpu_count as gpus".
  [[nodiscard]] const std::vector<std::string>& others() const { return others_; }
  [[nodiscard]] const std::vector<std::string>& renamed() const { return renamed_; }

 private:
  void take_other_names(const CsvReader& csv);
  void check(const CsvReader& csv);
  void check_others(const CsvReader& csv) const;

  std::vector<std::size_t> at_;
  std::vector<std::string> others_;
  std::vector<std::string> renamed_;
  bool is_record_ = false;
  bool counts_gpus_ = true;
};

}  // namespace stockout

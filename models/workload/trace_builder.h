#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "models/workload/join_attempts.h"
#include "models/workload/readers/broken_row.h"
#include "models/workload/trace.h"
#include "models/workload/trace_links.h"

namespace stockout {

/// Lets a std::string table be searched by std::string_view.
struct WordHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view word) const { return std::hash<std::string_view>{}(word); }
};
using WordSet = std::unordered_set<std::string, WordHash, std::equal_to<>>;

/// Numbers words from 0 in order of appearance.
class WordIndex {
 public:
  /// The number of `word`. A new word is also appended to `names`.
  std::uint32_t code(std::string_view word, std::vector<std::string>& names);
  /// Whether `word` has a number.
  [[nodiscard]] bool knows(std::string_view word) const {
    return is_last(word) || codes_.find(word) != codes_.end();
  }
  /// Whether it was asked for last.
  [[nodiscard]] bool is_last(std::string_view word) const { return last_ != nullptr && *last_ == word; }

 private:
  std::unordered_map<std::string, std::uint32_t, WordHash, std::equal_to<>> codes_;
  const std::string* last_ = nullptr;  // traces often repeat a word from row to row
  std::uint32_t last_code_ = 0;
};

/// Gathers the rows that a reader has understood into a Trace, and puts it in order in the end.
class TraceBuilder {
 public:
  TraceBuilder(std::string file, TraceFormat format, const TraceOptions& options);

  /// Makes room for about so many rows. Only a hint, and never heeded beyond a bound that a wrong one cannot
  /// hurt.
  void reserve(std::uint64_t rows);

  /// Every data row begins with this, dropped ones too. Throws InputError beyond kMostRows.
  void begin_row(std::uint64_t line) {
    line_ = line;
    item_ = 0;
    if (trace_.rows_read == kMostRows) fail_too_many();
    ++trace_.rows_read;
  }

  /// The same for a row of a JSON list: its item's number, from 1, and name. A list may be a single line.
  void begin_item(std::uint64_t line, std::uint64_t number, std::string_view name) {
    begin_row(line);
    item_ = number;
    item_name_ = name;
  }

  /// Calls `read()`, which reads the row that has begun. If that throws BrokenRow, the row is dropped. It
  /// must not have added anything before.
  template <typename Read>
  void read_row(Read read) {
    try {
      read();
    } catch (const BrokenRow& broken) {
      drop_broken(broken);
    }
  }

  /// The row is no job, for `reason`.
  void drop(std::string_view reason);

  /// Whether rows of this user are to be kept. If not, drops the row.
  [[nodiscard]] bool keeps_user(std::string_view user) {
    return wanted_users_.empty() || keeps_wanted_user(user);
  }

  /// Names stand in tables: tabs and line ends, which quotes let through, make a BrokenRow. `what`: "user".
  static void check_name(std::string_view what, std::string_view name);

  /// The row is a job. Optional columns of the format must then be appended to columns(); names among them
  /// must have passed check_name().
  void add(std::int64_t submit_ms, SimDuration work, std::int32_t gpus) {
    if (submit_ms < latest_ms_) {
      ++trace_.unsorted_rows;
    } else {
      latest_ms_ = submit_ms;
    }
    trace_.submit_ms.push_back(submit_ms);
    trace_.work.push_back(work);
    trace_.gpus.push_back(gpus);
    trace_.row.push_back(trace_.rows_read - 1);
  }

  void add_user(std::string_view word) { add_word(trace_.user, users_, word); }
  void add_class(std::string_view word) { add_word(trace_.job_class, classes_, word); }
  void add_machine(std::string_view word) { add_word(trace_.machine, machines_, word); }
  void add_gpu(std::string_view word) { add_word(trace_.gpu, gpus_, word); }
  void add_speed(std::string_view word) { add_word(trace_.speed, speeds_, word); }
  void add_gpu_memory(std::string_view word) { add_word(trace_.gpu_memory, memories_, word); }
  // Whether a row had the word before, so that it need not be looked at again.
  [[nodiscard]] bool knows_gpu(std::string_view word) const { return gpus_.knows(word); }
  [[nodiscard]] bool knows_speed(std::string_view word) const { return speeds_.knows(word); }
  [[nodiscard]] bool knows_gpu_memory(std::string_view word) const { return memories_.knows(word); }
  /// An empty word is no group.
  void add_group(std::string_view word);

  /// Which columns the rows of add(RecordedRow) have.
  void keep(const RecordedColumns& columns) { columns_ = columns; }

  /// The row of a record: a job, with all the columns of keep(); an attempt of one; or dropped with its
  /// reason. True if it was added, so that further optional columns of the format must be appended to
  /// columns(). Rounds times to the resolution of the options. Throws BrokenRow, before anything else, for a
  /// name that check_name() refuses and for GPU types that cannot be.
  bool add(const RecordedRow& row);

  /// The row of a file that knows no waits and no outcomes. True if it was added.
  bool add_run(std::int64_t submit_ms, SimDuration work, std::int32_t gpus);

  /// The row breaks its format, and is passed over. Throws InputError if too many of the first rows do.
  void drop_broken(const BrokenRow& broken);

  [[nodiscard]] Trace& columns() { return trace_; }
  /// Which rows depend on which.
  [[nodiscard]] TraceLinks& links() { return links_; }

  /// The trace, sorted. Throws InputError if too many rows are broken for read_trace(), there is no job, a
  /// user of the options was not found, or the submits span more than kLongestRun.
  [[nodiscard]] Trace finish();

 private:
  void add_columns(const RecordedRow& row, std::int64_t asks_ms);
  void add_mark(const RecordedRow& row, NoJob why);
  void add_unserved(const RecordedRow& row, NoJob why, std::int64_t asks_ms);
  void keep_row(const RecordedRow& row);
  [[nodiscard]] DroppedRows& dropped(std::string_view reason);
  void name_jobs();
  void drop_job(const JobRows& job);
  void describe_by_first(const JobRows& job);
  void keep_unserved(const std::vector<JobRows>& jobs);
  [[nodiscard]] bool follows(std::uint32_t row, std::uint32_t before) const;
  [[nodiscard]] std::int64_t rounded(std::int64_t ms) const;
  [[nodiscard]] SimDuration rounded_work(SimDuration length) const;
  void pick(const std::vector<std::uint32_t>& rows);
  static void add_word(WordColumn& column, WordIndex& index, std::string_view word) {
    column.codes.push_back(index.code(word, column.names));
  }
  void check_names(const RecordedRow& row) const;
  [[noreturn]] void fail_broken(std::string_view rows) const;
  [[nodiscard]] bool keeps_wanted_user(std::string_view user);
  [[noreturn]] void fail_too_many() const;
  void check_users() const;
  void check_outcomes() const;
  void check_not_empty() const;
  void check_span() const;
  void add_links();
  void sort();
  void join_attempts();
  void cut(std::uint64_t jobs);

  TraceOptions options_;
  Trace trace_;
  TraceLinks links_;
  std::uint64_t line_ = 0;
  std::uint64_t item_ = 0;    // of a JSON list; 0: it is none
  std::string item_name_;     // "" where it has none
  std::uint64_t broken_ = 0;  // rows
  std::int64_t latest_ms_;    // latest submit so far
  RecordedColumns columns_;
  WordIndex users_, teams_, classes_, partitions_, words_, gpus_, machines_, speeds_, memories_, groups_;
  WordIndex unserved_classes_, unserved_gpus_;
  std::vector<std::string> group_names_;
  WordIndex outcomes_;
  std::vector<std::string> outcome_names_;
  std::vector<bool> is_unfinished_;    // by outcome
  std::vector<AttemptMark> attempts_;  // by row, if the file has attempts
  WordSet wanted_users_;
  WordSet found_users_;
  std::set<std::string, std::less<>> other_users_;  // the first of those not wanted, for a suggestion
};

}  // namespace stockout

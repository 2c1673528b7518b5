#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/core/error.h"
#include "sim/io/line_reader.h"

namespace stockout {

/// A record whose quotes are broken inside its lines. The reader can go on with the next record.
class BrokenRecord final : public InputError {
 public:
  BrokenRecord(SourceRef where, std::string_view problem)
      : InputError{std::move(where), problem}, problem_{problem} {}
  /// The text without the place.
  [[nodiscard]] const std::string& problem() const { return problem_; }

 private:
  std::string problem_;
};

/// The records of a comma-separated file, one after another (RFC 4180: a field in double quotes may hold
/// commas, line ends and doubled quotes). Spaces and tabs around a field that is not in quotes are taken off;
/// lines with nothing on them are passed over.
class CsvReader {
 public:
  /// Throws InputError if the file cannot be opened.
  explicit CsvReader(std::string path) : lines_{std::move(path)} {}

  /// Goes to the next record; false at the end. Throws BrokenRecord for a quote that is out of place, and
  /// InputError for one that is never closed and for what LineReader refuses.
  [[nodiscard]] bool next();

  /// Fields of the record, at least one. Valid until next().
  [[nodiscard]] std::span<const std::string_view> fields() const { return fields_; }

  /// About how many records are still to come (see LineReader::estimate_lines_left()).
  [[nodiscard]] std::uint64_t estimate_records_left() const { return lines_.estimate_lines_left(); }

  /// Line on which the record begins, from 1.
  [[nodiscard]] std::uint64_t line() const { return record_line_; }
  /// Line on which it ends, as far as it was read.
  [[nodiscard]] std::uint64_t last_line() const { return lines_.line_number(); }
  [[nodiscard]] const std::string& path() const { return lines_.path(); }

  /// Throws InputError unless the record has `width` fields.
  void check_width(std::size_t width) const {
    if (fields_.size() != width) fail_width(width);
  }

  /// Throws InputError that names the line of the record.
  [[noreturn]] void fail(std::string_view problem) const { lines_.fail_at(record_line_, problem); }

 private:
  struct Piece {
    std::size_t begin = 0;
    std::size_t end = 0;
  };

  [[noreturn]] void fail_width(std::size_t width) const;
  [[noreturn]] void fail_record(std::string_view problem) const;
  // False, with nothing done that counts, if there is a quote in the line.
  [[nodiscard]] bool split_plain(std::string_view line);
  void split_quoted(std::string_view line);
  void take_bare(std::string_view& rest);
  void take_quoted(std::string_view& rest);

  LineReader lines_;
  std::vector<std::string_view> fields_;
  std::string unquoted_;       // text of the fields, for a record with quotes
  std::vector<Piece> pieces_;  // the fields in it
  std::uint64_t record_line_ = 0;
};

/// Where the columns of a file are: the place of each of `known` in its header, or kNoColumn.
inline constexpr std::size_t kNoColumn = static_cast<std::size_t>(-1);

/// Finds the columns `known` in the header record that `csv` stands on, whatever their order. Throws
/// InputError for a header with a column that is not known, or the same column twice. `form`: what has no
/// other columns, "the format csv", where several are told apart. `others`: where columns go that are not
/// known and resemble none that is, instead of being errors.
[[nodiscard]] std::vector<std::size_t> find_columns(const CsvReader& csv, std::span<const std::string> known,
                                                    std::string_view form = {},
                                                    std::vector<std::string>* others = nullptr);

}  // namespace stockout

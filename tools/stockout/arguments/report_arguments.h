#pragma once

#include <memory>
#include <string>

#include <CLI/CLI.hpp>

#include "sim/io/whole_file.h"
#include "tools/report/comparison/report.h"
#include "tools/stockout/terminal/console.h"

namespace stockout {

/// The arguments of every command that writes a report.
struct ReportArguments {
  std::string by = "nothing";
  std::string format = "table";
  std::string output;

  /// Adds --by, --format and --output to a command. This object must outlive it.
  void add_to(CLI::App& command);
  /// The same without --by.
  void add_format_to(CLI::App& command);

  [[nodiscard]] GroupBy group_by() const;            // InputError for an unknown word
  [[nodiscard]] ReportFormat report_format() const;  // InputError for an unknown word
};

/// InputError if the scenario has no such rows.
void check_group_by(GroupBy by, const Scenario& scenario);

/// Where a report goes: a file if one is named, else the console. A file that cannot be written is reported
/// before the work.
class ReportTarget {
 public:
  ReportTarget(const ReportArguments& arguments, Console& console);
  void write(const std::string& text);

  /// Of what is to be written.
  [[nodiscard]] TextLayout layout() const;

 private:
  Console& console_;
  std::unique_ptr<WholeFile> file_;
};

}  // namespace stockout

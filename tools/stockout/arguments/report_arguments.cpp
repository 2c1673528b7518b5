#include "tools/stockout/arguments/report_arguments.h"

#include <ostream>

#include <fmt/format.h>

#include "sim/core/error.h"
#include "tools/stockout/arguments/scenario_arguments.h"

namespace stockout {

void ReportArguments::add_to(CLI::App& command) {
  command
      .add_option("--by", by,
                  "A row for each class, user, gpu, pool, cluster_queue or cohort of Kueue, or partition or "
                  "account of Slurm, besides the row of all")
      ->type_name(choices(kGroupByNames));
  add_format_to(command);
}

void ReportArguments::add_format_to(CLI::App& command) {
  command.add_option("--format", format, "How the report is written")
      ->capture_default_str()
      ->type_name(choices(kReportFormatNames));
  command.add_option("--output", output, "Writes the report to this file, whole or not at all")
      ->type_name("FILE");
}

GroupBy ReportArguments::group_by() const {
  return static_cast<GroupBy>(choose("--by", "grouping", by, kGroupByNames));
}

ReportFormat ReportArguments::report_format() const {
  return static_cast<ReportFormat>(choose("--format", "format", format, kReportFormatNames));
}

void check_group_by(GroupBy by, const Scenario& scenario) {
  const bool lacks_kueue = is_by_queues(by) && !scenario.world.kueue;
  const bool lacks_slurm = is_by_slurm(by) && !scenario.world.slurm;
  if (!lacks_kueue && !lacks_slurm) return;
  throw InputError{{.file = "command line", .pointer = "--by"},
                   fmt::format("{} has no \"{}\", and no rows by {}", scenario.file,
                               lacks_kueue ? "kueue" : "slurm", kGroupByNames[static_cast<std::size_t>(by)])};
}

ReportTarget::ReportTarget(const ReportArguments& arguments, Console& console) : console_{console} {
  if (!arguments.output.empty()) file_ = std::make_unique<WholeFile>(arguments.output);
}

TextLayout ReportTarget::layout() const { return file_ ? console_.file_layout() : console_.layout(); }

void ReportTarget::write(const std::string& text) {
  if (!file_) {
    console_.out << text;
    return;
  }
  file_->write(text);
  file_->commit();
}

}  // namespace stockout

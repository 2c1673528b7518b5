#include "tools/stockout/record_output.h"

#include "models/repricing/record_file.h"
#include "tools/report/report.h"

namespace stockout {

void add_record_option(CLI::App& command, std::string& path) {
  command.add_option(
      "--record", path,
      "Writes what every run used to this file (SQLite), for `stockout price`: its cost at other "
      "prices, without simulating again");
}

RecordOutput::RecordOutput(const std::string& path, const Scenario& scenario,
                           const std::vector<std::string>& sets)
    : recorder_{scenario, sets, goal_text(scenario), STOCKOUT_VERSION} {
  if (!path.empty()) file_ = std::make_unique<WholeFile>(path);
}

StoredComparison RecordOutput::finish(const Comparison& comparison) {
  StoredComparison stored = recorder_.finish(comparison);
  if (file_) {
    file_->write(record_bytes(stored));
    file_->commit();
  }
  return stored;
}

}  // namespace stockout

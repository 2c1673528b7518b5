#include "tools/slurm_replay/power_plan.h"

#include <algorithm>
#include <map>

#include "sim/core/unknown_name.h"
#include "sim/io/csv_reader.h"
#include "sim/io/number.h"
#include "tools/slurm_replay/host_list.h"

namespace stockout::slurm {
namespace {

const std::vector<std::string>& column_names() {
  static const std::vector<std::string> kNames{"node", "boot", "down", "back"};
  return kNames;
}

class PowerPlanReader {
 public:
  PowerPlanReader(const std::string& file, const ClusterFile& cluster)
      : csv_{file}, plan_(cluster.configuration.nodes.size()) {
    for (const Node& node : cluster.configuration.nodes) {
      places_.emplace(node.name, names_.size());
      names_.push_back(node.name);
    }
  }

  PowerPlan read() {
    if (!csv_.next()) csv_.fail("is empty, but a header is needed");
    columns_ = find_columns(csv_, column_names());
    if (columns_[0] == kNoColumn) csv_.fail("has no column \"node\"");
    const std::size_t width = csv_.fields().size();
    while (csv_.next()) {
      csv_.check_width(width);
      read_row();
    }
    return std::move(plan_);
  }

 private:
  [[nodiscard]] std::string_view text(std::size_t column) const {
    return columns_[column] == kNoColumn ? std::string_view{} : csv_.fields()[columns_[column]];
  }

  [[nodiscard]] std::optional<SimDuration> seconds(std::size_t column) const {
    if (text(column).empty()) return std::nullopt;
    std::int64_t ms = 0;
    if (parse_scaled(text(column), 1000, 1, ms) != std::errc{} || ms < 0 || ms > kLongestRun.count())
      csv_.fail(column_names()[column] + " must be a number of seconds, but is " + in_quotes(text(column)));
    return SimDuration{ms};
  }

  void read_row() {
    const PowerUp row{.boot = seconds(1), .down = seconds(2), .back = seconds(3)};
    if (row.boot && row.down) csv_.fail("a node that is set DOWN does not boot: leave one of both empty");
    const SourceRef where{
        .file = csv_.path(), .pointer = column_names()[0], .line = static_cast<int>(csv_.line())};
    for (const std::string& name : read_host_list(text(0), names_.size(), where)) {
      const auto place = places_.find(name);
      if (place == places_.end()) csv_.fail(unknown_name("node", name, names_));
      plan_[place->second].push_back(row);
    }
  }

  CsvReader csv_;
  PowerPlan plan_;
  std::vector<std::string> names_;
  std::map<std::string, std::size_t> places_;
  std::vector<std::size_t> columns_;
};

}  // namespace

PowerPlan read_power_plan(const std::string& file, const ClusterFile& cluster) {
  return PowerPlanReader{file, cluster}.read();
}

}  // namespace stockout::slurm

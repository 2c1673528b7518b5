#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "models/experiment/run_observer.h"
#include "models/history/job_troubles.h"
#include "sim/io/whole_file.h"
#include "tools/stockout/terminal/console.h"
#include "tools/table/text_layout.h"

namespace stockout {

/// The file of --jobs-out: what became of each job of a run.
class JobsOutput : public RunObserver {
 public:
  /// Nothing is done where `path` is empty. A file that cannot be written is reported now. The others outlive
  /// this.
  JobsOutput(const std::string& path, const World& world, Console& console);

  void begin(const RunPlace& run, Logs& logs) override;
  void end(const RunPlace& run, const RunRecord& record, const Measures& measures) override;
  void commit() const;
  /// How many jobs are in each state that an orchestrator names, as a table, and how many requests lost their
  /// machines before work began; empty where nothing is done, or nothing has such a state.
  [[nodiscard]] std::string states(const TextLayout& layout) const;

 private:
  std::string path_;
  const World& world_;
  Console& console_;
  std::unique_ptr<WholeFile> file_;
  JobTroublesBook troubles_;
  std::map<std::pair<std::string_view, std::string_view>, std::int64_t> states_;  // jobs, by leg and state
  std::map<std::pair<std::string_view, std::string_view>, std::int64_t> lost_;    // requests, the same
};

/// The file of --leases-out: each lease of a job, when it ends.
class LeasesOutput : public RunObserver {
 public:
  /// As JobsOutput.
  LeasesOutput(const std::string& path, const World& world);

  void begin(const RunPlace& run, Logs& logs) override;
  void commit() const;

 private:
  const World& world_;
  std::unique_ptr<WholeFile> file_;
};

}  // namespace stockout

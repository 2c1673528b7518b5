#include "tools/stockout/run_outputs.h"

#include "tools/report/run/jobs_csv.h"
#include "tools/stockout/progress.h"
#include "tools/table/write_text.h"

namespace stockout {
namespace {

std::unique_ptr<WholeFile> open_if_named(const std::string& path, const std::string& header) {
  if (path.empty()) return nullptr;
  auto file = std::make_unique<WholeFile>(path);
  file->write(header);
  return file;
}

}  // namespace

JobsOutput::JobsOutput(const std::string& path, const World& world, Console& console)
    : path_{path}, world_{world}, console_{console}, file_{open_if_named(path, jobs_csv_header())} {}

void JobsOutput::begin(const RunPlace& /*run*/, Logs& logs) {
  if (file_) troubles_.listen(logs);
}

void JobsOutput::end(const RunPlace& run, const RunRecord& record, const Measures& /*measures*/) {
  if (!file_) return;
  const Strategy& strategy = world_.strategies[run.strategy];
  const GaveWayTo gave_way = gave_way_by_job(record.gave_way);
  const std::vector<std::uint64_t> nobody;
  with_status(console_, "writing " + path_, [&] {
    for_each_recorded_job(world_, run.replication, [&](std::uint64_t number, const Job& job) {
      const JobOutcome outcome = record.jobs.at(number);
      const JobTroubles troubles = troubles_.of(number);
      const auto gave = gave_way.find(number);
      file_->write(jobs_csv_line(world_, strategy, number, job, outcome, troubles,
                                 gave == gave_way.end() ? nobody : gave->second));
      const std::string_view state = orchestrator_state(strategy, outcome, troubles);
      if (!state.empty()) ++states_[{strategy.legs[outcome.leg].label, state}];
    });
  });
}

std::string JobsOutput::states(const TextLayout& layout) const {
  if (states_.empty()) return {};
  Relation table{.title = "Jobs by the last state that the orchestrator of their last leg names"};
  table.add_columns(kText, {"leg", "state"});
  table.add_columns(kWhole, {"jobs"});
  for (const auto& [state, jobs] : states_) table.add({state.first, state.second, jobs});
  return write_section(table, layout);
}

void JobsOutput::commit() const {
  if (file_) file_->commit();
}

LeasesOutput::LeasesOutput(const std::string& path, const World& world)
    : world_{world}, file_{open_if_named(path, leases_csv_header())} {}

void LeasesOutput::begin(const RunPlace& run, Logs& logs) {
  if (!file_) return;
  also_hear(logs.on_lease, [this, &strategy = world_.strategies[run.strategy]](const LeaseRow& lease) {
    file_->write(leases_csv_line(world_, strategy, lease));
  });
}

void LeasesOutput::commit() const {
  if (file_) file_->commit();
}

}  // namespace stockout

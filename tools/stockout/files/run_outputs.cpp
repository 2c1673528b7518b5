#include "tools/stockout/files/run_outputs.h"

#include "tools/report/run/jobs_csv.h"
#include "tools/stockout/terminal/progress.h"
#include "tools/table/write_text.h"

namespace stockout {
namespace {

std::unique_ptr<WholeFile> open_if_named(const std::string& path, const std::string& header) {
  if (path.empty()) return nullptr;
  auto file = std::make_unique<WholeFile>(path);
  file->write(header);
  return file;
}

std::string table_of(const std::map<std::pair<std::string_view, std::string_view>, std::int64_t>& states,
                     std::string_view title, const char* counted, const TextLayout& layout) {
  if (states.empty()) return {};
  Relation table{.title = std::string{title}};
  table.add_columns(kText, {"leg", "state"});
  table.add_columns(kWhole, {counted});
  for (const auto& [state, count] : states) table.add({state.first, state.second, count});
  return write_section(table, layout);
}

}  // namespace

JobsOutput::JobsOutput(const std::string& path, const World& world, Console& console)
    : path_{path}, world_{world}, console_{console}, file_{open_if_named(path, jobs_csv_header())} {}

void JobsOutput::begin(const RunPlace& run, Logs& logs) {
  if (!file_) return;
  troubles_.listen(logs);
  also_hear(logs.on_lease, [this, &strategy = world_.strategies[run.strategy]](const LeaseRow& lease) {
    const Leg& leg = strategy.legs[lease.leg];
    const JobFate lost = lost_by(lease);
    if (lost == JobFate::running || !leg.orchestrator) return;
    const std::string_view state = state_name(*leg.orchestrator, leg.policy, lost);
    if (!state.empty()) ++lost_[{leg.label, state}];
  });
}

void JobsOutput::end(const RunPlace& run, const RunRecord& record, const Measures& /*measures*/) {
  if (!file_) return;
  with_status(console_, "writing " + path_, [&] {
    for_each_told_job(world_, run, record, troubles_, [&](const ToldJob& job) {
      file_->write(jobs_csv_line(job));
      const std::string_view state = orchestrator_state(job.strategy, job.outcome, job.troubles);
      if (!state.empty()) ++states_[{job.last_leg().label, state}];
    });
  });
}

std::string JobsOutput::states(const TextLayout& layout) const {
  return table_of(states_, "Jobs by the last state that the orchestrator of their last leg names", "jobs",
                  layout) +
         table_of(lost_, "Requests whose machines went before work began, by state", "requests", layout);
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

#include "models/workload/recorded_waits.h"

#include <map>
#include <utility>

namespace stockout {
namespace {

// What is known so far of the jobs of one name.
struct WaitsSoFar {
  RecordedWaits waits;
  std::vector<SimDuration> known;
};

void add_job_to(WaitsSoFar& group, const Trace& trace, std::size_t job) {
  ++group.waits.jobs;
  if (trace.recorded_wait.empty() || trace.recorded_wait[job] < SimDuration::zero()) return;
  group.known.push_back(trace.recorded_wait[job]);
}

void add_unserved_to(RecordedWaits& waits, const UnservedJob& job) {
  switch (job.outcome) {
    case RecordedOutcome::refused:
      ++waits.refused;
      break;
    case RecordedOutcome::expired:
      ++waits.expired;
      break;
    case RecordedOutcome::cancelled:
      ++waits.cancelled;
      break;
    default:
      ++waits.unstarted;
  }
}

RecordedWaits finished(WaitsSoFar&& group) {
  group.waits.known = group.known.size();
  group.waits.wait = summarize_lengths(std::move(group.known));
  return std::move(group.waits);
}

// By the words of a column; `name_of_unserved` has those of the jobs that are not in it.
template <typename NameOfUnserved>
std::vector<RecordedWaits> waits_by(const Trace& trace, const WordColumn& column,
                                    const NameOfUnserved& name_of_unserved) {
  std::map<std::string, WaitsSoFar> groups;
  for (std::size_t job = 0; job < trace.size(); ++job) {
    add_job_to(groups[column.empty() ? "" : column.at(job)], trace, job);
  }
  for (const UnservedJob& job : trace.unserved.jobs) {
    add_unserved_to(groups[name_of_unserved(job)].waits, job);
  }
  if (groups.size() == 1 && groups.begin()->first.empty()) return {};
  std::vector<RecordedWaits> all;
  for (auto& [name, group] : groups) {
    group.waits.name = name;
    all.push_back(finished(std::move(group)));
  }
  return all;
}

}  // namespace

RecordedWaits waits_of_all(const Trace& trace) {
  WaitsSoFar all;
  for (std::size_t job = 0; job < trace.size(); ++job) add_job_to(all, trace, job);
  for (const UnservedJob& job : trace.unserved.jobs) add_unserved_to(all.waits, job);
  return finished(std::move(all));
}

std::vector<RecordedWaits> waits_by_class(const Trace& trace) {
  return waits_by(trace, trace.job_class,
                  [&](const UnservedJob& job) { return trace.unserved.classes[job.job_class]; });
}

std::vector<RecordedWaits> waits_by_gpu(const Trace& trace) {
  return waits_by(trace, trace.gpu, [&](const UnservedJob& job) { return trace.unserved.gpus[job.gpu]; });
}

}  // namespace stockout

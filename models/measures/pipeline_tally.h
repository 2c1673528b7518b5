#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/measures/job_tally.h"
#include "models/measures/measures.h"
#include "models/workload/jobs.h"
#include "models/world/world.h"
#include "sim/stats/censored_sample.h"

namespace stockout {

/// How long pipelines took, from submission to the end of their last job.
class Makespans {
 public:
  void add(SimDuration length, bool completed);
  /// Fills in the measures that are about pipelines.
  void fill(Values& values) const;

 private:
  std::uint64_t completed_ = 0;
  CensoredSample lengths_;  // of one that was not completed: known from below
};

/// Pipelines and their steps, in rows of their own. A world without pipelines has none.
class PipelineTally {
 public:
  PipelineTally(const World& world, const JobTallyTerms& terms);

  /// The jobs come in order of arrival, and so those of a pipeline at one instant. The rest is as JobTally
  /// has it.
  void add(const Job& job, const JobOutcome& outcome, Rate fastest, bool follows);
  /// After the last job: fills in the pipelines of the total and all rows.
  void finish(Measures& measures);

 private:
  struct Open {
    SimTime end{};  // of its last job so far
    bool completed = true;
  };
  void close();

  const World& world_;
  std::vector<std::size_t> rows_;   // by source: among the steps
  std::vector<std::size_t> kinds_;  // by source that begins pipelines: among those
  std::vector<JobTally> steps_;
  std::vector<Makespans> pipelines_;
  Makespans all_;
  SimTime submit_{};                                         // of those that are open
  std::map<std::pair<SourceId, std::uint64_t>, Open> open_;  // by the source that begins it, and its number
};

/// The sources that begin pipelines, and those that are steps of them, in the world's order.
[[nodiscard]] std::vector<std::string> pipeline_names(const World& world);
[[nodiscard]] std::vector<std::string> step_names(const World& world);

}  // namespace stockout

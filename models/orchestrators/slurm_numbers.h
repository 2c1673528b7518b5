#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "models/orchestrators/orchestrator.h"
#include "models/orchestrators/slurm/job.h"
#include "models/workload/job_link.h"
#include "models/world/world.h"

namespace stockout {

/// Slurm's numbers of the jobs that have come to it. By them jobs of traces depend on others and are tasks of
/// arrays: models/simulation/README.md, R18.16. Only rows that have links take memory for them.
class SlurmNumbers {
 public:
  explicit SlurmNumbers(const World& world);

  /// Adds the dependencies on jobs that have come, as the links of the job's row say.
  void add_links(slurm::JobRequest& request, const Job& job) const;
  /// The job has come, and this is its number.
  void came(const JobView& job, slurm::JobId id);
  /// JobView::number.
  [[nodiscard]] std::uint64_t job_of(slurm::JobId id) const { return jobs_[id]; }

 private:
  struct OfSource {
    const std::vector<JobLink>* links = nullptr;
    std::unordered_map<std::uint64_t, std::optional<slurm::JobId>> jobs;  // of rows on which others depend
    std::unordered_map<std::uint64_t, slurm::JobId> arrays;  // the task that came first, by JobLink::on
  };
  [[nodiscard]] const OfSource* source_of(const Job& job) const;

  std::vector<std::uint64_t> jobs_;                 // by JobId
  std::unordered_map<SourceId, OfSource> sources_;  // that have links
};

}  // namespace stockout

#include "models/orchestrators/slurm_numbers.h"

#include <algorithm>
#include <span>
#include <variant>

#include "sim/core/check.h"

namespace stockout {
namespace {

using LinkKind = JobLink::Kind;

std::span<const JobLink> links_of(const std::vector<JobLink>& links, std::uint64_t row) {
  return {std::ranges::lower_bound(links, row, {}, &JobLink::row),
          std::ranges::upper_bound(links, row, {}, &JobLink::row)};
}

slurm::DependencyKind kind_at_slurm(LinkKind kind) {
  switch (kind) {
    case LinkKind::after:
      return slurm::DependencyKind::after;
    case LinkKind::after_ok:
      return slurm::DependencyKind::after_ok;
    case LinkKind::after_not:
      return slurm::DependencyKind::after_not;
    default:
      return slurm::DependencyKind::after_any;
  }
}

}  // namespace

// A resampled trace is made of pieces, whose rows have other numbers.
SlurmNumbers::SlurmNumbers(const World& world) {
  for (std::size_t i = 0; i < world.sources.size(); ++i) {
    const auto* trace = std::get_if<TraceDemand>(&world.sources[i].demand);
    if (trace == nullptr || trace->resampled || trace->jobs->links.empty()) continue;
    OfSource& source = sources_[static_cast<SourceId>(i)];
    source.links = &trace->jobs->links;
    for (const JobLink& link : *source.links) {
      if (link.kind != LinkKind::task_of) source.jobs[link.on] = std::nullopt;
    }
  }
}

const SlurmNumbers::OfSource* SlurmNumbers::source_of(const Job& job) const {
  const auto found = sources_.find(job.source);
  return found == sources_.end() ? nullptr : &found->second;
}

void SlurmNumbers::add_links(slurm::JobRequest& request, const Job& job) const {
  const OfSource* source = source_of(job);
  if (source == nullptr) return;
  for (const JobLink& link : links_of(*source->links, job.row)) {
    if (link.kind == LinkKind::task_of) {
      const auto first = source->arrays.find(link.on);
      if (first != source->arrays.end()) request.array = first->second;
      request.tasks_at_once = link.at_once;
    } else if (const auto other = source->jobs.at(link.on)) {
      request.dependencies.push_back({.kind = kind_at_slurm(link.kind), .job = *other});
    }
  }
}

void SlurmNumbers::came(const JobView& job, slurm::JobId id) {
  STOCKOUT_CHECK(id == jobs_.size());
  jobs_.push_back(job.number);
  const auto found = sources_.find(job.job.source);
  if (found == sources_.end()) return;
  OfSource& source = found->second;
  const std::uint64_t row = job.job.row;
  if (const auto awaited = source.jobs.find(row); awaited != source.jobs.end()) awaited->second = id;
  for (const JobLink& link : links_of(*source.links, row)) {
    if (link.kind == LinkKind::task_of) source.arrays.try_emplace(link.on, id);
  }
}

}  // namespace stockout

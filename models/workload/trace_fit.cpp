#include "models/workload/trace_fit.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

namespace stockout {
namespace {

constexpr std::size_t kMostSizes = 100;
constexpr std::uint64_t kLeastJobs = 50;              // of a group of its own
constexpr std::int64_t kMondayMs = 4 * 86'400'000LL;  // 1970-01-05

std::vector<std::int64_t> arrivals_of(const Trace& trace) {
  if (trace.absolute) return trace.submit_ms;
  std::vector<std::int64_t> arrivals;
  for (const std::int64_t at : trace.submit_ms) arrivals.push_back(at + trace.zero_ms.value_or(kMondayMs));
  return arrivals;
}

// 0: one GPU; 1: up to a node; 2: more.
std::size_t group_of(std::int32_t gpus, std::int32_t gpus_per_node) {
  if (gpus == 1) return 0;
  return gpus <= gpus_per_node ? 1 : 2;
}

FittedSize size_of(const Trace& trace, std::size_t job, std::int32_t gpus_per_node) {
  const std::int32_t gpus = trace.gpus[job];
  if (!trace.nodes.empty()) return {.nodes = trace.nodes[job], .gpus = gpus / trace.nodes[job]};
  const std::int32_t nodes = (gpus - 1) / gpus_per_node + 1;
  return {.nodes = nodes, .gpus = (gpus - 1) / nodes + 1};
}

std::vector<FittedSize> sizes_of(const Trace& trace, std::span<const std::size_t> jobs,
                                 std::int32_t gpus_per_node) {
  std::map<std::pair<std::int32_t, std::int32_t>, std::uint64_t> counts;
  for (const std::size_t job : jobs) {
    const FittedSize size = size_of(trace, job, gpus_per_node);
    ++counts[{size.nodes, size.gpus}];
  }
  std::vector<FittedSize> sizes;
  for (const auto& [size, count] : counts)
    sizes.push_back({.nodes = size.first, .gpus = size.second, .jobs = count});
  std::ranges::stable_sort(sizes, std::ranges::greater{}, &FittedSize::jobs);
  if (sizes.size() > kMostSizes) sizes.resize(kMostSizes);
  return sizes;
}

std::vector<SimDuration> sorted_work(const Trace& trace, std::span<const std::size_t> jobs) {
  std::vector<SimDuration> work;
  work.reserve(jobs.size());
  for (const std::size_t job : jobs) work.push_back(trace.work[job]);
  std::ranges::sort(work);
  return work;
}

std::string name_of(std::int32_t least, std::int32_t most) {
  return least == most ? fmt::format("{} GPU{}", most, most == 1 ? "" : "s")
                       : fmt::format("{} to {} GPUs", least, most);
}

SizeGroup fit_group(const Trace& trace, std::span<const std::size_t> jobs, std::int32_t gpus_per_node) {
  SizeGroup group;
  group.jobs = jobs.size();
  const auto by_gpus = [&](std::size_t a, std::size_t b) { return trace.gpus[a] < trace.gpus[b]; };
  const auto [least, most] = std::ranges::minmax_element(jobs, by_gpus);
  group.name = name_of(trace.gpus[*least], trace.gpus[*most]);
  group.sizes = sizes_of(trace, jobs, gpus_per_node);
  const auto work = sorted_work(trace, jobs);
  group.laws = fit_laws(work);
  group.work = chosen_law(work, group.laws);
  return group;
}

// A group of few jobs joins the one before it, or else the one after.
std::vector<std::vector<std::size_t>> grouped_jobs(const Trace& trace, std::int32_t gpus_per_node) {
  std::vector<std::vector<std::size_t>> groups(3);
  for (std::size_t job = 0; job < trace.size(); ++job)
    groups[group_of(trace.gpus[job], gpus_per_node)].push_back(job);
  for (std::size_t i = groups.size() - 1; i > 0; --i) {
    if (groups[i].size() >= kLeastJobs && groups[i - 1].size() >= kLeastJobs) continue;
    groups[i - 1].insert(groups[i - 1].end(), groups[i].begin(), groups[i].end());
    groups.erase(groups.begin() + static_cast<std::ptrdiff_t>(i));
  }
  return groups;
}

void count_users(const Trace& trace, TraceFit& fit) {
  std::vector<std::uint64_t> jobs(trace.user.names.size());
  for (const std::uint32_t code : trace.user.codes) ++jobs[code];
  fit.users =
      static_cast<std::size_t>(std::ranges::count_if(jobs, [](std::uint64_t count) { return count > 0; }));
  if (jobs.empty()) return;
  fit.top_user_share = static_cast<double>(std::ranges::max(jobs)) / static_cast<double>(trace.size());
}

}  // namespace

TraceFit fit_trace(const Trace& trace, std::span<const LocalOffset> offsets, std::int32_t gpus_per_node) {
  TraceFit fit;
  fit.rate = fit_rate(arrivals_of(trace), offsets);
  std::vector<SimDuration> work = trace.work;
  std::ranges::sort(work);
  fit.work = fit_laws(work);
  for (const auto& jobs : grouped_jobs(trace, gpus_per_node))
    fit.groups.push_back(fit_group(trace, jobs, gpus_per_node));
  count_users(trace, fit);
  return fit;
}

}  // namespace stockout

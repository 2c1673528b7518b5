#include "models/workload/fit/trace_fit.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "sim/core/counted.h"

namespace stockout {
namespace {

constexpr std::size_t kMostSizes = 100;
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
  return least == most ? counted(static_cast<std::uint64_t>(most), "GPU")
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
std::vector<std::vector<std::size_t>> grouped_jobs(const Trace& trace, std::span<const std::size_t> jobs,
                                                   std::int32_t gpus_per_node) {
  std::vector<std::vector<std::size_t>> groups(3);
  for (const std::size_t job : jobs) groups[group_of(trace.gpus[job], gpus_per_node)].push_back(job);
  for (std::size_t i = groups.size() - 1; i > 0; --i) {
    if (groups[i].size() >= kLeastFittedJobs && groups[i - 1].size() >= kLeastFittedJobs) continue;
    groups[i - 1].insert(groups[i - 1].end(), groups[i].begin(), groups[i].end());
    groups.erase(groups.begin() + static_cast<std::ptrdiff_t>(i));
  }
  return groups;
}

// How many jobs each user of the trace has among these.
std::vector<std::uint64_t> jobs_by_user(const Trace& trace, std::span<const std::size_t> jobs) {
  std::vector<std::uint64_t> counts(trace.user.names.size());
  if (trace.user.empty()) return counts;
  for (const std::size_t job : jobs) ++counts[trace.user.codes[job]];
  return counts;
}

std::size_t count_users(const std::vector<std::uint64_t>& jobs) {
  return static_cast<std::size_t>(std::ranges::count_if(jobs, [](std::uint64_t count) { return count > 0; }));
}

std::string word_of(const WordColumn& column, std::size_t job) {
  return column.empty() ? std::string{} : column.at(job);
}

// The jobs that have the same words.
struct Split {
  FittedKind kind;
  std::vector<std::size_t> jobs;
};

// A word of a machine says more than one of a GPU.
void describe(FittedKind& kind, const Trace& trace, std::size_t job, FitBy by) {
  switch (by) {
    case FitBy::job_class:
      kind.job_class = word_of(trace.job_class, job);
      break;
    case FitBy::machine:
      kind.machine = word_of(trace.machine, job);
      if (kind.machine.empty()) kind.gpu = word_of(trace.gpu, job);
      break;
    case FitBy::team:
      kind.team = word_of(trace.team, job);
      break;
    case FitBy::user:
      kind.user = word_of(trace.user, job);
      break;
  }
}

void append_codes(std::vector<std::uint32_t>& codes, const Trace& trace, std::size_t job, FitBy by) {
  const auto code = [&](const WordColumn& column) { return column.empty() ? 0 : column.codes[job]; };
  switch (by) {
    case FitBy::job_class:
      codes.push_back(code(trace.job_class));
      break;
    case FitBy::machine:
      codes.push_back(code(trace.machine));
      codes.push_back(word_of(trace.machine, job).empty() ? code(trace.gpu) : 0);
      break;
    case FitBy::team:
      codes.push_back(code(trace.team));
      break;
    case FitBy::user:
      codes.push_back(code(trace.user));
      break;
  }
}

// In order of the first job of each.
std::vector<Split> split_by(const Trace& trace, std::span<const std::size_t> jobs,
                            std::span<const FitBy> by) {
  std::vector<Split> splits;
  std::map<std::vector<std::uint32_t>, std::size_t> places;
  for (const std::size_t job : jobs) {
    std::vector<std::uint32_t> codes;
    for (const FitBy one : by) append_codes(codes, trace, job, one);
    const auto [place, is_new] = places.try_emplace(std::move(codes), splits.size());
    if (is_new) splits.emplace_back();
    splits[place->second].jobs.push_back(job);
  }
  return splits;
}

// The first `level` of what tells kinds apart. The machine stays to the end: jobs of another would run on it.
std::vector<FitBy> words_at(const std::vector<FitBy>& by, std::size_t level) {
  std::vector<FitBy> words{by.begin(), by.begin() + static_cast<std::ptrdiff_t>(level)};
  const bool has_machine = std::ranges::count(by, FitBy::machine) > 0;
  if (has_machine && std::ranges::count(words, FitBy::machine) == 0) words.push_back(FitBy::machine);
  return words;
}

bool is_shared(const Trace& trace, std::span<const std::size_t> jobs, FitBy word) {
  std::vector<std::uint32_t> first;
  append_codes(first, trace, jobs.front(), word);
  return std::ranges::all_of(jobs, [&](std::size_t job) {
    std::vector<std::uint32_t> codes;
    append_codes(codes, trace, job, word);
    return codes == first;
  });
}

// What all its jobs share. Class and machine count though nobody asked for kinds by them.
void describe_shared(Split& split, const Trace& trace, const std::vector<FitBy>& by) {
  for (const FitBy word : {FitBy::job_class, FitBy::machine, FitBy::team, FitBy::user}) {
    const bool counts =
        word == FitBy::job_class || word == FitBy::machine || std::ranges::count(by, word) > 0;
    if (counts && is_shared(trace, split.jobs, word)) describe(split.kind, trace, split.jobs.front(), word);
  }
}

// Kinds of enough jobs, with as many words as that allows; last what is left of each machine.
std::vector<Split> split_into_kinds(const Trace& trace, const std::vector<FitBy>& by) {
  std::vector<Split> kinds;
  std::vector<std::size_t> left(trace.size());
  std::iota(left.begin(), left.end(), std::size_t{0});
  std::set<std::size_t> begins_few;  // the first jobs of kinds of few jobs
  for (std::size_t level = by.size(); !left.empty(); --level) {
    std::vector<Split> splits = split_by(trace, left, words_at(by, level));
    left.clear();
    for (Split& split : splits) {
      if (level > 0 && split.jobs.size() < kLeastFittedJobs) {
        if (level == by.size()) begins_few.insert(split.jobs.front());
        left.insert(left.end(), split.jobs.begin(), split.jobs.end());
      } else {
        describe_shared(split, trace, by);
        split.kind.few = static_cast<std::uint64_t>(
            std::ranges::count_if(split.jobs, [&](std::size_t job) { return begins_few.contains(job); }));
        kinds.push_back(std::move(split));
      }
    }
    std::ranges::sort(left);
    if (level == 0) break;
  }
  std::ranges::stable_sort(kinds, std::ranges::greater{},
                           [](const Split& split) { return split.jobs.size(); });
  return kinds;
}

// Fits kinds of one trace.
class KindFitter {
 public:
  KindFitter(const Trace& trace, std::span<const LocalOffset> offsets, const FitOptions& options,
             const Catalog& catalog)
      : trace_{trace},
        arrivals_{arrivals_of(trace)},
        offsets_{offsets},
        gpus_per_node_{options.gpus_per_node},
        catalog_{catalog} {}

  FittedKind fit(Split&& split) const {
    FittedKind kind = std::move(split.kind);
    kind.jobs = split.jobs.size();
    kind.users = count_users(jobs_by_user(trace_, split.jobs));
    std::vector<std::int64_t> arrivals;
    arrivals.reserve(split.jobs.size());
    for (const std::size_t job : split.jobs) arrivals.push_back(arrivals_[job]);
    kind.rate = fit_rate(arrivals, offsets_, {.first_ms = arrivals_.front(), .last_ms = arrivals_.back()});
    const auto machine = catalog_.find_machine(kind.machine);
    const std::int32_t per_node =
        machine ? static_cast<std::int32_t>(catalog_.machine(*machine).gpus.count()) : gpus_per_node_;
    for (const auto& jobs : grouped_jobs(trace_, split.jobs, per_node))
      kind.groups.push_back(fit_group(trace_, jobs, per_node));
    return kind;
  }

  [[nodiscard]] RateFit rate() const { return fit_rate(arrivals_, offsets_); }

 private:
  const Trace& trace_;
  std::vector<std::int64_t> arrivals_;
  std::span<const LocalOffset> offsets_;
  std::int32_t gpus_per_node_;
  const Catalog& catalog_;
};

}  // namespace

TraceFit fit_trace(const Trace& trace, std::span<const LocalOffset> offsets, const FitOptions& options,
                   const Catalog& catalog) {
  TraceFit fit;
  const KindFitter fitter{trace, offsets, options, catalog};
  fit.rate = fitter.rate();
  std::vector<SimDuration> work = trace.work;
  std::ranges::sort(work);
  fit.work = fit_laws(work);
  for (Split& split : split_into_kinds(trace, options.by)) fit.kinds.push_back(fitter.fit(std::move(split)));
  std::vector<std::size_t> all(trace.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  const std::vector<std::uint64_t> by_user = jobs_by_user(trace, all);
  fit.users = count_users(by_user);
  if (fit.users > 0)
    fit.top_user_share = static_cast<double>(std::ranges::max(by_user)) / static_cast<double>(trace.size());
  return fit;
}

}  // namespace stockout

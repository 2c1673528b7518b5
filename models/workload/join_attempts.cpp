#include "models/workload/join_attempts.h"

#include <algorithm>
#include <deque>
#include <numeric>
#include <unordered_map>

#include <boost/container_hash/hash.hpp>

namespace stockout {
namespace {

// What two attempts of one job have in common.
struct Ask {
  std::uint32_t user = 0;
  std::uint32_t job_class = 0;
  std::uint32_t gpu = 0;
  std::uint32_t machine = 0;
  std::uint32_t speed = 0;
  std::uint32_t gpu_memory = 0;
  std::uint32_t group = 0;
  std::int32_t gpus = 0;
  std::int32_t nodes = 0;

  friend bool operator==(const Ask&, const Ask&) = default;
};

struct AskHash {
  std::size_t operator()(const Ask& ask) const {
    std::size_t seed = 0;
    for (const std::uint32_t part :
         {ask.user, ask.job_class, ask.gpu, ask.machine, ask.speed, ask.gpu_memory, ask.group}) {
      boost::hash_combine(seed, part);
    }
    boost::hash_combine(seed, ask.gpus);
    boost::hash_combine(seed, ask.nodes);
    return seed;
  }
};

template <typename T>
T at_or_zero(const std::vector<T>& column, std::size_t row) {
  return column.empty() ? T{} : column[row];
}

Ask ask_of(const Trace& trace, std::size_t row) {
  return {.user = at_or_zero(trace.user.codes, row),
          .job_class = at_or_zero(trace.job_class.codes, row),
          .gpu = at_or_zero(trace.gpu.codes, row),
          .machine = at_or_zero(trace.machine.codes, row),
          .speed = at_or_zero(trace.speed.codes, row),
          .gpu_memory = at_or_zero(trace.gpu_memory.codes, row),
          .group = at_or_zero(trace.group, row),
          .gpus = trace.gpus[row],
          .nodes = at_or_zero(trace.nodes, row)};
}

std::int64_t end_of(const Trace& trace, std::size_t row) {
  const SimDuration waited = std::max(at_or_zero(trace.recorded_wait, row), SimDuration::zero());
  return trace.submit_ms[row] + (waited + trace.work[row]).count();
}

}  // namespace

std::vector<std::uint32_t> next_attempts(const Trace& trace, const std::vector<AttemptMark>& marks,
                                         SimDuration within) {
  std::vector<std::uint32_t> next(trace.size());
  std::iota(next.begin(), next.end(), std::uint32_t{0});
  std::unordered_map<std::uint32_t, std::uint32_t> latest_of_job;
  std::unordered_map<Ask, std::deque<std::uint32_t>, AskHash> unfinished;
  for (std::uint32_t row = 0; row < next.size(); ++row) {
    const AttemptMark& mark = marks[row];
    if (mark.job != AttemptMark::kNoJob) {
      const auto [latest, is_first] = latest_of_job.try_emplace(mark.job, row);
      if (!is_first) next[latest->second] = row;
      latest->second = row;
      continue;
    }
    auto& open = unfinished[ask_of(trace, row)];
    while (!open.empty() && trace.submit_ms[row] - end_of(trace, open.front()) > within.count()) {
      open.pop_front();
    }
    if (!open.empty()) {
      next[open.front()] = row;
      open.pop_front();
    }
    if (mark.is_unfinished) open.push_back(row);
  }
  return next;
}

}  // namespace stockout

#include <algorithm>
#include <tuple>

#include "tests/support/slurm_by_the_book/book.h"

namespace stockout::by_the_book {

bool goes_before(const Record& a, const Record& b) {
  if (a.level != b.level) return a.level > b.level;
  if (a.tier != b.tier) return a.tier > b.tier;
  if (a.priority != b.priority) return a.priority > b.priority;
  return std::tuple{a.second, a.array, a.job, a.partition} <
         std::tuple{b.second, b.array, b.job, b.partition};
}

std::vector<Record> queue_of(const Book& book) {
  std::vector<Record> queue;
  for (JobId id = 0; id < book.jobs.size(); ++id) {
    const BookJob& job = book.jobs[id];
    if (job.state != slurm::JobState::pending) continue;
    for (std::size_t i = 0; i < job.request.partitions.size(); ++i) {
      const PartitionIndex partition = job.request.partitions[i];
      if (!could_run_in(book, job, partition)) continue;
      queue.push_back({.level = preemption_level(book, job),
                       .tier = book.cluster.partitions[partition].priority_tier,
                       .priority = job.priorities[i],
                       .second = std::chrono::floor<std::chrono::seconds>(job.submitted - kStart).count(),
                       .array = job.array,
                       .job = id,
                       .partition = partition});
    }
  }
  std::stable_sort(queue.begin(), queue.end(), goes_before);
  return queue;
}

}  // namespace stockout::by_the_book

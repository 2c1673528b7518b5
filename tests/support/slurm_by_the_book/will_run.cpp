// When and where a job could run, as the selector tells backfill: _will_run_test() of Slurm.

#include <algorithm>
#include <tuple>

#include "tests/support/slurm_by_the_book/book.h"

namespace stockout::by_the_book {
namespace {

struct End {
  SimTime at{};
  JobId job = 0;
};

std::vector<End> ends_of_others(const Book& book, const std::vector<JobId>& victims) {
  std::vector<End> ends;
  for (JobId id = 0; id < book.jobs.size(); ++id) {
    const BookJob& job = book.jobs[id];
    if (!holds_nodes(job) || std::count(victims.begin(), victims.end(), id) > 0) continue;
    ends.push_back({.at = job.expected_end, .job = id});
  }
  std::sort(ends.begin(), ends.end(), [](const End& a, const End& b) {
    return std::tuple{a.at, a.job} < std::tuple{b.at, b.job};
  });
  return ends;
}

std::optional<Nodes> place(const Book& book, JobId id, PartitionIndex partition, const Nodes& among,
                           const std::vector<JobId>& gone) {
  const Nodes room = fitting(book, id, partition, among, gone);
  if (static_cast<int>(room.size()) < book.jobs[id].request.size.nodes) return std::nullopt;
  return choose(book, id, partition, room, gone);
}

// The end of an overdue job is guessed: now and KillWait, at most.
SimTime guess(const Book& book, SimTime end) {
  if (end > book.now) return end;
  return std::max(end + book.cluster.settings.preemption.kill_wait, book.now + std::chrono::seconds{1});
}

}  // namespace

std::optional<Prospect> will_run(const Book& book, JobId id, PartitionIndex partition, const Nodes& among,
                                 bool now_only) {
  if (const auto nodes = place(book, id, partition, among, {}))
    return Prospect{.at = book.now, .nodes = *nodes};
  std::vector<JobId> gone = possible_victims(book, id, partition, among);
  if (now_only && gone.empty()) return std::nullopt;
  if (!gone.empty()) {
    if (const auto nodes = place(book, id, partition, among, gone))
      return Prospect{.at = book.now, .nodes = *nodes};
  }
  const std::vector<End> ends = ends_of_others(book, gone);
  const SimDuration linear = book.cluster.settings.backfill.window_linear;
  SimDuration width = std::chrono::seconds{30};
  std::optional<SimTime> first;  // end of the first group, without its width
  for (std::size_t i = 0; i < ends.size();) {
    std::optional<End> last;
    while (i < ends.size() && (!last || ends[i].at <= *first + width)) {
      // Who runs elsewhere is passed over, and who comes next is not looked at then.
      bool is_next_looked_at = false;
      while (i < ends.size() && !is_next_looked_at) {
        const End end = ends[i++];
        if (!overlap(book.jobs[end.job].nodes, among)) continue;
        const SimDuration since = end.at - kStart + book.cluster.settings.epoch;
        if (!first) first = end.at + (width - since % width);
        last = end;
        gone.push_back(end.job);
        is_next_looked_at = true;
      }
    }
    if (!last) break;
    if (const auto nodes = place(book, id, partition, among, gone))
      return Prospect{.at = guess(book, last->at), .nodes = *nodes};
    do {
      width = linear > SimDuration{} ? width + linear : width * 2;
    } while (i < ends.size() && ends[i].at > *first + width);
  }
  return std::nullopt;
}

}  // namespace stockout::by_the_book

#include <algorithm>
#include <set>
#include <tuple>

#include "tests/support/slurm_by_the_book/book.h"

namespace stockout::by_the_book {
namespace {

// When the head of the queue can run, and where.
struct Reservation {
  SimTime at = kNever;
  Nodes nodes;
};

bool still_waits(const Book& book, JobId id) { return book.jobs[id].state == slurm::JobState::pending; }

// The first of these that are enough.
bool start_on_first_of(Book& book, const Record& record, const Nodes& nodes) {
  const auto wanted = static_cast<std::ptrdiff_t>(book.jobs[record.job].request.size.nodes);
  if (static_cast<std::ptrdiff_t>(nodes.size()) < wanted) return false;
  Nodes taken{nodes.begin(), nodes.begin() + wanted};
  std::sort(taken.begin(), taken.end());
  start(book, record.job, record.partition, taken);
  return true;
}

Nodes room_now(const Book& book, const Record& record) {
  return fitting(book, record.job, record.partition, usable_nodes(book, record.partition));
}

std::vector<JobId> jobs_by_end(const Book& book) {
  std::vector<JobId> running;
  for (JobId id = 0; id < book.jobs.size(); ++id) {
    if (holds_nodes(book.jobs[id])) running.push_back(id);
  }
  std::sort(running.begin(), running.end(), [&](JobId a, JobId b) {
    return std::tuple{book.jobs[a].expected_end, a} < std::tuple{book.jobs[b].expected_end, b};
  });
  return running;
}

Reservation reserve_for(const Book& book, const Record& head, bool by_number) {
  const auto wanted = static_cast<std::size_t>(book.jobs[head.job].request.size.nodes);
  const Nodes among = usable_nodes(book, head.partition);
  const std::vector<JobId> running = jobs_by_end(book);
  std::vector<JobId> gone;
  for (std::size_t i = 0; i < running.size(); ++i) {
    gone.push_back(running[i]);
    const SimTime at = book.jobs[running[i]].expected_end;
    const bool others_end_too = i + 1 < running.size() && book.jobs[running[i + 1]].expected_end == at;
    if (by_number && others_end_too) continue;
    Nodes free = fitting(book, head.job, head.partition, among, gone);
    if (free.size() < wanted) continue;
    if (!by_number) {
      const Nodes free_now = room_now(book, head);
      std::stable_partition(free.begin(), free.end(),
                            [&](NodeIndex node) { return !contains(free_now, node); });
    }
    free.resize(wanted);
    return {.at = at, .nodes = free};
  }
  return {};
}

// Beside a reservation.
void start_beside(Book& book, const Record& record, const Reservation& reserved, bool by_number) {
  const SimTime end = book.now + limit_of(book, book.jobs[record.job], record.partition);
  Nodes room = room_now(book, record);
  if (end > reserved.at) {
    room = without(room, reserved.nodes);
  } else if (!by_number) {
    std::stable_partition(room.begin(), room.end(),
                          [&](NodeIndex node) { return contains(reserved.nodes, node); });
  }
  static_cast<void>(start_on_first_of(book, record, room));
}

// Nodes of the partition that would do and that nobody has or is promised from `from` to `to`.
Nodes free_between(const Book& book, const Record& record, SimTime from, SimTime to) {
  Nodes found;
  const BookJob& job = book.jobs[record.job];
  for (const NodeIndex node : usable_nodes(book, record.partition)) {
    const slurm::Node& has = book.cluster.nodes[node];
    bool is_free = has.cpus >= least_cpus(job) && has.gpus >= job.request.size.gpus_per_node;
    for (const BookJob& other : book.jobs) {
      const SimTime end = std::max(other.expected_end, book.now + SimDuration{1});
      if (contains(other.nodes, node) && end > from) is_free = false;
    }
    for (const BookPromise& promise : book.promises) {
      if (contains(promise.nodes, node) && promise.from < to && promise.to > from) is_free = false;
    }
    if (is_free) found.push_back(node);
  }
  return found;
}

// The earliest one; none if there is none.
std::optional<BookPromise> earliest_promise(const Book& book, const Record& record) {
  const BookJob& job = book.jobs[record.job];
  const SimDuration limit = limit_of(book, job, record.partition);
  std::set<SimTime> times{book.now};
  for (const BookJob& other : book.jobs) {
    if (holds_nodes(other)) times.insert(std::max(other.expected_end, book.now + SimDuration{1}));
  }
  for (const BookPromise& promise : book.promises) times.insert(promise.to);
  for (const SimTime at : times) {
    if (at < book.now) continue;
    Nodes nodes = free_between(book, record, at, at + limit);
    if (static_cast<int>(nodes.size()) < job.request.size.nodes) continue;
    nodes.resize(static_cast<std::size_t>(job.request.size.nodes));
    return BookPromise{
        .job = record.job, .partition = record.partition, .from = at, .to = at + limit, .nodes = nodes};
  }
  return std::nullopt;
}

bool can_be_kept(const Book& book, const BookPromise& promise) {
  if (!still_waits(book, promise.job) || promise.from < book.now) return false;
  if (!without(promise.nodes, usable_nodes(book, promise.partition)).empty()) return false;
  return std::none_of(book.jobs.begin(), book.jobs.end(), [&](const BookJob& job) {
    return overlap(job.nodes, promise.nodes) &&
           std::max(job.expected_end, book.now + SimDuration{1}) > promise.from;
  });
}

template <typename Which>
void drop_promises(Book& book, Which which) {
  book.promises.erase(std::remove_if(book.promises.begin(), book.promises.end(), which), book.promises.end());
}

}  // namespace

void easy(Book& book, bool by_number) {
  std::vector<Record> queue = queue_of(book);
  while (!queue.empty() && (!still_waits(book, queue.front().job) ||
                            start_on_first_of(book, queue.front(), room_now(book, queue.front()))))
    queue.erase(queue.begin());
  if (queue.empty()) return;
  const JobId head = queue.front().job;
  const Reservation reserved = reserve_for(book, queue.front(), by_number);
  queue.erase(queue.begin());
  for (const Record& record : queue) {
    if (still_waits(book, record.job)) start_beside(book, record, reserved, by_number);
    if (!still_waits(book, head)) return easy(book, by_number);  // it has started in another partition
  }
}

void conservative(Book& book) {
  drop_promises(book, [&](const BookPromise& promise) { return !can_be_kept(book, promise); });
  for (const Record& record : queue_of(book)) {
    if (!still_waits(book, record.job)) continue;
    drop_promises(book, [&](const BookPromise& promise) {
      return promise.job == record.job && promise.partition == record.partition;
    });
    const auto promise = earliest_promise(book, record);
    if (!promise) continue;
    if (promise->from > book.now) {
      book.promises.push_back(*promise);
      continue;
    }
    start(book, record.job, record.partition, promise->nodes);
    drop_promises(book, [&](const BookPromise& other) { return other.job == record.job; });
  }
}

}  // namespace stockout::by_the_book

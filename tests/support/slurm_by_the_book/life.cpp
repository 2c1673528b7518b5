#include <algorithm>

#include "tests/support/slurm_by_the_book/book.h"

namespace stockout::by_the_book {
namespace {

using slurm::DependencyKind;
using slurm::Event;
using slurm::JobState;

bool is_met(const Book& book, const slurm::Dependency& dependency) {
  const BookJob& other = book.jobs[dependency.job];
  const bool is_over = other.state == JobState::ended;
  switch (dependency.kind) {
    case DependencyKind::after:
      return is_over || holds_nodes(other);
    case DependencyKind::after_any:
      return is_over;
    case DependencyKind::after_ok:
      return is_over && other.ended_well;
    case DependencyKind::after_not:
      return is_over && !other.ended_well;
  }
  return false;
}

// Tasks of its array that wait in the queue or have nodes.
int places_taken(const Book& book, JobId array) {
  return static_cast<int>(std::count_if(book.jobs.begin(), book.jobs.end(), [&](const BookJob& job) {
    return job.array == array && (job.state == JobState::pending || holds_nodes(job));
  }));
}

bool has_place(const Book& book, const BookJob& job) {
  const std::uint32_t limit = job.request.tasks_at_once;
  return limit == 0 || places_taken(book, job.array) < static_cast<int>(limit);
}

void set_priorities(Book& book, BookJob& job) {
  job.priorities.clear();
  for (const PartitionIndex partition : job.request.partitions)
    job.priorities.push_back(priority_of(book, job, partition));
}

// It depends on something that will not come.
bool is_hopeless(const Book& book, const BookJob& job) {
  for (std::size_t i = 0; i < job.request.dependencies.size(); ++i) {
    const slurm::Dependency& dependency = job.request.dependencies[i];
    if (!job.met[i] && book.jobs[dependency.job].state == JobState::ended && !is_met(book, dependency))
      return true;
  }
  return false;
}

void look_at_waiting_job(Book& book, JobId id) {
  BookJob& job = book.jobs[id];
  for (std::size_t i = 0; i < job.request.dependencies.size(); ++i)
    job.met[i] = job.met[i] || is_met(book, job.request.dependencies[i]);
  if (is_hopeless(book, job)) {
    job.state = JobState::held;
    return;
  }
  if (job.delayed_until > book.now || std::count(job.met.begin(), job.met.end(), false) > 0) return;
  if (job.eligible == kNever) {
    job.eligible = std::max(book.now, job.delayed_until);
    job.age_from = job.eligible;
    set_priorities(book, job);
  }
  if (job.request.priority == 0U) {
    job.state = JobState::held;
  } else if (has_place(book, job)) {
    job.state = JobState::pending;
    change(book);
  }
}

}  // namespace

void tell(Book& book, Event::Kind kind, JobId job, JobId by) {
  book.events.push_back({.kind = kind, .at = book.now, .job = job, .node = 0, .by = by});
}

void tell_node(Book& book, Event::Kind kind, NodeIndex node) {
  book.events.push_back({.kind = kind, .at = book.now, .job = 0, .node = node, .by = 0});
}

void change(Book& book) {
  book.has_changed = true;
  book.last_change = book.now;
}

void ask(Book& book) {
  if (book.is_cycle_wanted) return;
  book.is_cycle_wanted = true;
  book.wanted_at = book.now;
}

JobId submit(Book& book, const slurm::JobRequest& request, std::uint32_t tasks, bool is_array) {
  const auto first = static_cast<JobId>(book.jobs.size());
  for (std::uint32_t task = 0; task < tasks; ++task) {
    BookJob job;
    job.request = request;
    job.array = request.array.value_or(first);
    job.is_task = is_array || request.array.has_value();
    job.submitted = book.now;
    job.met.assign(request.dependencies.size(), false);
    book.jobs.push_back(job);
  }
  look_at_waiting(book);
  return first;
}

// By number within an array, and those that came again last.
void look_at_waiting(Book& book) {
  std::vector<JobId> waiting;
  for (JobId id = 0; id < book.jobs.size(); ++id) {
    if (book.jobs[id].state == JobState::waiting) waiting.push_back(id);
  }
  std::stable_sort(waiting.begin(), waiting.end(), [&](JobId a, JobId b) {
    return std::min(book.jobs[a].eligible, book.now) < std::min(book.jobs[b].eligible, book.now);
  });
  for (const JobId id : waiting) look_at_waiting_job(book, id);
}

void start(Book& book, JobId id, PartitionIndex partition, const Nodes& nodes) {
  BookJob& job = book.jobs[id];
  job.state = JobState::configuring;
  job.partition = partition;
  job.nodes = nodes;
  job.started = whole_second(book.now);
  job.expected_end = job.started + limit_of(book, job, partition);
  change(book);
  const bool are_up = std::all_of(nodes.begin(), nodes.end(),
                                  [&](NodeIndex node) { return book.nodes[node].state == NodeState::up; });
  if (are_up) {
    run(book, id);
    return;
  }
  tell(book, Event::Kind::configuring, id);
}

void run(Book& book, JobId id) {
  BookJob& job = book.jobs[id];
  job.state = JobState::running;
  job.started = whole_second(book.now);
  job.expected_end = job.started + limit_of(book, job, job.partition);
  tell(book, Event::Kind::started, id);
}

void end(Book& book, JobId id, bool well) {
  BookJob& job = book.jobs[id];
  charge(book, id, book.now);
  const Nodes left = job.nodes;
  job.nodes.clear();
  job.state = JobState::ended;
  job.ended_well = well;
  for (const NodeIndex node : left) leave_node(book, node);
  change(book);
  look_at_waiting(book);
}

void lose_nodes(Book& book, JobId id) {
  const bool comes_again = book.jobs[id].request.requeue && book.jobs[id].request.batch;
  tell(book, comes_again ? Event::Kind::requeued : Event::Kind::failed, id);
  if (comes_again) {
    requeue(book, id);
  } else {
    end(book, id, false);
  }
}

void requeue(Book& book, JobId id) {
  BookJob& job = book.jobs[id];
  charge(book, id, book.now);
  const Nodes left = job.nodes;
  job.nodes.clear();
  job.state = JobState::waiting;
  job.submitted = book.now;
  job.delayed_until = whole_second(book.now) + book.cluster.settings.requeue_delay;
  job.eligible = kNever;
  for (const NodeIndex node : left) leave_node(book, node);
  change(book);
  look_at_waiting(book);
}

// Who ends with the limit ends by itself.
void look_at_limits(Book& book) {
  if ((book.now - kStart) % std::chrono::seconds{30} != SimDuration{}) return;
  for (JobId id = 0; id < book.jobs.size(); ++id) {
    BookJob& job = book.jobs[id];
    if (job.state != JobState::running || job.expected_end >= book.now) continue;
    job.state = JobState::leaving;
    job.will_requeue = false;
    tell(book, Event::Kind::timed_out, id);
  }
}

}  // namespace stockout::by_the_book

#include "tests/support/slurm_by_the_book/plain_slurm.h"

#include <algorithm>

namespace stockout::by_the_book {
namespace {

using slurm::Backfill;
using slurm::JobState;
using namespace std::chrono_literals;

// What starts mean for others and for nodes.
void follow_starts(Book& book) {
  power_up_for_jobs(book);
  look_at_waiting(book);
}

// Priorities are calculated a moment after the cycles of the same second. The first time changes nothing.
constexpr SimTime kFirstCount = kStart + 300ms;

bool is_multiple(SimTime at, SimDuration of) { return (at - kStart) % of == SimDuration{}; }

// Who waited for a start stands in the queue after it.
void follow_textbook(Book& book) {
  const Backfill type = book.cluster.settings.backfill_type;
  while (book.has_changed) {
    if (type == Backfill::conservative) {
      conservative(book);
    } else {
      easy(book, type == Backfill::easy_by_number);
    }
    book.has_changed = false;
    follow_starts(book);
  }
}

// The main loop of slurmctld comes round each second.
void come_round(Book& book) {
  const slurm::MainParameters& main = book.cluster.settings.main;
  if (book.now >= book.last_full + main.sched_interval) {
    book.last_full = book.now;
    book.last_cycle = book.now;
    book.is_cycle_wanted = false;
    main_cycle(book, 0);
  } else if (book.is_cycle_wanted && book.now >= book.last_cycle + main.batch_sched_delay) {
    book.last_cycle = book.now;
    book.is_cycle_wanted = false;
    main_cycle(book, main.default_queue_depth);
  }
}

// Its end is guessed anew in each cycle. Or a job may take further victims since the last one.
bool is_anybody_overdue(const Book& book) {
  return std::any_of(book.jobs.begin(), book.jobs.end(), [&](const BookJob& job) {
    if (holds_nodes(job) && job.expected_end <= book.now) return true;
    return job.claims_until > book.last_backfill && job.claims_until <= book.now;
  });
}

// Backfill sleeps for its interval. Then it looks each second whether anything has changed: its own plan for
// somebody is a change, so that cycles keep their rhythm. Choices of ours: no cycle where nobody waits, nor
// one that would come to the same as the last.
bool is_backfill_due(const Book& book) {
  const slurm::Settings& settings = book.cluster.settings;
  const SimTime next = book.last_backfill + settings.backfill.interval;
  if (settings.backfill_type != Backfill::slurm || queue_of(book).empty() || book.now < next) return false;
  const bool has_changed = book.last_change >= book.last_backfill || is_anybody_overdue(book);
  if (!book.is_planning) return has_changed;
  return has_changed && (book.now - next) % settings.backfill.interval == SimDuration{};
}

void follow_slurm(Book& book) {
  if (book.is_cycle_due) {
    book.is_cycle_due = false;
    main_cycle(book, book.cluster.settings.main.default_queue_depth);
    follow_starts(book);
  }
  if (!is_multiple(book.now, 1s)) return;
  come_round(book);
  follow_starts(book);
  if (!is_backfill_due(book)) return;
  book.last_backfill = book.now;
  book.is_planning = true;
  backfill_cycle(book);
  follow_starts(book);
}

}  // namespace

PlainSlurm::PlainSlurm(slurm::Configuration configuration) : book_{.cluster = std::move(configuration)} {
  for (const slurm::Node& node : book_.cluster.nodes)
    book_.nodes.push_back({.state = node.cloud ? NodeState::off : NodeState::up});
  book_.usage.assign(book_.cluster.associations.size(), 0);
}

JobId PlainSlurm::submit(const slurm::JobRequest& request) {
  const JobId id = by_the_book::submit(book_, request, 1, false);
  if (!request.batch) try_at_once(book_, id);
  follow_starts(book_);
  ask(book_);
  return id;
}

JobId PlainSlurm::submit_array(const slurm::JobRequest& request, std::uint32_t tasks) {
  const JobId first = by_the_book::submit(book_, request, tasks, true);
  ask(book_);
  return first;
}

void PlainSlurm::leave(JobId id, bool well, bool is_killed) {
  end(book_, id, well);
  if (is_killed || book_.cluster.settings.main.cycle_at_end) {
    book_.is_cycle_due = true;
  } else {
    ask(book_);
  }
}

void PlainSlurm::finish(JobId id, bool well) { leave(id, well, false); }

void PlainSlurm::stopped(JobId id) {
  if (!book_.jobs[id].will_requeue) {
    leave(id, false, true);
    return;
  }
  by_the_book::requeue(book_, id);
  book_.is_cycle_due = true;
}

void PlainSlurm::requeue(JobId id) {
  lose_nodes(book_, id);
  book_.is_cycle_due = true;
}

void PlainSlurm::cancel(JobId id) {
  if (book_.jobs[id].state != JobState::ended) leave(id, false, true);
}

bool PlainSlurm::could_ever_run(JobId id) const {
  const BookJob& job = book_.jobs[id];
  return std::any_of(job.request.partitions.begin(), job.request.partitions.end(),
                     [&](PartitionIndex partition) { return could_run_in(book_, job, partition); });
}

void PlainSlurm::node_is_up(NodeIndex node) {
  come_up(book_, node);
  ask(book_);
}

void PlainSlurm::node_is_down(NodeIndex node, SimTime back) {
  set_down(book_, node, back);
  ask(book_);
}

void PlainSlurm::restore_node(NodeIndex node) {
  restore(book_, node);
  ask(book_);
}

void PlainSlurm::advance(SimTime at) {
  book_.now = at;
  look_at_nodes(book_);
  look_at_limits(book_);
  look_at_waiting(book_);
  if (book_.shares.empty()) book_.shares = fair_tree(book_);
  if (at < kFirstCount) return;
  const SimTime due = at - (at - kFirstCount) % book_.cluster.settings.priority.calculation_period;
  if (due > std::max(book_.last_priorities, kFirstCount)) calculate_priorities(book_, due);
}

bool PlainSlurm::is_any_node_due() const {
  for (NodeIndex node = 0; node < book_.nodes.size(); ++node) {
    if (is_idle_too_long(book_, node)) return true;
  }
  return false;
}

void PlainSlurm::settle() {
  switch (book_.cluster.settings.backfill_type) {
    case Backfill::slurm:
    case Backfill::none:
      follow_slurm(book_);
      break;
    default:
      follow_textbook(book_);
  }
}

}  // namespace stockout::by_the_book

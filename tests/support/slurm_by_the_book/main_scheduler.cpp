#include <algorithm>

#include "tests/support/slurm_by_the_book/book.h"

namespace stockout::by_the_book {
namespace {

bool is_waiting(const Book& book, JobId id) { return book.jobs[id].state == slurm::JobState::pending; }

// On nodes of `among`, or others make way for it and it starts later.
bool start_or_preempt(Book& book, const Record& record, const Nodes& among) {
  if (start_now(book, record.job, record.partition, among)) return true;
  preempt(book, record.job, record.partition, among);
  return false;
}

// As _higher_precedence() of Slurm: equals do not go before it.
bool is_held_back(const Book& book, const std::vector<Record>& queue, const Record& record) {
  return std::any_of(queue.begin(), queue.end(), [&](const Record& other) {
    if (other.job == record.job) return false;
    if (!overlap(book.cluster.partitions[other.partition].nodes,
                 book.cluster.partitions[record.partition].nodes))
      return false;
    return other.tier > record.tier || (other.tier == record.tier && other.priority > record.priority);
  });
}

}  // namespace

bool start_now(Book& book, JobId id, PartitionIndex partition, const Nodes& among) {
  const Nodes room = fitting(book, id, partition, among);
  if (static_cast<int>(room.size()) < book.jobs[id].request.size.nodes) return false;
  const auto nodes = choose(book, id, partition, room);
  if (!nodes) return false;
  start(book, id, partition, *nodes);
  return true;
}

// Whoever is of little priority or young promises itself nothing.
bool may_hold_back(const Book& book, const Record& record) {
  const slurm::BackfillParameters& rules = book.cluster.settings.backfill;
  if (record.priority < rules.min_prio_reserve) return false;
  return whole_second(book.now) - whole_second(book.jobs[record.job].eligible) >= rules.min_age_reserve;
}

void main_cycle(Book& book, int depth) {
  std::vector<Record> queue = queue_of(book);
  if (depth > 0 && static_cast<int>(queue.size()) > depth) queue.resize(static_cast<std::size_t>(depth));
  std::vector<PartitionIndex> failed;
  Nodes withheld;
  for (const Record& record : queue) {
    if (!is_waiting(book, record.job)) continue;
    if (std::count(failed.begin(), failed.end(), record.partition) > 0) continue;
    if (start_or_preempt(book, record, without(usable_nodes(book, record.partition), withheld))) continue;
    if (!may_hold_back(book, record)) continue;
    failed.push_back(record.partition);
    const Nodes& all = book.cluster.partitions[record.partition].nodes;
    withheld.insert(withheld.end(), all.begin(), all.end());
  }
}

void try_at_once(Book& book, JobId id) {
  if (!is_waiting(book, id)) return;
  const std::vector<Record> queue = queue_of(book);
  for (const Record& record : queue) {
    if (record.job != id) continue;
    if (is_held_back(book, queue, record)) return;
    if (start_or_preempt(book, record, usable_nodes(book, record.partition))) return;
  }
}

}  // namespace stockout::by_the_book

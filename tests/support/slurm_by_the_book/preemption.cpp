#include <algorithm>
#include <tuple>

#include "tests/support/slurm_by_the_book/book.h"

namespace stockout::by_the_book {
namespace {

using slurm::JobState;
using slurm::PreemptMode;
using slurm::PreemptType;

constexpr SimDuration kMessageTimeout = std::chrono::seconds{10};

int qos_level(const Book& book, slurm::QosIndex qos) {
  int level = 0;
  for (const slurm::QosIndex below : book.cluster.qos[qos].preempts)
    level = std::max(level, qos_level(book, below) + 1);
  return level;
}

// That of its partition, of its quality of service or of the cluster.
PreemptMode mode_of(const Book& book, const BookJob& victim) {
  const slurm::PreemptionParameters& rules = book.cluster.settings.preemption;
  if (rules.type == PreemptType::partition_priority)
    return book.cluster.partitions[victim.partition].preempt_mode.value_or(rules.mode);
  if (victim.request.qos) return book.cluster.qos[*victim.request.qos].preempt_mode.value_or(rules.mode);
  return rules.mode;
}

bool may_preempt(const Book& book, const BookJob& job, PartitionIndex partition, const BookJob& victim) {
  const slurm::PreemptionParameters& rules = book.cluster.settings.preemption;
  if (rules.type == PreemptType::none || rules.mode == PreemptMode::off) return false;
  if (mode_of(book, victim) == PreemptMode::off) return false;
  if (rules.type == PreemptType::partition_priority) {
    return book.cluster.partitions[partition].priority_tier >
           book.cluster.partitions[victim.partition].priority_tier;
  }
  if (!job.request.qos || !victim.request.qos) return false;
  const auto& preempts = book.cluster.qos[*job.request.qos].preempts;
  return std::count(preempts.begin(), preempts.end(), *victim.request.qos) > 0;
}

// Of a victim: the less, the sooner it goes.
std::int64_t worth_of(const Book& book, const BookJob& victim) {
  if (book.cluster.settings.preemption.type == PreemptType::partition_priority)
    return book.cluster.partitions[victim.partition].priority_tier;
  return victim.request.qos ? book.cluster.qos[*victim.request.qos].priority : 0;
}

int common(const Nodes& a, const Nodes& b) {
  return static_cast<int>(
      std::count_if(a.begin(), a.end(), [&](NodeIndex node) { return contains(b, node); }));
}

std::optional<Nodes> place_without(const Book& book, JobId id, PartitionIndex partition, const Nodes& among,
                                   const std::vector<JobId>& gone) {
  const Nodes room = fitting(book, id, partition, among, gone);
  if (static_cast<int>(room.size()) < book.jobs[id].request.size.nodes) return std::nullopt;
  return choose(book, id, partition, room, gone);
}

// As _run_now() of Slurm: victims go one by one until there is room. Then the one that made it goes first,
// and the others by how many of those nodes they have; and so on.
std::vector<JobId> find_victims(const Book& book, JobId id, PartitionIndex partition, const Nodes& among) {
  std::vector<JobId> candidates = possible_victims(book, id, partition, among);
  const auto count = static_cast<int>(candidates.size());
  for (int pass = 0;;) {
    std::vector<JobId> gone;
    std::optional<Nodes> nodes;
    for (std::size_t i = 0; i < candidates.size() && !nodes; ++i) {
      gone.push_back(candidates[i]);
      nodes = place_without(book, id, partition, among, gone);
    }
    if (!nodes) return {};
    const bool is_last = pass++ > book.cluster.settings.preemption.reorder_count;
    if (is_last || count <= pass) {
      std::vector<JobId> victims;
      for (const JobId other : gone) {
        if (overlap(book.jobs[other].nodes, *nodes)) victims.push_back(other);
      }
      return victims;
    }
    const JobId decisive = gone.back();
    const auto use_of = [&](JobId other) {
      if (other == decisive) return 99'999;
      return std::count(gone.begin(), gone.end(), other) > 0 ? common(book.jobs[other].nodes, *nodes) : 0;
    };
    std::stable_sort(candidates.begin(), candidates.end(),
                     [&](JobId a, JobId b) { return use_of(a) > use_of(b); });
  }
}

}  // namespace

int preemption_level(const Book& book, const BookJob& job) {
  if (book.cluster.settings.preemption.type != PreemptType::qos || !job.request.qos) return 0;
  return qos_level(book, *job.request.qos);
}

std::vector<JobId> possible_victims(const Book& book, JobId id, PartitionIndex partition,
                                    const Nodes& among) {
  std::vector<JobId> victims;
  for (JobId other = 0; other < book.jobs.size(); ++other) {
    const BookJob& victim = book.jobs[other];
    const bool runs = victim.state == JobState::running || victim.state == JobState::configuring;
    if (runs && overlap(victim.nodes, among) && may_preempt(book, book.jobs[id], partition, victim))
      victims.push_back(other);
  }
  std::stable_sort(victims.begin(), victims.end(), [&](JobId a, JobId b) {
    const BookJob& one = book.jobs[a];
    const BookJob& other = book.jobs[b];
    if (book.cluster.settings.preemption.youngest_first) return one.started > other.started;
    return std::tuple{worth_of(book, one), one.request.size.nodes} <
           std::tuple{worth_of(book, other), other.request.size.nodes};
  });
  return victims;
}

void preempt(Book& book, JobId id, PartitionIndex partition, const Nodes& among) {
  BookJob& job = book.jobs[id];
  if (book.now < job.claims_until) return;
  const std::vector<JobId> victims = find_victims(book, id, partition, among);
  if (victims.empty()) return;
  job.claims_until = book.now + book.cluster.settings.preemption.kill_wait + kMessageTimeout;
  for (const JobId other : victims) {
    BookJob& victim = book.jobs[other];
    const bool comes_again =
        mode_of(book, victim) == PreemptMode::requeue && victim.request.requeue && victim.request.batch;
    victim.state = JobState::leaving;
    victim.will_requeue = comes_again;
    tell(book, slurm::Event::Kind::preempted, other, id);
  }
  change(book);
}

}  // namespace stockout::by_the_book

// The plugin sched/backfill, as _attempt_backfill() of Slurm does it.

#include <algorithm>
#include <map>

#include "tests/support/slurm_by_the_book/book.h"

namespace stockout::by_the_book {
namespace {

// Nodes that are promised to nobody for some time.
struct Slot {
  SimTime begin{};
  SimTime end{};
  Nodes nodes;
};

// A cycle.
struct Cycle {
  std::vector<Slot> plan;
  int entries = 1;  // that the table ever had
  int tested = 0;
  int started = 0;
  std::map<PartitionIndex, int> reserved;
  std::optional<Record> refused_array;  // no other task of it in this partition
  std::optional<JobId> array;           // that reserved last
  int array_reserved = 0;               // tasks of it
  bool is_over = false;
};

// What became of a try.
enum class Try : std::uint8_t { started, reserved, refused };

SimTime floor_to(const Book& book, SimTime at, SimDuration unit) {
  const SimDuration since = at - kStart + book.cluster.settings.epoch;
  return at - since % unit;
}

SimTime resolved_end(const Book& book, SimTime end) {
  const SimDuration resolution = book.cluster.settings.backfill.resolution;
  return floor_to(book, end + resolution - std::chrono::seconds{1}, resolution);
}

Nodes both(const Nodes& a, const Nodes& b) {
  Nodes found;
  for (const NodeIndex node : a) {
    if (contains(b, node)) found.push_back(node);
  }
  return found;
}

// Nodes of the partition that are promised to nobody while the job would run; when to look next.
struct Look {
  Nodes nodes;
  std::optional<SimTime> later;
};

Look look_at_plan(const Book& book, const Cycle& cycle, const Record& record, SimTime from,
                  SimDuration limit) {
  const SimTime end = std::max(from, book.now) + limit;
  const Nodes all = usable_nodes(book, record.partition);
  Look look{.nodes = all, .later = std::nullopt};
  for (std::size_t i = 0; i < cycle.plan.size(); ++i) {
    const Slot& slot = cycle.plan[i];
    const bool has_next = i + 1 < cycle.plan.size();
    if (slot.end > from && has_next && !look.later) {
      const Nodes next = both(all, cycle.plan[i + 1].nodes);
      if (!without(next, both(look.nodes, slot.nodes)).empty()) look.later = slot.end;
    }
    if (slot.end <= from) continue;
    if (slot.begin > end) {
      if (!look.later && i + 2 < cycle.plan.size()) look.later = cycle.plan[i + 1].end;
      break;
    }
    look.nodes = both(look.nodes, slot.nodes);
  }
  return look;
}

bool is_promised(const Cycle& cycle, const Nodes& nodes, SimTime begin, SimTime end) {
  return std::any_of(cycle.plan.begin(), cycle.plan.end(), [&](const Slot& slot) {
    return slot.end > begin && slot.begin < end && !without(nodes, slot.nodes).empty();
  });
}

// Makes one slot of the first two that are equal, near the new promise.
void merge_slots(std::vector<Slot>& plan, std::size_t first, std::size_t last) {
  for (std::size_t i = first; i + 1 < plan.size() && i < last; ++i) {
    if (plan[i].nodes != plan[i + 1].nodes) continue;
    plan[i].end = plan[i + 1].end;
    plan.erase(plan.begin() + static_cast<std::ptrdiff_t>(i) + 1);
    return;
  }
}

// Cuts the slot in two if the time lies in it. Whether it did.
bool cut(Cycle& cycle, std::size_t place, SimTime at) {
  if (at >= cycle.plan[place].end) return false;
  Slot behind = cycle.plan[place];
  behind.begin = at;
  cycle.plan[place].end = at;
  cycle.plan.insert(cycle.plan.begin() + static_cast<std::ptrdiff_t>(place) + 1, behind);
  ++cycle.entries;
  return true;
}

// As _add_reservation() does.
void add_promise(Cycle& cycle, const Nodes& nodes, SimTime begin, SimTime end, SimDuration resolution) {
  begin = std::max(begin, cycle.plan.front().begin);
  end = std::max(end, begin + resolution);
  std::size_t before = 0;
  while (before < cycle.plan.size() && cycle.plan[before].end < begin) ++before;
  if (before == cycle.plan.size()) return;
  cut(cycle, before, begin);
  std::size_t last = cycle.plan.size();
  for (std::size_t i = before + 1; i < cycle.plan.size(); ++i) {
    cut(cycle, i, end);
    cycle.plan[i].nodes = without(cycle.plan[i].nodes, nodes);
    if (cycle.plan[i].end != end) continue;
    last = i + 1;
    break;
  }
  merge_slots(cycle.plan, before == 0 ? 0 : before - 1, last);
}

bool reserves(const Book& book, const Cycle& cycle, const Record& record) {
  const int most = book.cluster.settings.backfill.job_part_count_reserve;
  const auto found = cycle.reserved.find(record.partition);
  const int so_far = found == cycle.reserved.end() ? 0 : found->second;
  return may_hold_back(book, record) && (most == 0 || so_far < most);
}

// The search of one record: TRY_LATER.
Try try_record(Book& book, Cycle& cycle, const Record& record) {
  const slurm::BackfillParameters& rules = book.cluster.settings.backfill;
  const SimDuration limit = limit_of(book, book.jobs[record.job], record.partition);
  const bool may_reserve = reserves(book, cycle, record);
  const int wanted = book.jobs[record.job].request.size.nodes;
  bool is_counted = false;
  for (std::optional<SimTime> from = book.now; from && *from <= cycle.plan.back().end;) {
    Look look = look_at_plan(book, cycle, record, *from, limit);
    const std::optional<SimTime> next = may_reserve ? look.later : std::nullopt;
    const SimTime start_from = *from;
    from = next;
    if (static_cast<int>(look.nodes.size()) < wanted) continue;
    if (!is_counted) ++cycle.tested;
    is_counted = true;
    const auto found = will_run(book, record.job, record.partition, look.nodes, !may_reserve);
    if (!found) continue;
    const SimTime at = std::max(found->at, start_from);
    const SimTime begin = floor_to(book, at, rules.resolution);
    const SimTime end = resolved_end(book, at + limit);
    if (at > book.now && is_promised(cycle, found->nodes, begin, end)) {
      from = at + (start_from == at ? rules.resolution : SimDuration{});
      continue;
    }
    if (at <= book.now) {
      if (start_now(book, record.job, record.partition, look.nodes)) return Try::started;
      preempt(book, record.job, record.partition, look.nodes);
      look.later = std::nullopt;
    } else if (!may_reserve) {
      return Try::refused;
    }
    if (look.later && at > *look.later) {
      from = look.later;
      continue;
    }
    if (at > book.now + rules.window) return Try::refused;
    if (!may_reserve && at > book.now) return Try::refused;
    const int most = rules.job_part_count_reserve;
    if (most > 0 && cycle.reserved[record.partition] >= most) return Try::refused;
    ++cycle.reserved[record.partition];
    const int size = rules.node_space_size > 0 ? rules.node_space_size : rules.max_job_test;
    if (cycle.entries >= size) {
      cycle.is_over = true;
      return Try::refused;
    }
    add_promise(cycle, found->nodes, begin, end, rules.resolution);
    return Try::reserved;
  }
  return Try::refused;
}

bool is_same_array(const Book& book, const Record& a, const Record& b) {
  return a.array == b.array && a.partition == b.partition &&
         book.jobs[a.job].request.qos == book.jobs[b.job].request.qos;
}

void follow_array(const Book& book, Cycle& cycle, const Record& record, Try outcome) {
  if (!book.jobs[record.job].is_task) return;
  if (outcome == Try::started) {
    cycle.refused_array.reset();
    return;
  }
  cycle.refused_array = record;
  if (outcome == Try::refused) return;
  cycle.array_reserved = cycle.array == record.array ? cycle.array_reserved + 1 : 1;
  cycle.array = record.array;
  if (cycle.array_reserved < book.cluster.settings.backfill.max_job_array_resv) cycle.refused_array.reset();
}

}  // namespace

void backfill_cycle(Book& book) {
  const slurm::BackfillParameters& rules = book.cluster.settings.backfill;
  Cycle cycle;
  Slot all{.begin = floor_to(book, book.now, rules.resolution),
           .end = floor_to(book, book.now + rules.window, rules.resolution),
           .nodes = {}};
  for (NodeIndex node = 0; node < book.nodes.size(); ++node) all.nodes.push_back(node);
  cycle.plan.push_back(all);
  std::vector<JobId> preempting;
  for (const Record& record : queue_of(book)) {
    if (cycle.is_over || cycle.tested >= rules.max_job_test) return;
    if (book.jobs[record.job].state != slurm::JobState::pending) continue;
    if (std::count(preempting.begin(), preempting.end(), record.job) > 0) continue;
    const bool is_task = book.jobs[record.job].is_task;
    if (is_task && cycle.refused_array && is_same_array(book, *cycle.refused_array, record)) continue;
    const SimTime claims = book.jobs[record.job].claims_until;
    const Try outcome = try_record(book, cycle, record);
    if (book.jobs[record.job].claims_until != claims) preempting.push_back(record.job);
    follow_array(book, cycle, record, outcome);
    if (outcome != Try::started) continue;
    ++cycle.started;
    if (rules.max_job_start > 0 && cycle.started >= rules.max_job_start) return;
  }
}

}  // namespace stockout::by_the_book

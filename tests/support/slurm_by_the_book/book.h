#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "models/orchestrators/slurm/configuration.h"
#include "models/orchestrators/slurm/job.h"
#include "sim/core/time.h"

/// Slurm as its documentation and source have it, without any thought of speed: lists of everything that
/// there ever was, read from the start at each question.
namespace stockout::by_the_book {

using slurm::JobId;
using slurm::NodeIndex;
using slurm::PartitionIndex;
using slurm::UserIndex;
using Nodes = std::vector<NodeIndex>;

/// A job and what became of it.
struct BookJob {
  slurm::JobRequest request;
  slurm::JobState state = slurm::JobState::waiting;
  JobId array = 0;
  bool is_task = false;
  SimTime submitted{};
  SimTime eligible = kNever;                   // from then on the scheduler alone holds it back
  SimTime age_from{};                          // since when its age counts
  SimTime delayed_until{};                     // after a requeue
  std::vector<std::uint32_t> priorities = {};  // one for each partition of the request
  PartitionIndex partition = 0;                // where it has its nodes
  Nodes nodes = {};                            // none: it holds none
  SimTime started{};
  SimTime expected_end{};
  bool ended_well = false;
  bool will_requeue = false;   // once it has left its nodes
  std::vector<bool> met = {};  // of its dependencies
  SimTime claims_until{};      // until then it takes no further victims
};

enum class NodeState : std::uint8_t { up, off, powering_up, powering_down, down };

struct BookNode {
  NodeState state = NodeState::up;
  SimTime since{};        // of the state
  SimTime idle_since{};   // nobody has held it since
  SimTime back = kNever;  // of state down: when it may be used again by itself
};

/// A promise of textbook backfill.
struct BookPromise {
  JobId job = 0;
  PartitionIndex partition = 0;
  SimTime from{};
  SimTime to{};
  Nodes nodes;
};

/// The controller's lists.
struct Book {
  slurm::Configuration cluster;
  SimTime now = kStart;
  std::vector<BookJob> jobs = {};
  std::vector<BookNode> nodes = {};
  std::vector<slurm::Event> events = {};
  std::vector<BookPromise> promises = {};
  std::vector<double> usage = {};  // of associations, as of the last calculation and the ends of jobs since
  std::map<UserIndex, double> shares = {};  // factors at the last calculation
  bool has_changed = false;                 // since a textbook scheduler last looked
  bool is_cycle_wanted = false;             // by somebody, from the main scheduler
  SimTime wanted_at{};
  bool is_cycle_due = false;  // at once
  SimTime last_cycle = kStart;
  SimTime last_full = kStart;
  SimTime last_backfill = kStart;
  bool is_planning = false;  // the last cycle of backfill had somebody to plan for
  SimTime last_change = kStart;
  SimTime last_priorities = kStart;
};

/// A job in one of its partitions.
struct Record {
  int level = 0;
  int tier = 0;
  std::uint32_t priority = 0;
  std::int64_t second = 0;
  JobId array = 0;
  JobId job = 0;
  PartitionIndex partition = 0;
};

// --- nodes.cpp ---
[[nodiscard]] bool contains(const Nodes& nodes, NodeIndex node);
[[nodiscard]] bool overlap(const Nodes& a, const Nodes& b);
/// Without those of `others`.
[[nodiscard]] Nodes without(const Nodes& nodes, const Nodes& others);
[[nodiscard]] bool holds_nodes(const BookJob& job);
/// Whether the job wants nodes for itself alone.
[[nodiscard]] bool is_whole(const Book& book, const BookJob& job, PartitionIndex partition);
[[nodiscard]] int least_cpus(const BookJob& job);
/// CPUs of the node that no job of `book` but those of `gone` has.
[[nodiscard]] int free_cpus(const Book& book, NodeIndex node, const std::vector<JobId>& gone = {});
/// Whether the job fits on the node once those of `gone` have left it.
[[nodiscard]] bool fits(const Book& book, JobId id, PartitionIndex partition, NodeIndex node,
                        const std::vector<JobId>& gone = {});
/// Nodes of `among` on which it fits once those of `gone` have left them.
[[nodiscard]] Nodes fitting(const Book& book, JobId id, PartitionIndex partition, const Nodes& among,
                            const std::vector<JobId>& gone = {});
/// Of the partition, those that are not DOWN or powering down.
[[nodiscard]] Nodes usable_nodes(const Book& book, PartitionIndex partition);
/// What the selector gives the job of these, each of which would do; none if they are too few.
[[nodiscard]] std::optional<Nodes> choose(const Book& book, JobId id, PartitionIndex partition,
                                          const Nodes& candidates, const std::vector<JobId>& gone = {});
[[nodiscard]] bool could_run_in(const Book& book, const BookJob& job, PartitionIndex partition);
[[nodiscard]] SimDuration limit_of(const Book& book, const BookJob& job, PartitionIndex partition);
[[nodiscard]] SimTime whole_second(SimTime at);

// --- queue.cpp ---
/// All that could run if there was room, in the order in which it is tried.
[[nodiscard]] std::vector<Record> queue_of(const Book& book);
/// Whether `a` stands before `b`.
[[nodiscard]] bool goes_before(const Record& a, const Record& b);

// --- life.cpp ---
JobId submit(Book& book, const slurm::JobRequest& request, std::uint32_t tasks, bool is_array);
/// The job has its nodes from now on; it runs at once if they are up.
void start(Book& book, JobId id, PartitionIndex partition, const Nodes& nodes);
/// All its nodes are up.
void run(Book& book, JobId id);
/// It leaves its nodes, and is over.
void end(Book& book, JobId id, bool well);
/// It leaves its nodes, and is eligible again after a delay.
void requeue(Book& book, JobId id);
/// A node of its has failed, or somebody requeues it by hand: it is requeued, or fails if it may not be.
void lose_nodes(Book& book, JobId id);
/// Who waits for something that has happened does so no longer.
void look_at_waiting(Book& book);
/// Those whose time is over are told to stop.
void look_at_limits(Book& book);
void tell(Book& book, slurm::Event::Kind kind, JobId job, JobId by = 0);
void tell_node(Book& book, slurm::Event::Kind kind, NodeIndex node);
/// Something happened on which a scheduler might act.
void change(Book& book);
/// The main scheduler is asked to look at the queue.
void ask(Book& book);

// --- textbook.cpp ---
void easy(Book& book, bool by_number);
void conservative(Book& book);

// --- main_scheduler.cpp ---
/// Goes through the first `depth` records of the queue; 0: all.
void main_cycle(Book& book, int depth);
/// A job that is not a batch job has come.
void try_at_once(Book& book, JobId id);
/// Whether the job may keep nodes from those behind it.
[[nodiscard]] bool may_hold_back(const Book& book, const Record& record);

/// The job gets nodes of `among` if there is room now. Whether it did.
bool start_now(Book& book, JobId id, PartitionIndex partition, const Nodes& among);

// --- will_run.cpp ---
/// When a job could run, and where.
struct Prospect {
  SimTime at{};
  Nodes nodes;
};
/// On nodes of `among`, if those who run end with their time limits. `now_only`: or never.
[[nodiscard]] std::optional<Prospect> will_run(const Book& book, JobId id, PartitionIndex partition,
                                               const Nodes& among, bool now_only);

// --- backfill.cpp ---
void backfill_cycle(Book& book);

// --- priority.cpp ---
[[nodiscard]] std::uint32_t priority_of(const Book& book, const BookJob& job, PartitionIndex partition);
/// Usage decays, what has run is charged, and waiting jobs get their priorities anew.
void calculate_priorities(Book& book, SimTime due);
/// The job leaves its nodes: it is charged since the last calculation.
void charge(Book& book, JobId id, SimTime until);
/// Place of each user among all, from 1 down.
[[nodiscard]] std::map<UserIndex, double> fair_tree(const Book& book);

// --- preemption.cpp ---
[[nodiscard]] int preemption_level(const Book& book, const BookJob& job);
/// Whom the job could have stop, those that go first before the others.
[[nodiscard]] std::vector<JobId> possible_victims(const Book& book, JobId id, PartitionIndex partition,
                                                  const Nodes& among);
/// Has others make way for the job, if that would help.
void preempt(Book& book, JobId id, PartitionIndex partition, const Nodes& among);

// --- power.cpp ---
[[nodiscard]] slurm::PowerSave power_rules(const Book& book, NodeIndex node);
void set_down(Book& book, NodeIndex node, SimTime back);
void restore(Book& book, NodeIndex node);
void come_up(Book& book, NodeIndex node);
/// What of nodes falls due at this time.
void look_at_nodes(Book& book);
/// Nodes of jobs that wait for them are switched on. Until a scheduler is done its jobs' nodes are off.
void power_up_for_jobs(Book& book);
/// Whether the node is to be switched off by now.
[[nodiscard]] bool is_idle_too_long(const Book& book, NodeIndex node);
/// A job has left the node.
void leave_node(Book& book, NodeIndex node);

}  // namespace stockout::by_the_book

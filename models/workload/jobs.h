#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "models/workload/arrivals/demand_factor.h"
#include "models/workload/job_link.h"
#include "sim/core/ids.h"
#include "sim/core/quantity.h"
#include "sim/core/time.h"
#include "sim/random/law.h"

namespace stockout {

/// Request of a job, and how fast it runs where: `nodes` full nodes of `gpus_per_node` GPUs, and a last node
/// of `tail_gpus` if not 0. A gang: it starts when every node is there.
struct Shape {
  std::string gpu;      // GPU type the job needs, or empty: any family
  std::string machine;  // the machine type it insists on, or empty: the smallest that fits
  std::int32_t nodes = 1;
  std::int32_t gpus_per_node = 1;
  std::int32_t tail_gpus = 0;
  SpeedId speed{};            // how fast it runs where, in World::speeds; 0: everywhere as on the reference
  std::int32_t of_nodes = 0;  // does, with fewer nodes, the work of a job that asked for so many; 0: its own

  [[nodiscard]] GpuCount gpus() const { return GpuCount{std::int64_t{nodes} * gpus_per_node + tail_gpus}; }
  friend bool operator==(const Shape&, const Shape&) = default;
};

/// How the code of a job fails by itself: one worker on each machine exits before the work is done.
struct WorkerExits {
  Law after{.a = kForever};            // from the begin of its work; kForever: none exits
  std::int32_t share_ppm = 1'000'000;  // of workers that begin: the others run to the end
  std::int32_t permanent_ppm = 0;      // of exits: to start again is of no use

  [[nodiscard]] bool any() const { return after.is_random() || after.constant() != kForever; }
  /// Whether luck has a part in it.
  [[nodiscard]] bool is_random() const {
    return after.is_random() || share_ppm < 1'000'000 || (permanent_ppm > 0 && permanent_ppm < 1'000'000);
  }
  friend bool operator==(const WorkerExits&, const WorkerExits&) = default;
};

/// Settings that all jobs of a class share.
struct JobClass {
  std::string name;
  SimDuration checkpoint_every{};  // work between two checkpoints; 0: none, an interruption loses all
  SimDuration checkpoint_cost{};   // time to write one, during which no work is done
  bool checkpoint_in_notice =
      false;                  // given notice, the job writes a last checkpoint, if it can in that time
  SimDuration reload{};       // added to start-up when a job goes on from a checkpoint
  std::int32_t parallel = 0;  // most jobs of one group open at a time; 0: no limit
  std::int32_t priority = 0;  // among those that wait for held capacity: higher goes first
  WorkerExits exits{};
  friend bool operator==(const JobClass&, const JobClass&) = default;
};

/// One job as it is submitted.
struct Job {
  SimTime submit{};
  SimDuration work{};               // on the reference GPU type, at least 0
  SimDuration estimate = kForever;  // run-time estimate; Arrivals puts the work where the source has none
  SimDuration max_wait = kForever;  // from submission; then the job expires, whatever leg it is in
  SimDuration deadline = kForever;  // from submission; a measure, it ends nothing
  ShapeId shape{};
  ClassId job_class{};
  UserId user{};
  std::uint32_t group = 0;  // jobs of one source, class and group share the class's limit; 0: none
  SourceId source{};
  std::uint64_t row = 0;  // of the source, before any filter: the identity for random draws
};

/// Jobs of a trace as columns, sorted by (submit, row). Optional columns are empty or as long as `submit`.
struct JobColumns {
  std::vector<SimTime> submit;
  std::vector<SimDuration> work;
  std::vector<ShapeId> shape;
  std::vector<ClassId> job_class;
  std::vector<UserId> user;
  std::vector<std::uint64_t> row;        // optional; empty: 0, 1, 2, ...
  std::vector<SimDuration> estimate;     // optional; empty: the work
  std::vector<SimDuration> max_wait;     // optional; empty: for ever
  std::vector<SimDuration> deadline;     // optional; empty: none
  std::vector<std::uint32_t> group;      // optional; empty: no group
  std::vector<SimDuration> held = {};    // optional; from the file's submission to `submit`. For reports
  std::vector<std::uint32_t> team = {};  // optional; of `teams`. For reports
  std::vector<std::string> teams = {};   // names; "" for none
  std::vector<JobLink> links = {};       // sparse: of the rows that have any, sorted by row

  [[nodiscard]] std::size_t size() const { return submit.size(); }
  friend bool operator==(const JobColumns&, const JobColumns&) = default;
};

/// A moving-block bootstrap of a trace: blocks of length `block` follow one another, each a copy of the piece
/// of the trace that begins at a random multiple of `step` (the trace is closed to a ring). Keyed by
/// replication.
struct Resample {
  SimDuration block{};   // greater than 0
  SimDuration step{};    // greater than 0; whole days keep the hour of the day
  SimDuration length{};  // how much demand to make
};

/// Jobs out of a trace.
struct TraceDemand {
  std::shared_ptr<const JobColumns> jobs;
  bool resampled = false;
  Resample resample{};
  DemandFactor factor{};
};

/// From `at` on, local clocks are `by` ahead of what they were at the start (daylight saving).
struct ClockShift {
  SimTime at{};
  SimDuration by{};
};

/// How many jobs come at once, and how often, against the other weights.
struct WeightedCount {
  double weight = 1;
  std::int32_t count = 1;
};

/// A Poisson process of batches whose rate follows the hour of the week, by thinning.
struct PoissonArrivals {
  double peak_per_hour = 0;       // batches an hour where `intensity` is 1, before the source's factor
  std::vector<double> intensity;  // 168 values in [0, 1] from the week's hour at `origin`, or empty: always 1
  SimTime origin{};               // the instant at which hour 0 of `intensity` begins; may lie far back
  std::vector<ClockShift> clock_shifts = {};  // sorted; hours of `intensity` follow local clocks
  std::vector<WeightedCount> batches = {};    // jobs of a batch, drawn for each; empty: always 1
  bool grouped = false;                       // each batch is a group of its own
};

/// Batches at fixed times, sorted.
struct ScheduledArrivals {
  std::vector<SimTime> at;
  std::int32_t count = 1;  // jobs in each batch
  bool grouped = false;    // each batch is a group of its own
};

/// One job for each job, or each group, of another source, at the same instant and for the same user: a step
/// of the pipelines that the other begins, or a member of its sets.
struct FollowingArrivals {
  bool as_long = false;  // it has the work, estimate and deadline of that job; the law of work is not used
};

struct WeightedShape {
  double weight = 1;
  ShapeId shape{};
};

/// Jobs made up inside the run, in constant memory.
struct SyntheticDemand {
  std::variant<PoissonArrivals, ScheduledArrivals, FollowingArrivals> arrivals;
  SimTime from{};                     // no job before
  SimTime until = kNever;             // no job at or after
  std::vector<WeightedShape> shapes;  // at least one
  Law work;
  double deadline_work_factor = 0;        // deadline = factor * work + deadline_plus
  SimDuration deadline_plus = kForever;   // kForever: no deadline, or one of these:
  std::vector<SimTime> deadline_at = {};  // sorted; the first later than a submission is its job's deadline
  Law max_wait{.a = kForever};
  ClassId job_class{};
  UserId first_user{};
  std::int32_t users = 1;  // row n belongs to user first_user + n mod users
  DemandFactor factor{};
};

}  // namespace stockout

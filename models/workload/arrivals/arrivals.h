#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <variant>
#include <vector>

#include "models/workload/jobs.h"
#include "sim/random/draw.h"

namespace stockout {

/// Jobs of one source, made or read a batch at a time in order of (submit, row). An estimate of kForever
/// stands for the work.
class JobCursor {
 public:
  virtual ~JobCursor() = default;

  /// Fills the front of `batch`, at least one job unless the source is at its end. Returns how many.
  virtual std::size_t next(std::span<Job> batch) = 0;
};

/// Demand of one source and how it is to be read.
using Demand = std::variant<TraceDemand, SyntheticDemand>;

[[nodiscard]] std::unique_ptr<JobCursor> open_demand(const Demand& demand, SourceId source,
                                                     RandomStreams random);

/// A source whose jobs follow those of another.
struct Followed {
  SourceId source{};
  const Demand* demand = nullptr;
  bool by_group = false;  // once a group, whose jobs come one after another; else once a job
};

/// The jobs of `demand`, which has FollowingArrivals.
[[nodiscard]] std::unique_ptr<JobCursor> open_following(const SyntheticDemand& demand, SourceId source,
                                                        Followed first, RandomStreams random);

/// Several sources merged by (submit, source); each keeps its own order. The same random numbers always give
/// the same jobs, so measures walk them again instead of keeping them.
class Arrivals {
 public:
  struct Input {
    SourceId source{};
    const Demand* demand = nullptr;
    Followed first{};  // of a source that follows another
  };

  /// Arrivals and lengths are floored to multiples of `grid` if it is not 0.
  Arrivals(std::span<const Input> inputs, RandomStreams random, SimDuration grid);

  /// The next job, or nullptr at the end. Valid until pop().
  [[nodiscard]] const Job* peek() const { return first_ == nullptr ? nullptr : first_->next; }
  void pop() {
    if (++first_->next == first_->end) refill(*first_);
    if (heap_.size() > 1 || first_->next == first_->end) replace_first();
  }
  /// Leaves out the source of the next job from that job on.
  void end_source();

 private:
  struct Stream {
    std::unique_ptr<JobCursor> cursor;
    std::vector<Job> batch;
    const Job* next = nullptr;  // of the batch, ...
    const Job* end = nullptr;   // ... up to here
  };

  void refill(Stream& stream);
  void choose();
  void replace_first();
  void sift_down();
  [[nodiscard]] bool comes_later(std::uint32_t a, std::uint32_t b) const;

  SimDuration grid_;
  std::vector<Stream> streams_;
  std::vector<std::uint32_t> heap_;  // of streams with jobs left: the front's job comes first
  Stream* first_ = nullptr;
};

}  // namespace stockout

#pragma once

#include <vector>

#include "models/workload/arrivals/arrivals.h"

namespace stockout {

/// A non-homogeneous Poisson process, exact, by thinning (Lewis and Shedler, Naval Res. Logist. 26, 1979) of
/// layers that lie on top of one another (the superposition of independent Poisson processes is one).
///
/// Every layer has candidates at the peak rate of demand as it is written. A candidate of layer k at time t
/// is kept if its own uniform draw is below intensity(t) * min(1, max(0, factor(t) - k)); over all layers
/// that adds up to intensity(t) * factor(t). So, whatever the factor:
///   - a draw belongs to one candidate alone, and a rejection shifts nothing;
///   - where the factor is raised, every job that was there stays, with all its draws, and others come on
///   top;
///     where it is lowered, some go and none is new. Elsewhere nothing changes.
/// A change of the written rate itself moves all times.
///
/// A candidate is a batch: it draws how many jobs it has, kept or not, and has a row for each. Layer 0 counts
/// these rows from the beginning. Layers above are looked at in
/// blocks of four hours, each of which begins anew (no memory), so that blocks where a layer has no
/// jobs cost nothing: the first row of a block is layer * 2^40 + block * 2^23.
class PoissonCursor final : public JobCursor {
 public:
  /// peak_per_hour times the mean of a batch at most 10^6, a batch at most kMostAtOnce, the factor at most
  /// kMostCopies.
  PoissonCursor(const SyntheticDemand& demand, SourceId source, RandomStreams random);
  std::size_t next(std::span<Job> batch) override;

 private:
  struct Layer {
    std::uint64_t number = 0;
    std::uint64_t block = 0;
    SimTime from{};  // of the block
    SimTime until{};
    double clock_ms = 0;  // since `from`; a sum of doubles, so that gaps far below a millisecond count
    std::uint64_t next_row = 0;
    SimTime at = kNever;  // the candidate; kNever: none is left
    std::uint64_t row = 0;
    std::uint64_t jobs = 1;  // of the candidate: its rows begin with `row`
  };
  struct Batch {
    SimTime at{};
    std::uint64_t next_row = 0;
    std::uint64_t left = 0;
    std::uint32_t group = 0;
  };

  void add_layer(std::uint64_t number);
  void advance(Layer& layer) const;
  [[nodiscard]] bool open_block(Layer& layer, std::uint64_t block) const;
  [[nodiscard]] Layer& earliest();
  [[nodiscard]] bool is_kept(const Layer& layer) const;
  [[nodiscard]] std::uint64_t draw_jobs(Draw draw) const;
  [[nodiscard]] bool open_batch();

  const SyntheticDemand& demand_;
  const PoissonArrivals& arrivals_;
  SourceId source_;
  RandomStreams random_;
  std::vector<Layer> layers_;
  Batch batch_{};              // being handed out
  std::uint32_t batches_ = 0;  // handed out so far
};

}  // namespace stockout

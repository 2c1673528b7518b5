#include "models/workload/arrivals/poisson_cursor.h"

#include <algorithm>
#include <cmath>

#include <boost/random/exponential_distribution.hpp>

#include "models/workload/arrivals/expected_demand.h"
#include "models/workload/arrivals/synthesis.h"
#include "sim/core/check.h"
#include "sim/core/hours.h"
#include "sim/random/weighted.h"

namespace stockout {
namespace {

constexpr SimDuration kBlock = std::chrono::hours{4};
constexpr std::uint64_t kRowsInBlock = std::uint64_t{1} << 23;  // at 10^6 an hour a block has 2^22 on average

}  // namespace

PoissonCursor::PoissonCursor(const SyntheticDemand& demand, SourceId source, RandomStreams random)
    : demand_{demand},
      arrivals_{std::get<PoissonArrivals>(demand.arrivals)},
      source_{source},
      random_{random} {
  if (arrivals_.peak_per_hour <= 0) return;
  const double most = demand_.factor.is_one() ? 1 : demand_.factor.most(demand_.from, demand_.until);
  STOCKOUT_CHECK(most <= kMostCopies);
  add_layer(0);
  for (std::uint64_t number = 1; static_cast<double>(number) < most; ++number) add_layer(number);
}

void PoissonCursor::add_layer(std::uint64_t number) {
  Layer layer{.number = number, .from = demand_.from, .until = demand_.until};
  if (number > 0 && !open_block(layer, 0)) return;
  advance(layer);
  layers_.push_back(layer);
}

// The first block from `block` on in which the layer may have jobs; false if there is none.
bool PoissonCursor::open_block(Layer& layer, std::uint64_t block) const {
  for (;; ++block) {
    const SimTime from = demand_.from + kBlock * static_cast<std::int64_t>(block);
    if (from >= demand_.until) return false;
    const SimTime until = std::min(from + kBlock, demand_.until);
    if (demand_.factor.most(from, until) <= static_cast<double>(layer.number)) continue;
    layer.block = block;
    layer.from = from;
    layer.until = until;
    layer.clock_ms = 0;
    layer.next_row = layer.number * kFirstAddedRow + block * kRowsInBlock;
    return true;
  }
}

void PoissonCursor::advance(Layer& layer) const {
  const boost::random::exponential_distribution<double> gap_ms{arrivals_.peak_per_hour / kMsPerHour};
  for (;;) {
    Draw draw = random_.draw(Purpose::arrival, entity_of(source_, layer.next_row));
    layer.clock_ms += gap_ms(draw);
    if (layer.clock_ms < static_cast<double>(kLongestRun.count())) {
      layer.at = layer.from + SimDuration{static_cast<std::int64_t>(layer.clock_ms)};
      layer.row = layer.next_row;
      layer.jobs = draw_jobs(draw);
      layer.next_row += layer.jobs;
      if (layer.at < layer.until) return;
    }
    if (layer.number == 0 || !open_block(layer, layer.block + 1)) break;
  }
  layer.at = kNever;
}

PoissonCursor::Layer& PoissonCursor::earliest() { return *std::ranges::min_element(layers_, {}, &Layer::at); }

bool PoissonCursor::is_kept(const Layer& layer) const {
  double share = intensity_at(arrivals_, layer.at);
  if (!demand_.factor.is_one()) {
    share *= std::clamp(demand_.factor.at(layer.at) - static_cast<double>(layer.number), 0.0, 1.0);
  }
  if (share >= 1) return true;
  Draw draw = random_.draw(Purpose::thinning, entity_of(source_, layer.row));
  return uniform01(draw) < share;
}

std::uint64_t PoissonCursor::draw_jobs(Draw draw) const {
  if (arrivals_.batches.empty()) return 1;
  const std::size_t which = draw_weighted(arrivals_.batches, draw, &WeightedCount::weight);
  return static_cast<std::uint64_t>(arrivals_.batches[which].count);
}

// The next batch that is kept; false if there is none.
bool PoissonCursor::open_batch() {
  while (!layers_.empty()) {
    Layer& layer = earliest();
    if (layer.at == kNever) return false;
    const bool kept = is_kept(layer);
    if (kept) {
      ++batches_;
      batch_ = {.at = layer.at,
                .next_row = layer.row,
                .left = layer.jobs,
                .group = arrivals_.grouped ? batches_ : 0};
    }
    advance(layer);
    if (kept) return true;
  }
  return false;
}

std::size_t PoissonCursor::next(std::span<Job> batch) {
  std::size_t count = 0;
  while (count < batch.size() && (batch_.left > 0 || open_batch())) {
    Job& job = batch[count++] = make_job(demand_, source_, random_, batch_.next_row++, batch_.at);
    job.group = batch_.group;
    --batch_.left;
  }
  return count;
}

}  // namespace stockout

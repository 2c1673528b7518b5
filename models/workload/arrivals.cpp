#include "models/workload/arrivals.h"

#include <algorithm>
#include <tuple>

#include "models/workload/copy_cursor.h"
#include "models/workload/poisson_cursor.h"
#include "models/workload/schedule_cursor.h"
#include "models/workload/trace_cursor.h"

namespace stockout {
namespace {

constexpr std::size_t kArrivalBatch = 256;

bool comes_before(const Job& a, const Job& b) {
  return std::tie(a.submit, a.source) < std::tie(b.submit, b.source);
}

SimTime floor_to(SimDuration grid, SimTime at) {
  const SimDuration over = at.time_since_epoch() % grid;
  return at - (over < SimDuration::zero() ? over + grid : over);
}

}  // namespace

std::unique_ptr<JobCursor> open_demand(const Demand& demand, SourceId source, Dice dice) {
  if (const auto* trace = std::get_if<TraceDemand>(&demand)) {
    std::unique_ptr<JobCursor> rows;
    if (trace->resampled) {
      rows = std::make_unique<ResampleCursor>(*trace, source, dice);
    } else {
      rows = std::make_unique<TraceCursor>(*trace, source);
    }
    if (trace->factor.is_one()) return rows;
    return std::make_unique<CopyCursor>(std::move(rows), trace->factor, nullptr, dice);
  }
  const auto& synthetic = std::get<SyntheticDemand>(demand);
  if (std::holds_alternative<PoissonArrivals>(synthetic.arrivals)) {
    return std::make_unique<PoissonCursor>(synthetic, source, dice);
  }
  auto batches = std::make_unique<ScheduleCursor>(synthetic, source, dice);
  if (synthetic.factor.is_one()) return batches;
  return std::make_unique<CopyCursor>(std::move(batches), synthetic.factor, &synthetic, dice);
}

Arrivals::Arrivals(std::span<const Input> inputs, Dice dice, SimDuration grid) : grid_{grid} {
  streams_.reserve(inputs.size());
  for (const Input& input : inputs) {
    Stream& stream = streams_.emplace_back();
    stream.cursor = open_demand(*input.demand, input.source, dice);
    stream.batch.resize(kArrivalBatch);
    refill(streams_.back());
  }
  choose();
}

void Arrivals::pop() {
  if (++first_->at == first_->size) refill(*first_);
  if (streams_.size() > 1 || first_->size == 0) choose();
}

void Arrivals::end_source() {
  first_->size = 0;
  choose();
}

void Arrivals::refill(Stream& stream) {
  stream.at = 0;
  stream.size = stream.cursor->next(stream.batch);
  for (Job& job : std::span{stream.batch}.first(stream.size)) {
    if (grid_ != SimDuration::zero()) {
      job.submit = floor_to(grid_, job.submit);
      job.work -= job.work % grid_;
    }
    if (job.estimate == kForever) job.estimate = job.work;
  }
}

void Arrivals::choose() {
  first_ = nullptr;
  for (Stream& stream : streams_) {
    if (stream.size == 0) continue;
    if (first_ == nullptr || comes_before(stream.batch[stream.at], first_->batch[first_->at]))
      first_ = &stream;
  }
}

}  // namespace stockout

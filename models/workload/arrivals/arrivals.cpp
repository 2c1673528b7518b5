#include "models/workload/arrivals/arrivals.h"

#include <algorithm>
#include <tuple>

#include "models/workload/arrivals/copy_cursor.h"
#include "models/workload/arrivals/following_cursor.h"
#include "models/workload/arrivals/poisson_cursor.h"
#include "models/workload/arrivals/schedule_cursor.h"
#include "models/workload/arrivals/trace_cursor.h"

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

std::unique_ptr<JobCursor> open_demand(const Demand& demand, SourceId source, RandomStreams random) {
  if (const auto* trace = std::get_if<TraceDemand>(&demand)) {
    std::unique_ptr<JobCursor> rows;
    if (trace->resampled) {
      rows = std::make_unique<ResampleCursor>(*trace, source, random);
    } else {
      rows = std::make_unique<TraceCursor>(*trace, source);
    }
    if (trace->factor.is_one()) return rows;
    return std::make_unique<CopyCursor>(std::move(rows), trace->factor, nullptr, random);
  }
  const auto& synthetic = std::get<SyntheticDemand>(demand);
  if (std::holds_alternative<PoissonArrivals>(synthetic.arrivals)) {
    return std::make_unique<PoissonCursor>(synthetic, source, random);
  }
  auto batches = std::make_unique<ScheduleCursor>(synthetic, source, random);
  if (synthetic.factor.is_one()) return batches;
  return std::make_unique<CopyCursor>(std::move(batches), synthetic.factor, &synthetic, random);
}

std::unique_ptr<JobCursor> open_following(const SyntheticDemand& demand, SourceId source, Followed first,
                                          RandomStreams random) {
  return std::make_unique<FollowingCursor>(demand, source, open_demand(*first.demand, first.source, random),
                                           first.by_group, random);
}

Arrivals::Arrivals(std::span<const Input> inputs, RandomStreams random, SimDuration grid) : grid_{grid} {
  streams_.reserve(inputs.size());
  for (const Input& input : inputs) {
    Stream& stream = streams_.emplace_back();
    stream.cursor = input.first.demand == nullptr ? open_demand(*input.demand, input.source, random)
                                                  : open_following(std::get<SyntheticDemand>(*input.demand),
                                                                   input.source, input.first, random);
    stream.batch.resize(kArrivalBatch);
    refill(stream);
  }
  for (std::uint32_t i = 0; i < streams_.size(); ++i) {
    if (streams_[i].next != streams_[i].end) heap_.push_back(i);
  }
  std::ranges::make_heap(heap_, [this](std::uint32_t a, std::uint32_t b) { return comes_later(a, b); });
  choose();
}

bool Arrivals::comes_later(std::uint32_t a, std::uint32_t b) const {
  return comes_before(*streams_[b].next, *streams_[a].next);
}

void Arrivals::end_source() {
  first_->next = first_->end;
  replace_first();
}

// The first stream goes to where its next job belongs, or is left out at its end.
void Arrivals::replace_first() {
  const auto later = [this](std::uint32_t a, std::uint32_t b) { return comes_later(a, b); };
  // While its job has changed the heap must not be compared with it: it is taken out by its place, the front.
  const std::uint32_t stream = heap_.front();
  heap_.front() = heap_.back();
  heap_.pop_back();
  sift_down();
  if (streams_[stream].next != streams_[stream].end) {
    heap_.push_back(stream);
    std::ranges::push_heap(heap_, later);
  }
  choose();
}

// The front of the heap goes down to where it belongs.
void Arrivals::sift_down() {
  std::size_t at = 0;
  for (std::size_t child = 1; child < heap_.size(); child = 2 * at + 1) {
    if (child + 1 < heap_.size() && comes_later(heap_[child], heap_[child + 1])) ++child;
    if (!comes_later(heap_[at], heap_[child])) return;
    std::swap(heap_[at], heap_[child]);
    at = child;
  }
}

void Arrivals::refill(Stream& stream) {
  const std::span<Job> jobs = std::span{stream.batch}.first(stream.cursor->next(stream.batch));
  stream.next = jobs.data();
  stream.end = jobs.data() + jobs.size();
  for (Job& job : jobs) {
    if (grid_ != SimDuration::zero()) {
      job.submit = floor_to(grid_, job.submit);
      job.work -= job.work % grid_;
    }
    if (job.estimate == kForever) job.estimate = job.work;
  }
}

void Arrivals::choose() { first_ = heap_.empty() ? nullptr : &streams_[heap_.front()]; }

}  // namespace stockout

#include "models/bound/cells.h"

#include <algorithm>
#include <set>

#include "models/billing/hour.h"

namespace stockout {
namespace {

/// From the first submission to the last submission or due time.
struct Span {
  SimTime first = kNever;
  SimTime last = kStart;
};

Span span_of(const WorkToDo& work) {
  Span span;
  for (const JobToDo& job : work.jobs) {
    span.first = std::min(span.first, job.submit);
    span.last = std::max({span.last, job.submit, job.due == kNever ? job.submit : job.due});
  }
  return span;
}

void add_changes(const BoundMarket& market, std::set<SimTime>& times) {
  for (const Resource& resource : market.resources()) {
    if (resource.is_hourly()) continue;  // what it has is shared by a whole hour
    for (const Resource::Piece& piece : resource.pieces()) times.insert(piece.at);
  }
  for (const KindOffers& kind : market.kinds())
    for (const Way& way : kind.ways)
      for (const PricePiece& piece : way.price) times.insert(piece.from);
}

}  // namespace

std::optional<Cells> Cells::exact(const BoundMarket& market, const WorkToDo& work, SimTime horizon,
                                  std::size_t most) {
  const Span span = span_of(work);
  std::set<SimTime> times{horizon};
  for (const JobToDo& job : work.jobs) {
    times.insert(job.submit);
    if (job.due != kNever) times.insert(job.due);
    if (times.size() > most + 1) return std::nullopt;
  }
  add_changes(market, times);
  if (std::ranges::any_of(market.resources(), &Resource::is_hourly)) {
    if ((span.last - span.first) / kHour > static_cast<std::int64_t>(most)) return std::nullopt;
    for (SimTime at = kStart + (span.first - kStart) / kHour * kHour; at < span.last + kHour; at += kHour)
      times.insert(at);
  }
  Cells cells;
  cells.edges_.assign(times.lower_bound(span.first), times.upper_bound(horizon));
  if (cells.size() > most || cells.edges_.size() < 2) return std::nullopt;
  return cells;
}

Cells Cells::equal(const WorkToDo& work, SimTime horizon, std::size_t count) {
  const Span span = span_of(work);
  Cells cells;
  cells.length_ = (span.last - span.first) / static_cast<std::int64_t>(count) + SimDuration{1};
  SimTime begin = span.first;
  if (cells.length_ > kHour) {  // whole hours, as prices are
    cells.length_ = (cells.length_ + kHour - SimDuration{1}) / kHour * kHour;
    begin = kStart + (begin - kStart) / kHour * kHour;
  }
  for (SimTime at = begin; at < span.last && at < horizon; at += cells.length_) cells.edges_.push_back(at);
  if (cells.edges_.empty()) cells.edges_.push_back(begin);
  cells.edges_.push_back(std::max(horizon, cells.edges_.back() + SimDuration{1}));
  return cells;
}

std::size_t Cells::at(SimTime time) const {
  const auto after = std::upper_bound(edges_.begin(), edges_.end() - 1, time);
  return after == edges_.begin() ? 0 : static_cast<std::size_t>(after - edges_.begin()) - 1;
}

}  // namespace stockout

#include "models/bound/resource.h"

#include <algorithm>
#include <deque>

#include "models/billing/hour.h"
#include "models/supply/capacity_path.h"

namespace stockout {
namespace {

constexpr SimTime kBeginning{SimDuration::min()};

/// Levels that a chain draws are looked up so long after the window; later it counts with its most.
constexpr SimDuration kDrawnAfterWindow = std::chrono::hours{24 * 30};

std::vector<Resource::Piece> pieces_of(const World& world, const CapacitySource& source,
                                       std::uint64_t replication) {
  const SimTime horizon = horizon_of(world);
  const SimTime drawn = std::min(horizon, later(world.window_end, kDrawnAfterWindow));
  CapacityPath path{source, RandomStreams{.seed = world.seed, .replication = replication}, world.begin,
                    drawn};
  std::vector<Resource::Piece> pieces{{.at = kBeginning, .amount = path.gpus().count()}};
  while (path.next_at() != kNever) {
    const SimTime at = path.next_at();
    path.advance();
    pieces.push_back({.at = at, .amount = path.gpus().count()});
  }
  if (source.chain != nullptr && drawn < horizon && pieces.back().at < drawn)
    pieces.push_back({.at = drawn, .amount = most_gpus(source).count()});
  return pieces;
}

// The running maximum over the last `back`, by a queue of falling amounts.
std::vector<Resource::Piece> most_of_late(const std::vector<Resource::Piece>& pieces, SimDuration back) {
  if (back == SimDuration::zero()) return pieces;
  struct Level {
    SimTime end;  // until when it counts
    std::int64_t amount;
  };
  std::deque<Level> spans;
  std::vector<Resource::Piece> result;
  const auto put = [&](SimTime at, std::int64_t amount) {
    if (!result.empty() && result.back().at == at) result.pop_back();
    if (result.empty() || result.back().amount != amount) result.push_back({.at = at, .amount = amount});
  };
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    while (!spans.empty() && spans.front().end <= pieces[i].at) {
      const SimTime end = spans.front().end;
      spans.pop_front();
      if (!spans.empty()) put(end, spans.front().amount);
    }
    const SimTime end = i + 1 < pieces.size() ? later(pieces[i + 1].at, back) : kNever;
    while (!spans.empty() && spans.back().amount <= pieces[i].amount) spans.pop_back();
    spans.push_back({.end = end, .amount = pieces[i].amount});
    put(pieces[i].at, spans.front().amount);
  }
  while (spans.size() > 1 && spans.front().end != kNever) {
    const SimTime end = spans.front().end;
    spans.pop_front();
    put(end, spans.front().amount);
  }
  return result;
}

SimTime hour_floor(SimTime at) {
  const SimDuration since = at - kStart;
  const SimDuration part = (since % kHour + kHour) % kHour;
  return at - part;
}

}  // namespace

SimTime horizon_of(const World& world) {
  return world.end == RunEnd::time ? world.window_end : later(world.window_end, world.drain_limit);
}

Resource Resource::between(SimTime from, SimTime until, std::int64_t amount) {
  Resource resource;
  resource.pieces_ = {{.at = kBeginning, .amount = 0}, {.at = from, .amount = amount}};
  if (until != kNever) resource.pieces_.push_back({.at = std::max(from, until), .amount = 0});
  return resource;
}

Resource Resource::of_source(const World& world, const CapacitySource& source, std::uint64_t replication,
                             SimDuration overstay) {
  Resource resource;
  resource.pieces_ = most_of_late(pieces_of(world, source, replication), overstay);
  return resource;
}

Resource Resource::of_coverage(const BillTerms& terms, const Coverage& coverage) {
  std::vector<Piece> changes;
  for (const std::size_t i : coverage.commitments) {
    const Commitment& commitment = terms.commitments[i];
    changes.push_back({.at = commitment.start, .amount = commitment.machines.count()});
    changes.push_back({.at = commitment.end, .amount = -commitment.machines.count()});
  }
  std::ranges::stable_sort(changes, {}, &Piece::at);
  Resource resource;
  resource.hourly_ = true;
  resource.pieces_ = {{.at = kBeginning, .amount = 0}};
  for (const Piece& change : changes) {
    const std::int64_t amount = resource.pieces_.back().amount + change.amount;
    if (resource.pieces_.back().at == change.at) resource.pieces_.pop_back();
    resource.pieces_.push_back({.at = change.at, .amount = amount});
  }
  return resource;
}

std::size_t Resource::piece_at(SimTime at) const {
  const auto after = std::ranges::upper_bound(pieces_, at, {}, &Piece::at);
  return static_cast<std::size_t>(after - pieces_.begin()) - 1;
}

double Resource::area(SimTime from, SimTime to) const {
  if (hourly_) {
    from = hour_floor(from);
    to = hour_floor(to - SimDuration{1}) + kHour;
  }
  double area = 0;
  for (std::size_t i = piece_at(from); i < pieces_.size() && pieces_[i].at < to; ++i) {
    const SimTime begin = std::max(from, pieces_[i].at);
    const SimTime end = i + 1 < pieces_.size() ? std::min(to, pieces_[i + 1].at) : to;
    area += static_cast<double>(pieces_[i].amount) * static_cast<double>((end - begin).count());
  }
  return area;
}

std::int64_t Resource::most(SimTime from, SimTime to) const {
  std::int64_t most = 0;
  for (std::size_t i = piece_at(from); i < pieces_.size() && pieces_[i].at < to; ++i)
    most = std::max(most, pieces_[i].amount);
  return most;
}

std::int64_t Resource::least_if_any() const {
  std::int64_t least = 0;
  for (const Piece& piece : pieces_)
    if (piece.amount > 0 && (least == 0 || piece.amount < least)) least = piece.amount;
  return least;
}

}  // namespace stockout

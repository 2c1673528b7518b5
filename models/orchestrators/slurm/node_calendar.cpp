#include "models/orchestrators/slurm/node_calendar.h"

#include <algorithm>

#include "sim/core/check.h"

namespace stockout::slurm {

NodeCalendar::NodeCalendar(std::size_t nodes) : nodes_(nodes, {Booking{.begin = kStart, .end = kStart}}) {}

NodeCalendar::FreeTime NodeCalendar::behind(NodeIndex node, std::size_t booking) const {
  const auto& bookings = nodes_[node];
  const bool is_last = booking + 1 == bookings.size();
  return {.begin = bookings[booking].end, .end = is_last ? kNever : bookings[booking + 1].begin};
}

// The last booking that is over at `at`, or else the first.
std::size_t NodeCalendar::last_before(NodeIndex node, SimTime at) const {
  const auto& bookings = nodes_[node];
  const auto after = std::ranges::upper_bound(bookings, at, {}, &Booking::end);
  return static_cast<std::size_t>(std::max<std::ptrdiff_t>(after - bookings.begin() - 1, 0));
}

// When the node is free for the request, from `from` on. No later time than `until` is looked for.
SimTime NodeCalendar::first_fit(NodeIndex node, const Request& request, SimTime from, SimTime until) const {
  const auto& bookings = nodes_[node];
  for (std::size_t i = last_before(node, from); i < bookings.size(); ++i) {
    const SimTime begin = std::max(bookings[i].end, from);
    if (begin > until) return kNever;
    if (i + 1 < bookings.size() && bookings[i + 1].who == request.who) ++i;
    if (behind(node, i).end - begin >= request.length) return begin;
  }
  return kNever;
}

NodeCalendar::Opening NodeCalendar::earliest(const Request& request) {
  const auto wanted = static_cast<std::size_t>(request.count);
  SimTime from = request.from;
  while (true) {
    Opening opening{.at = from, .nodes = NodeSet{nodes_.size()}};
    soonest_.clear();
    request.among.for_each([&](NodeIndex node) {
      const bool are_enough = soonest_.size() == wanted;
      const SimTime fits = first_fit(node, request, from, are_enough ? soonest_.front() : request.promised);
      if (fits == from) opening.nodes.insert(node);
      if (fits == kNever || (are_enough && fits >= soonest_.front())) return;
      if (are_enough) {
        std::ranges::pop_heap(soonest_);
        soonest_.back() = fits;
      } else {
        soonest_.push_back(fits);
      }
      std::ranges::push_heap(soonest_);
    });
    if (soonest_.size() < wanted) return {.at = kNever, .nodes = {}};
    if (soonest_.front() == from) return opening;
    from = soonest_.front();
  }
}

void NodeCalendar::promise(PromiseId who, const NodeSet& nodes, SimTime begin, SimTime end) {
  nodes.for_each([&](NodeIndex node) {
    auto& bookings = nodes_[node];
    const std::size_t before = last_before(node, begin);
    const FreeTime free = behind(node, before);
    STOCKOUT_CHECK(free.begin <= begin && end <= free.end);
    bookings.insert(bookings.begin() + static_cast<std::ptrdiff_t>(before) + 1,
                    {.begin = begin, .end = end, .who = who});
  });
}

void NodeCalendar::release(const NodeSet& nodes, SimTime begin) {
  nodes.for_each([&](NodeIndex node) {
    auto& bookings = nodes_[node];
    const auto own =
        std::ranges::lower_bound(bookings.begin() + 1, bookings.end(), begin, {}, &Booking::begin);
    STOCKOUT_CHECK(own != bookings.end() && own->begin == begin);
    const auto before = static_cast<std::size_t>(own - bookings.begin()) - 1;
    const bool is_held = bookings[before].end >= own->end;
    bookings.erase(own);
    if (!is_held) has_grown(node, before);
  });
}

void NodeCalendar::hold(NodeIndex node, SimTime until, std::vector<PromiseId>& displaced) {
  auto& bookings = nodes_[node];
  const bool is_freed = until < bookings.front().end;
  bookings.front().end = until;
  for (std::size_t i = 1; i < bookings.size() && bookings[i].begin < until; ++i) {
    displaced.push_back(bookings[i].who);
  }
  if (is_freed) has_grown(node, 0);
}

void NodeCalendar::list(NodeIndex node, std::vector<PromiseId>& promised) const {
  const auto& bookings = nodes_[node];
  for (std::size_t i = 1; i < bookings.size(); ++i) promised.push_back(bookings[i].who);
}

void NodeCalendar::has_grown(NodeIndex node, std::size_t booking) {
  const FreeTime grown = behind(node, booking);
  if (grown.begin < grown.end)
    growths_.push_back(
        {.number = ++grown_, .node = node, .grown = grown, .longest = grown.end - grown.begin});
}

// Free time behind who holds a node is shorter than it was once it has begun.
void NodeCalendar::look_again(Growth& growth, SimTime now) const {
  const auto& bookings = nodes_[growth.node];
  growth.longest = {};
  for (std::size_t i = last_before(growth.node, growth.grown.begin); i < bookings.size(); ++i) {
    const FreeTime free = behind(growth.node, i);
    if (free.begin >= growth.grown.end) return;
    const SimTime begin = std::max(free.begin, now);
    if (begin < free.end && growth.grown.begin < free.end)
      growth.longest = std::max(growth.longest, free.end - begin);
  }
}

// When free time that has a part of what has grown is long enough, with what is promised already behind it.
SimTime NodeCalendar::serves(const Growth& growth, const Request& request) const {
  const auto& bookings = nodes_[growth.node];
  for (std::size_t i = last_before(growth.node, growth.grown.begin); i < bookings.size(); ++i) {
    const SimTime begin = std::max(bookings[i].end, request.from);
    if (begin > request.promised || begin >= growth.grown.end) return kNever;
    const bool has_grown = behind(growth.node, i).end > growth.grown.begin;
    if (i + 1 < bookings.size() && bookings[i + 1].who == request.who) ++i;
    const SimTime end = behind(growth.node, i).end;
    if (has_grown && begin < end && end - begin >= request.length) return begin;
  }
  return kNever;
}

SimTime NodeCalendar::may_differ(const Request& request, std::uint64_t seen) {
  SimTime first = kNever;
  bool are_filled = false;
  for (std::size_t i = growths_.size(); i > 0 && growths_[i - 1].number > seen; --i) {
    Growth& growth = growths_[i - 1];
    if (growth.grown.begin > request.promised || !request.among.contains(growth.node)) continue;
    if (growth.longest >= request.length) look_again(growth, request.from);
    are_filled |= growth.longest == SimDuration{};
    const bool is_long = growth.longest >= request.length;
    const bool is_beside = request.promised != kNever && request.own.contains(growth.node);
    if (is_long || is_beside) first = std::min(first, serves(growth, request));
  }
  if (are_filled)
    std::erase_if(growths_, [](const Growth& growth) { return growth.longest == SimDuration{}; });
  return first;
}

void NodeCalendar::forget(std::uint64_t until) {
  std::erase_if(growths_, [&](const Growth& growth) { return growth.number <= until; });
}

}  // namespace stockout::slurm

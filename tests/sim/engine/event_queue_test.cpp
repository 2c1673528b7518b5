#include <algorithm>
#include <iterator>
#include <map>
#include <random>
#include <tuple>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "sim/engine/delay_lanes.h"
#include "sim/engine/event_queue.h"

using namespace stockout;
using namespace std::chrono_literals;

TEST_CASE("Events come out by time, then phase, then order of scheduling", "[engine]") {
  EventQueue<int> queue{kStart - 10s};
  queue.schedule(kStart + 5s, 2, 1);
  queue.schedule(kStart + 5s, 0, 2);
  queue.schedule(kStart - 10s, 7, 3);
  queue.schedule(kStart + 5s, 0, 4);
  queue.schedule(kStart + 4s, 7, 5);
  std::vector<int> order;
  while (queue.next_time() != kNever) order.push_back(queue.pop());
  CHECK(order == std::vector{3, 5, 2, 4, 1});
}

TEST_CASE("An event is next only at its own instant and phase", "[engine]") {
  EventQueue<int> queue;
  queue.schedule(kStart + 1s, 1, 0);
  CHECK_FALSE(queue.is_next(kStart + 1s, 0));
  CHECK_FALSE(queue.is_next(kStart, 1));
  CHECK(queue.is_next(kStart + 1s, 1));
}

TEST_CASE("A cancelled event never comes, and its handle is harmless afterwards", "[engine]") {
  EventQueue<int> queue;
  const EventHandle first = queue.schedule(kStart + 1s, 0, 1);
  CHECK(queue.cancel(first));
  CHECK_FALSE(queue.cancel(first));
  const EventHandle second = queue.schedule(kStart + 2s, 0, 2);
  CHECK_FALSE(queue.cancel(first));  // the slot has a new tenant
  CHECK(queue.pop() == 2);
  CHECK_FALSE(queue.cancel(second));
  CHECK_FALSE(queue.cancel(EventHandle{}));
}

TEST_CASE("Entries are dropped when most of them are cancelled", "[engine]") {
  EventQueue<int> queue;
  std::vector<EventHandle> handles;
  for (int i = 0; i < 1'000; ++i) handles.push_back(queue.schedule(kStart + i * 1s, 0, i));
  for (std::size_t i = 0; i < handles.size(); ++i) {
    if (i % 10 != 0) queue.cancel(handles[i]);
  }
  CHECK(queue.size() == 100);
  CHECK(queue.entries() <= 2 * queue.size() + 64);
  for (int i = 0; i < 1'000; i += 10) CHECK(queue.pop() == i);
}

TEST_CASE("Nothing is scheduled before the begin", "[engine]") {
  EventQueue<int> queue;
  CHECK_THROWS_AS(queue.schedule(kStart - 1ms, 0, 1), InvariantError);
  CHECK_THROWS_AS(queue.pop(), InvariantError);
}

namespace {

using Random = std::mt19937_64;

/// How long before its time an event is set, in ms.
struct Delays {
  const char* name;
  std::int64_t (*draw)(Random&);
};

std::int64_t below(Random& random, std::uint64_t limit) {
  return static_cast<std::int64_t>(random() % limit);
}

constexpr Delays kDelays[] = {
    {"few instants", [](Random& random) { return below(random, 50); }},
    {"hours", [](Random& random) { return below(random, 7'200'000); }},
    {"the same for all", [](Random&) { return std::int64_t{3'600'000}; }},
    {"milliseconds and years",
     [](Random& random) { return below(random, random() % 8 == 0 ? 10'000'000'000 : 20); }},
    {"any order of magnitude", [](Random& random) { return std::int64_t{1} << random() % 39; }},
    {"beyond the longest run", [](Random& random) { return below(random, std::uint64_t{1} << 42); }},
};

}  // namespace

TEST_CASE("Any mix of scheduling, cancelling and popping agrees with an ordered map", "[engine]") {
  const Delays& delays = kDelays[GENERATE(range(std::size_t{0}, std::size(kDelays)))];
  // Of ten steps, so many set an event, and so many take one out.
  const auto [sets, takes] = GENERATE(std::pair{5, 3}, std::pair{5, 5}, std::pair{6, 2});
  INFO(delays.name);
  Random random{7};
  EventQueue<std::uint64_t> queue;
  std::map<std::tuple<SimTime, int, std::uint64_t>, EventHandle> expected;
  SimTime now = kStart;
  for (std::uint64_t i = 0; i < 30'000; ++i) {
    const auto choice = static_cast<int>(random() % 10);
    if (choice < sets || expected.empty()) {
      const SimTime at = std::min(now + SimDuration{delays.draw(random)}, kStart + kLongestRun);
      const auto phase = static_cast<std::uint8_t>(random() % 3);
      expected[{at, phase, i}] = queue.schedule(at, phase, i);
    } else if (choice < 10 - takes) {
      const auto victim =
          std::next(expected.begin(),
                    static_cast<std::ptrdiff_t>(random() % std::min<std::size_t>(expected.size(), 20)));
      REQUIRE(queue.cancel(victim->second));
      expected.erase(victim);
    } else {
      const auto& [at, phase, number] = expected.begin()->first;
      REQUIRE(queue.next_time() == at);
      REQUIRE(queue.is_next(at, static_cast<std::uint8_t>(phase)));
      now = at;
      REQUIRE(queue.pop() == number);
      expected.erase(expected.begin());
    }
    REQUIRE(queue.size() == expected.size());
    REQUIRE(queue.entries() <= 2 * queue.size() + 64);
  }
}

TEST_CASE("Timers of several delays come out by time, then order of setting", "[engine]") {
  DelayLanes<int> lanes;
  const auto all_live = [](int) { return true; };
  CHECK(lanes.next_time(all_live) == kNever);
  lanes.set(kStart, 10s, 1);
  lanes.set(kStart + 4s, 6s, 2);
  lanes.set(kStart + 5s, 10s, 3);
  lanes.set(kStart + 9s, 1s, 4);
  CHECK(lanes.next_time(all_live) == kStart + 10s);
  std::vector<int> order;
  int payload = 0;
  while (lanes.pop(kStart + 10s, payload)) order.push_back(payload);
  CHECK(order == std::vector{1, 2, 4});
  CHECK(lanes.next_time(all_live) == kStart + 15s);
}

TEST_CASE("A timer that no longer matters is not an instant", "[engine]") {
  DelayLanes<int> lanes;
  lanes.set(kStart, 10s, 1);
  lanes.set(kStart + 1s, 10s, 2);
  CHECK(lanes.next_time([](int payload) { return payload != 1; }) == kStart + 11s);
}

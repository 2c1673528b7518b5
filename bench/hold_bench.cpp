// The hold model: with n events pending, take the earliest and put one back at a random time in the future.
// The cost per operation over n is what an event queue costs a simulation of size n.
//
// With 90 % cancelled, each of the n events has nine timers set for later than itself; as it fires, it
// cancels them and sets ten new ones. An operation is one event that fires.

#include <benchmark/benchmark.h>

#include <queue>
#include <vector>

#include <boost/random/exponential_distribution.hpp>

#include "bench/four_ary_heap.h"
#include "bench/ladder.h"
#include "sim/engine/event_queue.h"
#include "sim/random/draw.h"

namespace stockout::bench {
namespace {

using BinaryHeap = std::priority_queue<HeapEntry, std::vector<HeapEntry>, std::greater<>>;

constexpr std::size_t kTimers = 9;

/// Exponential gaps of mean `mean_ms`, made beforehand and used round and round.
class Gaps {
 public:
  explicit Gaps(double mean_ms) {
    Draw draw = RandomStreams{1, 0}.draw(Purpose::arrival, 0);
    const boost::random::exponential_distribution<double> gap{1 / mean_ms};
    for (std::int64_t& value : values_) value = 1 + static_cast<std::int64_t>(gap(draw));
  }
  std::int64_t next() { return values_[at_++ % kCount]; }

 private:
  static constexpr std::size_t kCount = std::size_t{1} << 16;
  std::vector<std::int64_t> values_ = std::vector<std::int64_t>(kCount);
  std::size_t at_ = 0;
};

/// Gaps in proportion to n: events of one instant stay rare at any size, and time runs on by 100 ms an
/// operation, so that ten thousand million operations fit into the longest run.
Gaps gaps_for(const benchmark::State& state) { return Gaps{100.0 * static_cast<double>(state.range(0))}; }

template <typename Queue>
void hold(benchmark::State& state) {
  Gaps gaps = gaps_for(state);
  Queue queue;
  std::uint64_t number = 0;
  for (std::int64_t i = 0; i < state.range(0); ++i) queue.push({.time = gaps.next(), .number = number++});
  for (auto _ : state) {
    const std::int64_t now = queue.top().time;
    queue.pop();
    queue.push({.time = now + gaps.next(), .number = number++});
  }
  state.SetItemsProcessed(state.iterations());
}

void BM_EventQueue(benchmark::State& state) {
  Gaps gaps = gaps_for(state);
  EventQueue<std::uint32_t> queue;
  for (std::int64_t i = 0; i < state.range(0); ++i) {
    queue.schedule(kStart + SimDuration{gaps.next()}, 0, static_cast<std::uint32_t>(i));
  }
  for (auto _ : state) {
    const SimTime now = queue.next_time();
    const std::uint32_t event = queue.pop();
    queue.schedule(now + SimDuration{gaps.next()}, 0, event);
  }
  state.SetItemsProcessed(state.iterations());
}

/// Queues that cannot cancel skip what is marked as cancelled when it comes to the front.
template <typename Queue>
void hold_cancelling(benchmark::State& state) {
  Gaps gaps = gaps_for(state);
  Queue queue;
  // The round an event is in: timers of an older one are cancelled.
  std::vector<std::uint32_t> round(static_cast<std::size_t>(state.range(0)), 0);
  const auto set = [&](std::uint64_t event, std::int64_t now) {
    const std::uint64_t number = event << 32 | round[event];
    const std::int64_t at = now + gaps.next();
    queue.push({.time = at, .number = number});
    for (std::size_t i = 0; i < kTimers; ++i) queue.push({.time = at + gaps.next(), .number = number});
  };
  for (std::uint64_t event = 0; event < round.size(); ++event) set(event, 0);
  for (auto _ : state) {
    HeapEntry entry = queue.top();
    while (static_cast<std::uint32_t>(entry.number) != round[entry.number >> 32]) {
      queue.pop();
      entry = queue.top();
    }
    queue.pop();
    const std::uint64_t event = entry.number >> 32;
    ++round[event];
    set(event, entry.time);
  }
  state.SetItemsProcessed(state.iterations());
}

void BM_EventQueueCancelling(benchmark::State& state) {
  Gaps gaps = gaps_for(state);
  EventQueue<std::uint32_t> queue;
  const auto count = static_cast<std::uint32_t>(state.range(0));
  std::vector<EventHandle> timers(count * kTimers);
  const auto set = [&](std::uint32_t event, SimTime now) {
    const SimTime at = now + SimDuration{gaps.next()};
    queue.schedule(at, 0, event);
    for (std::size_t i = 0; i < kTimers; ++i) {
      timers[event * kTimers + i] = queue.schedule(at + SimDuration{gaps.next()}, 0, event);
    }
  };
  for (std::uint32_t event = 0; event < count; ++event) set(event, kStart);
  for (auto _ : state) {
    const SimTime now = queue.next_time();
    const std::uint32_t event = queue.pop();
    for (std::size_t i = 0; i < kTimers; ++i) queue.cancel(timers[event * kTimers + i]);
    set(event, now);
  }
  state.SetItemsProcessed(state.iterations());
}

void BM_BinaryHeap(benchmark::State& state) { hold<BinaryHeap>(state); }
void BM_Ladder(benchmark::State& state) { hold<Ladder>(state); }
void BM_FourAryHeap(benchmark::State& state) { hold<FourAryHeap>(state); }
void BM_BinaryHeapCancelling(benchmark::State& state) { hold_cancelling<BinaryHeap>(state); }
void BM_LadderCancelling(benchmark::State& state) { hold_cancelling<Ladder>(state); }

BENCHMARK(BM_BinaryHeap)->Name("hold/priority_queue")->Arg(100)->Arg(10'000)->Arg(1'000'000);
BENCHMARK(BM_FourAryHeap)->Name("hold/bare_4ary_heap")->Arg(100)->Arg(10'000)->Arg(1'000'000);
BENCHMARK(BM_Ladder)->Name("hold/ladder")->Arg(100)->Arg(10'000)->Arg(1'000'000);
BENCHMARK(BM_EventQueue)->Name("hold/event_queue")->Arg(100)->Arg(10'000)->Arg(1'000'000);
BENCHMARK(BM_BinaryHeapCancelling)
    ->Name("hold_90_cancelled/priority_queue")
    ->Arg(100)
    ->Arg(10'000)
    ->Arg(100'000);
BENCHMARK(BM_LadderCancelling)->Name("hold_90_cancelled/ladder")->Arg(100)->Arg(10'000)->Arg(100'000);
BENCHMARK(BM_EventQueueCancelling)
    ->Name("hold_90_cancelled/event_queue")
    ->Arg(100)
    ->Arg(10'000)
    ->Arg(100'000);

}  // namespace
}  // namespace stockout::bench

#include <algorithm>
#include <random>
#include <tuple>
#include <vector>

#include <catch2/catch.hpp>

#include "models/supply/waiting_queue.h"

using namespace stockout;
using namespace std::chrono_literals;

namespace {

struct Waiting {
  std::uint32_t id;
  GpuCount gpus;
  SimTime at;
  SimDuration estimate;
  WaitingKey key;
};

// The rule, said as plainly as possible.
std::uint32_t first_by_rule(std::vector<Waiting> waiting, Discipline discipline, GpuCount room) {
  const bool by_length = discipline == Discipline::shortest || discipline == Discipline::shortest_first_fit;
  std::ranges::stable_sort(waiting, [&](const Waiting& a, const Waiting& b) {
    return by_length ? a.estimate < b.estimate : a.at < b.at;
  });
  for (const Waiting& request : waiting) {
    if (request.gpus <= room) return request.id;
    if (discipline == Discipline::fifo || discipline == Discipline::shortest) return WaitingQueue::kNobody;
  }
  return WaitingQueue::kNobody;
}

}  // namespace

TEST_CASE("Every discipline finds the request that its rule names", "[supply]") {
  const auto discipline =
      GENERATE(Discipline::fifo, Discipline::first_fit, Discipline::shortest, Discipline::shortest_first_fit);
  std::mt19937_64 random{static_cast<std::uint64_t>(discipline) + 1};
  WaitingQueue queue{discipline};
  std::vector<Waiting> waiting;
  SimTime now = kStart;
  for (std::uint32_t i = 0; i < 5'000; ++i) {
    now += SimDuration{static_cast<std::int64_t>(random() % 2)};
    if (random() % 5 < 2 || waiting.empty()) {
      Waiting request{.id = i,
                      .gpus = GpuCount{static_cast<std::int64_t>(random() % 20)},
                      .at = now,
                      .estimate = SimDuration{static_cast<std::int64_t>(random() % 7)},
                      .key = {}};
      request.key = queue.enter(request.id, request.gpus, request.at, request.estimate);
      waiting.push_back(request);
    } else if (random() % 3 == 0) {
      const auto gone = waiting.begin() + static_cast<std::ptrdiff_t>(random() % waiting.size());
      queue.leave(gone->gpus, gone->key);
      waiting.erase(gone);
    }
    const GpuCount room{static_cast<std::int64_t>(random() % 22) - 1};
    const std::uint32_t next = queue.first(room);
    REQUIRE(next == first_by_rule(waiting, discipline, room));
    REQUIRE(queue.size() == waiting.size());
    if (next != WaitingQueue::kNobody && random() % 2 == 0) {
      const auto granted = std::ranges::find(waiting, next, &Waiting::id);
      queue.leave(granted->gpus, granted->key);
      waiting.erase(granted);
    }
  }
}

TEST_CASE("All of a higher priority come first, whatever the discipline says", "[supply]") {
  const auto discipline = GENERATE(Discipline::fifo, Discipline::first_fit, Discipline::shortest,
                                   Discipline::smallest, Discipline::shortest_ageing);
  WaitingQueue queue{discipline, discipline == Discipline::shortest_ageing ? 1'000'000'000 : 0, true};
  const auto enter = [&](std::uint32_t id, GpuCount gpus, std::int32_t priority) {
    return queue.enter_as(static_cast<std::uint64_t>(gpus.count()), id, gpus, kStart + 1h * id, 1h * id,
                          priority);
  };
  std::vector<WaitingKey> keys;
  for (const std::int32_t priority : {-kMostPriority, -1, 0, 1, kMostPriority})
    keys.push_back(enter(static_cast<std::uint32_t>(keys.size()), GpuCount{4}, priority));
  for (std::uint32_t id = 5; id-- > 0;) {
    CHECK(queue.first(GpuCount{4}) == id);
    queue.leave(GpuCount{4}, keys[id]);
  }
}

TEST_CASE("A strict queue's head blocks a smaller request behind it", "[supply]") {
  WaitingQueue queue{Discipline::fifo};
  const WaitingKey head = queue.enter(1, GpuCount{8}, kStart, 1h);
  queue.enter(2, GpuCount{1}, kStart, 1h);
  CHECK(queue.first(GpuCount{7}) == WaitingQueue::kNobody);
  CHECK(queue.first(GpuCount{8}) == 1);
  queue.leave(GpuCount{8}, head);
  CHECK(queue.first(GpuCount{7}) == 2);
}

TEST_CASE("Sizes of all magnitudes, in whatever order they come, are told apart", "[supply]") {
  std::mt19937_64 random{20261121};
  WaitingQueue queue{Discipline::first_fit};
  std::vector<Waiting> waiting;
  const auto draw_gpus = [&] {
    return GpuCount{static_cast<std::int64_t>(random() >> (34 + random() % 30))};
  };
  for (std::uint32_t i = 0; i < 3'000; ++i) {
    Waiting request{.id = i, .gpus = draw_gpus(), .at = kStart, .estimate = 1h, .key = {}};
    request.key = queue.enter(request.id, request.gpus, request.at, request.estimate);
    waiting.push_back(request);
    const GpuCount room = random() % 2 == 0 ? draw_gpus() : waiting[random() % waiting.size()].gpus;
    const std::uint32_t next = queue.first(room);
    REQUIRE(next == first_by_rule(waiting, Discipline::first_fit, room));
    if (next == WaitingQueue::kNobody || random() % 3 == 0) continue;
    const auto granted = std::ranges::find(waiting, next, &Waiting::id);
    queue.leave(granted->gpus, granted->key);
    waiting.erase(granted);
  }
}

TEST_CASE("Room without bound finds the first of all", "[supply]") {
  WaitingQueue queue{Discipline::first_fit};
  queue.enter(1, GpuCount{1'000}, kStart, 1h);
  queue.enter(2, GpuCount{1}, kStart, 1h);
  CHECK(queue.first(GpuCount{std::int64_t{1} << 50}) == 1);
  CHECK(queue.first(GpuCount{0}) == WaitingQueue::kNobody);
}

TEST_CASE("Of kinds of which some fit, the discipline's first is found", "[supply]") {
  const auto discipline =
      GENERATE(Discipline::fifo, Discipline::first_fit, Discipline::shortest, Discipline::shortest_first_fit);
  std::mt19937_64 random{static_cast<std::uint64_t>(discipline) + 7};
  WaitingQueue queue{discipline};
  std::vector<Waiting>
      waiting;  // `gpus`: 0 if its kind fits now, else 1, so that the rule with no room holds
  for (std::uint32_t i = 0; i < 3'000; ++i) {
    Waiting request{.id = i,
                    .gpus = {},
                    .at = kStart + SimDuration{i / 3},
                    .estimate = SimDuration{static_cast<std::int64_t>(random() % 7)},
                    .key = {}};
    request.key = queue.enter_as(i % 5, i, GpuCount{1}, request.at, request.estimate);
    waiting.push_back(request);
    const std::uint64_t fitting = random() % 32;  // a bit for each kind
    const auto fits = [&](std::uint32_t id) { return (fitting >> (id % 5) & 1) != 0; };
    for (Waiting& each : waiting) each.gpus = GpuCount{fits(each.id) ? 0 : 1};
    const std::uint32_t next = queue.first_that(fits);
    REQUIRE(next == first_by_rule(waiting, discipline, GpuCount{0}));
    if (next == WaitingQueue::kNobody) continue;
    const auto granted = std::ranges::find(waiting, next, &Waiting::id);
    queue.leave_as(granted->id % 5, granted->key);
    waiting.erase(granted);
  }
}

// Who watches the runs of a comparison: each run begins and ends once, is added in order, and is the same
// whoever listens to it.

#include <algorithm>
#include <map>
#include <mutex>
#include <set>
#include <vector>

#include <catch2/catch.hpp>

#include "models/experiment/comparison.h"
#include "models/history/run_history.h"
#include "tests/support/runs/history_of.h"
#include "tests/support/scenarios/small_scenario.h"
#include "tests/support/worlds/random_world.h"

using namespace stockout;
using namespace stockout::test;

namespace {

constexpr std::size_t kWatchedRuns = 5;

using RunKey = std::pair<std::size_t, std::uint64_t>;

/// Listens to the first replication of each strategy.
class Watcher : public RunObserver {
 public:
  explicit Watcher(const World& world) : world_{world} {}

  void begin(const RunPlace& run, Logs& logs) override {
    const std::lock_guard lock{mutex};
    ++begun[{run.strategy, run.replication}];
    if (run.replication == 0) books.try_emplace(run.strategy, world_).first->second.listen(logs);
  }
  void end(const RunPlace& run, const RunRecord& record, const Measures& measures) override {
    const std::lock_guard lock{mutex};
    ++ended[{run.strategy, run.replication}];
    CHECK(record.fingerprint == measures.fingerprint);
    if (run.replication == 0) histories.emplace(run.strategy, books.at(run.strategy).finish(record));
  }
  void add(const RunPlace& run, const Measures& /*measures*/) override {
    added[run.strategy].push_back(run.replication);
  }
  void count(std::size_t done, std::size_t /*of*/) override { counts.push_back(done); }

  std::mutex mutex;
  std::map<RunKey, int> begun;
  std::map<RunKey, int> ended;
  std::map<std::size_t, std::vector<std::uint64_t>> added;
  std::vector<std::size_t> counts;
  std::map<std::size_t, HistoryBook> books;
  std::map<std::size_t, RunHistory> histories;

 private:
  const World& world_;
};

Comparison watched(const World& world, std::vector<RunObserver*> observers) {
  CompareOptions options;
  options.replications = kWatchedRuns;
  options.threads = 2;
  options.observers = std::move(observers);
  return compare(world, options);
}

// Measures need a type of GPU and a price of every line.
void add_prices(World& world) {
  world.gpu_types = {"any"};
  for (PriceLine& line : world.price_lines)
    line.steps = {
        {.from = world.begin, .list = MachineHourPrice{1'000}, .contracted = MachineHourPrice{1'000}}};
}

bool all_once(const std::map<RunKey, int>& runs) {
  return std::ranges::all_of(runs, [](const auto& run) { return run.second == 1; });
}

}  // namespace

TEST_CASE("Each run begins and ends once for every observer, and is added in order", "[observer]") {
  const ScenarioLoader loader;
  const Scenario scenario = loader.load(kSmallScenario);
  Watcher first{scenario.world};
  Watcher second{scenario.world};
  const Comparison alone = watched(scenario.world, {});
  const Comparison comparison = watched(scenario.world, {&first, &second});
  CHECK(comparison.fingerprint == alone.fingerprint);  // listening changes nothing
  for (const Watcher* watcher : {&first, &second}) {
    CHECK(all_once(watcher->begun));
    CHECK(watcher->begun == watcher->ended);
    std::size_t runs = 0;
    for (std::size_t i = 0; i < comparison.strategies.size(); ++i) {
      runs += comparison.strategies[i].replications;
      CHECK(watcher->added.at(i).size() == comparison.strategies[i].replications);
      CHECK(std::ranges::is_sorted(watcher->added.at(i)));
      CHECK(comparison.strategies[i].costs.size() == alone.strategies[i].costs.size());
    }
    CHECK(watcher->begun.size() == runs);
    CHECK(watcher->counts.size() == runs);
    CHECK(std::ranges::is_sorted(watcher->counts));
  }
}

TEST_CASE("Two observers hear all that a run tells", "[observer][history]") {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    World world = random_world(seed);
    add_prices(world);
    Watcher first{world};
    Watcher second{world};
    static_cast<void>(watched(world, {&first, &second}));
    for (const Watcher* watcher : {&first, &second}) {
      for (const auto& [strategy, history] : watcher->histories) {
        const RunHistory by_itself = history_of(world, strategy, 0, kMostBins);
        CHECK(history.fingerprint == by_itself.fingerprint);
        CHECK(history.jobs_waiting.area == by_itself.jobs_waiting.area);
        CHECK(history.pools.size() == by_itself.pools.size());
        for (std::size_t i = 0; i < history.pools.size(); ++i)
          CHECK(history.pools[i].by_jobs.area == by_itself.pools[i].by_jobs.area);
      }
    }
  }
}

TEST_CASE("Of a history the pools that a strategy has most to do with are kept", "[history]") {
  RunHistory history;
  for (const std::int64_t hours : {0, 2, 5, 1, 3}) {
    PoolHistory pool;
    pool.pool = static_cast<PoolId>(history.pools.size());
    pool.by_jobs.area = WideArea{hours} * 3'600'000;
    history.pools.push_back(pool);
  }
  history.pools[3].refused.own = {3};  // as much as 3 GPU-hours
  CHECK(keep_busiest_pools(history, 2) == 2);
  REQUIRE(history.pools.size() == 2);
  CHECK(index(history.pools[0].pool) == 2);
  CHECK(index(history.pools[1].pool) == 3);
}

// A full-model replay of 1,000,000 jobs of an M/M/64 queue at load 0.9, first come first served, against a
// bare loop that pushes and pops the same departures over the same arrivals. Both take their input from
// memory.

#include <benchmark/benchmark.h>

#include "bench/fleet.h"
#include "models/simulation/simulate.h"

namespace stockout::bench {
namespace {

const QueueInput kInput{};
const QueueInput kOfManyUsers{.users = 1'000};

std::shared_ptr<const JobColumns> input() {
  static const auto jobs = make_jobs(kInput);
  return jobs;
}

std::int64_t wait_ms(const RunRecord& record) {
  std::int64_t sum_ms = 0;
  for (std::uint64_t job = 0; job < record.jobs.size(); ++job) {
    const JobOutcome outcome = record.jobs.at(job);
    sum_ms += (outcome.first_grant - outcome.released).count();
  }
  return sum_ms;
}

void BM_BareLoop(benchmark::State& state) {
  const auto jobs = input();
  for (auto _ : state) benchmark::DoNotOptimize(bare_fcfs_wait_ms(*jobs, kInput.servers));
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(jobs->size()));
}

void replay(benchmark::State& state, const std::shared_ptr<const JobColumns>& jobs) {
  const World world = queue_world(jobs, kInput.servers, Discipline::fifo);
  if (wait_ms(simulate(world, 0, 0)) != bare_fcfs_wait_ms(*jobs, kInput.servers)) {
    state.SkipWithError("the replay waits something else than the bare loop");
    return;
  }
  for (auto _ : state) benchmark::DoNotOptimize(simulate(world, 0, 0));
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(jobs->size()));
}

void BM_Replay(benchmark::State& state) { replay(state, input()); }
void BM_ReplayOfManyUsers(benchmark::State& state) { replay(state, make_jobs(kOfManyUsers)); }

// The same jobs, each of whose steps goes through the rooms: a run with logs takes no short way.
void BM_ReplayThroughRooms(benchmark::State& state) {
  const auto jobs = input();
  const World world = queue_world(jobs, kInput.servers, Discipline::fifo);
  const Logs logs{.on_lease = [](const LeaseRow&) {}};
  for (auto _ : state) benchmark::DoNotOptimize(simulate(world, 0, 0, logs));
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(jobs->size()));
}

BENCHMARK(BM_BareLoop)->Name("mm64/bare_loop")->Unit(benchmark::kMillisecond);
BENCHMARK(BM_Replay)->Name("mm64/replay")->Unit(benchmark::kMillisecond);
BENCHMARK(BM_ReplayOfManyUsers)->Name("mm64/replay_1000_users")->Unit(benchmark::kMillisecond);
BENCHMARK(BM_ReplayThroughRooms)->Name("mm64/replay_through_rooms")->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace stockout::bench

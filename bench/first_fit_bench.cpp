// A backlog of gangs, all submitted at once, worked off by 64 GPUs: the cost of a job must not grow with the
// number that waits, in first fit as little as in strict order.

#include <benchmark/benchmark.h>

#include <utility>

#include "bench/fleet.h"
#include "models/simulation/simulate.h"

namespace stockout::bench {
namespace {

constexpr std::int32_t kGpus = 64;
constexpr std::int32_t kShapes = 16;

std::shared_ptr<const JobColumns> backlog(std::size_t count) {
  JobColumns jobs = *make_jobs({.jobs = count});
  for (std::size_t i = 0; i < count; ++i) {
    jobs.submit[i] = kStart;
    jobs.shape[i] = ShapeId{static_cast<std::uint32_t>(jobs.work[i].count() % kShapes)};
  }
  return std::make_shared<const JobColumns>(std::move(jobs));
}

void work_off(benchmark::State& state, Discipline discipline) {
  const auto jobs = backlog(static_cast<std::size_t>(state.range(0)));
  const World world = queue_world(jobs, kGpus, discipline, kShapes);
  for (auto _ : state) benchmark::DoNotOptimize(simulate(world, 0, 0));
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

void BM_FirstFit(benchmark::State& state) { work_off(state, Discipline::first_fit); }
void BM_ShortestFirstFit(benchmark::State& state) { work_off(state, Discipline::shortest_first_fit); }
void BM_Fifo(benchmark::State& state) { work_off(state, Discipline::fifo); }

BENCHMARK(BM_Fifo)->Name("backlog/fifo")->Arg(1'000)->Arg(100'000)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_FirstFit)->Name("backlog/first_fit")->Arg(1'000)->Arg(100'000)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_ShortestFirstFit)
    ->Name("backlog/shortest_first_fit")
    ->Arg(1'000)
    ->Arg(100'000)
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace stockout::bench

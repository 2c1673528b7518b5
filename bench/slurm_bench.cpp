// Slurm's backfill where jobs come twice as fast as 64 nodes can work them off, so that in the end half of
// them wait: the cost of a job must not grow with the number that waits. EASY is the reference.

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <vector>

#include "bench/fleet.h"
#include "tools/slurm_replay/replay.h"

namespace stockout::bench {
namespace {

constexpr int kNodes = 64;
constexpr int kLargest = 8;  // nodes of a job

std::vector<slurm::ListedJob> overload(std::size_t count) {
  const auto columns = make_jobs({.jobs = count});
  std::vector<slurm::ListedJob> jobs(count);
  for (std::size_t i = 0; i < count; ++i) {
    const SimDuration work = columns->work[i];
    jobs[i].submit = kStart + (columns->submit[i] - kStart) * 2;
    jobs[i].run_time = work;
    jobs[i].request.size.nodes = work.count() % 2 == 0 ? 1 : kLargest;
    jobs[i].request.time_limit = work;
  }
  return jobs;
}

slurm::Configuration pool(slurm::Backfill backfill) {
  slurm::Configuration made;
  made.partitions.push_back({.name = "all", .nodes = {}});
  for (int i = 0; i < kNodes; ++i) {
    made.nodes.push_back({.name = fmt::format("n{}", i)});
    made.partitions.front().nodes.push_back(static_cast<slurm::NodeIndex>(i));
  }
  made.settings.backfill_type = backfill;
  return made;
}

void work_off_by(benchmark::State& state, slurm::Backfill backfill) {
  const auto jobs = overload(static_cast<std::size_t>(state.range(0)));
  const slurm::Configuration cluster = pool(backfill);
  for (auto _ : state) benchmark::DoNotOptimize(slurm::replay(cluster, jobs));
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

void BM_SlurmBackfill(benchmark::State& state) { work_off_by(state, slurm::Backfill::slurm); }
void BM_SlurmEasy(benchmark::State& state) { work_off_by(state, slurm::Backfill::easy); }

BENCHMARK(BM_SlurmEasy)->Name("slurm/easy")->Arg(10'000)->Arg(40'000)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_SlurmBackfill)->Name("slurm/backfill")->Arg(10'000)->Arg(40'000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace stockout::bench

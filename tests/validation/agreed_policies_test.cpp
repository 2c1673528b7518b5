// Queue disciplines on one trace, on which three published simulators and an own check agree.
// Source: figures.md F13 (Tiresias, AccaSim, the Alibaba PAI simulator). Rules: whole seconds; at one instant
// first the ends, then the arrivals, then one pass of scheduling; ties in the order of the list; requests cut
// to the pool.

#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include <catch2/catch.hpp>

#include "models/simulation/simulate.h"
#include "models/workload/trace.h"
#include "tests/support/shared_data.h"
#include "tests/validation/pool_world.h"

using namespace stockout;
using namespace std::chrono_literals;

namespace {

constexpr std::int32_t kGpus = 128;

struct Row {
  std::uint64_t jobs;
  Discipline discipline;
  double mean_wait_s;
  double half_digit;  // half a unit of the last printed digit
};

const std::vector<Row> kTable{
    {2'000, Discipline::fifo, 106'882.2695, 0.5e-4},
    {2'000, Discipline::first_fit, 1'798.0340, 0.5e-4},
    {2'000, Discipline::shortest_first_fit, 1'635.0740, 0.5e-4},
    {2'000, Discipline::shortest, 28'224.042, 0.5e-3},
    {10'000, Discipline::fifo, 311'217.9006, 0.5e-4},
    {10'000, Discipline::first_fit, 4'076.1343, 0.5e-4},
    {10'000, Discipline::shortest_first_fit, 3'635.1847, 0.5e-4},
};

}  // namespace

TEST_CASE("Four queue disciplines wait what published simulators agree on", "[validation]") {
  const auto path = test::shared_path("traces/workloads/gaia/pai-100k.csv.gz");
  if (!path) return;
  for (const Row& row : kTable) {
    CAPTURE(row.jobs, kDisciplineNames[static_cast<std::size_t>(row.discipline)]);
    const Trace trace = read_trace(*path, TraceFormat::gaia_hours,
                                   {.resolution = 1s, .users = {}, .first_jobs = row.jobs, .join = {}});
    const World world = test::replay_world(trace, kGpus, row.discipline);
    const test::Waits waits = test::waits_of(simulate(world, 0, 0));
    CHECK(waits.jobs == row.jobs);
    CHECK(std::abs(waits.mean_s - row.mean_wait_s) <= row.half_digit + 1e-9);
  }
}

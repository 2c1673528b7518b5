// Real traces replayed on one pool: first come first served to the second, shortest first within the freedom
// of ties. Source: figures.md F9, an independent computation on the same files (releases before starts in one
// instant, jobs in order of submission and then of the file).

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "models/simulation/simulate.h"
#include "models/workload/trace.h"
#include "tests/support/shared_data.h"
#include "tests/validation/pool_world.h"

using namespace stockout;

namespace {

struct Row {
  std::string file;
  TraceFormat format;
  std::string user;  // Philly: the virtual cluster; empty: all
  std::int32_t gpus;
  std::uint64_t jobs;
  double fcfs_mean_s;
  double fcfs_p90_s;
  double fcfs_max_s;
  std::optional<double> shortest_mean_s;
};

const std::string kPhilly = "philly/philly_dev_vcs.csv.gz";

// Jobs with a run time above 0; SWF processors are field 5, else field 8.
const std::vector<Row> kTable{
    {kPhilly, TraceFormat::philly, "11cb48", 64, 16'091, 6'150.26, 0, 230'314, 498.38},
    {kPhilly, TraceFormat::philly, "103959", 32, 1'934, 72'005.39, 199'675, 264'655, 12'762.95},
    {kPhilly, TraceFormat::philly, "b436b2", 128, 7'423, 15'580.19, 4'821, 1'066'454, 6'713.42},
    {kPhilly, TraceFormat::philly, "0e4a51", 64, 1'435, 506'097.57, 1'151'173, 1'503'208, 95'156.60},
    {kPhilly, TraceFormat::philly, "6214e9", 64, 41'226, 120'337.01, 284'177, 367'169, 35'027.28},
    {"swf/hpc2n.swf", TraceFormat::swf, "", 240, 3'145, 5'627.88, 18'117, 78'517, 2'757.77},
    {"swf/NASA-iPSC-1993-3.1-cln.swf.gz", TraceFormat::swf, "", 128, 18'066, 8.08, 0, 23'753, std::nullopt},
    {"swf/lublin_256.swf", TraceFormat::swf, "", 256, 10'000, 2'388'443.76, 4'222'521, 4'759'976, 275'304.22},
};

/// The second decimal is the last one printed.
constexpr double kTwoDigits = 0.005 + 1e-9;

std::optional<Trace> read_row(const Row& row) {
  const auto path = test::shared_path("traces/workloads/" + row.file);
  if (!path) return std::nullopt;
  TraceOptions options;
  if (!row.user.empty()) options.users = {row.user};
  return read_trace(*path, row.format, options);
}

test::Waits replay(const Trace& trace, const Row& row, Discipline discipline) {
  return test::waits_of(simulate(test::replay_world(trace, row.gpus, discipline), 0, 0));
}

}  // namespace

TEST_CASE("First come first served on real traces waits what an independent replay waits", "[validation]") {
  for (const Row& row : kTable) {
    CAPTURE(row.file, row.user, row.gpus);
    const auto trace = read_row(row);
    if (!trace) return;
    const test::Waits waits = replay(*trace, row, Discipline::fifo);
    CHECK(waits.jobs == row.jobs);
    CHECK(std::abs(waits.mean_s - row.fcfs_mean_s) <= kTwoDigits);
    CHECK(waits.p90_s == row.fcfs_p90_s);
    CHECK(waits.max_s == row.fcfs_max_s);
  }
}

TEST_CASE("Shortest first on real traces waits within 1 % of an independent replay", "[validation]") {
  // The reference leaves the order of equally long jobs open and says that it moves the mean by less than 1
  // %.
  for (const Row& row : kTable) {
    if (!row.shortest_mean_s) continue;
    CAPTURE(row.file, row.user, row.gpus);
    const auto trace = read_row(row);
    if (!trace) return;
    const test::Waits waits = replay(*trace, row, Discipline::shortest);
    CHECK(waits.mean_s == Approx(*row.shortest_mean_s).epsilon(0.01));
  }
}

// Erlang's loss formula holds for any law of service times, so also for the durations of real jobs.
// Source: figures.md F10 ("replay Philly durations with Poisson arrivals and no queue");
// models/theory/queues.h.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include <boost/random/exponential_distribution.hpp>
#include <boost/random/uniform_int_distribution.hpp>
#include <catch2/catch.hpp>

#include "models/simulation/simulate.h"
#include "models/theory/queues.h"
#include "models/workload/trace.h"
#include "sim/random/draw.h"
#include "tests/support/shared_data.h"
#include "tests/validation/estimate.h"
#include "tests/validation/pool_world.h"

using namespace stockout;

namespace {

constexpr std::uint64_t kSeed = 20'261'121;  // chosen before the first look
constexpr std::size_t kReplications = 20;
constexpr std::int32_t kServers = 64;
constexpr std::size_t kJobs = 300'000;

/// The longest Philly job runs 54 days: the pool is in equilibrium once a job submitted at the start would be
/// done.
std::size_t warm_up_jobs(const std::vector<SimTime>& submit, SimDuration longest) {
  std::size_t count = 0;
  while (count < submit.size() && submit[count] - kStart <= longest) ++count;
  return count;
}

double mean_ms(const std::vector<SimDuration>& lengths) {
  double sum = 0;
  for (const SimDuration length : lengths) sum += static_cast<double>(length.count());
  return sum / static_cast<double>(lengths.size());
}

/// Poisson submissions; each job runs as long as some job of the trace, taken at random.
JobColumns poisson_jobs(const std::vector<SimDuration>& durations, double load, std::uint64_t replication) {
  Draw draw = RandomStreams{kSeed, replication}.draw(Purpose::arrival, 0);
  const boost::random::exponential_distribution<double> gap_ms{load / mean_ms(durations)};
  const boost::random::uniform_int_distribution<std::size_t> which{0, durations.size() - 1};
  JobColumns jobs;
  double clock_ms = 0;
  for (std::size_t i = 0; i < kJobs; ++i) {
    clock_ms += gap_ms(draw);
    jobs.submit.push_back(kStart + SimDuration{static_cast<std::int64_t>(clock_ms)});
    jobs.work.push_back(durations[which(draw)]);
  }
  jobs.shape.assign(kJobs, ShapeId{0});
  jobs.job_class.assign(kJobs, ClassId{0});
  jobs.user.assign(kJobs, UserId{0});
  return jobs;
}

double share_lost(JobColumns jobs, SimDuration longest) {
  const std::size_t first = warm_up_jobs(jobs.submit, longest);
  World world = test::generic_world();
  test::gang(world, 1);
  const PoolId pool = test::add_zone_pool(world, kServers, LeaseClass::on_demand, Discipline::fifo);
  const PriceLineId line = test::add_price(world, pool, Charge::direct, {});
  world.strategies = {
      test::make_strategy("loss", {test::one_pool_leg(world, test::loss_policy(), pool, line)})};
  test::add_jobs(world, std::move(jobs));
  const RunRecord record = simulate(world, 0, 0);
  std::uint64_t lost = 0;
  for (std::uint64_t job = first; job < record.jobs.size(); ++job) {
    if (record.jobs.at(job).state == FinalState::refused) ++lost;
  }
  return static_cast<double>(lost) / static_cast<double>(record.jobs.size() - first);
}

}  // namespace

TEST_CASE("A pool that lets nobody wait loses what Erlang B says for the durations of real jobs",
          "[validation]") {
  const auto path = test::shared_path("traces/workloads/philly/philly_dev_vcs.csv.gz");
  if (!path) return;
  const Trace trace = read_trace(*path, TraceFormat::philly);
  const SimDuration longest = *std::max_element(trace.work.begin(), trace.work.end());
  std::vector<test::AgainstTheory> table;
  for (const double load : {56.0, 64.0, 80.0}) {
    test::AgainstTheory comparison{"load " + std::to_string(load), erlang_b(kServers, load), {}};
    for (std::uint64_t replication = 0; replication < kReplications; ++replication) {
      comparison.replications.push_back(share_lost(poisson_jobs(trace.work, load, replication), longest));
    }
    table.push_back(std::move(comparison));
  }
  test::check_jointly(table, 0.04);
}

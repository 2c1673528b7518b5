#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "models/world/world.h"

namespace stockout::test {

/// One job of a hand-made world. Times in any std::chrono unit.
struct JobSpec {
  SimDuration at{};  // submitted, since the start of the window
  SimDuration work{};
  std::int64_t gpus = 1;  // of one node; each GPU a machine of its own unless the leg's place says otherwise
  std::int64_t unused = 0;          // GPUs that are leased on top and not used
  SimDuration estimate = kForever;  // kForever: the work
  SimDuration max_wait = kForever;
  SimDuration deadline = kForever;
  std::size_t job_class = 0;
  std::uint32_t group = 0;
  std::uint32_t user = 0;
  std::vector<JobLink> links = {};  // of this row, whichever they name
};

/// One leg of a hand-made strategy: `policy` in each of `places`, in this order, for every shape.
struct LegSpec {
  Policy policy;
  std::vector<PoolId> places;
  SimDuration limit = kForever;
  bool keep = false;
  std::vector<bool> classes = {};
  Race race = Race::first_grant;
  Rate rate_ppm = kReferenceRate;  // in all its places
  std::int64_t machine_gpus = 1;   // GPUs of a machine; what does not fill one is a machine of that size
  Compact compact = Compact::no;
  std::optional<Partial> partial = {};
  std::int32_t least = 1;  // machines, of a partial leg
  std::optional<NodeGroupRule> node_group = {};
  Spread spread = Spread::any_single_zone;
  std::optional<PodRule> pods = {};
  std::string flavor = {};     // of Kueue
  std::string partition = {};  // of Slurm
};

/// Rows with plain numbers for hand-worked worlds: no start-up, no notice, no retries unless the test sets
/// them.
[[nodiscard]] Policy on_demand();
[[nodiscard]] Policy spot();
[[nodiscard]] Policy flex();
[[nodiscard]] Policy reservation();

/// Makes small worlds in a few lines, without a scenario file: one user, one job class without checkpoints, a
/// window of one hour, drained for at most 1,000 hours. What has no method of its own is set in `world`
/// before build() or in what build() returns.
///
///   WorldBuilder make;
///   const PoolId pool = make.pool(8);
///   make.leg({.policy = on_demand(), .places = {pool}});
///   make.job({.at = 0s, .work = 10s, .gpus = 4});
///   const World world = make.build();
class WorldBuilder {
 public:
  WorldBuilder();

  /// A zone pool with one source of constant capacity for all four classes. All zone pools before the first
  /// held one.
  PoolId pool(std::int64_t gpus, Discipline discipline = Discipline::first_fit);

  /// A zone pool of hosts that are filled by best fit, in one block unless the test sets others.
  PoolId host_pool(std::int32_t hosts, std::int32_t host_gpus, Discipline discipline = Discipline::first_fit);

  /// From `at` on the pool's first source has `gpus`. In order of time.
  void step(PoolId pool, SimDuration at, std::int64_t gpus);

  /// A held pool of `gpus` machines of one GPU, asked for at `from`; the first strategy pays for it.
  PoolId held(PoolId landlord, std::int64_t gpus, SimDuration from = {},
              SimDuration retry_every = std::chrono::hours{1});

  /// The next leg of the first strategy, which all recorded jobs follow.
  void leg(LegSpec leg);

  /// The next leg of the strategy of all tenants.
  void tenant_leg(LegSpec leg);

  /// The next job of the first source; jobs may be added in any order of time, rows count in order of adding.
  void job(const JobSpec& job);

  /// The next job of the background source.
  void tenant(const JobSpec& job);

  /// A further source of recorded jobs, with jobs as shape(...) has numbered them.
  void source(Demand demand);

  /// The shape of that many GPUs on one node, and so many unused beside them.
  ShapeId shape(std::int64_t gpus, std::int64_t unused = 0);

  [[nodiscard]] World build() const;

  World world;  // everything but sources of jobs and the candidates of legs

 private:
  PriceLineId price_line(PoolId pool, Charge charge);
  [[nodiscard]] Leg finish(const LegSpec& leg) const;
  [[nodiscard]] Source trace(std::vector<JobSpec> jobs, std::vector<ShapeId> shapes) const;

  std::vector<LegSpec> legs_;
  std::vector<LegSpec> tenant_legs_;
  std::vector<JobSpec> jobs_;
  std::vector<ShapeId> job_shapes_;
  std::vector<JobSpec> tenants_;
  std::vector<ShapeId> tenant_shapes_;
  std::vector<Demand> demands_;
  std::map<std::pair<std::int64_t, std::int64_t>, ShapeId> shapes_;  // by (gpus, unused)
  std::vector<PriceLineId> lines_;  // by pool: what a lease there is booked under
};

}  // namespace stockout::test
